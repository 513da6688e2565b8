// A select with an Add button.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './controls.tsx';

interface AddOption {
  name: string;
  label: string;
  /** '': no group. */
  group: string;
}

/** The grouped select and the button; null if nothing is left to add. */
export function AddList(props: {
  /** Noun for an option. */
  noun: string;
  options: readonly AddOption[];
  onAdd: (name: string) => void;
}): JSX.Element | null {
  const { noun, options } = props;
  const [chosen, setChosen] = useState('');
  const next = options.find(({ name }) => name === chosen) ?? options[0];
  if (next === undefined) return null;
  return (
    <div class="add">
      <select
        aria-label={`Choose a ${noun}`}
        value={next.name}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {[...new Set(['', ...options.map(({ group }) => group)])].map((group) => {
          const members = options
            .filter((option) => option.group === group)
            .map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ));
          return group === '' ? (
            members
          ) : (
            <optgroup key={group} label={group}>
              {members}
            </optgroup>
          );
        })}
      </select>
      <Button label={`Add ${noun}`} onClick={() => props.onAdd(next.name)}>
        Add
      </Button>
    </div>
  );
}
