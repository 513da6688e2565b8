// Queries with a since condition, checked against the sandbox.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../shared/api/query.ts';
import { type Family, familyNames } from '../../../../shared/families/index.ts';
import { addSinceCondition, canSchedule, hasDayPrecision } from '../../../../shared/query/since.ts';
import { buildProviderQuery } from '../../../../worker/gateway/query.ts';
import { control, post, put } from '../../sandbox/client.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');

const families = familyNames.filter((family) => canSchedule(family, 'search'));

/** Ten records, one changed each day at noon. */
const records = Array.from({ length: 10 }, (_, day) => {
  const time = new Date(START + day * DAY + DAY / 2).toISOString().slice(0, 19).replace('T', ' ');
  return { id: day + 1, time, date: time.slice(0, 10) };
});

beforeAll(async () => {
  await control({ rate_per_s: 100_000, balance: 1_000_000 });
  const industry = 'Baking';
  await put(
    'company_clean',
    records.map(({ id, date }) => ({ id, name: 'Acme', industry, last_updated: date })),
  );
  await put(
    'company_base',
    records.map(({ id, time }) => ({ id, name: 'Acme', industry, last_updated: time })),
  );
  await put(
    'employee_clean',
    records.map(({ id, date }) => ({ id, full_name: 'Acme', last_updated: date })),
  );
  await put(
    'employee_base',
    records.map(({ id, time }) => ({ id, full_name: 'Acme', industry, updated_at: time })),
  );
  await put(
    'job_base',
    records.map(({ id, time }) => ({ id, title: 'Acme', last_updated: time })),
  );
});

async function countMatches(family: Family, query: Query): Promise<number> {
  const { operation, body } = buildProviderQuery('search', family, query);
  const response = await post(`/cdapi${operation.path}?items_per_page=1`, body);
  const text = await response.text();
  expect([family, body, response.status, text]).toEqual([family, body, 200, expect.any(String)]);
  return Number(response.headers.get('x-total-results'));
}

describe('a query with a since condition', () => {
  it.each(families)('of %s finds the records changed since then', async (family) => {
    const queries: Query[] = [{ es_dsl: { match_all: {} } }];
    if (canSchedule(family, 'filter')) queries.push({ filters: {} });
    for (const query of queries) {
      for (const day of [0, 3, 9, 10]) {
        const since = START + day * DAY + DAY / 2;
        const expected = Math.min(10, 10 - day + (hasDayPrecision(family) ? 1 : 0));
        expect(await countMatches(family, addSinceCondition(family, query, since))).toBe(expected);
      }
    }
  });
});
