// Checks of field and filter names, with suggestions for unknown ones.
import { describe, expect, it } from 'vitest';
import { getRecordColumns } from '../../../shared/families/columns.ts';
import { familyNames } from '../../../shared/families/index.ts';
import { filters, previewFields } from '../../../shared/families/registry.ts';
import { suggestName } from '../../../shared/lib/nearest.ts';
import { getFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery } from '../../../shared/query/form-query.ts';
import {
  describeUnknownPreviewFields,
  describeUnknownQueryFields,
  describeUnknownRecordFields,
} from '../../../shared/query/known-fields.ts';
import { getQueryFields, getTextFieldNames } from '../../../shared/query/query-fields.ts';

describe('known names', () => {
  it.each(familyNames)('of %s are accepted everywhere', (family) => {
    expect(
      describeUnknownRecordFields(family, ['*', ...getRecordColumns(family).map(({ name }) => name)]),
    ).toBeUndefined();
    expect(describeUnknownPreviewFields(family, previewFields[family])).toBeUndefined();
    for (const { name, type, isRange } of getFormFields(family)) {
      const value = { flag: 'yes', host: 'acme.com', integer: '1', date: '2026-01-31', month: '2026-01' };
      const typed = { ...value, datetime: '2026-01-31', text: 'a', exact: 'a' }[type];
      const built = buildFormQuery(family, [{ name, values: isRange ? [typed, typed] : [typed] }]);
      expect(built.ok && describeUnknownQueryFields(family, built.query), name).toBeUndefined();
    }
  });

  it('of filters are accepted, others rejected', () => {
    for (const family of ['company_base', 'employee_base', 'job_base'] as const) {
      const named = Object.fromEntries(filters[family].map(({ name }) => [name, 'x']));
      expect(describeUnknownQueryFields(family, { filters: named })).toBeUndefined();
      expect(describeUnknownQueryFields(family, { filters: { ...named, nmae: 'x' } })).toContain(
        'is not a filter',
      );
    }
  });
});

describe('the nearest name', () => {
  const known = getRecordColumns('company_clean').map(({ name }) => name);
  it.each([
    ['website', 'websites_main'],
    ['country', 'location_hq_country'],
    ['city', 'location_hq_city'],
    ['employee_count', 'size_employees_count'],
    ['employees', 'size_employees_count'],
    ['technology', 'technologies.technology'],
    ['nmae', 'name'],
    ['Industry', 'industry'],
  ])('of %s is %s', (typed, expected) => {
    expect(suggestName(typed, known)).toBe(expected);
  });
});

// search.md: "`f:x`, `f: x` and `f :x` are the same; `f:(…)` distributes; … `\` escapes any character, also in field
// names; `book.\*:x` expands fields"; "`_exists_:f` and `f:*` are exists"; ranges, phrases and regular expressions
describe('the fields of a text query', () => {
  it.each([
    ['industry:software AND founded:>2015', ['industry', 'founded']],
    ['industry :software -size: x +(type:y OR !website:z)', ['industry', 'size', 'type', 'website']],
    ['name:"a:b c" last_updated:[2024-01-01T00:00:00 TO now] x:{1 TO 2]', ['name', 'last_updated', 'x']],
    ['description:/a:b/ industry:(bakery OR "shop: food")', ['description', 'industry']],
    ['_exists_:website AND _exists_ : name', ['website', 'name']],
    ['na\\me:x a\\:b c:\\:d', ['name', 'c']],
    ['行业:软件', ['行业']],
    ['plain words "and: a phrase"', []],
    ['"not closed:', []],
    [':', []],
    ['\\', []],
  ])('%s', (text, names) => {
    expect(getTextFieldNames(text)).toEqual(names);
  });
});

describe('the fields of a DSL query', () => {
  const listNames = (es_dsl: Record<string, unknown>) =>
    getQueryFields({ es_dsl })
      .map(({ name, isNested }) => (isNested ? `in ${name}` : name))
      .toSorted();

  it('are those of all clauses', () => {
    expect(
      listNames({
        query: {
          bool: {
            must: [{ match: { a: { query: 'x', operator: 'and' } } }, { term: { b: 1 } }],
            should: { range: { c: { gte: 1 }, boost: 2 } },
            must_not: [{ exists: { field: 'd' } }, { ids: { values: [1] } }],
            filter: [
              { query_string: { query: 'e:x', default_field: 'f' } },
              { multi_match: { query: 'x', fields: ['g^2', 'h.*'] } },
              { nested: { path: 'i', query: { terms: { 'i.j': ['x'] } } } },
            ],
          },
        },
        sort: ['id', '_score'],
      }),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'in i', 'in i.j']);
  });

  it('are found at any depth', () => {
    let deep: Record<string, unknown> = { term: { a: 1 } };
    for (let depth = 0; depth < 20_000; depth += 1) deep = { bool: { must: [deep] } };
    expect(listNames(deep)).toEqual(['a']);
  });

  it('may be sub-fields of the index', () => {
    const describeField = (name: string) =>
      describeUnknownQueryFields('company_clean', { es_dsl: { term: { [name]: 'x' } } });
    for (const name of ['industry.exact', 'websites_main.domain_only', 'id', '_id', 'funding_rounds'])
      expect(describeField(name), name).toBeUndefined();
    for (const name of ['name.exact', 'industry.constructor', 'constructor', '__proto__', ''])
      expect(describeField(name), name).toContain('is not a field of company_clean: did you mean');
  });

  it('inside lists need a nested clause', () => {
    const title = { match: { 'experience.title': 'x' } };
    expect(describeUnknownQueryFields('employee_clean', { es_dsl: title })).toContain('is inside a list');
    const nested = { nested: { path: 'experience', query: title } };
    expect(describeUnknownQueryFields('employee_clean', { es_dsl: nested })).toBeUndefined();
  });
});
