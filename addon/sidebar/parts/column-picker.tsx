// Picks columns and their order.
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
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

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * The chosen columns with buttons to move and remove them, and a list of columns to add. The chosen columns are one tab stop: keys
 * do what their buttons do.
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
  /** The item that is the tab stop of the list. */
  const [current, setCurrent] = useState(0);

  const focusItem = (at: number): void => {
    const item = list.current?.children[at];
    if (item instanceof HTMLElement) item.focus();
  };
  /** The item that gets the focus once a change is shown. */
  const next = useRef<number | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: items exist once the change is shown.
  useLayoutEffect(() => {
    if (next.current !== undefined) focusItem(next.current);
    next.current = undefined;
  }, [chosen]);
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
    next.current = to;
  };
  const remove = (at: number): void => {
    const name = chosen[at];
    setHasRemoved(true);
    change(
      chosen.filter((_, index) => index !== at),
      t('{field} removed.', { field: name === undefined ? t('Column') : format(name) }),
    );
    next.current = Math.min(at, chosen.length - 2);
  };

  return (
    <div class="field">
      <span id={`${id}-label`} class="label">
        {props.label}
      </span>
      {chosen.length === 0 ? (
        <p class={hasRemoved ? 'hint wrong' : 'hint'}>{t('Add at least one column.')}</p>
      ) : (
        <p id={`${id}-keys`} class="hint">
          {t('Arrow keys choose a column. With Alt they move it, and Delete removes it.')}
        </p>
      )}
      <ul class="columns" aria-labelledby={`${id}-label`} ref={list}>
        {chosen.map((name, at) => (
          <li
            key={name}
            tabIndex={at === Math.min(current, chosen.length - 1) ? 0 : -1}
            aria-label={t('{field}, column {position} of {count}', {
              field: format(name),
              position: at + 1,
              count: chosen.length,
            })}
            aria-describedby={`${id}-keys`}
            onFocus={() => setCurrent(at)}
            onKeyDown={(event) => {
              const to = at + (STEPS[event.key] ?? 0);
              if (event.key === 'Delete') remove(at);
              else if (to === at) return;
              else if (event.altKey) move(at, to);
              else if (to >= 0 && to < chosen.length) focusItem(to);
              event.preventDefault();
            }}
          >
            <span class="name" title={name}>
              {format(name)} <small>{getNote?.(name)}</small>
            </span>
            <IconButton
              tabIndex={-1}
              sign="up"
              label={t('Move {field} up', { field: format(name) })}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              tabIndex={-1}
              sign="down"
              label={t('Move {field} down', { field: format(name) })}
              disabled={at === chosen.length - 1}
              onClick={() => move(at, at + 1)}
            />
            <IconButton
              tabIndex={-1}
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
