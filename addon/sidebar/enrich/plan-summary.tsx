// What a lookup would do and cost, before it is begun.
import type { JSX } from 'preact';
import type { EnrichPlan } from '../../server/api/index.ts';
import { Warnings } from '../dock.tsx';
import { count } from '../format.ts';
import { Figures, Hint } from '../parts/basics.tsx';

/** Rows, distinct keys, what is remembered, what is bought, and where the values go. */
export function Facts(props: { plan: EnrichPlan | undefined; busy: boolean }): JSX.Element {
  const { plan, busy } = props;
  const { rows: Rows, distinct: Different, cached: Remembered, toFetch } = plan ?? {};
  return (
    <>
      <Figures of={{ Rows, Different, Remembered, 'To buy': toFetch }} busy={busy} />
      {plan !== undefined && plan.columns.length > 0 && (
        <Hint>
          Goes to {plan.columns.length === 1 ? 'column' : 'columns'}{' '}
          {plan.columns.map(({ letter }) => letter).join(', ')}
          {plan.invalid > 0 && ` · ${count(plan.invalid)} can’t be read`}
          {plan.stale > 0 && ` · ${count(plan.stale)} remembered but old`}
        </Hint>
      )}
      <Warnings of={plan} />
    </>
  );
}
