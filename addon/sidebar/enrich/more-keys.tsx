// Further key columns: which ones are tried, in which order, and where named companies are.
import type { JSX } from 'preact';
import type { Family } from '../../../shared/families/index.ts';
import type { BesideColumn, CandidateColumn, EnrichOrder } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { ColumnPicker } from '../parts/column-picker.tsx';
import { Select } from '../parts/controls.tsx';

/** Headings of the columns that narrow names down, as they are proposed. */
const PLACE_HEADINGS = {
  country: /^(?:country|land|pays|pa[ií]s|paese)(?:[\s_-]?(?:name|code))?$/i,
  city: /^(?:city|town|stadt|ort|ville|ciudad|citt[aà]|plaats)$/i,
} as const;
type Place = keyof typeof PLACE_HEADINGS;

/** Chosen columns by number. Undefined places are proposed by their headings; 0: none. */
export interface MoreKeysDraft {
  fallbacks: number[];
  country: number | undefined;
  city: number | undefined;
}

export const noMoreKeys: MoreKeysDraft = { fallbacks: [], country: undefined, city: undefined };

/** Names a column: `B · Name`. */
export const formatColumn = ({ letter, heading }: { letter: string; heading: string }): string =>
  heading === '' ? letter : `${letter} · ${heading}`;

/** Returns the columns of keys in their order: the first one, then the chosen others of its sheet. */
export function listKeyColumns(
  first: CandidateColumn,
  all: readonly CandidateColumn[],
  { fallbacks }: MoreKeysDraft,
): CandidateColumn[] {
  const others = fallbacks.flatMap(
    (column) => all.find((each) => each.sheet === first.sheet && each.column === column) ?? [],
  );
  return [first, ...others.filter(({ column }) => column !== first.column)];
}

const findNames = (keys: readonly CandidateColumn[]): CandidateColumn | undefined =>
  keys.find(({ kind }) => kind === 'name');

/** Lists the columns beside keys that the person fills, not a table. */
export const listPersonalColumns = ({ beside = [] }: CandidateColumn): BesideColumn[] =>
  beside.filter(({ field }) => field?.isOwn !== false);

/** Lists the columns of the same list: those to the right, then those to the left, the nearest first. */
export function listNeighbours({ column: from, beside = [] }: CandidateColumn): BesideColumn[] {
  const near = beside.filter(({ isFar }) => !isFar);
  return [
    ...near.filter(({ column }) => column > from),
    ...near.filter(({ column }) => column < from).reverse(),
  ];
}

/** Proposes the nearest column with a fitting heading. The results of a table are no input of its next run. */
const proposePlace = (names: CandidateColumn, place: Place): number =>
  listNeighbours(names).find(
    ({ heading, field }) => field?.isOwn !== false && PLACE_HEADINGS[place].test(heading),
  )?.column ?? 0;

/** Returns the column of a place; 0: none. */
function getPlace(keys: readonly CandidateColumn[], draft: MoreKeysDraft, place: Place): number {
  const names = findNames(keys);
  return draft[place] ?? (names === undefined ? 0 : proposePlace(names, place));
}

/** Builds the part of an order; empty for a single column. */
export function buildMoreKeys(
  keys: readonly CandidateColumn[],
  draft: MoreKeysDraft,
): Pick<EnrichOrder, 'moreKeys'> {
  const places = (['country', 'city'] as const)
    .map((holds) => ({ column: getPlace(keys, draft, holds), holds }))
    .filter(({ column }) => column !== 0);
  const moreKeys = [...keys.slice(1).map(({ column, kind: holds }) => ({ column, holds })), ...places];
  return moreKeys.length === 0 ? {} : { moreKeys };
}

export function MoreKeys(props: {
  keys: readonly CandidateColumn[];
  all: readonly CandidateColumn[];
  family: Family;
  draft: MoreKeysDraft;
  /** @param first - the column to try first */
  onOrder: (first: CandidateColumn, draft: MoreKeysDraft) => void;
  onPlace: (draft: MoreKeysDraft) => void;
}): JSX.Element | null {
  const { keys, all, family, draft } = props;
  const [first] = keys;
  const usable = all.filter(({ sheet, families }) => sheet === first?.sheet && families.includes(family));
  const names = findNames(keys);
  const findColumn = (name: string): CandidateColumn | undefined =>
    usable.find(({ column }) => String(column) === name);
  const formatName = (name: string): string => {
    const column = findColumn(name);
    return column === undefined ? name : formatColumn(column);
  };
  return (
    <>
      {names !== undefined &&
        (['country', 'city'] as const).map((place) => (
          <Select
            key={place}
            label={place === 'country' ? t('Country of the names') : t('City of the names')}
            value={getPlace(keys, draft, place)}
            options={[
              { value: 0, label: t('No column') },
              ...listPersonalColumns(names).map((each) => ({
                value: each.column,
                label: formatColumn(each),
              })),
            ]}
            onChange={(column) => props.onPlace({ ...draft, [place]: column })}
          />
        ))}
      {usable.length > 1 && (
        <Disclosure title={t('Other columns to try')} aside={String(keys.length - 1)}>
          <Hint>
            {t('The next column is tried where a cell has no record. Each row costs at most one record.')}
          </Hint>
          <ColumnPicker
            label={t('Columns to try, in order')}
            columns={usable.map(({ column }) => String(column))}
            chosen={keys.map(({ column }) => String(column))}
            format={formatName}
            onChange={(chosen) => {
              const [head, ...tail] = chosen.flatMap((name) => findColumn(name) ?? []);
              if (head !== undefined)
                props.onOrder(head, { ...draft, fallbacks: tail.map(({ column }) => column) });
            }}
          />
        </Disclosure>
      )}
    </>
  );
}
