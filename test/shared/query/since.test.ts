// Since conditions: fields, precision and unchanged parts of the query.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Family, familyNames } from '../../../shared/families/index.ts';
import { filters, indexFields } from '../../../shared/families/registry.ts';
import { operations } from '../../../shared/operations.ts';
import { addSinceCondition, canSchedule, hasDayPrecision } from '../../../shared/query/since.ts';

const AT = Date.parse('2026-11-22T09:30:15.900Z');

const searchable = familyNames.filter((family) =>
  operations.some((operation) => operation.name === 'search' && operation.family === family),
);
const filterFamilies = familyNames.filter((family) => filters[family].length > 0);

/** Returns the range that is added to a text query. */
function getAddedRange(family: Family): Record<string, { gte: string }> {
  const query = addSinceCondition(family, { text: 'acme' }, AT);
  return JSON.parse(JSON.stringify(query)).es_dsl.query.bool.filter[0].range;
}

describe('a since condition', () => {
  it.each(searchable)('of %s uses a date field of the index in its format', (family) => {
    const [[field = '', { gte }] = ['', { gte: '' }]] = Object.entries(getAddedRange(family));
    const property = indexFields[family].properties[field];
    if (property?.type !== 'date') throw new Error(`${field} of ${family} is no date`);
    const formats = (property.format ?? '').split('||');
    expect(hasDayPrecision(family)).toBe(formats.includes('yyyy-MM-dd'));
    expect(gte).toBe(hasDayPrecision(family) ? '2026-11-21' : '2026-11-22 09:30:15');
  });

  it.each(filterFamilies)('of %s uses a named filter in filter queries', (family) => {
    const query = addSinceCondition(family, { filters: { industry: 'x' } }, AT);
    const [[name = '', since] = []] = Object.entries('filters' in query ? query.filters : {}).filter(
      ([key]) => key !== 'industry',
    );
    const filter = filters[family].find((each) => each.name === name);
    expect(filter).toMatchObject({ type: 'datetime', bound: 'gte' });
    expect(filter?.fields).toEqual(Object.keys(getAddedRange(family)));
    expect(since).toBe('2026-11-22 09:30:15');
  });

  it('keeps a later bound of the query', () => {
    const since = (bound: unknown) =>
      addSinceCondition('job_base', { filters: { last_updated_gte: bound } }, AT);
    expect(since('2026-12-01 00:00:00')).toEqual({ filters: { last_updated_gte: '2026-12-01 00:00:00' } });
    expect(since('2026-01-01 00:00:00')).toEqual({ filters: { last_updated_gte: '2026-11-22 09:30:15' } });
  });

  it('keeps the query and its sort order', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...searchable),
        fc.jsonValue(),
        fc.date({ noInvalidDate: true, max: new Date('9999-12-31') }),
        (family, original, date) => {
          const body = { query: original, sort: ['id'] };
          const query = addSinceCondition(family, { es_dsl: body }, date.getTime());
          expect(query).toMatchObject({ es_dsl: { sort: ['id'], query: { bool: { must: [original] } } } });
          expect(JSON.stringify(query)).toMatch(/"gte":"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?"/);
          expect(body).toEqual({ query: original, sort: ['id'] });
        },
      ),
    ));
});

describe('canSchedule', () => {
  it('requires a family that supports the source’s query style', () => {
    for (const family of familyNames) {
      expect(canSchedule(family, 'search')).toBe(searchable.includes(family));
      expect(canSchedule(family, 'es_dsl')).toBe(searchable.includes(family));
      expect(canSchedule(family, 'filter')).toBe(filterFamilies.some((name) => name === family));
      for (const kind of ['ids', 'shorthand_names', 'urls'] as const)
        expect(canSchedule(family, kind)).toBe(false);
    }
  });
});
