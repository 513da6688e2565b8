// The inputs of a condition: alternative values or a range, with suggestions of known values while a person types.
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FormField } from '../../../shared/query/form-fields.ts';
import { getKnownWords, getSpellings } from '../../../shared/query/known-values.ts';
import { t, toInline, translate } from '../../texts/texts.ts';
import { addArticle } from '../format.ts';
import { moveFocus } from '../parts/add-list.tsx';
import { IconButton } from '../parts/controls.tsx';

/** Examples by label, for the text fields that people use most. */
const EXAMPLES: Readonly<Record<string, string>> = {
  Industry: 'software',
  Title: 'sales manager',
  'Job title': 'sales manager',
  Company: 'Acme',
  'Company name': 'Acme',
  City: 'Berlin',
};

/** `country`, `HQ country`. */
export const toNoun = ({ label }: Pick<FormField, 'label'>): string =>
  toInline(label, (text) => text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()));

/** The placeholder of an input whose values are chosen from a list. */
export const formatChoice = (field: FormField): string =>
  t('Choose {noun}', { noun: addArticle(toNoun(field)) });

function getPlaceholder(field: FormField): string | undefined {
  const { label, type, suggestions } = field;
  const example = Object.entries(EXAMPLES).find(([english]) => translate(english) === label)?.[1];
  if (suggestions.length > 0 && example === undefined) {
    return formatChoice(field);
  }
  if (type === 'text')
    return example === undefined ? t('Words or "a phrase"') : t('e.g. {example}', { example });
  if (type === 'host') return t('e.g. {example}', { example: 'example.com' });
  return type === 'exact' ? t('Exact value') : undefined;
}

interface InputOptions {
  placeholder: string | undefined;
  /** Accessible name, if it is not the line's label. */
  spoken: string | undefined;
}

export interface InputsProps {
  field: FormField;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Renders an input; the first one has the line's id. */
  input: (at: number, value: string, options: InputOptions) => JSX.Element;
}

export function Values({ field, values, onChange, input }: InputsProps): JSX.Element {
  const shown = values.length === 0 ? [''] : values;
  return (
    <>
      {shown.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input is identified by its position.
        <div class="value" key={at}>
          {input(at, value, {
            placeholder: at === 0 ? getPlaceholder(field) : t('or'),
            spoken: at === 0 ? undefined : t('{label}, or', { label: field.label }),
          })}
          {shown.length > 1 && (
            <IconButton
              sign="remove"
              label={t('Remove “{value}” from {label}', { value, label: field.label })}
              onClick={() => onChange(shown.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
    </>
  );
}

export function Range({ field, values, input }: InputsProps): JSX.Element {
  const end = (at: number, which: string): JSX.Element =>
    input(at, values[at] ?? '', { placeholder: which, spoken: `${field.label} ${which}` });
  return (
    <div class={field.type === 'integer' ? 'range' : 'range dates'}>
      {end(0, t('from'))}
      <span aria-hidden="true">–</span>
      {end(1, t('to'))}
    </div>
  );
}

/** Fewer letters match too much. */
const MIN_LETTERS = 2;
const MAX_VALUES = 6;

/** Returns the known values with a word that starts with the typed text, other spellings included. */
function findSuggestions({ name, suggestions }: FormField, typed: string): string[] {
  const text = typed.trim().toLowerCase();
  const isChosen = suggestions.some((value) => value.toLowerCase() === text);
  if (text.length < MIN_LETTERS || isChosen) return [];
  const words = getKnownWords(name);
  const [known] = getSpellings(name, typed);
  return suggestions
    .filter((value) => value === known || ` ${words.get(value) ?? value}`.toLowerCase().includes(` ${text}`))
    .slice(0, MAX_VALUES);
}

/** Wraps an input. Arrow keys move between the input and the suggestions, Enter chooses one, Escape closes the list. */
export function SuggestedValues(props: {
  field: FormField;
  typed: string;
  onChoose: (value: string) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { field, typed, onChoose } = props;
  const [isTyping, setTyping] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const found = isTyping ? findSuggestions(field, typed) : [];
  const hasFound = found.length > 0;
  const close = (): void => {
    box.current?.querySelector('input')?.focus();
    setTyping(false);
  };
  return (
    <div
      class="suggested"
      ref={box}
      onInput={() => setTyping(true)}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) setTyping(false);
      }}
      // Before the input, whose arrow key opens the list of all values.
      onKeyDownCapture={(event) => {
        if (!hasFound) return;
        if (event.key === 'ArrowDown') moveFocus(box.current, 1);
        else if (event.key === 'ArrowUp') moveFocus(box.current, -1);
        else if (event.key === 'Escape') close();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {props.children}
      {hasFound && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has other styles.
        <div class="choices" role="group" aria-label={t('Suggestions for {label}', { label: field.label })}>
          {found.map((value) => (
            <button
              key={value}
              type="button"
              // Arrow keys reach it.
              tabIndex={-1}
              // Safari doesn’t focus a clicked button.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                close();
                onChoose(value);
              }}
            >
              {value}
            </button>
          ))}
        </div>
      )}
      <p class="unseen" role="status">
        {hasFound && t('Suggestions: {found}', { found: found.join(', ') })}
      </p>
    </div>
  );
}
