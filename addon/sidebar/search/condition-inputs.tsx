// The inputs of a condition: alternative values or a range.
import type { JSX } from 'preact';
import type { FormField } from '../../../shared/query/form-fields.ts';
import { addArticle } from '../format.ts';
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
  label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

function getPlaceholder(field: FormField): string | undefined {
  const { label, type, suggestions } = field;
  const example = EXAMPLES[label];
  if (suggestions.length > 0 && example === undefined) {
    return `Choose ${addArticle(toNoun(field))}`;
  }
  if (type === 'text') return example === undefined ? 'Words or "a phrase"' : `e.g. ${example}`;
  if (type === 'host') return 'e.g. example.com';
  return type === 'exact' ? 'Exact value' : undefined;
}

/** Properties that differ between the inputs of a line. */
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
            placeholder: at === 0 ? getPlaceholder(field) : 'or',
            spoken: at === 0 ? undefined : `${field.label}, or`,
          })}
          {shown.length > 1 && (
            <IconButton
              sign="remove"
              label={`Remove “${value}” from ${field.label}`}
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
      {end(0, 'from')}
      <span aria-hidden="true">–</span>
      {end(1, 'to')}
    </div>
  );
}
