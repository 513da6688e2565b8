// Fields of search forms with the same meaning in several families, to keep conditions when the family changes.
import { type Family, familyLabels } from '../families/registry.ts';
import { getFormFields } from './form-fields.ts';
import { type FormCondition, isFilledIn } from './form-query.ts';

/** The column of a family in the table below. Families with the same form share one. */
export const equivalenceColumns: Readonly<Partial<Record<Family, number>>> = {
  company_clean: 0,
  company_multi_source: 0,
  company_base: 1,
  employee_clean: 2,
  employee_multi_source: 2,
  employee_base: 3,
  job_base: 4,
  job_multi_source: 5,
};

/** A line for each meaning; `-`: the family has no such field. The first line with both families counts. */
const TABLE = `industry industry experience.company_industry experience_company_industry industry job_industry_collection.job_industry_list.industry
location_hq_country country experience.company_location_hq_country - - -
location_hq_country country - - country country
- - location_country country country country
- - location_full location location location
location_hq_state - experience.company_location_hq_state - - -
location_hq_city - experience.company_location_hq_city - - -
size_range size experience.company_size_range experience_company_size - -
size_employees_count employees_count experience.company_employees_count experience_company_employees_count - -
founded founded_year experience.company_founded - - -
name name experience.company_name experience_company_name company_name company_name
websites_main website experience.company_website experience_company_website_url company_domain job_company_website
type - experience.company_type - - -
followers - experience.company_followers - - -
description - experience.company_description - - -
funding_rounds.last_round_type funding_last_round_type - - - -
funding_rounds.last_round_date funding_last_round_date - - - -
funding_rounds.total_rounds_count funding_total_rounds_count - - - -
- - job_title experience_title title title
- - skills skill - -
- - description summary - -
- - education.institution_name education_institution_name - -
- - is_deleted deleted - -
- - - - keyword_description description
- - - - created_at created
last_updated last_updated last_updated updated_at last_updated last_updated
created_at created_at - - - -`;

export const getEquivalentFields = (): string[][] => TABLE.split('\n').map((line) => line.split(' '));

/**
 * Returns the name of the field with the same meaning in the form of another family.
 * @returns undefined if there is none that takes the condition
 */
export function findEquivalentField(
  from: Family,
  { name, values, comparison }: FormCondition,
  to: Family,
): string | undefined {
  const [column, other] = [equivalenceColumns[from], equivalenceColumns[to]];
  if (column === undefined || other === undefined) return undefined;
  const line = getEquivalentFields().find((cells) => cells[column] === name && cells[other] !== '-');
  // Data sets of one subject name most fields alike.
  const isSameSubject = familyLabels[from].group === familyLabels[to].group;
  const equivalent = column === other ? name : (line?.[other] ?? (isSameSubject ? name : ''));
  const source = getFormFields(from).find((field) => field.name === name);
  const field = getFormFields(to).find((each) => each.name === equivalent);
  if (field === undefined || field.isRange !== source?.isRange) return undefined;
  const isComparable = comparison === undefined || field.target !== undefined;
  return isComparable && (field.isRange || field.isMultiple || values.length <= 1) ? field.name : undefined;
}

/** A condition of a form that stays when the family changes. */
export interface CarriedCondition {
  /** The family that it was entered for. */
  family: Family;
  /** As entered for that family. */
  condition: FormCondition;
  /** Name of its field in the shown form; undefined if it doesn't apply there. */
  shownAs: string | undefined;
}

/** Fields of people that tell whether a job is the current one. */
const CURRENT_JOB: Readonly<Partial<Record<Family, string>>> = {
  employee_clean: 'experience.is_current',
  employee_multi_source: 'experience.is_current',
  employee_base: 'active_experience',
};

/** Checks whether a condition of companies became one of a person's job. */
const hasJobOfCompany = (carried: readonly CarriedCondition[], family: Family): boolean =>
  carried.some(
    (each) =>
      familyLabels[each.family].group !== familyLabels[family].group &&
      each.shownAs?.startsWith('experience') === true &&
      !each.shownAs.endsWith('title'),
  );

/**
 * Carries the conditions of a form over to another family. Changed values are kept, and removed conditions dropped.
 * @param carried - the result of the last change
 */
export function carryConditions(
  from: Family,
  shown: readonly FormCondition[],
  carried: readonly CarriedCondition[],
  to: Family,
): CarriedCondition[] {
  // The form added the condition for the current job itself.
  const own = hasJobOfCompany(carried, from) ? CURRENT_JOB[from] : undefined;
  const filled = shown.filter((condition) => isFilledIn(condition) && condition.name !== own);
  const earlier = carried.flatMap((each) => {
    if (each.shownAs === undefined) return each;
    const current = filled.find(({ name }) => name === each.shownAs);
    return current === undefined
      ? []
      : { family: each.family, condition: { ...current, name: each.condition.name } };
  });
  const added = filled
    .filter(({ name }) => !carried.some(({ shownAs }) => shownAs === name))
    .map((condition) => ({ family: from, condition }));
  const taken = new Set<string>();
  return [...earlier, ...added].map(({ family, condition }) => {
    const name = findEquivalentField(family, condition, to);
    const shownAs = name === undefined || taken.has(name) ? undefined : name;
    if (shownAs !== undefined) taken.add(shownAs);
    return { family, condition, shownAs };
  });
}

/** Returns the conditions to show in the form. Conditions of companies ask for the current job of people. */
export function getShownConditions(carried: readonly CarriedCondition[], family: Family): FormCondition[] {
  const shown = carried.flatMap(({ condition, shownAs }) =>
    shownAs === undefined ? [] : { ...condition, name: shownAs },
  );
  const current = CURRENT_JOB[family];
  const needsCurrent = current !== undefined && hasJobOfCompany(carried, family);
  return needsCurrent && !shown.some(({ name }) => name === current)
    ? [...shown, { name: current, values: ['yes'] }]
    : shown;
}
