// The columns that hold something to look up.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { CandidateColumn, KeySort } from '../../server/api.ts';
import { Button } from '../parts/basics.tsx';
import { count } from '../words.ts';

const KINDS: Readonly<Record<KeySort, string>> = { website: 'websites', url: 'profile links', id: 'ids' };
const SHOWN = 4;

/** What tells a column from the others. */
export const columnKey = ({ sheet, column }: CandidateColumn): string => `${sheet}!${column}`;

/** The likeliest columns, one of them chosen. */
export function Candidates(props: {
  columns: readonly CandidateColumn[];
  chosen: string;
  onChange: (column: CandidateColumn) => void;
}): JSX.Element {
  const { columns, chosen, onChange } = props;
  const name = useId();
  const [all, setAll] = useState(false);
  const shown = all ? columns : columns.filter((one, at) => at < SHOWN || columnKey(one) === chosen);
  return (
    <fieldset class="choice cards">
      <legend>Column to look up</legend>
      {shown.map((column) => {
        const { sheet, letter, heading, kind, keys, distinct, examples } = column;
        return (
          <label key={columnKey(column)} class="option card">
            <input
              type="radio"
              name={name}
              checked={columnKey(column) === chosen}
              onChange={() => onChange(column)}
            />
            <span>
              <b>
                {letter}
                {heading !== '' && ` · ${heading}`}
              </b>
              <small>
                {sheet} · {count(keys)} {KINDS[kind]}
                {distinct < keys && `, ${count(distinct)} different`}
              </small>
              <small class="cut">{examples.slice(0, 2).join(', ')}</small>
            </span>
          </label>
        );
      })}
      {columns.length > shown.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          Show {count(columns.length - shown.length)} more
        </Button>
      )}
    </fieldset>
  );
}
