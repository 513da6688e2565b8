// The search form: one line per field, with alternative values or a range.
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type { FormField } from '../../../shared/query/form-fields.ts';
import type { FormCondition } from '../../../shared/query/form-query.ts';
import { AddList } from '../parts/add-list.tsx';
import { Stack } from '../parts/basics.tsx';
import { IconButton, Link } from '../parts/controls.tsx';

const INPUT_TYPES: Partial<Record<FormField['type'], 'date' | 'month'>> = {
  date: 'date',
  datetime: 'date',
  month: 'month',
};

/** Examples by label, for the text fields that people use most. */
const EXAMPLES: Readonly<Record<string, string>> = {
  Industry: 'software',
  Title: 'sales manager',
  'Job title': 'sales manager',
  Company: 'Acme',
  'Company name': 'Acme',
  City: 'Berlin',
};

/** Returns the placeholder of a field. */
function getPlaceholder({ label, type, suggestions }: FormField): string | undefined {
  if (suggestions.length > 0) {
    return `Choose ${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  }
  const example = EXAMPLES[label];
  if (type === 'text') return example === undefined ? 'Words or "a phrase"' : `e.g. ${example}`;
  if (type === 'host') return 'e.g. example.com';
  return type === 'exact' ? 'Exact value' : undefined;
}

interface LineProps {
  field: FormField;
  values: readonly string[];
  problem: string | undefined;
  onChange: (values: string[]) => void;
  onRemove?: (() => void) | undefined;
}

/** Properties that differ between the inputs of a line. */
interface InputOptions {
  placeholder: string | undefined;
  /** Accessible name, if it is not the line's label. */
  spoken: string | undefined;
  /** Id of the suggestions. */
  list?: string | undefined;
}

interface InputsProps extends LineProps {
  id: string;
  /** Renders an input; the first one has the line's id. */
  input: (at: number, value: string, options: InputOptions) => JSX.Element;
}

function Values({ field, values, id, onChange, input }: InputsProps): JSX.Element {
  const shown = values.length === 0 ? [''] : values;
  const listId = `${id}-known`;
  return (
    <>
      {shown.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input is identified by its position.
        <div class="value" key={at}>
          {input(at, value, {
            list: field.suggestions.length > 0 ? listId : undefined,
            placeholder: at === 0 ? getPlaceholder(field) : 'or',
            spoken: at === 0 ? undefined : `${field.label}, or`,
          })}
          {at > 0 && (
            <IconButton
              sign="remove"
              label={`Remove “${value}” from ${field.label}`}
              onClick={() => onChange(shown.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {field.suggestions.length > 0 && (
        <datalist id={listId}>
          {field.suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}

function Range({ field, values, input }: InputsProps): JSX.Element {
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

function Line(props: LineProps): JSX.Element {
  const { field, values, problem, onChange, onRemove } = props;
  const id = useId();
  const isInvalid = problem !== undefined;
  const [first = '', second = ''] = values;
  const put = (at: number, value: string): void => {
    const current = field.isRange ? [first, second] : values.length === 0 ? [''] : values;
    onChange(current.map((old, index) => (index === at ? value : old)));
  };
  const input: InputsProps['input'] = (at, value, { placeholder, spoken, list }) => (
    <input
      id={at === 0 ? id : undefined}
      type={INPUT_TYPES[field.type] ?? 'text'}
      inputMode={field.type === 'integer' ? 'numeric' : undefined}
      value={value}
      list={list}
      placeholder={placeholder}
      aria-label={spoken}
      aria-invalid={isInvalid || undefined}
      aria-describedby={isInvalid ? `${id}-problem` : undefined}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => put(at, currentTarget.value)}
    />
  );
  const Inputs = field.isRange ? Range : Values;
  const canAdd = field.isMultiple && first.trim() !== '' && values[values.length - 1]?.trim() !== '';
  return (
    <div class="field">
      <div class="between">
        <label for={id}>
          {field.label}
          {field.group !== '' && <span class="group"> {field.group}</span>}
        </label>
        <span class="tools">
          {canAdd && (
            <Link label={`Add value for ${field.label}`} onClick={() => onChange([...values, ''])}>
              + Add value
            </Link>
          )}
          {onRemove !== undefined && (
            <IconButton sign="remove" label={`Remove the condition ${field.label}`} onClick={onRemove} />
          )}
        </span>
      </div>
      {field.type === 'flag' ? (
        <select id={id} value={first} onChange={({ currentTarget }) => onChange([currentTarget.value])}>
          <option value="">Any</option>
          <option value="yes">Yes</option>
          <option value="no">No</option>
        </select>
      ) : (
        <Inputs {...props} id={id} input={input} />
      )}
      {isInvalid && (
        <p class="hint wrong" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** The form of a family, with a list of fields to add. */
export function ConditionForm(props: {
  family: Family;
  fields: readonly FormField[];
  conditions: readonly FormCondition[];
  /** Names of fields that cannot be removed. */
  fixed: readonly string[];
  problems: readonly { name: string; message: string }[];
  onChange: (conditions: FormCondition[]) => void;
}): JSX.Element {
  const { fields, conditions, fixed, problems, onChange } = props;
  return (
    <Stack>
      {conditions.map(({ name, values }) => {
        const field = fields.find((each) => each.name === name);
        return field === undefined ? null : (
          <Line
            key={name}
            field={field}
            values={values}
            problem={problems.find((each) => each.name === name)?.message}
            onChange={(changed) =>
              onChange(conditions.map((each) => (each.name === name ? { name, values: changed } : each)))
            }
            onRemove={
              fixed.includes(name)
                ? undefined
                : () => onChange(conditions.filter((each) => each.name !== name))
            }
          />
        );
      })}
      <AddList
        noun="condition"
        options={fields.filter(({ name }) => !conditions.some((each) => each.name === name))}
        onAdd={(name) => onChange([...conditions, { name, values: [] }])}
      />
    </Stack>
  );
}
