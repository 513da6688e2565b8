// Searches from a form: known values, and counts without each condition.
import { describe, expect, it } from 'vitest';
import type { SearchResponse } from '../../../../shared/api/search.ts';
import { createGateway } from '../../harness.ts';
import { callsWith, tokenOf } from './callers.ts';

/** Creates a caller and a provider whose count depends on the filters. */
async function createCaller(team: string, countMatches: (names: string[]) => number | undefined) {
  const requests: Record<string, unknown>[] = [];
  const at = createGateway(async (_, request) => {
    const filters = (await request.json()) as Record<string, unknown>;
    requests.push(filters);
    const total = countMatches(Object.keys(filters));
    if (total === undefined) return new Response('', { status: 500 });
    const headers = { 'x-total-results': String(total), 'x-total-pages': '1' };
    return Response.json(total === 0 ? [] : [1], { headers });
  }, team);
  const { ok } = callsWith(await tokenOf(team), at);
  const search = (filters: Record<string, unknown>, more = {}) =>
    ok<SearchResponse>('POST', '/search', { family: 'company_base', filters, items_per_page: 1, ...more });
  return { requests, search };
}

describe('known_values', () => {
  it('translates values to the provider’s spelling', async () => {
    const { requests, search } = await createCaller('known-values', () => 1966);
    const typed = { country: 'USA', size: '11-50' };
    expect(await search(typed, { known_values: true })).toMatchObject({ total: 1966 });
    await search(typed);
    expect(requests).toEqual([
      { country: '(United States) OR (United States of America)', size: '11-50 employees' },
      typed,
    ]);
  });
});

// "“nothing matches” shows the count without each condition"
describe('explain_empty', () => {
  const filters = { country: 'Germany', name: 'acme', founded_year_gte: 2000, founded_year_lte: 2010 };
  const totals = (names: string[]) => (names.includes('country') ? (names.includes('name') ? 0 : 12) : 7);

  it('counts the matches without each condition', async () => {
    const { search } = await createCaller('without-each', totals);
    expect(await search(filters, { explain_empty: true })).toMatchObject({
      total: 0,
      without: [
        { condition: 'country', total: 7 },
        { condition: 'name', total: 12 },
        { condition: 'founded_year', total: 0 },
      ],
    });
  });

  it('makes no additional call if it is off or something matches', async () => {
    const { requests, search } = await createCaller('without-none', totals);
    expect(await search(filters)).not.toHaveProperty('without');
    expect(await search({ name: 'acme' }, { explain_empty: true })).not.toHaveProperty('without');
    expect(requests).toHaveLength(2);
  });

  it('makes at most eight additional calls and leaves out failed counts', async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, 'x']));
    const { requests, search } = await createCaller('without-many', (names) =>
      names.length === 12 ? 0 : names.includes('f0') ? 3 : undefined,
    );
    const { without } = await search(many, { explain_empty: true, any_fields: true, wait_ms: 20_000 });
    expect(without?.map(({ condition }) => condition)).toEqual(['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7']);
    expect(new Set(requests.map((sent) => Object.keys(sent).join())).size).toBe(1 + 8);
  });
});
