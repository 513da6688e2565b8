// Parser of queries.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank } from '../../../../addon/functions/arguments/options.ts';
import { type FormatDate, parseQuery, parseSort } from '../../../../addon/functions/arguments/query.ts';
import { isUnfinishedValue } from '../../../../addon/lib/cell-errors.ts';
import { familyNames } from '../../../../shared/families/index.ts';
import { filters } from '../../../../shared/families/registry.ts';
import { operations } from '../../../../shared/operations.ts';
import { cell, getOutcome, isSentence } from './arbitrary-cells.ts';

/** `Utilities.formatDate` in UTC. */
const writeDate: FormatDate = (date, format) =>
  format === 'yyyy-MM-dd' ? date.toISOString().slice(0, 10) : date.toISOString().slice(11, 19);

const family = fc.constantFrom(...familyNames);
const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

describe('a query', () => {
  it('from any value is parsed in one form or rejected with a sentence', () => {
    const range = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    const json = fc.json().map((text) => (text.startsWith('{') ? text : `{"a": ${text}}`));
    fc.assert(
      fc.property(family, fc.oneof(cell, range, json), (name, given) => {
        const outcome = getOutcome(() => parseQuery(name, given, writeDate));
        if ('sentence' in outcome) expect(outcome.sentence).toSatisfy(isSentence);
        else {
          const { known_values, ...query } = outcome.value;
          expect(known_values ?? Array.isArray(given)).toBe(Array.isArray(given));
          expect(Object.keys(query)).toHaveLength(1);
          expect(['text', 'filters', 'es_dsl']).toContain(Object.keys(query)[0]);
          expect(() => JSON.stringify(outcome.value)).not.toThrow();
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('from a range keeps names with values and skips blanks', () => {
    const value = fc.string({ minLength: 1 }).filter((text) => !isBlank(text) && !isUnfinishedValue(text));
    const pairs = fc.uniqueArray(fc.tuple(fc.constantFrom('name', 'industry', 'location', 'size'), value), {
      minLength: 1,
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(pairs, (rows) => {
        const range = rows.flatMap((row) => [['country', ''], row, ['', ' ']]);
        expect(parseQuery('company_base', range, writeDate)).toEqual({
          filters: Object.fromEntries(rows.map(([name, text]) => [name, text.trim()])),
          known_values: true,
        });
      }),
    );
  });

  it.each(['Loading...', 'Wird geladen…', '#N/A', '#BEZUG!', '#PENDING', ' Loading... '])(
    'is refused while a cell shows %j: a preview of its text would be paid',
    (text) => {
      for (const argument of [
        text,
        [[text]],
        [['name', text]],
        [[text, 'acme']],
        [
          ['name', 'acme'],
          ['country', text],
        ],
      ]) {
        expect(() => parseQuery('company_base', argument, writeDate)).toThrow(
          /still loading or shows an error/,
        );
      }
    },
  );

  it('in JSON is a body, a clause or filters', () => {
    const read = (text: string) => parseQuery('company_base', text, writeDate);
    expect(read('{"name": "acme", "founded_year_gte": 2010}')).toEqual({
      filters: { name: 'acme', founded_year_gte: 2010 },
    });
    expect(read(' {"query": {"match_all": {}}, "sort": ["id"]}')).toEqual({
      es_dsl: { query: { match_all: {} }, sort: ['id'] },
    });
    expect(read('{"term": {"name": "acme"}}')).toEqual({ es_dsl: { term: { name: 'acme' } } });
    expect(read('{}')).toEqual({ filters: {} });
  });
});

describe('a date in a range', () => {
  const dated = Object.entries(filters).flatMap(([name, all]) =>
    all
      .filter(({ type }) => type === 'datetime' || type === 'date' || type === 'month')
      .map((filter) => ({ family: familyNames.find((known) => known === name) ?? 'job_base', ...filter })),
  );

  it.each(dated)('is formatted for $name of $family', ({ family: name, name: filter, type, bound }) => {
    const form = type === 'datetime' ? /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/ : /^\d{4}-\d{2}-\d{2}$/;
    fc.assert(
      fc.property(day, (date) => {
        const query = parseQuery(name, [[filter, date]], writeDate);
        const value = 'filters' in query ? query.filters[filter] : undefined;
        expect(value).toMatch(form);
        expect(String(value).slice(0, 10)).toBe(date.toISOString().slice(0, 10));
      }),
      { numRuns: 20 },
    );
    const typed = parseQuery(name, [[filter, '2024-05-31']], writeDate);
    const end = bound === 'lte' ? '23:59:59' : '00:00:00';
    expect(typed).toEqual({
      filters: { [filter]: type === 'datetime' ? `2024-05-31 ${end}` : '2024-05-31' },
      known_values: true,
    });
  });
});

describe('a sort order', () => {
  it('is accepted if family and query style support it', () => {
    const searches = operations.flatMap((operation) => (operation.name === 'search' ? [operation] : []));
    for (const { family: name, style, sorts } of searches) {
      const query = style === 'filter' ? { filters: {} } : { text: 'x' };
      for (const sort of ['id', '_score', 'last_updated', 'followers', 'size_employees_count'] as const) {
        const outcome = getOutcome(() => parseSort(name, query, ` ${sort} `));
        expect('value' in outcome ? outcome.value : undefined).toBe(sorts.includes(sort) ? sort : undefined);
        if ('sentence' in outcome) expect(outcome.sentence).toContain(sorts.join(' or '));
      }
    }
  });
});
