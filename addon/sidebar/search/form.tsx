// The search form: one line per field, with alternative values or a range.
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type { FormField } from '../../../shared/query/form-fields.ts';
import { buildFormQuery, type FormCondition } from '../../../shared/query/form-query.ts';
import { getKnownWords } from '../../../shared/query/known-values.ts';
import { getFieldSection } from '../../texts/labels.ts';
import { formatNumber, t, translateMessage } from '../../texts/texts.ts';
import { AddList, OptionList } from '../parts/add-list.tsx';
import { Stack } from '../parts/basics.tsx';
import { IconButton, Link } from '../parts/controls.tsx';
import {
  formatChoice,
  type InputsProps,
  Range,
  SuggestedValues,
  toNoun,
  Values,
} from './condition-inputs.tsx';
import { useValueCounts } from './value-counts.ts';

const INPUT_TYPES: Partial<Record<FormField['type'], 'date' | 'month'>> = {
  date: 'date',
  datetime: 'date',
  month: 'month',
};

/** Other spellings of a website, which only typed queries need. */
const OTHER_WEBSITES = /exact_website$|website_exact_url$|^websites_(?:main_original|resolved)$/;

const COMPARISONS = [
  { value: '', label: 'is' },
  { value: 'isNot', label: 'is not' },
  { value: 'isEmpty', label: 'is empty' },
  { value: 'hasValue', label: 'has a value' },
] as const;

interface LineProps {
  field: FormField;
  condition: FormCondition;
  problem: string | undefined;
  onChange: (condition: FormCondition) => void;
  family: Family;
  /** All conditions of the form: values are counted together with the others. */
  conditions: readonly FormCondition[];
  onRemove?: (() => void) | undefined;
  /** The condition was just added: its value takes the focus. */
  isNew: boolean;
}

function ValueList(props: {
  line: LineProps;
  values: readonly string[];
  onAdd: (value: string) => void;
  onClose: () => void;
}): JSX.Element {
  const { field, family, condition, conditions } = props.line;
  const values = field.suggestions.filter((value) => !props.values.includes(value));
  const counts = useValueCounts(family, values, (value) => {
    const { name } = condition;
    const built = buildFormQuery(family, [
      ...conditions.filter((each) => each.name !== name),
      { name, values: [value] },
    ]);
    return built.ok ? built.query : undefined;
  });
  // People also type `UK` or `Deutschland`.
  const words = useMemo(() => getKnownWords(field.name), [field.name]);
  // Sizes keep their order, from small to large.
  const isScale = /^\d/.test(values[0] ?? '');
  const grouped = isScale ? values.map((value) => ({ value, group: '' })) : counts.group(values);
  return (
    <OptionList
      noun={toNoun(field)}
      options={grouped.map(({ value, group }) => {
        const count = counts.get(value);
        const note = count === undefined ? '' : formatNumber(count);
        return { name: value, label: value, group, note, words: words.get(value) ?? value };
      })}
      onFound={(names) => counts.find(values.filter((value) => names.includes(value)))}
      onVisible={counts.show}
      onAdd={props.onAdd}
      onClose={props.onClose}
    />
  );
}

/** The choice how the values are compared; null if the family's searches only compare in one way. */
function ComparisonSelect({ field, condition, onChange }: LineProps): JSX.Element | null {
  if (field.target === undefined || field.type === 'flag') return null;
  const { name, values } = condition;
  return (
    <select
      class="comparison"
      aria-label={t('Comparison of {label}', { label: field.label })}
      value={condition.comparison ?? ''}
      onChange={({ currentTarget }) => {
        const comparison = COMPARISONS.find(({ value }) => value === currentTarget.value)?.value ?? '';
        onChange(comparison === '' ? { name, values } : { name, values, comparison });
      }}
    >
      {COMPARISONS.filter(({ value }) => value !== 'isNot' || !field.isRange).map(({ value, label }) => (
        <option key={value} value={value}>
          {t(label)}
        </option>
      ))}
    </select>
  );
}

