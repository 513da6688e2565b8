// Refreshes all or outdated rows of a table, after showing the price.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../../shared/lib/format-count.ts';
import type { RefreshPlan, Table } from '../../server/api/index.ts';
import { useSidebar } from '../context.ts';
import { RunAction, Warnings } from '../dock.tsx';
import { formatCredits, formatRunLabel } from '../format.ts';
import { getCurrentValue, useScriptValue } from '../hooks.ts';
import { Stack } from '../parts/basics.tsx';
import { RadioGroup } from '../parts/controls.tsx';

const upTo = ({ reason }: RefreshPlan): string => (reason === undefined ? '' : 'up to ');

function formatPrice(plan: RefreshPlan): string {
  const { rows, credits, reason } = plan;
  if (credits === 0) return 'Nothing is out of date';
  const price = `${formatCount(rows, 'row')} · ${upTo(plan)}${formatCredits(credits)}`;
  return reason === undefined ? price : `${price}: ${reason}`;
}

const formatButton = (plan: RefreshPlan | undefined): string =>
  plan?.rows && plan.credits === 0
    ? `Write ${formatCount(plan.rows, 'row')} again · free`
    : formatRunLabel('Refresh', plan, plan ? upTo(plan) : '');

export function Refresh({ table }: { table: Table }): JSX.Element {
  const { runs } = useSidebar();
  const [only, setOnly] = useState<'all' | 'stale'>('stale');
  const plan = useScriptValue('planRefresh', runs.isFree ? { id: table.id, only } : undefined);
  const current = getCurrentValue(plan);
  return (
    <Stack>
      <RadioGroup
        label="What to refresh"
        value={only}
        options={[
          { value: 'stale', label: 'Only outdated rows' },
          { value: 'all', label: 'All rows' },
        ]}
        onChange={setOnly}
      />
      <Warnings of={current} />
      <RunAction
        plan={plan}
        price={current && formatPrice(current)}
        button={formatButton(current)}
        method="refreshTable"
        build={(approval) => ({ id: table.id, only, approval })}
      />
    </Stack>
  );
}
