// The search form: a line for each field, several values, ranges, and fields to add.
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Family } from '../../../shared/families.ts';
import type { Condition } from '../../../shared/form-query.ts';
import type { FormField } from '../../../shared/search-form.ts';
import { Adder } from '../parts/adder.tsx';
import { Stack } from '../parts/basics.tsx';
import { IconButton, Link } from '../parts/controls.tsx';

const INPUT_TYPES = { date: 'date', datetime: 'date', month: 'month' } as const;

const inputType = (type: FormField['type']): 'text' | 'date' | 'month' =>
  type === 'date' || type === 'datetime' || type === 'month' ? INPUT_TYPES[type] : 'text';

const HINTS: Partial<Record<FormField['type'], string>> = {
  text: 'words, "a phrase", start*',
  exact: 'exactly as it is spelt',
  host: 'example.com',
};

interface LineProps {
  field: FormField;
  values: readonly string[];
  problem: string | undefined;
  onChange: (values: string[]) => void;
  onRemove?: (() => void) | undefined;
}

function Values({
  field,
  values,
  id,
  onChange,
  invalid,
}: LineProps & { id: string; invalid: boolean }): JSX.Element {
  const shown = values.length === 0 ? [''] : values;
  const put = (at: number, value: string): void =>
    onChange(shown.map((old, other) => (other === at ? value : old)));
  return (
    <>
      {shown.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input is its place in the list.
        <div class="value" key={at}>
          <input
            id={at === 0 ? id : undefined}
            type={inputType(field.type)}
            value={value}
            list={field.known.length > 0 ? `${id}-known` : undefined}
            placeholder={at === 0 ? HINTS[field.type] : 'or'}
            aria-label={at === 0 ? undefined : `${field.label}, or`}
            aria-invalid={invalid || undefined}
            aria-describedby={invalid ? `${id}-problem` : undefined}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => put(at, currentTarget.value)}
          />
          {at > 0 && (
            <IconButton
              sign="remove"
              label={`Remove “${value}” from ${field.label}`}
              onClick={() => onChange(shown.filter((_, other) => other !== at))}
            />
          )}
        </div>
      ))}
      {field.known.length > 0 && (
        <datalist id={`${id}-known`}>
          {field.known.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}

function Range(props: LineProps & { id: string; invalid: boolean }): JSX.Element {
  const { field, values, id, onChange, invalid } = props;
  const [from = '', to = ''] = values;
  const numeric = field.type === 'integer';
  const end = (which: 'from' | 'to', value: string, put: (value: string) => void): JSX.Element => {
    const shared = {
      id: which === 'from' ? id : undefined,
      value,
      placeholder: which,
      'aria-label': `${field.label} ${which}`,
      'aria-invalid': invalid || undefined,
      'aria-describedby': invalid ? `${id}-problem` : undefined,
      autocomplete: 'off',
      onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => put(currentTarget.value),
    };
    if (numeric) return <input type="text" inputMode="numeric" {...shared} />;
    return field.type === 'month' ? <input type="month" {...shared} /> : <input type="date" {...shared} />;
  };
  return (
    <div class={numeric ? 'range' : 'range dates'}>
      {end('from', from, (value) => onChange([value, to]))}
      <span aria-hidden="true">–</span>
      {end('to', to, (value) => onChange([from, value]))}
    </div>
  );
}

function Line(props: LineProps): JSX.Element {
  const { field, values, problem, onChange, onRemove } = props;
  const id = useId();
  const invalid = problem !== undefined;
  const [first = ''] = values;
  const canAdd = field.several && first.trim() !== '' && values[values.length - 1]?.trim() !== '';
  return (
    <div class="field condition">
      <div class="between">
        <label for={id}>
          {field.label}
          {field.group !== '' && <span class="group"> {field.group}</span>}
        </label>
        <span class="tools">
          {canAdd && (
            <Link label={`Another value for ${field.label}`} onClick={() => onChange([...values, ''])}>
              + or
            </Link>
          )}
          {onRemove !== undefined && (
            <IconButton sign="remove" label={`Remove the condition ${field.label}`} onClick={onRemove} />
          )}
        </span>
      </div>
      {field.type === 'flag' ? (
        <select id={id} value={first} onChange={({ currentTarget }) => onChange([currentTarget.value])}>
          <option value="">Either</option>
          <option value="yes">Yes</option>
          <option value="no">No</option>
        </select>
      ) : field.range ? (
        <Range {...props} id={id} invalid={invalid} />
      ) : (
        <Values {...props} id={id} invalid={invalid} />
      )}
      {invalid && (
        <p class="hint wrong" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** A form for a family: the lines that are there, and a list of the fields that can be added. */
export function ConditionForm(props: {
  family: Family;
  fields: readonly FormField[];
  conditions: readonly Condition[];
  /** Names of fields that stay where they are. */
  fixed: readonly string[];
  problems: readonly { name: string; sentence: string }[];
  onChange: (conditions: Condition[]) => void;
}): JSX.Element {
  const { fields, conditions, fixed, problems, onChange } = props;
  return (
    <Stack>
      {conditions.map(({ name, values }) => {
        const field = fields.find((one) => one.name === name);
        return field === undefined ? null : (
          <Line
            key={name}
            field={field}
            values={values}
            problem={problems.find((one) => one.name === name)?.sentence}
            onChange={(changed) =>
              onChange(conditions.map((one) => (one.name === name ? { name, values: changed } : one)))
            }
            onRemove={
              fixed.includes(name) ? undefined : () => onChange(conditions.filter((one) => one.name !== name))
            }
          />
        );
      })}
      <Adder
        what="condition"
        options={fields.filter(({ name }) => !conditions.some((one) => one.name === name))}
        onAdd={(name) => onChange([...conditions, { name, values: [] }])}
      />
    </Stack>
  );
}
