// query_string: the grammar, compared with Lucene's trees. Golden queries test the results.
import { expect, it } from 'vitest';
import * as z from 'zod';
import luceneTrees from '../../../../golden/query-strings.json?raw';
import { parseToText } from './harness.ts';

const rows = z.array(z.tuple([z.string(), z.string(), z.string()])).parse(JSON.parse(luceneTrees));

it('parses every query like Lucene, with the default operators OR and AND', () => {
  expect(rows.length).toBeGreaterThan(200);
  for (const [query, withOr, withAnd] of rows) {
    const parse = (options: object): string =>
      parseToText({ query_string: { query, default_field: 'd', ...options } });
    const error = `error: Failed to parse query [${query}]`;
    expect(parse({}), query).toBe(withOr === 'error' ? error : withOr);
    expect(parse({ default_operator: 'AND' }), query).toBe(withAnd === 'error' ? error : withAnd);
  }
});
