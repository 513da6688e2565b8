// What a lookup would do and cost, before it is begun.
import type { JSX } from 'preact';
import type { EnrichPlan } from '../../server/api.ts';
import { Warnings } from '../dock.tsx';
import { Hint } from '../parts/basics.tsx';
import { count } from '../words.ts';

/** Rows, distinct keys, what is remembered, what is bought, and where the values go. */
export function Facts(props: { plan: EnrichPlan | undefined; busy: boolean }): JSX.Element {
  const { plan, busy } = props;
  const shown = (number: number | undefined): string => (number === undefined ? '–' : count(number));
  const facts: [string, number | undefined][] = [
    ['Rows', plan?.rows],
    ['Different', plan?.distinct],
    ['Remembered', plan?.remembered],
    ['To buy', plan?.toFetch],
  ];
  return (
    <>
      <dl class={busy ? 'facts pale' : 'facts'}>
        {facts.map(([name, number]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{shown(number)}</dd>
          </div>
        ))}
      </dl>
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
