// Cancelling a lookup: calls that were not sent are withdrawn, and the answer states what was bought.
import { describe, expect, it } from 'vitest';
import type { LookupRequest, LookupResponse } from '../../../../shared/api/lookup.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { callsWith, tokenOf } from './callers.ts';

const ID = '5f1c1d6e-62fb-4a8a-8a32-9c1b5a3f7e10';
const CREDITS = 10;
const RATE_PER_S = 5;

/** A provider with a low rate limit, as the response headers of its first answer say. */
function slowGateway(name: string): Gateway {
  return createGateway(async (key) => {
    const answer = buildCompanyResponse(key);
    answer.headers.set('x-ratelimit-limit-second', String(RATE_PER_S));
    return answer;
  }, name);
}

const createLookup = (count: number): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys: Array.from({ length: count }, (_, at) => `shop${at + 1}.com`),
  fields: ['name'],
});

describe('a lookup of 60 keys at 5 calls a second', () => {
  it('buys nothing more after its cancellation and states what it bought', async () => {
    const at = slowGateway('cancelled');
    const { ok } = callsWith(await tokenOf('cancelled'), at);
    await ok('POST', '/lookup', { ...createLookup(1), keys: ['first.com'] });
    const before = at.requestedKeys.length;
    const answer = ok<LookupResponse>('POST', '/lookup', { ...createLookup(60), cancel_id: ID });
    await expect.poll(() => at.requestedKeys.length).toBeGreaterThan(before + 2);
    const { withdrawn } = await ok<{ withdrawn: number }>('POST', `/lookups/${ID}/cancel`);
    const { rows, credits } = await answer;
    const bought = at.requestedKeys.length - before;
    expect(bought).toBeLessThan(60);
    expect(withdrawn).toBeGreaterThan(0);
    expect(credits.spent).toBe(bought * CREDITS);
    expect(rows.filter(({ status }) => status === 'fetched')).toHaveLength(bought);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(60 - bought);

    // A later request of the same keys finds exactly those in the cache, and its calls are not cancelled.
    const again = await ok<LookupResponse>('POST', '/lookup', { ...createLookup(60), max_credits: 0 });
    expect(again.rows.filter(({ status }) => status === 'hit')).toHaveLength(bought);
    expect(at.requestedKeys.length - before).toBe(bought);
  });
});

it('rejects an id that is no UUID', async () => {
  const at = slowGateway('no-uuid');
  const { problem } = callsWith(await tokenOf('no-uuid'), at);
  expect(await problem('POST', '/lookups/one/cancel')).toMatchObject({ status: 404, code: 'not_found' });
  expect(await problem('POST', '/lookup', { ...createLookup(1), cancel_id: 'one' })).toMatchObject({
    status: 422,
    code: 'invalid_request',
  });
});
