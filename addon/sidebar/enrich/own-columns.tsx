// Chooses a person's own columns for the values, instead of new ones.
import type { JSX } from 'preact';
import type { Family } from '../../../shared/families/index.ts';
import * as english from '../../../shared/query/field-labels.ts';
import type { BesideColumn, CandidateColumn, EnrichOrder } from '../../server/api/index.ts';
import { formatFieldLabel } from '../../texts/labels.ts';
import { t } from '../../texts/texts.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { Select } from '../parts/controls.tsx';
import { getContentKind } from './columns.tsx';
import { formatColumn, listNeighbours, listPersonalColumns } from './more-keys.tsx';

/** Numbers of the chosen columns by field path. 0: a new column; absent: as proposed. */
export type OwnColumnsDraft = Readonly<Record<string, number>>;

/** `Industries (from CRM)*` → `industry`. Case, notes in brackets, punctuation and the plural don’t matter. */
const simplify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[([{].*/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

/** Further headings of fields, simplified. */
const HEADINGS: Readonly<Partial<Record<string, readonly string[]>>> = {
  name: ['company', 'company name', 'account', 'account name'],
  size_range: ['employee', 'headcount'],
};

const matches = ({ heading }: BesideColumn, path: string): boolean =>
  [path, english.formatEnglishFieldLabel(path), formatFieldLabel(path)].some(
    (name) => simplify(name) === simplify(heading),
  ) || HEADINGS[path]?.includes(simplify(heading)) === true;

/** Tells whether another table has a column of this field beside the keys, as rows of a search do. */
export const hasFieldBeside = ({ beside = [] }: CandidateColumn, path: string): boolean =>
  beside.some(
    (each) => !each.isFar && each.field?.isOwn === false && each.field.path === '' && matches(each, path),
  );

/** Finds the column of a field: the one that its table fills, or one of the person's with its heading. */
function propose(path: string, family: Family, column: CandidateColumn): BesideColumn | undefined {
  const { beside = [] } = column;
  const isEmail = getContentKind(column) === 'email';
  const known = beside.find(({ field }) => field?.family === family && field.path === path);
  const found =
    known ??
    listNeighbours(column).find(
      (each) =>
        // A name beside an e-mail address is that of a person.
        !(isEmail && simplify(each.heading) === 'name') &&
        each.field?.isOwn !== false &&
        !each.hasFormulas &&
        matches(each, path),
    );
  return found?.field?.isOwn === false ? undefined : found;
}

/**
 * Returns the own column of each field: the chosen or proposed one.
 * @param moreKeys - of the order; their columns take no values
 */
export function listOwnColumns(
  fields: readonly string[],
  family: Family,
  column: CandidateColumn,
  chosen: OwnColumnsDraft,
  { moreKeys = [] }: Pick<EnrichOrder, 'moreKeys'>,
): { path: string; column: number }[] {
  const taken = new Set([
    0,
    ...moreKeys.map((key) => key.column),
    ...fields.map((path) => chosen[path] ?? 0),
  ]);
  return fields.flatMap((path) => {
    const own = chosen[path];
    const target = own ?? propose(path, family, column)?.column ?? 0;
    if (own === undefined ? taken.has(target) : own === 0) return [];
    taken.add(target);
    return [{ path, column: target }];
  });
}

export function OwnColumns(props: {
  fields: readonly string[];
  /** The column of keys, which knows the headings of its sheet. */
  column: CandidateColumn;
  into: NonNullable<EnrichOrder['into']>;
  chosen: OwnColumnsDraft;
  onChange: (chosen: OwnColumnsDraft) => void;
}): JSX.Element | null {
  const { fields, column, into } = props;
  const { beside = [] } = column;
  const options = listPersonalColumns(column).filter(({ hasFormulas }) => !hasFormulas);
  const computed = beside.filter((each) => each.hasFormulas && fields.some((path) => matches(each, path)));
  return (
    <>
      {computed.length > 0 && (
        <Hint>
          {t('Formulas fill {columns}: new columns are added.', {
            columns: computed.map(formatColumn).join(', '),
          })}
        </Hint>
      )}
      {options.length > 0 && (
        <Disclosure
          title={t('Write to my columns')}
          aside={t('{done} of {total}', { done: into.length, total: fields.length })}
        >
          {fields.map((path) => (
            <Select
              key={path}
              label={formatFieldLabel(path)}
              value={into.find((each) => each.path === path)?.column ?? 0}
              options={[
                { value: 0, label: t('New column') },
                ...options.map((each) => ({ value: each.column, label: formatColumn(each) })),
              ]}
              onChange={(number) => props.onChange({ ...props.chosen, [path]: number })}
            />
          ))}
        </Disclosure>
      )}
    </>
  );
}
