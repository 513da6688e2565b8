// The query of a search: as a form, as text, or one that runs unchanged.
import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import { familyLabels } from '../../../shared/families/registry.ts';
import { getSortFields } from '../../../shared/operations.ts';
import { getInitialFormFields } from '../../../shared/query/form-fields.ts';
import { getFormFields } from '../../texts/form-fields.ts';
import { type Text, t, translate, translateLabels } from '../../texts/texts.ts';
import { Notice, StatusText } from '../parts/basics.tsx';
import { Button, Segments, Select } from '../parts/controls.tsx';
import { DSL_EXAMPLE, hasDslForm, parseDraft, type SearchDraft, setForm } from './draft.ts';
import { ConditionForm } from './form.tsx';
import { getConditionLabel } from './no-matches.tsx';
import { switchInput } from './query-form.ts';

const INPUTS = [
  { value: 'form', label: 'Form' },
  { value: 'dsl', label: 'Query' },
] as const;

const SORT_LABELS: Readonly<Record<string, Text>> = {
  _score: 'Best match first',
  last_updated: 'Last updated first',
  followers: 'Most followers first',
  size_employees_count: 'Most employees first',
};

function getSortOptions(family: Family): { value: string; label: string }[] {
  return [
    { value: '', label: t('Default order') },
    ...getSortFields(family, 'es_dsl')
      .filter((sort) => sort !== 'id')
      .map((sort) => ({ value: sort, label: translate(SORT_LABELS[sort] ?? sort) })),
  ];
}

function QueryEditor(props: {
  text: string;
  problem: string | undefined;
  onInput: (text: string) => void;
}): JSX.Element {
  const { text, problem, onInput } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t('Query (JSON)')}</label>
      <textarea
        id={id}
        class="code"
        rows={8}
        value={text}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-check`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p id={`${id}-check`} class={problem === undefined ? 'hint' : 'hint wrong'} role="status">
        {problem ??
          (text === DSL_EXAMPLE
            ? t('An example, without the conditions of the form.')
            : t('Enter a query, or an object with “query” and “sort”.'))}
      </p>
    </div>
  );
}

/** `Conditions that don’t apply to jobs: Employees, Founded. Switch back to use them.` Null if all apply. */
function LeftOutConditions({ draft: { family, input } }: { draft: SearchDraft }): JSX.Element | null {
  const left = input.form.carried.filter(({ shownAs }) => shownAs === undefined);
  if (left.length === 0) return null;
  const { group, plural } = familyLabels[family];
  const isOtherSubject = left.some((each) => familyLabels[each.family].group !== group);
  const labels = left.map((each) => getConditionLabel(each.family, each.condition.name));
  return (
    <StatusText>
      {t('Conditions that don’t apply to {records}: {conditions}. Switch back to use them.', {
        records: isOtherSubject ? translate(plural) : t('this data set'),
        conditions: labels.join(', '),
      })}
    </StatusText>
  );
}

export function QueryInput(props: {
  draft: SearchDraft;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element {
  const { draft, onChange } = props;
  const { family, input } = draft;
  const { form } = input;
  const fields = useMemo(() => getFormFields(family), [family]);
  const { problems, dslProblem } = parseDraft(draft);
  return (
    <>
      {/* Named filters can't be shown as JSON of the query DSL. */}
      {(input.kind !== 'unchanged' || 'es_dsl' in input.query) && (
        <Segments
          label={t('Search mode')}
          value={input.kind === 'dsl' ? 'dsl' : 'form'}
          options={translateLabels(INPUTS)}
          onChange={(mode) => onChange(switchInput(draft, mode))}
        />
      )}
      {input.kind === 'unchanged' ? (
        <Notice>
          <p>{t('This query is too complex for the form. It will run unchanged.')}</p>
          <Button
            kind="quiet"
            onClick={() => onChange({ ...draft, input: { kind: 'form', form, text: input.text } })}
          >
            {t('Use the form instead')}
          </Button>
        </Notice>
      ) : input.kind === 'dsl' ? (
        <QueryEditor
          text={input.text}
          problem={dslProblem}
          onInput={(text) => onChange({ ...draft, input: { ...input, text } })}
        />
      ) : (
        <>
          <LeftOutConditions draft={draft} />
          <ConditionForm
            key={family}
            family={family}
            fields={fields}
            conditions={form.conditions}
            fixed={getInitialFormFields(family)}
            problems={problems}
            onChange={(conditions) => onChange(setForm(draft, { conditions }))}
          />
          {hasDslForm(family) && (
            <Select
              label={t('Sort order')}
              value={form.sort}
              options={getSortOptions(family)}
              onChange={(sort) => onChange(setForm(draft, { sort }))}
            />
          )}
        </>
      )}
    </>
  );
}
