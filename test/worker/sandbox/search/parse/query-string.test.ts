// query_string: the grammar as Lucene reads it. What clauses find and refuse is shown by the golden queries.
import { expect, it } from 'vitest';
import * as z from 'zod';
import lucenesReading from '../../../../golden/query-strings.json?raw';
import { read } from './harness.ts';

const rows = z.array(z.tuple([z.string(), z.string(), z.string()])).parse(JSON.parse(lucenesReading));

it.each(rows)('%s is read as %s, or as %s where all words are needed', (query, or, and) => {
  const readText = (options: object): string =>
    read({ query_string: { query, default_field: 'd', ...options } });
  const refused = `error: Failed to parse query [${query}]`;
  expect(readText({})).toBe(or === 'error' ? refused : or);
  expect(readText({ default_operator: 'AND' })).toBe(and === 'error' ? refused : and);
});
