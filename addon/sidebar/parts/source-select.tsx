// Select for the source column.
import type { JSX } from 'preact';
import type { Provenance } from '../../server/api/index.ts';
import { Select } from './controls.tsx';

const OPTIONS: readonly { value: Provenance; label: string }[] = [
  { value: 'none', label: 'No' },
  { value: 'columns', label: 'Yes, beside each row' },
  { value: 'notes', label: 'As a note on the first cell' },
];

export function SourceSelect(props: {
  value: Provenance;
  onChange: (value: Provenance) => void;
}): JSX.Element {
  return (
    <Select
      label="Add a source column"
      value={props.value}
      options={OPTIONS}
      onChange={(value) => props.onChange(OPTIONS.find((option) => option.value === value)?.value ?? 'none')}
    />
  );
}
