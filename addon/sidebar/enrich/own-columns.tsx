// Chooses a person's own columns for the values, instead of new ones.
import type { JSX } from 'preact';
import { formatFieldLabel } from '../../../shared/query/field-labels.ts';
import type { CandidateColumn } from '../../server/api/index.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { Select } from '../parts/controls.tsx';

/** Numbers of the chosen columns by field path; absent: a new column. */
export type OwnColumnsDraft = Readonly<Record<string, number>>;

export function OwnColumns(props: {
  fields: readonly string[];
  /** The column of keys, which knows the headings of its sheet. */
  column: CandidateColumn;
  into: OwnColumnsDraft;
  onChange: (into: OwnColumnsDraft) => void;
}): JSX.Element | null {
  const { fields, into } = props;
  const { beside = [] } = props.column;
  if (beside.length === 0) return null;
  return (
    <Disclosure title="Write to my columns">
      <Hint>Only empty cells of your columns are filled.</Hint>
      {fields.map((path) => (
        <Select
          key={path}
          label={formatFieldLabel(path)}
          value={String(into[path] ?? 0)}
          options={[
            { value: '0', label: 'New column' },
            ...beside.map(({ column, letter, heading }) => ({
              value: String(column),
              label: `${letter} · ${heading}`,
            })),
          ]}
          onChange={(column) => props.onChange({ ...into, [path]: Number(column) })}
        />
      ))}
    </Disclosure>
  );
}
