// max_credits=N in the options of formulas: the Worker spends no more for that run of the formula.
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { invalidateCache } from '../../invalidate-cache.ts';
import { answer, bodyOf, cellsOf, column, open, sampleWebsites, spentBy } from './sheets.ts';

beforeEach(() => invalidateCache(inject('session')));

// "formulas accept `max_credits=N`"
describe('a formula with max_credits', () => {
  it('of records buys as many as that pays for, and says #BUDGET for the others', async () => {
    const websites = (await sampleWebsites()).slice(0, 3);
    const sheet = await open();
    const ask = async (options: string) =>
      cellsOf(await sheet.formula('CDAPI_ENRICH', column(websites), 'name', options)).flat();
    expect(
      await spentBy(async () => expect(await ask('max_credits=0')).toEqual(Array(3).fill('#BUDGET'))),
    ).toBe(0);
    const spent = await spentBy(async () => {
      const cells = await ask('max_credits=29');
      expect(cells.filter((cell) => cell === '#BUDGET')).toHaveLength(1);
    });
    expect(spent).toBe(20);
    // What is remembered is free.
    expect(await spentBy(async () => expect(await ask('max_credits=10')).not.toContain('#BUDGET'))).toBe(10);
  });

  it('of several calls gives each what the ones before left', async () => {
    const sheet = await open({
      fetch: async (request) => {
        const { keys, max_credits = 0 } = bodyOf<LookupRequest>(request);
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
    const keys = column(Array.from({ length: 2500 }, (_, at) => `a${at}.com`));
    await sheet.formula('CDAPI_ENRICH', keys, 'name', 'max_credits=15000');
    const limits = sheet.sent.map((request) => bodyOf<LookupRequest>(request).max_credits);
    expect(limits).toEqual([15_000, 5000, 0]);
  });
});
