// What recalculating costs on a running Worker: nothing. Each record is paid once, whoever asks and however often.
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { SAMPLE_SEED, sample } from '../../../worker/commands/sample/index.ts';
import { forgetRecords } from '../../cold.ts';
import { bodyOf, cellsOf, clock, column, open, spentBy } from './sheets.ts';
import { admin } from './teams.ts';

/** Ids of sample companies; each test takes some from the end, which no other has looked up. */
const ids: string[] = [];
beforeAll(async () => {
  await forgetRecords(inject('session'));
  for (const { record } of sample({ seed: SAMPLE_SEED, companies: 60, families: ['company_base'] })) {
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
      sheet.host.forget();
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

  it('other fields of the same records cost nothing', async () => {
    const sheet = await open();
    const keys = fresh(5);
    await sheet.formula('CDAPI_COMPANY', column(keys), 'name');
    const spent = await spentBy(async () => {
      const result = await sheet.formula('CDAPI_COMPANY', column(keys), 'id, website, founded');
      expect(cellsOf(result).flat().filter(String).length).toBeGreaterThan(5);
    });
    expect(spent).toBe(0);
  });

  it('two people who open the same sheet at once pay each record once', async () => {
    const keys = fresh(10);
    const sheets = await Promise.all([
      open(),
      open({ people: { owner: 'owner@team.example', viewer: 'other@team.example' } }),
    ]);
    const spent = await spentBy(async () => {
      const results = await Promise.all(
        sheets.map((sheet) => sheet.formula('CDAPI_COMPANY', column(keys), 'name')),
      );
      expect(results[0]).toEqual(results[1]);
      expect(
        cellsOf(results[0] ?? { values: [] })
          .flat()
          .join(' '),
      ).not.toContain('#');
    });
    expect(spent).toBe(100);
  });

  it('one sheet with 30 formulas at once over the same records pays each once', async () => {
    const sheet = await open();
    const keys = fresh(3);
    const spent = await spentBy(() =>
      Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          sheet.formula('CDAPI_COMPANY', column([...keys, ...Array.from({ length: at }, () => '')]), 'name'),
        ),
      ),
    );
    expect(spent).toBe(30);
  });

  it('a record that was erased is gone from the sheet ten minutes later, and is not bought again', async () => {
    const time = clock();
    const sheet = await open({ now: time.now });
    const posts = [...sample({ seed: SAMPLE_SEED, companies: 60, families: ['employee_post'] })];
    const keys = posts.slice(-2).map(({ record }) => String(record.id));
    const before = cellsOf(await sheet.formula('CDAPI_POST', column(keys), 'author_name'));
    expect(before.flat()).toEqual([expect.stringMatching(/^[^#]/), expect.stringMatching(/^[^#]/)]);
    await admin('DELETE', `records/employee_post/${keys[0]}`);
    time.pass(601);
    sheet.host.forget();
    const spent = await spentBy(async () => {
      expect(await sheet.formula('CDAPI_POST', column(keys), 'author_name')).toEqual({
        values: [['#ERASED'], before[1]],
      });
      sheet.host.forget();
      expect(await sheet.formula('CDAPI_POST', keys[0], 'author_name')).toEqual({ values: [['#ERASED']] });
    });
    expect(spent).toBe(0);
  });

  it('where formulas see no document, the person’s own cache serves', async () => {
    const { url, team_token: token } = inject('session');
    const copy = { [`${connectionProperty}:workbook`]: JSON.stringify({ url, token }) };
    const sheet = await open({
      documentInFormulas: false,
      properties: { document: {}, user: { 'owner@team.example': copy } },
    });
    const keys = fresh(2);
    const first = await sheet.formula('CDAPI_COMPANY', column(keys), 'name');
    expect(cellsOf(first).flat()).toEqual([expect.stringMatching(/^[^#]/), expect.stringMatching(/^[^#]/)]);
    sheet.host.forget();
    expect(await sheet.formula('CDAPI_COMPANY', column(keys), 'name')).toEqual(first);
    expect(sheet.sent).toHaveLength(1);
  });

  it('pages of a preview are paid once', async () => {
    const sheet = await open();
    const query = '{"query": {"exists": {"field": "name"}}}';
    const preview = () => sheet.formula('CDAPI_PREVIEW', 'company_base', query, 'name', 2);
    expect(await spentBy(preview)).toBe(20);
    const calls = sheet.host.usage.urlFetch;
    sheet.host.forget();
    expect(await spentBy(preview)).toBe(0);
    expect(sheet.host.usage.urlFetch).toBe(calls);
    expect(await spentBy(() => sheet.formula('CDAPI_PREVIEW', 'company_base', query, 'industry', 2))).toBe(0);
  });
});
