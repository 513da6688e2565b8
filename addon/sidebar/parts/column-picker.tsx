// Picks columns and their order.
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Column } from '../../../shared/api/common.ts';
import { formatFieldLabel, getFieldSection } from '../../texts/labels.ts';
import { t } from '../../texts/texts.ts';
import type { AsyncValue } from '../hooks.ts';
import { AddList } from './add-list.tsx';
import { Loading } from './basics.tsx';
import { IconButton } from './controls.tsx';

function moveItem(list: readonly string[], from: number, to: number): string[] {
  const item = list[from];
  const others = list.filter((_, at) => at !== from);
  return item === undefined ? [...list] : [...others.slice(0, to), item, ...others.slice(to)];
}

/**
 * The chosen columns with buttons to move and remove them, and a list of columns to add. Alt with an arrow key moves
 * the focused column.
 */
export function ColumnPicker(props: {
  label: string;
  /** Paths of all columns. */
  columns: readonly string[];
  chosen: readonly string[];
  format?: (name: string) => string;
  getNote?: (name: string) => string | undefined;
  /** Explains the notes of the columns to add. */
  hint?: string | undefined;
  onChange: (chosen: string[]) => void;
}): JSX.Element {
  const { chosen, format = formatFieldLabel, getNote, onChange } = props;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const others = props.columns.filter((name) => !chosen.includes(name));
  // A change from outside, such as another family, outdates the announcement.
  const [{ text, of }, setAnnouncement] = useState<{ text?: string; of?: string }>({});
  const [hasRemoved, setHasRemoved] = useState(false);

  const change = (columns: string[], announcement: string): void => {
    onChange(columns);
    setAnnouncement({ text: announcement, of: columns.join() });
  };
  const move = (from: number, to: number): void => {
    const name = chosen[from];
    if (name === undefined || to < 0 || to >= chosen.length) return;
    change(
      moveItem(chosen, from, to),
      t('{field} is column {position} of {count}.', {
        field: format(name),
        position: to + 1,
        count: chosen.length,
      }),
    );
    // The item keeps the focus, so that it can be moved again.
    requestAnimationFrame(() => {
      const item = list.current?.children[to];
      if (item instanceof HTMLElement && !item.contains(document.activeElement)) item.focus();
    });
  };
  const remove = (at: number): void => {
    const name = chosen[at];
    setHasRemoved(true);
    change(
      chosen.filter((_, index) => index !== at),
      t('{field} removed.', { field: name === undefined ? t('Column') : format(name) }),
    );
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
      {chosen.length === 0 && (
        <p class={hasRemoved ? 'hint wrong' : 'hint'}>{t('Add at least one column.')}</p>
      )}
      <ul class="columns" aria-labelledby={`${id}-label`} ref={list}>
        {chosen.map((name, at) => (
          <li
            key={name}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the item handles keys.
            tabIndex={0}
            aria-label={t('{field}, column {position} of {count}. Move it with Alt and the arrow keys.', {
              field: format(name),
              position: at + 1,
              count: chosen.length,
            })}
            onKeyDown={(event) => {
              if (event.altKey && event.key === 'ArrowUp') move(at, at - 1);
              else if (event.altKey && event.key === 'ArrowDown') move(at, at + 1);
              else if (event.key === 'Delete' && event.target === event.currentTarget) remove(at);
              else return;
              event.preventDefault();
            }}
          >
            <span class="name" title={name}>
              {format(name)} <small>{getNote?.(name)}</small>
            </span>
            <IconButton
              sign="up"
              label={t('Move {field} up', { field: format(name) })}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              sign="down"
              label={t('Move {field} down', { field: format(name) })}
              disabled={at === chosen.length - 1}
              onClick={() => move(at, at + 1)}
            />
            <IconButton
              sign="remove"
              label={t('Remove {field}', { field: format(name) })}
              onClick={() => remove(at)}
            />
          </li>
        ))}
      </ul>
      <AddList
        noun="column"
        several
        hint={props.hint}
        options={others.map((name) => ({
          name,
          label: format(name),
          group: getFieldSection(name),
          note: getNote?.(name),
        }))}
        onAdd={(name) => change([...chosen, name], t('{field} added.', { field: format(name) }))}
      />
      <p class="unseen" role="status">
        {of === chosen.join() && text}
      </p>
    </div>
  );
}

export function RecordColumns(props: {
  label: string;
  available: AsyncValue<{ columns: Column[] }>;
  without?: readonly string[];
  chosen: readonly string[] | undefined;
  /** See {@link ColumnPicker}. */
  getNote?: (name: string) => string | undefined;
  onChange: (chosen: string[]) => void;
}): JSX.Element {
  const { label, available, without = [], chosen = [], ...picker } = props;
  return (
    <>
      <Loading of={available} label={t('Loading the columns')} />
      {available.value !== undefined && (
        <ColumnPicker
          label={label}
          columns={available.value.columns.map(({ name }) => name).filter((name) => !without.includes(name))}
          chosen={chosen}
          {...picker}
        />
      )}
    </>
  );
}
