// POST /sheets/v1/lookups/{id}/cancel: Stop cancels what was not sent yet, and the answer states exactly what was bought.
import { describe, expect, it } from 'vitest';
import type { LookupRequest, LookupResponse } from '../../../../shared/api/lookup.ts';
import { company, type Gateway, gateway } from '../../harness.ts';
import { callsWith, tokenOf } from './callers.ts';

const ID = '5f1c1d6e-62fb-4a8a-8a32-9c1b5a3f7e10';
const CREDITS = 10;
const RATE_PER_S = 5;

/** A provider with a low rate limit, as the response headers of its first answer say. */
function slowGateway(name: string): Gateway {
  return gateway(async (key) => {
    const answer = company(key);
    answer.headers.set('x-ratelimit-limit-second', String(RATE_PER_S));
    return answer;
  }, name);
}

const lookupOf = (count: number): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys: Array.from({ length: count }, (_, at) => `shop${at + 1}.com`),
  fields: ['name'],
});

describe('a lookup of 60 keys at 5 calls a second', () => {
  it('buys nothing more once it is cancelled, and states what it bought', async () => {
    const at = slowGateway('cancelled');
    const { ok } = callsWith(await tokenOf('cancelled'), at);
    await ok('POST', '/lookup', { ...lookupOf(1), keys: ['first.com'] });
    const before = at.asked.length;
    const answer = ok<LookupResponse>('POST', '/lookup', { ...lookupOf(60), cancel_id: ID });
    await expect.poll(() => at.asked.length, { timeout: 20_000 }).toBeGreaterThan(before + 2);
    const { withdrawn } = await ok<{ withdrawn: number }>('POST', `/lookups/${ID}/cancel`);
    const { rows, credits } = await answer;
    const bought = at.asked.length - before;
    expect(bought).toBeLessThan(60);
    expect(withdrawn).toBeGreaterThan(0);
    expect(credits.spent).toBe(bought * CREDITS);
    expect(rows.filter(({ status }) => status === 'fetched')).toHaveLength(bought);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(60 - bought);

    // A later request of the same keys finds exactly those in the cache, and its calls are not cancelled.
    const again = await ok<LookupResponse>('POST', '/lookup', { ...lookupOf(60), max_credits: 0 });
    expect(again.rows.filter(({ status }) => status === 'hit')).toHaveLength(bought);
    expect(at.asked.length - before).toBe(bought);
  });

  it('buys nothing more when its answer is due', async () => {
    const at = slowGateway('due');
    const { ok } = callsWith(await tokenOf('due'), at);
    await ok('POST', '/lookup', { ...lookupOf(1), keys: ['first.com'] });
    const { rows, credits } = await ok<LookupResponse>('POST', '/lookup', {
      ...lookupOf(60),
      cancel_id: ID,
      wait_ms: 1500,
    });
    const bought = at.asked.length - 1;
    expect(bought).toBeLessThan(60);
    expect(credits.spent).toBe(bought * CREDITS);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(60 - bought);
    const again = await ok<LookupResponse>('POST', '/lookup', { ...lookupOf(60), max_credits: 0 });
    expect(again.rows.filter(({ problem }) => problem === 'max_credits_reached')).toHaveLength(60 - bought);
    expect(at.asked.length - 1).toBe(bought);
  });
});

it('a cancellation of another team changes nothing', async () => {
  const at = slowGateway('other-team');
  const mine = callsWith(await tokenOf('mine'), at);
  const theirs = callsWith(await tokenOf('theirs'), at);
  await mine.ok('POST', '/lookup', { ...lookupOf(1), keys: ['first.com'] });
  const answer = mine.ok<LookupResponse>('POST', '/lookup', { ...lookupOf(12), cancel_id: ID });
  await expect.poll(() => at.asked.length, { timeout: 20_000 }).toBeGreaterThan(1);
  expect(await theirs.ok('POST', `/lookups/${ID}/cancel`)).toEqual({ withdrawn: 0 });
  const { rows } = await answer;
  expect(rows.every(({ status }) => status === 'fetched')).toBe(true);
});

it('an id that is no UUID is refused', async () => {
  const at = slowGateway('no-uuid');
  const { problem } = callsWith(await tokenOf('no-uuid'), at);
  expect(await problem('POST', '/lookups/one/cancel')).toMatchObject({ status: 404, code: 'not_found' });
  expect(await problem('POST', '/lookup', { ...lookupOf(1), cancel_id: 'one' })).toMatchObject({
    status: 422,
    code: 'invalid_request',
  });
});
