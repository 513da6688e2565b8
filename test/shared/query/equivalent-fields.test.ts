// Conditions that stay when the records to find change.
import { describe, expect, it } from 'vitest';
import { type Family, familyNames } from '../../../shared/families/index.ts';
import {
  type CarriedCondition,
  carryConditions,
  equivalenceColumns,
  findEquivalentField,
  getEquivalentFields,
  getShownConditions,
} from '../../../shared/query/equivalent-fields.ts';
import { getFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery, type FormCondition } from '../../../shared/query/form-query.ts';

const searched = familyNames.filter((family) => family !== 'employee_post');

const entered: readonly FormCondition[] = [
  { name: 'size_employees_count', values: ['50', '200'] },
  { name: 'location_hq_country', values: ['Germany', 'France'] },
  { name: 'followers', values: ['1000', ''] },
  { name: 'industry', values: ['software'], comparison: 'isNot' },
];

/** Changes the family several times and returns what each form shows. */
function change(conditions: readonly FormCondition[], ...families: Family[]): FormCondition[][] {
  let from: Family = 'company_clean';
  let shown: readonly FormCondition[] = conditions;
  let carried: readonly CarriedCondition[] = [];
  return families.map((to) => {
    carried = carryConditions(from, shown, carried, to);
    from = to;
    shown = getShownConditions(carried, to);
    return [...shown];
  });
}

describe('equivalent fields', () => {
  it('are fields of the forms, and either all take ranges or none', () => {
    const forms = familyNames.flatMap((family) => {
      const column = equivalenceColumns[family];
      return column === undefined ? [] : { column, family, fields: getFormFields(family) };
    });
    expect(forms.map(({ family }) => family)).toEqual(searched);
    for (const line of getEquivalentFields()) {
      const found = forms.flatMap(({ column, family, fields }) => {
        const name = line[column] ?? '';
        if (name === '-') return [];
        const field = fields.find((each) => each.name === name);
        return { family, name, isRange: field?.isRange };
      });
      const [first] = found;
      expect(first?.isRange).toBeTypeOf('boolean');
      expect(found).toEqual(found.map((each) => ({ ...each, isRange: first?.isRange })));
    }
  });

  it('keep their names in other data sets of the same records', () => {
    const condition = { name: 'company_name', values: ['Acme'] };
    expect(findEquivalentField('job_base', condition, 'job_multi_source')).toBe('company_name');
    expect(findEquivalentField('job_base', { name: 'country', values: [] }, 'job_base')).toBe('country');
    const active = { name: 'application_active', values: ['yes'] };
    expect(findEquivalentField('job_base', active, 'job_multi_source')).toBe('application_active');
    expect(findEquivalentField('job_base', active, 'company_clean')).toBeUndefined();
  });

  it('build a valid query in every form', () => {
    for (const to of searched) {
      const [shown = []] = change(entered, to);
      expect(buildFormQuery(to, shown)).toMatchObject({ ok: true });
    }
  });
});

describe('a change of the family', () => {
  it('keeps the conditions that apply, and restores all of them in their order', () => {
    const [people, jobs, raw, back] = change(
      entered,
      'employee_clean',
      'job_base',
      'company_base',
      'company_clean',
    );
    expect(people).toEqual([
      { name: 'experience.company_employees_count', values: ['50', '200'] },
      { name: 'experience.company_location_hq_country', values: ['Germany', 'France'] },
      { name: 'experience.company_followers', values: ['1000', ''] },
      { name: 'experience.company_industry', values: ['software'], comparison: 'isNot' },
      // Former employees are not meant.
      { name: 'experience.is_current', values: ['yes'] },
    ]);
    expect(jobs).toEqual([
      { name: 'country', values: ['Germany', 'France'] },
      { name: 'industry', values: ['software'], comparison: 'isNot' },
    ]);
    // Its form cannot exclude values.
    expect(raw).toEqual([
      { name: 'employees_count', values: ['50', '200'] },
      { name: 'country', values: ['Germany', 'France'] },
    ]);
    expect(back).toEqual(entered);
  });

  it('keeps changed values, drops removed conditions and adds new ones', () => {
    const carried = carryConditions('company_clean', entered, [], 'job_base');
    const shown = [
      { name: 'country', values: ['Spain'] },
      { name: 'title', values: ['buyer'] },
      { name: 'company_name', values: [''] },
      { name: 'industry', values: ['software'], comparison: 'isNot' as const },
    ];
    const back = carryConditions('job_base', shown, carried, 'company_clean');
    expect(getShownConditions(back, 'company_clean')).toEqual([
      entered[0],
      { name: 'location_hq_country', values: ['Spain'] },
      entered[2],
      entered[3],
    ]);
    expect(back.filter(({ shownAs }) => shownAs === undefined)).toEqual([
      { family: 'job_base', condition: { name: 'title', values: ['buyer'] }, shownAs: undefined },
    ]);
    const without = carryConditions('job_base', [], carried, 'company_clean');
    expect(getShownConditions(without, 'company_clean').map(({ name }) => name)).not.toContain(
      'location_hq_country',
    );
  });

  it('shows one of two conditions with the same meaning', () => {
    const both: FormCondition[] = [
      { name: 'location_country', values: ['Spain'] },
      { name: 'experience.company_name', values: ['Acme'] },
    ];
    const carried = carryConditions('employee_clean', both, [], 'job_base');
    const jobs = carryConditions(
      'employee_clean',
      both,
      [
        {
          family: 'company_clean',
          condition: { name: 'location_hq_country', values: ['Italy'] },
          shownAs: undefined,
        },
      ],
      'job_base',
    );
    expect(getShownConditions(carried, 'job_base')).toEqual([
      { name: 'country', values: ['Spain'] },
      { name: 'company_name', values: ['Acme'] },
    ]);
    expect(getShownConditions(jobs, 'job_base')).toEqual([
      { name: 'country', values: ['Italy'] },
      { name: 'company_name', values: ['Acme'] },
    ]);
  });
});
