// Adds fields of whole records to rows of a table.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RecordsOrder, Table } from '../../server/api/index.ts';
import { useSidebar } from '../context.ts';
import { RunAction } from '../dock.tsx';
import { PlanSummary } from '../enrich/plan-summary.tsx';
import { addKnownPrice } from '../format.ts';
import { getCurrentValue, useScriptValue } from '../hooks.ts';
import { Stack } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { RadioGroup } from '../parts/controls.tsx';
import { NO_COLUMN_CHOSEN } from '../parts/destination.tsx';

export function FullRecords({ table }: { table: Table }): JSX.Element {
  const { runs } = useSidebar();
  const [rows, setRows] = useState<RecordsOrder['rows']>('all');
  const [chosen, setChosen] = useState<string[]>();
  const available = useScriptValue('fields', { family: table.family });
  const fields = chosen ?? available.value?.defaults.filter((name) => !table.columns.includes(name)) ?? [];
  const order = fields.length === 0 ? undefined : { tableId: table.id, fields, rows };
  const plan = useScriptValue('planRecords', runs.isFree ? order : undefined);
  const current = getCurrentValue(plan);
  return (
    <Stack>
      <RadioGroup
        label="Rows"
        value={rows}
        options={[
          { value: 'all', label: 'All rows' },
          { value: 'selection', label: 'Selected rows' },
        ]}
        onChange={setRows}
      />
      <RecordColumns
        label="Columns to add"
        available={available}
        without={table.columns}
        chosen={fields}
        onChange={setChosen}
      />
      <PlanSummary
        plan={plan.error === undefined ? plan.value : undefined}
        sheet={table.sheet}
        keyKind="id"
        busy={plan.busy}
      />
      <RunAction
        plan={plan}
        price={order === undefined ? NO_COLUMN_CHOSEN : undefined}
        button={addKnownPrice('Add full records', current?.credits)}
        method="startRecords"
        build={(approval) => order && { ...order, approval }}
      />
    </Stack>
  );
}
