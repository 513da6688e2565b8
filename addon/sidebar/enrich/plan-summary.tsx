// Summary of a lookup before it starts: rows, keys, records to buy and the target columns.
import type { JSX } from 'preact';
import { describeNotKeys } from '../../../shared/keys/not-keys.ts';
import { formatCount } from '../../../shared/lib/format-count.ts';
import type { EnrichPlan } from '../../server/api/index.ts';
import { Warnings } from '../dock.tsx';
import { addArticle } from '../format.ts';
import { Figures, Hint } from '../parts/basics.tsx';
import { Link } from '../parts/controls.tsx';
import { KEY_NOUNS } from './columns.tsx';

/** `columns S, T and empty cells of Q`. */
function describeColumns({ columns }: EnrichPlan): string {
  const list = (own: true | undefined): string =>
    columns.flatMap(({ isOwn, letter }) => (isOwn === own ? letter : [])).join(', ');
  const [others, own] = [list(undefined), list(true)];
  return [others && `column${others.includes(',') ? 's' : ''} ${others}`, own && `empty cells of ${own}`]
    .filter(Boolean)
    .join(' and ');
}

/** Kinds of key without known records. Counts have none. */
const NO_RECORDS: readonly (keyof typeof KEY_NOUNS)[] = ['name', 'several', 'company'];

export function PlanSummary(props: {
  plan: EnrichPlan | undefined;
  sheet: string;
  /** What the cells of the key column hold. `several`: there is more than one column. */
  keyKind: keyof typeof KEY_NOUNS;
  /** Number of invalid rows in the report of a run, which need not be said again. */
  reported?: number | undefined;
  busy: boolean;
  /** Reads the cells as company names, if they can be looked up. */
  onNames?: (() => void) | undefined;
}): JSX.Element {
  const { plan, sheet, keyKind, reported, busy, onNames } = props;
  const names = plan?.notKeys.name ?? 0;
  return (
    <>
      <Figures
        of={{
          Rows: plan?.rows,
          ...(plan && plan.distinct === plan.rows ? {} : { Unique: plan?.distinct }),
          // Which records names match, or which key has a record, is not known yet.
          ...(NO_RECORDS.includes(keyKind) ? {} : { Free: plan?.cached, 'To buy': plan?.toFetch }),
        }}
        busy={busy}
      />
      {(plan === undefined ? busy : plan.columns.length > 0) && (
        <Hint>
          Writes to {plan === undefined ? '…' : `${describeColumns(plan)} in “${sheet}”`}
          {plan !== undefined &&
            plan.invalid > 0 &&
            plan.invalid !== reported &&
            ` · ${formatCount(plan.invalid, keyKind === 'several' ? 'row' : 'cell')} without ${addArticle(KEY_NOUNS[keyKind])} (${describeNotKeys(plan.notKeys)}): not looked up`}
          {plan !== undefined &&
            plan.stale > 0 &&
            ` · ${formatCount(plan.stale, 'record')} already bought, but outdated`}
        </Hint>
      )}
      {onNames && names > 0 && (
        <Link onClick={onNames}>Look up {formatCount(names, 'company name')}, too</Link>
      )}
      <Warnings of={plan} />
    </>
  );
}
