// Adds whole records' values to rows of a table.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RecordsOrder, Table } from '../../server/api/index.ts';
import { PriceTag } from '../dock.tsx';
import { PlanSummary } from '../enrich/plan-summary.tsx';
import { counted, inCredits, withPrice } from '../format.ts';
import { settled, useAnswer } from '../hooks.ts';
import { Stack } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { Choice } from '../parts/controls.tsx';
import { NO_COLUMN } from '../parts/destination.tsx';
import type { Runs } from '../runs.ts';

/** The rows, the columns, the price, the button. */
export function FullRecords(props: { table: Table; runs: Runs }): JSX.Element {
  const { table, runs } = props;
  const [rows, setRows] = useState<RecordsOrder['rows']>('selection');
  const [chosen, setChosen] = useState<string[]>();
  const available = useAnswer('fields', { family: table.family });
  const fields = chosen ?? available.value?.defaults.filter((name) => !table.columns.includes(name)) ?? [];
  const order = fields.length === 0 ? undefined : { tableId: table.id, fields, rows };
  const plan = useAnswer('planRecords', runs.free ? order : undefined);
  const current = settled(plan);
  return (
    <Stack>
      <Choice
        label="Rows"
        value={rows}
        options={[
          { value: 'selection', label: 'Selected rows' },
          { value: 'all', label: 'All rows' },
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
      <PlanSummary plan={plan.refusal === undefined ? plan.value : undefined} keyKind="id" busy={plan.busy} />
      <PriceTag
        asked={plan}
        price={
          order === undefined
            ? NO_COLUMN
            : current && `${counted(current.rows, 'row')} · ${inCredits(current.credits)}`
        }
        button={withPrice('Add full records', current?.credits ?? 0)}
        credits={current?.credits}
        ready={current !== undefined && current.rows > 0}
        busy={runs.busy}
        onClick={() => {
          if (order === undefined || current === undefined) return;
          const { approval, willOverwrite } = current;
          runs.start('fullRecords', { ...order, approval }, willOverwrite);
        }}
      />
    </Stack>
  );
}
