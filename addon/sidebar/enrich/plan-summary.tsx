// Summary of a lookup before it starts: rows, keys, records to buy and the target columns.
import type { JSX } from 'preact';
import type { EnrichPlan } from '../../server/api/index.ts';
import { Warnings } from '../dock.tsx';
import { formatCount } from '../format.ts';
import { Figures, Hint } from '../parts/basics.tsx';
import type { ContentKind } from './columns.tsx';

const KEY_NOUNS: Readonly<Record<ContentKind | 'several', [singular: string, plural: string]>> = {
  several: ['row has no valid key', 'rows have no valid key'],
  website: ['cell isn’t a website', 'cells aren’t websites'],
  email: ['cell isn’t a work e-mail address', 'cells aren’t work e-mail addresses'],
  url: ['cell isn’t a profile link', 'cells aren’t profile links'],
  id: ['cell isn’t an ID', 'cells aren’t IDs'],
  name: ['cell isn’t a company’s name', 'cells aren’t names of companies'],
};

/** `columns S, T and empty cells of Q`. */
function describeColumns({ columns }: EnrichPlan): string {
  const list = (own: true | undefined): string =>
    columns.flatMap(({ isOwn, letter }) => (isOwn === own ? letter : [])).join(', ');
  const [others, own] = [list(undefined), list(true)];
  return [others && `column${others.includes(',') ? 's' : ''} ${others}`, own && `empty cells of ${own}`]
    .filter(Boolean)
    .join(' and ');
}

/** Shows the figures, the target columns and the warnings of a plan. */
export function PlanSummary(props: {
  plan: EnrichPlan | undefined;
  /** The sheet that receives the values. */
  sheet: string;
  /** What the cells of the key column hold. `several`: there is more than one column. */
  keyKind: ContentKind | 'several';
  /** Number of invalid rows in the report of a run, which need not be said again. */
  reported?: number | undefined;
  busy: boolean;
}): JSX.Element {
  const { plan, sheet, keyKind, reported, busy } = props;
  return (
    <>
      <Figures
        of={{
          Rows: plan?.rows,
          Unique: plan?.distinct,
          // Which records names match, or which key has a record, is not known yet.
          ...(keyKind === 'name' || keyKind === 'several'
            ? {}
            : { Free: plan?.cached, 'To buy': plan?.toFetch }),
        }}
        busy={busy}
      />
      {(plan === undefined ? busy : plan.columns.length > 0) && (
        <Hint>
          Writes to {plan === undefined ? '…' : `${describeColumns(plan)} in “${sheet}”`}
          {plan !== undefined &&
            plan.invalid > 0 &&
            plan.invalid !== reported &&
            ` · ${formatCount(plan.invalid, ...KEY_NOUNS[keyKind])}: ${plan.columns.every(({ isOwn }) => isOwn) ? 'skipped' : '#INVALID_KEY'}`}
          {plan !== undefined &&
            plan.stale > 0 &&
            ` · ${formatCount(plan.stale, 'record')} already bought, but outdated`}
        </Hint>
      )}
      <Warnings of={plan} />
    </>
  );
}
