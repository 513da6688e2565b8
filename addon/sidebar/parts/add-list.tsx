// A list to add something from.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './controls.tsx';

/** Something that can be added. */
interface AddOption {
  name: string;
  label: string;
  /** '' at the top. */
  group: string;
}

/** The list, in groups, and the button; nothing where there is nothing more to add. */
export function AddList(props: {
  /** One of them, in one word. */
  what: string;
  options: readonly AddOption[];
  onAdd: (name: string) => void;
}): JSX.Element | null {
  const { what, options } = props;
  const [wanted, setWanted] = useState('');
  const next = options.find(({ name }) => name === wanted) ?? options[0];
  if (next === undefined) return null;
  return (
    <div class="add">
      <select
        aria-label={`Choose a ${what}`}
        value={next.name}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      >
        {[...new Set(['', ...options.map(({ group }) => group)])].map((group) => {
          const members = options
            .filter((one) => one.group === group)
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
      <Button label={`Add ${what}`} onClick={() => props.onAdd(next.name)}>
        Add
      </Button>
    </div>
  );
}
