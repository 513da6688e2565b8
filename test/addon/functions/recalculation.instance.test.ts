// Recalculation is free: each record is bought once.
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { invalidateCache } from '../../invalidate-cache.ts';
import { createClock, getCells, measureSpending, open, parseBody, toColumn } from './sheets.ts';
import { callAdmin } from './teams.ts';

/** Ids of sample companies. Each test takes unused ones from the end. */
const ids: string[] = [];
beforeAll(async () => {
  await invalidateCache(inject('session'));
  for (const { record } of generateSample({ seed: SAMPLE_SEED, companies: 60, families: ['company_base'] })) {
    ids.push(String(record.id));
  }
});
const fresh = (count: number): string[] => {
  const taken = ids.splice(-count);
  if (taken.length < count) throw new Error('There are not enough sample companies.');
  return taken;
};

describe('recalculation', () => {
  it('requests only new keys after recalculating, sorting, moving and inserting', async () => {
    const sheet = await open();
    const keys = fresh(8);
    const bought = await measureSpending(() =>
      sheet.evaluate('CDAPI_COMPANY', toColumn(keys), 'name, industry'),
    );
    expect(bought).toBe(80);
    expect(sheet.host.usage.urlFetch).toBe(1);
    const [added = ''] = fresh(1);
    const again = await measureSpending(async () => {
      sheet.host.clearResults();
      await sheet.evaluate('CDAPI_COMPANY', toColumn(keys), 'name, industry');
      await sheet.evaluate('CDAPI_COMPANY', toColumn(keys.toReversed()), 'industry, name');
      await sheet.evaluate('CDAPI_COMPANY', toColumn(['', ...keys]), 'name, industry', 'header');
      for (const key of keys) await sheet.evaluate('CDAPI_COMPANY', key, 'industry, name');
    });
    expect(again).toBe(0);
    expect(sheet.host.usage.urlFetch).toBe(1);
    const inserted = await measureSpending(() =>
      sheet.evaluate('CDAPI_COMPANY', toColumn(keys.toSpliced(3, 0, added)), 'name, industry'),
    );
    expect(inserted).toBe(10);
    expect(sheet.requests.map((request) => parseBody<LookupRequest>(request).keys)).toEqual([keys, [added]]);
  });

  it('removes an erased record within ten minutes and does not buy it again', async () => {
    const time = createClock();
    const sheet = await open({ now: time.now });
    const posts = [...generateSample({ seed: SAMPLE_SEED, companies: 60, families: ['employee_post'] })];
    const keys = posts.slice(-2).map(({ record }) => String(record.id));
    const before = getCells(await sheet.evaluate('CDAPI_POST', toColumn(keys), 'author_name'));
    expect(before.flat()).toEqual([expect.stringMatching(/^[^#]/), expect.stringMatching(/^[^#]/)]);
    await callAdmin('DELETE', `records/employee_post/${keys[0]}`);
    time.pass(601);
    sheet.host.clearResults();
    const spent = await measureSpending(async () => {
      expect(await sheet.evaluate('CDAPI_POST', toColumn(keys), 'author_name')).toEqual({
        values: [['#ERASED'], before[1]],
      });
      sheet.host.clearResults();
      expect(await sheet.evaluate('CDAPI_POST', keys[0], 'author_name')).toEqual({ values: [['#ERASED']] });
    });
    expect(spent).toBe(0);
  });
});