function Line(props: LineProps): JSX.Element {
  const { field, condition, problem, onChange, onRemove } = props;
  const { values, comparison } = condition;
  const id = useId();
  const [isChoosing, setChoosing] = useState(false);
  const focus = (): void => document.getElementById(id)?.focus();
  // Before the next key press, which belongs to the value.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the line appears.
  useLayoutEffect(() => {
    if (props.isNew) focus();
  }, []);
  const isInvalid = problem !== undefined;
  const [first = '', second = ''] = values;
  const putAll = (changed: readonly string[]): void => onChange({ ...condition, values: changed });
  const put = (at: number, value: string): void => {
    const current = field.isRange ? [first, second] : values.length === 0 ? [''] : values;
    putAll(current.map((old, index) => (index === at ? value : old)));
  };
  const kind = INPUT_TYPES[field.type];
  const hasInput = comparison !== 'isEmpty' && comparison !== 'hasValue';
  const canChoose = hasInput && field.suggestions.length > 0;
  const renderInput: InputsProps['input'] = (at, value, { placeholder, spoken }) => (
    <input
      id={at === 0 ? id : undefined}
      {...(kind === undefined ? {} : { type: kind })}
      inputMode={field.type === 'integer' ? 'numeric' : undefined}
      value={value}
      placeholder={placeholder}
      aria-label={spoken}
      aria-invalid={isInvalid || undefined}
      aria-describedby={isInvalid ? `${id}-problem` : undefined}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => put(at, currentTarget.value)}
      onKeyDown={(event) => {
        if (!canChoose || event.key !== 'ArrowDown') return;
        event.preventDefault();
        setChoosing(true);
      }}
      onClick={() => {
        if (canChoose && value === '' && placeholder === formatChoice(field)) setChoosing(true);
      }}
    />
  );
  const input: InputsProps['input'] = (at, value, options) =>
    canChoose ? (
      <SuggestedValues field={field} typed={value} onChoose={(chosen) => put(at, chosen)}>
        {renderInput(at, value, options)}
      </SuggestedValues>
    ) : (
      renderInput(at, value, options)
    );
  const endChoosing = (): void => {
    setChoosing(false);
    focus();
  };
  const Inputs = field.isRange ? Range : Values;
  const canAdd =
    hasInput &&
    !canChoose &&
    field.isMultiple &&
    first.trim() !== '' &&
    values[values.length - 1]?.trim() !== '';
  return (
    <div class="field">
      <div class="between">
        <span class="tools">
          <label for={id}>
            {field.label}
            {field.group !== '' && <span class="group"> {field.group}</span>}
          </label>
          <ComparisonSelect {...props} />
        </span>
        <span class="tools">
          {canAdd && (
            <Link
              label={t('Add value for {label}', { label: field.label })}
              onClick={() => putAll([...values, ''])}
            >
              {t('+ Add value')}
            </Link>
          )}
          {canChoose && (
            <Link
              label={
                isChoosing
                  ? t('Done choosing {noun}', { noun: toNoun(field) })
                  : t('Choose {noun}', { noun: toNoun(field) })
              }
              onClick={() => setChoosing(!isChoosing)}
            >
              {isChoosing ? t('Done') : t('Choose')}
            </Link>
          )}
          {onRemove !== undefined && (
            <IconButton
              sign="remove"
              label={t('Remove the condition {label}', { label: field.label })}
              onClick={onRemove}
            />
          )}
        </span>
      </div>
      {field.type === 'flag' ? (
        <select
          id={id}
          value={first}
          onChange={({ currentTarget }) => onChange({ name: field.name, values: [currentTarget.value] })}
        >
          <option value="">{t('Any')}</option>
          <option value="yes">{t('Yes')}</option>
          <option value="no">{t('No')}</option>
        </select>
      ) : (
        hasInput && <Inputs field={field} values={values} onChange={putAll} input={input} />
      )}
      {canChoose && isChoosing && (
        <ValueList
          line={props}
          values={values}
          onClose={endChoosing}
          onAdd={(value) => {
            if (!field.isMultiple) endChoosing();
            putAll(field.isMultiple ? [...values.filter((typed) => typed.trim() !== ''), value] : [value]);
          }}
        />
      )}
      {isInvalid && (
        <p class="hint wrong" id={`${id}-problem`}>
          {translateMessage(problem) ?? problem}
        </p>
      )}
    </div>
  );
}

export function ConditionForm(props: {
  family: Family;
  fields: readonly FormField[];
  conditions: readonly FormCondition[];
  fixed: readonly string[];
  problems: readonly { name: string; message: string }[];
  onChange: (conditions: FormCondition[]) => void;
}): JSX.Element {
  const { fields, conditions, fixed, problems, onChange } = props;
  const [added, setAdded] = useState('');
  return (
    <Stack>
      {conditions.map((condition) => {
        const { name } = condition;
        const field = fields.find((each) => each.name === name);
        return field === undefined ? null : (
          <Line
            key={name}
            field={field}
            condition={condition}
            family={props.family}
            conditions={conditions}
            isNew={name === added}
            problem={problems.find((each) => each.name === name)?.message}
            onChange={(changed) => onChange(conditions.map((each) => (each.name === name ? changed : each)))}
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
        options={fields
          .filter(({ name }) => !OTHER_WEBSITES.test(name) && !conditions.some((each) => each.name === name))
          .map(({ name, label, type, group }) => ({
            name,
            label,
            group: group || getFieldSection(name),
            note: type === 'flag' ? t('yes or no') : undefined,
          }))}
        onAdd={(name) => {
          setAdded(name);
          onChange([...conditions, { name, values: [] }]);
        }}
      />
    </Stack>
  );
}
