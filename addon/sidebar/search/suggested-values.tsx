// Suggests known values below an input while a person types.
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FormField } from '../../../shared/query/form-fields.ts';
import { getKnownWords, getSpellings } from '../../../shared/query/known-values.ts';
import { moveFocus } from '../parts/add-list.tsx';

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
        <div class="choices" role="group" aria-label={`Suggestions for ${field.label}`}>
          {found.map((value) => (
            <button
              key={value}
              type="button"
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
        {hasFound && `Suggestions: ${found.join(', ')}`}
      </p>
    </div>
  );
}
