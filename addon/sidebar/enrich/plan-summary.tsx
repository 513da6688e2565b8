// Summary of a lookup before it starts: rows, keys, records to buy and the target columns.
import type { JSX } from 'preact';
import type { EnrichPlan } from '../../server/api/index.ts';
import { describeNotKeys } from '../../texts/not-keys.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { Warnings } from '../dock.tsx';
import { addArticle } from '../format.ts';
import type { AsyncValue } from '../hooks.ts';
import { Figures, Hint } from '../parts/basics.tsx';
import { Link } from '../parts/controls.tsx';
import { KEY_NOUNS } from './columns.tsx';

/** `columns S, T and empty cells of Q`. */
function describeColumns({ columns }: EnrichPlan): string {
  const list = (own: true | undefined): string =>
    columns.flatMap(({ isOwn, letter }) => (isOwn === own ? letter : [])).join(', ');
  const [others, own] = [list(undefined), list(true)];
  return [
    others &&
      (others.includes(',') ? t('columns {list}', { list: others }) : t('column {list}', { list: others })),
    own && t('empty cells of {own}', { own }),
  ]
    .filter(Boolean)
    .join(t(' and '));
}

/** Kinds of key without known records. Counts have none. */
const NO_RECORDS: readonly (keyof typeof KEY_NOUNS)[] = ['name', 'several', 'company'];

export function PlanSummary(props: {
  plan: AsyncValue<EnrichPlan>;
  sheet: string;
  /** What the cells of the key column hold. `several`: there is more than one column. */
  keyKind: keyof typeof KEY_NOUNS;
  /** Number of invalid rows in the report of a run, which need not be said again. */
  reported?: number | undefined;
  /** Reads the cells as company names, if they can be looked up. */
  onNames?: (() => void) | undefined;
}): JSX.Element {
  const { sheet, keyKind, reported, onNames } = props;
  const { busy, error, value } = props.plan;
  const plan = error === undefined ? value : undefined;
  const names = plan?.notKeys.name ?? 0;
  return (
    <>
      <Figures
        of={{
          [t('Rows')]: plan?.rows,
          ...(plan && plan.distinct === plan.rows ? {} : { [t('Unique')]: plan?.distinct }),
          // Which records names match, or which key has a record, is not known yet.
          ...(NO_RECORDS.includes(keyKind)
            ? {}
            : { [t('Free')]: plan?.cached, [t('To buy')]: plan?.toFetch }),
        }}
        busy={busy}
      />
      {(plan === undefined ? busy : plan.columns.length > 0) && (
        <Hint>
          {plan === undefined
            ? t('Writes to …')
            : t('Writes to {columns} in “{sheet}”', { columns: describeColumns(plan), sheet })}
          {plan !== undefined &&
            plan.invalid > 0 &&
            plan.invalid !== reported &&
            ` · ${t('{count} without {noun} ({notKeys}): not looked up', {
              count: formatCount(plan.invalid, keyKind === 'several' ? 'row' : 'cell'),
              noun: addArticle(KEY_NOUNS[keyKind]),
              notKeys: describeNotKeys(plan.notKeys),
            })}`}
          {plan !== undefined &&
            plan.stale > 0 &&
            ` · ${t('{records} already bought, but outdated', { records: formatCount(plan.stale, 'record') })}`}
        </Hint>
      )}
      {onNames && names > 0 && (
        <Link onClick={onNames}>
          {t('Look up {companyNames}, too', { companyNames: formatCount(names, 'company name') })}
        </Link>
      )}
      <Warnings of={plan} />
    </>
  );
}
