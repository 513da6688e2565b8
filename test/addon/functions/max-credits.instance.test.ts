// The option max_credits limits the spending of a formula's run.
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { invalidateCache } from '../../invalidate-cache.ts';
import { answer, getCells, getSampleWebsites, measureSpending, open, parseBody, toColumn } from './sheets.ts';

beforeEach(() => invalidateCache(inject('session')));

// "formulas accept `max_credits=N`"
describe('a formula with max_credits', () => {
  it('buys as many records as the limit allows, and shows #BUDGET for the others', async () => {
    const websites = (await getSampleWebsites()).slice(0, 3);
    const sheet = await open();
    const ask = async (options: string) =>
      getCells(await sheet.evaluate('CDAPI_ENRICH', toColumn(websites), 'name', options)).flat();
    expect(
      await measureSpending(async () => expect(await ask('max_credits=0')).toEqual(Array(3).fill('#BUDGET'))),
    ).toBe(0);
    const spent = await measureSpending(async () => {
      const cells = await ask('max_credits=29');
      expect(cells.filter((cell) => cell === '#BUDGET')).toHaveLength(1);
    });
    expect(spent).toBe(20);
    // Cached records are free.
    expect(
      await measureSpending(async () => expect(await ask('max_credits=10')).not.toContain('#BUDGET')),
    ).toBe(10);
  });

  it('passes the remaining limit to each further call', async () => {
    const sheet = await open({
      fetch: async (request) => {
        const { keys, max_credits = 0 } = parseBody<LookupRequest>(request);
        const bought = Math.min(keys.length, Math.floor(max_credits / 10) - 1);
        const rows = keys.map((key, at) =>
          at < bought
            ? { key, status: 'fetched', record: { name: key }, credits: 10 }
            : at === bought
              ? { key, status: 'pending', problem: 'pending', credits: 0 }
              : { key, status: 'over_budget', problem: 'max_credits_reached', credits: 0 },
        );
        return answer(200, { rows, credits: { spent: bought * 10, saved: 0, remaining: null } });
      },
    });
    const keys = toColumn(Array.from({ length: 2500 }, (_, at) => `a${at}.com`));
    await sheet.evaluate('CDAPI_ENRICH', keys, 'name', 'max_credits=15000');
    const limits = sheet.requests.map((request) => parseBody<LookupRequest>(request).max_credits);
    expect(limits).toEqual([15_000, 5000, 0]);
  });
});
