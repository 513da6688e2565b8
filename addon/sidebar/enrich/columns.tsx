// Choice of the column and rows to look up.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isMatchFamily } from '../../../shared/matching/families.ts';
import type { CandidateColumn, ColumnKeyKind, EnrichOrder, Scope } from '../../server/api/index.ts';
import { formatNumber, plural, type Text, t, translate, translateLabels } from '../../texts/texts.ts';
import { Empty, ShowMore } from '../parts/basics.tsx';
import { Button, Link, RadioGroup, Select } from '../parts/controls.tsx';
import { formatColumn } from './more-keys.tsx';

/** What a column holds. The domain of an e-mail address is looked up as a website. */
export type ContentKind = ColumnKeyKind | 'email';

/** `several`: of more than one column. `company`: any key of a company. */
export const KEY_NOUNS: Readonly<Record<ContentKind | 'several' | 'company', Text>> = {
  website: 'website',
  email: 'work e-mail address',
  url: 'profile link',
  id: 'ID',
  name: 'name',
  several: 'value to look up',
  company: 'company',
};

const CONTENTS: Readonly<Record<ColumnKeyKind, Text>> = {
  website: 'Websites or e-mail addresses',
  url: 'Profile links',
  id: 'IDs',
  name: 'Company names',
};

/** Reads a column as company names, which may also be websites or IDs; the same column if they can’t be looked up. */
export function readAsNames(column: CandidateColumn): CandidateColumn {
  const families = column.families.filter(isMatchFamily);
  return families.length === 0 ? column : { ...column, kind: 'name', families };
}

export function ContentChoice(props: {
  detected: ColumnKeyKind;
  value: ColumnKeyKind;
  onChange: (isNames: boolean) => void;
}): JSX.Element {
  const { detected, value } = props;
  return (
    <Select
      label={t('Cells hold')}
      value={value}
      options={[detected, 'name' as const].map((kind) => ({ value: kind, label: translate(CONTENTS[kind]) }))}
      onChange={(kind) => props.onChange(kind === 'name')}
    />
  );
}

export const getContentKind = ({ kind, examples }: CandidateColumn): ContentKind =>
  kind === 'website' && examples.every((text) => text.includes('@')) ? 'email' : kind;
const MAX_COLLAPSED = 4;

/** `14 websites, 12 unique`; `5 of 10 are valid websites` if some cells hold no key. */
function describeKeys(column: CandidateColumn): string {
  const { keys, cells, distinct } = column;
  const noun = KEY_NOUNS[getContentKind(column)];
  const nouns = plural(keys, noun, noun + (noun.endsWith('s') ? 'es' : 's'));
  const of = { keys, cells: cells ?? 0, nouns };
  const all =
    cells === undefined
      ? `${formatNumber(keys)} ${nouns}`
      : keys === 1
        ? t('{keys} of {cells} is a valid {nouns}', of)
        : t('{keys} of {cells} are valid {nouns}', of);
  return distinct < keys ? t('{all}, {distinct} unique', { all, distinct }) : all;
}

export const getColumnKey = ({ sheet, column }: Pick<CandidateColumn, 'sheet' | 'column'>): string =>
  `${sheet}!${column}`;

export function ColumnChoice(props: {
  label?: string;
  columns: readonly CandidateColumn[];
  chosen: string;
  onChange: (column: CandidateColumn) => void;
  onRetry: () => void;
}): JSX.Element {
  const { columns, chosen, onChange } = props;
  const name = useId();
  const [all, setAll] = useState(false);
  const shown = all
    ? columns
    : columns.filter((column, at) => at < MAX_COLLAPSED || getColumnKey(column) === chosen);
  return (
    <>
      <fieldset class="choice cards">
        <legend>{props.label ?? t('Column to look up')}</legend>
        {shown.map((column) => {
          const { sheet, examples } = column;
          const label = formatColumn(column);
          const isRepeated = columns.some((other) => other !== column && formatColumn(other) === label);
          return (
            <label key={getColumnKey(column)} class="option card">
              <input
                type="radio"
                name={name}
                checked={getColumnKey(column) === chosen}
                onChange={() => onChange(column)}
              />
              <span>
                <b>{isRepeated ? `${sheet}: ${label}` : label}</b>
                <small>
                  {!isRepeated && `${sheet} · `}
                  {describeKeys(column)}
                </small>
                <small class="cut" title={examples.join(', ')}>
                  {examples.slice(0, 2).join(', ')}
                </small>
              </span>
            </label>
          );
        })}
        <ShowMore left={columns.length - shown.length} onClick={() => setAll(true)} />
      </fieldset>
      <Link onClick={props.onRetry}>{t('Look for columns again')}</Link>
    </>
  );
}

export function NoColumns(props: { what: string; onRetry: () => void }): JSX.Element {
  return (
    <Empty title={t('No column to look up yet')}>
      <p>{`${props.what} ${t('Names need a heading such as Company.')}`}</p>
      <Button onClick={props.onRetry}>{t('Look for columns')}</Button>
    </Empty>
  );
}

const SCOPES: readonly { value: Scope; label: Text }[] = [
  { value: 'all', label: 'All rows' },
  { value: 'blank', label: 'Only empty rows' },
  { value: 'selection', label: 'Selected rows' },
  { value: 'fromHere', label: 'From the selected cell down' },
];

export function ScopeChoice<S extends Scope | EnrichOrder['scope']>(props: {
  value: S;
  more?: readonly { value: S; label: string }[];
  onChange: (scope: S | Scope) => void;
}): JSX.Element {
  const { value, more = [], onChange } = props;
  return (
    <RadioGroup<S | Scope>
      label={t('Rows')}
      value={value}
      options={translateLabels([...SCOPES, ...more])}
      onChange={onChange}
    />
  );
}
