// Runs on the rows of a table, after showing the price: refreshes them, or adds fields of whole records.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RecordsOrder, RefreshPlan, Table } from '../../server/api/index.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { RunAction, Warnings } from '../dock.tsx';
import { PlanSummary } from '../enrich/plan-summary.tsx';
import { addKnownPrice, formatCredits, formatRunLabel } from '../format.ts';
import { getCurrentValue, useScriptValue } from '../hooks.ts';
import { Stack } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { RadioGroup } from '../parts/controls.tsx';
import { NO_COLUMN_CHOSEN } from '../parts/destination.tsx';

const upTo = ({ reason }: RefreshPlan): string => (reason === undefined ? '' : t('up to '));

function formatPrice(plan: RefreshPlan): string {
  const { rows, credits, reason } = plan;
  if (credits === 0) return t('Nothing is out of date');
  const price = `${formatCount(rows, 'row')} · ${upTo(plan)}${formatCredits(credits)}`;
  return reason === undefined ? price : `${price}: ${reason}`;
}

const formatButton = (plan: RefreshPlan | undefined): string =>
  plan?.rows && plan.credits === 0
    ? t('Write {rows} again · free', { rows: formatCount(plan.rows, 'row') })
    : formatRunLabel('Refresh {rows}', plan, plan ? upTo(plan) : '');

export function Refresh({ table }: { table: Table }): JSX.Element {
  const { runs } = useSidebar();
  const isCount = table.kind === 'count';
  const [only, setOnly] = useState<'all' | 'stale'>(isCount ? 'all' : 'stale');
  const plan = useScriptValue('planRefresh', runs.isFree ? { id: table.id, only } : undefined);
  const current = getCurrentValue(plan);
  return (
    <Stack>
      {!isCount && (
        <RadioGroup
          label={t('What to refresh')}
          value={only}
          options={[
            { value: 'stale', label: t('Only outdated rows') },
            { value: 'all', label: t('All rows') },
          ]}
          onChange={setOnly}
        />
      )}
      <Warnings of={current} />
      <RunAction
        plan={plan}
        price={isCount ? undefined : current && formatPrice(current)}
        button={isCount ? formatRunLabel('Count {rows}', current, '') : formatButton(current)}
        method="refreshTable"
        build={(approval) => ({ id: table.id, only, approval })}
      />
    </Stack>
  );
}

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
        label={t('Rows')}
        value={rows}
        options={[
          { value: 'all', label: t('All rows') },
          { value: 'selection', label: t('Selected rows') },
        ]}
        onChange={setRows}
      />
      <RecordColumns
        label={t('Columns to add')}
        available={available}
        without={table.columns}
        chosen={fields}
        onChange={setChosen}
      />
      <PlanSummary plan={plan} sheet={table.sheet} keyKind="id" />
      <RunAction
        plan={plan}
        price={order === undefined ? t(NO_COLUMN_CHOSEN) : undefined}
        button={addKnownPrice(t('Add full records'), current?.credits)}
        method="startRecords"
        build={(approval) => order && { ...order, approval }}
      />
    </Stack>
  );
}
