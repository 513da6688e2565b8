// query_string: the grammar, compared with Lucene's trees. Golden queries test the results.
import { expect, it } from 'vitest';
import * as z from 'zod';
import luceneTrees from '../../../../golden/query-strings.json?raw';
import { parseToText } from './harness.ts';

const rows = z.array(z.tuple([z.string(), z.string(), z.string()])).parse(JSON.parse(luceneTrees));

it.each(rows)('%s is parsed as %s, and as %s with the default operator AND', (query, withOr, withAnd) => {
  const parse = (options: object): string =>
    parseToText({ query_string: { query, default_field: 'd', ...options } });
  const error = `error: Failed to parse query [${query}]`;
  expect(parse({})).toBe(withOr === 'error' ? error : withOr);
  expect(parse({ default_operator: 'AND' })).toBe(withAnd === 'error' ? error : withAnd);
});
