// Select of families.
import type { JSX } from 'preact';
import type { Family } from '../../../shared/families/index.ts';
import { getFamilyLabel } from '../format.ts';
import { Select } from './controls.tsx';

export function FamilySelect(props: {
  label: string;
  value: Family;
  families: readonly Family[];
  onChange: (family: Family) => void;
}): JSX.Element {
  return (
    <Select
      label={props.label}
      value={props.value}
      options={props.families.map((family) => ({ value: family, label: getFamilyLabel(family) }))}
      onChange={(name) => {
        const family = props.families.find((each) => each === name);
        if (family !== undefined) props.onChange(family);
      }}
    />
  );
}
