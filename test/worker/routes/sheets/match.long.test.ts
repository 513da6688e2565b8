// The longest list of company names stays within the platform's limit of calls.
import { expect, it } from 'vitest';
import type { MatchResponse } from '../../../../shared/api/match.ts';
import { maxMatchNames } from '../../../../shared/limits.ts';
import { createGateway } from '../../harness.ts';
import { createClient } from './callers.ts';
import { newTeam } from './fixtures.ts';

/** Calls of services that 50 names take at most (docs/limits.md). */
const MAX_CALLS = 600;

it('takes at most 600 calls of services for the longest list of names that need every search', async () => {
  const at = createGateway(async (_, request) => {
    const body = await request.text();
    const nameOf = (id: number) => (id % 10 === 0 ? `Quux${id / 10} Foods` : 'Another');
    const [, collected] = /\/collect\/(\d+)/.exec(request.url) ?? [];
    if (collected !== undefined)
      return Response.json({ id: Number(collected), name: nameOf(Number(collected)) });
    if (request.url.includes('/preview')) {
      const { query } = JSON.parse(body) as { query: { terms: { id: number[] } } };
      return Response.json(query.terms.id.map((id) => ({ id, name: nameOf(id) })));
    }
    // The last search is not limited to the country.
    if (body.includes('location_hq_country'))
      return Response.json([], { headers: { 'x-total-results': '0' } });
    const number = Number(/quux(\d+)/i.exec(body)?.[1]);
    return Response.json([number * 10, number * 10 + 1], { headers: { 'x-total-results': '2' } });
  });
  const client = await createClient(newTeam(), {}, at);
  const companies = Array.from({ length: maxMatchNames }, (_, index) => ({
    name: `Quux${index + 1} Foods Ltd`,
    country: 'Germany',
  }));
  const body = { family: 'company_clean', companies, fields: ['name'] };
  const { matches } = await client.ok<MatchResponse>('POST', '/match', body);
  expect(matches.every(({ record }) => record !== undefined)).toBe(true);
  expect(at.listBindingCalls().length).toBeLessThanOrEqual(MAX_CALLS);
});
