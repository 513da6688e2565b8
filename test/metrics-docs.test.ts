// docs/metrics.md: its table of columns and the columns of its queries are those that the gateway writes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../worker/commands/paths.ts';
import { labelColumns, valueColumns } from '../worker/http/metrics.ts';

const page = readFileSync(join(root, 'docs', 'metrics.md'), 'utf8');

const columns = [
  ...labelColumns.map(({ name, holds }, at) => ({ column: `blob${at + 1}`, name, holds })),
  ...valueColumns.map(({ name, holds }, at) => ({ column: `double${at + 1}`, name, holds })),
];

it('lists exactly the columns', () => {
  const rows = columns.map(({ column, name, holds }) => `| \`${column}\` | \`${name}\` | ${holds} |`);
  expect(page.split('\n').filter((line) => /^\| `(?:blob|double)\d/.test(line))).toEqual(rows);
});

const queries = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql);

it('has queries', () => {
  expect(queries.length).toBeGreaterThan(4);
});

it.each(queries)('names the columns of a query as they are: %s', (query) => {
  const [first = '', ...lines] = query.split('\n');
  const sql = lines.join('\n');
  const used = [...new Set(sql.match(/\b(?:blob|double)\d+\b/g))];
  const known = columns.filter(({ column }) => used.includes(column));
  expect(first).toBe(`-- ${known.map(({ column, name }) => `${column} ${name}`).join(', ')}`);
  expect(known).toHaveLength(used.length);
});

it.each(queries)('weights whatever is aggregated by the sample interval: %s', (query) => {
  for (const [call] of query.matchAll(/\b(?:sum|count|avg|quantile\w*)\([^;]*?(?=,\n| AS )/g))
    expect(call).toContain('_sample_interval');
});
