// What recalculating costs on a running Worker: nothing. Each record is paid once, whoever asks and however often.
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { invalidateCache } from '../../invalidate-cache.ts';
import { bodyOf, cellsOf, clock, column, open, spentBy } from './sheets.ts';
import { admin } from './teams.ts';

/** Ids of sample companies; each test takes some from the end, which no other has looked up. */
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

describe('on a running Worker', () => {
  it('what is recalculated, sorted, moved and inserted into costs nothing, and only new keys are asked', async () => {
    const sheet = await open();
    const keys = fresh(8);
    const bought = await spentBy(() => sheet.formula('CDAPI_COMPANY', column(keys), 'name, industry'));
    expect(bought).toBe(80);
    expect(sheet.host.usage.urlFetch).toBe(1);
    const [added = ''] = fresh(1);
    const again = await spentBy(async () => {
      sheet.host.clearResults();
      await sheet.formula('CDAPI_COMPANY', column(keys), 'name, industry');
      await sheet.formula('CDAPI_COMPANY', column(keys.toReversed()), 'industry, name');
      await sheet.formula('CDAPI_COMPANY', column(['', ...keys]), 'name, industry', 'header');
      for (const key of keys) await sheet.formula('CDAPI_COMPANY', key, 'industry, name');
    });
    expect(again).toBe(0);
    expect(sheet.host.usage.urlFetch).toBe(1);
    const inserted = await spentBy(() =>
      sheet.formula('CDAPI_COMPANY', column(keys.toSpliced(3, 0, added)), 'name, industry'),
    );
    expect(inserted).toBe(10);
    expect(sheet.sent.map((request) => bodyOf<LookupRequest>(request).keys)).toEqual([keys, [added]]);
  });

  it('a record that was erased is gone from the sheet ten minutes later, and is not bought again', async () => {
    const time = clock();
    const sheet = await open({ now: time.now });
    const posts = [...generateSample({ seed: SAMPLE_SEED, companies: 60, families: ['employee_post'] })];
    const keys = posts.slice(-2).map(({ record }) => String(record.id));
    const before = cellsOf(await sheet.formula('CDAPI_POST', column(keys), 'author_name'));
    expect(before.flat()).toEqual([expect.stringMatching(/^[^#]/), expect.stringMatching(/^[^#]/)]);
    await admin('DELETE', `records/employee_post/${keys[0]}`);
    time.pass(601);
    sheet.host.clearResults();
    const spent = await spentBy(async () => {
      expect(await sheet.formula('CDAPI_POST', column(keys), 'author_name')).toEqual({
        values: [['#ERASED'], before[1]],
      });
      sheet.host.clearResults();
      expect(await sheet.formula('CDAPI_POST', keys[0], 'author_name')).toEqual({ values: [['#ERASED']] });
    });
    expect(spent).toBe(0);
  });
});
