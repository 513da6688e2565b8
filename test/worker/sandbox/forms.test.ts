// Every line of every search form, as the provider reads it.

import { describe, expect, it } from 'vitest';
import { familyNames } from '../../../shared/families/index.ts';
import { filters } from '../../../shared/families/registry.ts';
import { type FormField, getFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery } from '../../../shared/query/form-query.ts';
import { parseDsl, parseFilters } from '../../../worker/sandbox/api/queries.ts';

const typed: Readonly<Record<FormField['type'], string>> = {
  text: '"series A" OR bank*',
  exact: 'Series A',
  host: 'https://www.acme.example/about',
  integer: '50',
  flag: 'yes',
  datetime: '2026-01-31',
  date: '2026-01-31',
  month: '2026-01',
};

const now = (): number => Date.UTC(2026, 0, 1);

const lines = familyNames.flatMap((family) =>
  getFormFields(family).map((field) => ({ family, name: field.name, field })),
);

describe('a search form', () => {
  it.each(lines)('$family: the line $name is a query that the provider reads', ({ family, name, field }) => {
    const value = typed[field.type];
    const made = buildFormQuery(family, [{ name, values: field.isRange ? [value, value] : [value] }]);
    expect(made.ok).toBe(true);
    if (!made.ok) return;
    const { query } = made;
    if ('filters' in query) {
      expect(filters[family]).not.toEqual([]);
      expect(() => parseFilters(family, query.filters, now)).not.toThrow();
      expect(Object.keys(query.filters)).toHaveLength(field.isRange ? 2 : 1);
    } else {
      const read = parseDsl(family, query.es_dsl, ['id'], now);
      // A field that the index does not have would match nothing.
      expect(JSON.stringify(read.query)).not.toContain('"none"');
    }
  });
});
