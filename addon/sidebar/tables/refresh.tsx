// Refreshes a table: all of it or what is stale, with the price first.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RefreshPlan, Table } from '../../server/api/index.ts';
import { PriceTag, Warnings } from '../dock.tsx';
import { counted, inCredits, withPrice } from '../format.ts';
import { settled, useAnswer } from '../hooks.ts';
import { Stack } from '../parts/basics.tsx';
import { Choice } from '../parts/controls.tsx';
import type { Runs } from '../runs.ts';

/** What stands beside the button. */
function priceOf({ rows, credits }: RefreshPlan): string {
  return credits === 0
    ? 'Nothing is out of date: free'
    : `${counted(rows, 'row')} · up to ${inCredits(credits)}`;
}

/** The choice, the price, the button. */
export function Refresh(props: { table: Table; runs: Runs }): JSX.Element {
  const { table, runs } = props;
  const [only, setOnly] = useState<'all' | 'stale'>(table.kind === 'search' ? 'all' : 'stale');
  const plan = useAnswer('planRefresh', runs.free ? { id: table.id, only } : undefined);
  const current = settled(plan);
  return (
    <Stack>
      <Choice
        label="What to refresh"
        value={only}
        options={[
          { value: 'stale', label: 'Only outdated rows' },
          { value: 'all', label: 'All rows' },
        ]}
        onChange={setOnly}
      />
      <Warnings of={current} />
      <PriceTag
        asked={plan}
        price={current && priceOf(current)}
        button={withPrice(
          current?.rows ? `Refresh ${counted(current.rows, 'row')}` : 'Refresh rows',
          current?.credits ?? 0,
          'up to ',
        )}
        credits={current?.credits}
        ready={current !== undefined}
        busy={runs.busy}
        onClick={() => {
          if (current === undefined) return;
          const { approval, willOverwrite } = current;
          runs.start('refreshTable', { id: table.id, only, approval }, willOverwrite);
        }}
      />
    </Stack>
  );
}
