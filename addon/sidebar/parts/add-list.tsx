// A searchable list of things to add, in groups.
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t, translate } from '../../texts/texts.ts';
import { addArticle } from '../format.ts';
import { Hint } from './basics.tsx';
import { Button, IconButton } from './controls.tsx';

interface AddOption {
  name: string;
  label: string;
  /** '': no group. */
  group: string;
  /** Text at the end of the line. */
  note?: string | undefined;
  /** The text that a search looks in. By default the group, label and name. */
  words?: string | undefined;
}

interface OptionListProps {
  noun: string;
  options: readonly AddOption[];
  onAdd: (name: string) => void;
}

function findOptions(options: readonly AddOption[], search: string): AddOption[] {
  const words = search.toLowerCase().split(/\s+/);
  return options.filter(({ name, label, group, words: own = `${group} ${label} ${name}` }) => {
    const text = own.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function moveFocus(box: HTMLElement | null, by: 1 | -1): void {
  const stops = [...(box?.querySelectorAll<HTMLElement>('input, .choices button') ?? [])];
  stops[stops.findIndex((stop) => stop.matches(':focus')) + by]?.focus();
}

/**
 * The open list with its search. Arrow keys move between options. Enter adds the option with the focus, or the marked one: the
 * first that a search has found. Without one, Enter closes the list, as Escape does. The options are one tab stop.
 */
export function OptionList(
  props: OptionListProps & {
    onClose: () => void;
    /** Receives the names in the list when it opens and after each search. */
    onFound?: (names: readonly string[]) => void;
    /** Receives the names that can be seen. */
    onVisible?: (names: readonly string[]) => void;
  },
): JSX.Element {
  const { noun, onClose, onFound, onVisible } = props;
  const [search, setSearch] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = findOptions(props.options, search);
  const marked = search.trim() === '' ? undefined : found[0]?.name;
  useEffect(() => {
    box.current?.querySelector('input')?.focus();
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const top = useRef<number | undefined>(undefined);
  const add = (name: string): void => {
    top.current = box.current?.getBoundingClientRect().top;
    // The option with the focus disappears.
    box.current?.querySelector('input')?.focus({ preventScroll: true });
    setSearch('');
    props.onAdd(name);
  };
  useLayoutEffect(() => {
    // What was added may take space above: the list stays below the pointer.
    const content = box.current?.closest('.content');
    const moved = (box.current?.getBoundingClientRect().top ?? 0) - (top.current ?? 0);
    if (top.current !== undefined && content) content.scrollTop += moved;
    top.current = undefined;
  });
  const report = (): void => {
    const frame = list.current?.getBoundingClientRect();
    if (frame === undefined || onVisible === undefined) return;
    const lines = [...(list.current?.querySelectorAll('button') ?? [])];
    onVisible(
      lines.flatMap((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return bottom > frame.top && top < frame.bottom ? (line.dataset.name ?? []) : [];
      }),
    );
  };
  const names = found.map(({ name }) => name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: not after a change of their order.
  useLayoutEffect(() => onFound?.(names), [search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names decide which lines are visible.
  useEffect(report, [names.join()]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has other styles.
    <div
      class="field"
      role="group"
      aria-label={t('Add {noun}', { noun: addArticle(noun) })}
      ref={box}
      onKeyDown={(event) => {
        const isInput = event.target instanceof HTMLInputElement;
        if (event.key === 'Escape' || (event.key === 'Enter' && isInput && marked === undefined)) onClose();
        else if (event.key === 'ArrowDown') moveFocus(box.current, 1);
        else if (event.key === 'ArrowUp') moveFocus(box.current, -1);
        else if (event.key === 'Enter' && isInput && marked !== undefined) add(marked);
        else return;
        event.preventDefault();
      }}
    >
      <div class="value">
        <input
          type="text"
          aria-label={t('Find {noun}', { noun: addArticle(noun) })}
          placeholder={t('Find {noun}', { noun: addArticle(noun) })}
          value={search}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <IconButton sign="remove" label={t('Close the list')} onClick={onClose} />
      </div>
      <div class="choices" ref={list} onScroll={report}>
        {found.length === 0 && (
          <p class="hint">{t('No {noun} has these words.', { noun: translate(noun) })}</p>
        )}
        {[...new Set(found.map(({ group }) => group))].map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group may change its heading.
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has other styles.
          <div key={at} role="group" aria-label={group || undefined}>
            {group !== '' && <p class="label">{group}</p>}
            {found
              .filter((option) => option.group === group)
              .map(({ name, label, note }) => (
                <button
                  key={name}
                  type="button"
                  class={name === marked ? 'marked' : undefined}
                  tabIndex={name === found[0]?.name ? 0 : -1}
                  data-name={name}
                  onClick={() => add(name)}
                >
                  <span>{label}</span>
                  {note !== undefined && <small>{note}</small>}
                </button>
              ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** A button that opens the list; null if nothing is left to add. */
export function AddList(
  props: OptionListProps & {
    /** The list stays open for further options. */
    several?: boolean;
    /** Shown above the open list. */
    hint?: string | undefined;
  },
): JSX.Element | null {
  const { noun, options, several = false, onAdd } = props;
  const [isOpen, setOpen] = useState<boolean>();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen === false) box.current?.querySelector('button')?.focus();
  }, [isOpen]);
  if (options.length === 0) return null;
  if (isOpen !== true) {
    return (
      <div class="row" ref={box}>
        <Button expanded={false} onClick={() => setOpen(true)}>
          {t('Add {noun}', { noun: translate(noun) })}
        </Button>
      </div>
    );
  }
  return (
    <>
      {props.hint && <Hint>{props.hint}</Hint>}
      <OptionList
        noun={noun}
        options={options}
        onClose={() => setOpen(false)}
        onAdd={(name) => {
          // What was added takes the focus.
          if (!several) setOpen(undefined);
          onAdd(name);
        }}
      />
    </>
  );
}
