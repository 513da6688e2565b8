// Describes the values of search conditions in words.
import { openJobsField } from '../../../shared/accounts.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { FormField } from '../../../shared/query/form-fields.ts';
import type { FormCondition } from '../../../shared/query/form-query.ts';
import { getFormFields } from '../../texts/form-fields.ts';
import { t, toInline } from '../../texts/texts.ts';

const findField = (family: Family, name: string): FormField | undefined =>
  getFormFields(family).find((field) => field.name === name);

/** Named filters do not say that a number is a year. */
const isTime = ({ type, target, name }: FormField): boolean =>
  target?.isYear === true || /founded/.test(name) || ['date', 'datetime', 'month'].includes(type);

function formatRange(field: FormField, [from = '', to = '']: readonly string[]): string {
  if (from !== '' && to !== '') return t('{from} to {to}', { from, to });
  if (isTime(field)) return to === '' ? t('{from} or later', { from }) : t('{to} or earlier', { to });
  return to === '' ? t('{from} or more', { from }) : t('{to} or less', { to });
}

/** Describes the values of a condition: `software or banking`, `2010 or later`, `not software`. */
export function formatValues(family: Family, { name, values, comparison }: FormCondition): string {
  if (comparison === 'isEmpty') return t('empty');
  const field = findField(family, name);
  if (comparison === 'hasValue') return field?.type === 'flag' ? t('any') : t('has a value');
  if (comparison === 'isNot') return t('not {values}', { values: values.join(t(' or ')) });
  if (field?.type === 'flag') return values[0] === 'no' ? t('no') : t('yes');
  return field?.isRange ? formatRange(field, values) : values.join(t(' or '));
}

/**
 * Describes a condition in a title: `software, banking`, `50+ employees`, `founded 2010 or later`, `not current job`,
 * `with city`; '' for one without values.
 */
export function formatInTitle(family: Family, condition: FormCondition): string {
  const { name, comparison } = condition;
  // Messages quote the title.
  const values = condition.values.map((value) => value.replace(/["“”]/g, '').trim()).filter(Boolean);
  const field = findField(family, name);
  const label = toInline(field?.label ?? '');
  if (name === openJobsField) return values[0] === 'no' ? t('closed') : '';
  if (comparison === 'hasValue') return t('with {label}', { label });
  if (comparison === 'isEmpty') return t('no {label}', { label });
  if (values.length === 0) return '';
  if (field?.isRange) {
    const [from = '', to = ''] = condition.values;
    if (isTime(field)) return `${label} ${formatRange(field, condition.values)}`;
    return `${from === '' ? t('up to ') : from}${to === '' ? '+' : from && '–'}${to} ${label}`;
  }
  if (field?.type === 'flag') return values[0] === 'no' ? t('not {value}', { value: label }) : label;
  return values.map((value) => (comparison === 'isNot' ? t('not {value}', { value }) : value)).join(', ');
}
