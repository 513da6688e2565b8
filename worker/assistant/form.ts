// Validates the model's answer like a person's input, and turns it into a form.
import type { AskResponse } from '../../shared/api/search.ts';
import { type Family, familyLabels } from '../../shared/families/registry.ts';
import { type FormField, getFormFields } from '../../shared/query/form-fields.ts';
import { buildFormQuery } from '../../shared/query/form-query.ts';
import { getSpellings } from '../../shared/query/known-values.ts';
import type { ModelAnswer } from './answer.ts';

type Condition = AskResponse['conditions'][number];

const simplify = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Replaces a known value by the spelling that the form suggests. */
function normaliseValue({ name, target, suggestions }: FormField, value: string): string {
  const [spelling = value] = suggestions.length === 0 ? [] : getSpellings(target?.path ?? name, value);
  return spelling;
}

/** Describes why a form can't have a condition. @returns undefined if it can */
function findFault(family: Family, field: FormField, values: readonly string[]): string | undefined {
  const { label, isRange, isMultiple, type, suggestions, name } = field;
  if (isRange && values.length !== 2) return `${label} takes the two ends of a range.`;
  if (!isRange && !isMultiple && values.length > 1) return `${label} takes one value.`;
  if (values.every((value) => value === '')) return `${label} has no value.`;
  // A whole value that no record has would match nothing.
  const unknown =
    type === 'exact' && suggestions.length > 0 && values.find((value) => !suggestions.includes(value));
  if (unknown) return `${label} has no value “${unknown}”.`;
  const query = buildFormQuery(family, [{ name, values }]);
  return query.ok ? undefined : query.problems[0]?.message;
}

/** Creates a condition with known values. @param words - '' if the sentence does not have them: the values replace them */
function toCondition(field: FormField, given: readonly string[], words: string): Condition {
  const normalised = given.map((value) => normaliseValue(field, value));
  const filled = normalised.filter((value) => value !== '');
  return {
    name: field.name,
    values: field.isRange ? normalised : [...new Set(filled)],
    words: words || filled.join(', '),
  };
}

/** Joins two conditions for one field. */
const join = (first: Condition, next: Condition): Condition => ({
  name: first.name,
  values: [...new Set([...first.values, ...next.values])],
  words: `${first.words}, ${next.words}`,
});

/**
 * Turns an answer into a form. Conditions that a person could not enter are left out with a reason. No text of the model is
 * returned except for valid values: words that the sentence does not have are dropped.
 */
export function toForm(answer: ModelAnswer, sentence: string): AskResponse {
  const { family } = answer;
  const fields = new Map(getFormFields(family).map((field) => [field.name, field]));
  const conditions = new Map<string, Condition>();
  const leftOut: AskResponse['left_out'] = [];
  const noField = `no field of “${familyLabels[family].name}” says this.`;
  const quote = (words: string): string => (simplify(sentence).includes(simplify(words)) ? words : '');
  const leaveOut = (words: string, reason: string): void => {
    if (words !== '') leftOut.push({ words, reason });
  };
  for (const { words, field: name, values } of answer.conditions) {
    const field = fields.get(name);
    if (field === undefined) {
      leaveOut(quote(words), noField);
      continue;
    }
    const condition = toCondition(field, values, quote(words));
    const earlier = conditions.get(name);
    const joined = earlier === undefined ? condition : join(earlier, condition);
    const fault =
      earlier !== undefined && !field.isMultiple
        ? `${field.label} has a condition already.`
        : findFault(family, field, joined.values);
    if (fault === undefined) conditions.set(name, joined);
    else leaveOut(condition.words, fault);
  }
  for (const { words, reason } of answer.left_out) {
    leaveOut(quote(words), reason === 'no_field' ? noField : 'it is not clear what this means.');
  }
  return { family, conditions: [...conditions.values()], left_out: leftOut };
}
