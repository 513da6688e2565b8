// Chooses columns and their order.
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { fieldLabel } from '../../../shared/search-form.ts';

import { Button, IconButton } from './basics.tsx';

/** A list without its item, and with it put back at another place. */
function moved(list: readonly string[], from: number, to: number): string[] {
  const item = list[from];
  const rest = list.filter((_, at) => at !== from);
  return item === undefined ? [...list] : [...rest.slice(0, to), item, ...rest.slice(to)];
}

/** Groups by what stands before the first dot, those at the top first. */
function groups(paths: readonly string[]): [string, string[]][] {
  const found = new Map<string, string[]>([['', []]]);
  for (const path of paths) {
    const dot = path.indexOf('.');
    const group = dot < 0 ? '' : fieldLabel(path.slice(0, dot));
    found.set(group, [...(found.get(group) ?? []), path]);
  }
  return [...found].filter(([, members]) => members.length > 0);
}

/**
 * The chosen columns, in their order, each with buttons to move and to remove it, and the others to add.
 * Alt with an arrow key moves the column that has the focus.
 */
export function ColumnPicker(props: {
  label: string;
  /** Paths of all that can be chosen. */
  columns: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}): JSX.Element {
  const { chosen, onChange } = props;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const others = props.columns.filter((name) => !chosen.includes(name));
  const [wanted, setWanted] = useState('');
  const [said, setSaid] = useState('');
  const next = others.find((name) => name === wanted) ?? others[0];

  const move = (from: number, to: number): void => {
    const name = chosen[from];
    if (name === undefined || to < 0 || to >= chosen.length) return;
    onChange(moved(chosen, from, to));
    setSaid(`${fieldLabel(name)} is column ${to + 1} of ${chosen.length}.`);
    // The item keeps the focus where it goes, so that it can be moved on.
    requestAnimationFrame(() => {
      const item = list.current?.children[to];
      if (item instanceof HTMLElement && !item.contains(document.activeElement)) item.focus();
    });
  };
  const remove = (at: number): void => {
    const name = chosen[at];
    onChange(chosen.filter((_, other) => other !== at));
    if (name !== undefined) setSaid(`${fieldLabel(name)} removed.`);
    requestAnimationFrame(() => {
      const item = list.current?.children[Math.min(at, chosen.length - 2)];
      if (item instanceof HTMLElement) item.focus();
    });
  };

  return (
    <div class="field">
      <span id={`${id}-label`} class="label">
        {props.label}
      </span>
      {chosen.length === 0 && <p class="hint wrong">Add at least one column.</p>}
      <ul class="columns" aria-labelledby={`${id}-label`} ref={list}>
        {chosen.map((name, at) => (
          <li
            key={name}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys.
            tabIndex={0}
            aria-label={`${fieldLabel(name)}, column ${at + 1} of ${chosen.length}. Alt and arrow keys move it.`}
            onKeyDown={(event) => {
              if (event.altKey && event.key === 'ArrowUp') move(at, at - 1);
              else if (event.altKey && event.key === 'ArrowDown') move(at, at + 1);
              else if (event.key === 'Delete' && event.target === event.currentTarget) remove(at);
              else return;
              event.preventDefault();
            }}
          >
            <span class="name" title={name}>
              {fieldLabel(name)}
            </span>
            <IconButton
              sign="up"
              label={`Move ${fieldLabel(name)} up`}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              sign="down"
              label={`Move ${fieldLabel(name)} down`}
              disabled={at === chosen.length - 1}
              onClick={() => move(at, at + 1)}
            />
            <IconButton sign="remove" label={`Remove ${fieldLabel(name)}`} onClick={() => remove(at)} />
          </li>
        ))}
      </ul>
      {next !== undefined && (
        <div class="add">
          <select
            aria-label="Another column"
            value={next}
            onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          >
            {groups(others).map(([group, members]) =>
              group === '' ? (
                members.map((name) => (
                  <option key={name} value={name}>
                    {fieldLabel(name)}
                  </option>
                ))
              ) : (
                <optgroup key={group} label={group}>
                  {members.map((name) => (
                    <option key={name} value={name}>
                      {fieldLabel(name)}
                    </option>
                  ))}
                </optgroup>
              ),
            )}
          </select>
          <Button
            label="Add this column"
            onClick={() => {
              onChange([...chosen, next]);
              setSaid(`${fieldLabel(next)} added.`);
            }}
          >
            Add
          </Button>
        </div>
      )}
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  );
}
