// Columns that are kept filled: in closed sheets over a strict Google, and for open ones. Counts calls and credits.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SheetsResponse } from '../../../shared/api/sheets-endpoints.ts';
import { explainProblem } from '../../../shared/problems.ts';
import { longIt } from '../../pick-cases.ts';
import { createClient } from '../routes/sheets/callers.ts';
import { EnrichmentHarness, PRICE } from './enrichment-harness.ts';
import { listSources, startMidMonth } from './schedules/harness.ts';

let harness: EnrichmentHarness;
beforeEach(() => {
  startMidMonth();
  harness = new EnrichmentHarness();
});

describe('a closed sheet', () => {
  it('gets the values of new rows, each key bought once, and nothing else changes', async () => {
    await harness.start();
    harness.addKeys(4, 'c3.example', 'https://www.c3.example/', 'missing.example', 'not a website');
    await harness.runNext();
    expect(harness.rows).toEqual([
      ['c1.example', 'mine', 'Typed by hand'],
      ['c2.example'],
      ['c3.example', '', 'c3.example', 3],
      ['https://www.c3.example/', '', 'c3.example', 3],
      ['missing.example', '', '#NOT_FOUND'],
      ['not a website'],
    ]);
    expect(harness.sheet.cell(6, 3)?.note).toBe(explainProblem('not_found'));
    expect(harness.gateway.requestedKeys.toSorted()).toEqual(['c3.example', 'missing.example']);
    await expect.poll(() => harness.spent()).toBe(PRICE);
    expect(await listSources(harness.team)).toEqual(['schedule']);
    expect(await harness.view()).toMatchObject({
      state: 'on',
      month_spent: PRICE,
      last: { rows: 3, credits: PRICE },
    });
    const writes = harness.google.count('write');
    await harness.runNext();
    await harness.runNext();
    expect(harness.google.count('write')).toBe(writes);
    expect(harness.gateway.requestedKeys).toHaveLength(2);
    await expect.poll(() => harness.spent()).toBe(PRICE);
  });

  it('keeps the note of a person beside a row without a record', async () => {
    await harness.start();
    harness.addKeys(4, 'missing.example', 'www.missing.example');
    harness.sheet.set(4, 3, { value: '', note: 'mine' });
    await harness.runNext();
    expect(harness.rows.slice(2)).toEqual([
      ['missing.example', '', '#NOT_FOUND'],
      ['www.missing.example', '', '#NOT_FOUND'],
    ]);
    expect([4, 5].map((row) => harness.sheet.cell(row, 3)?.note)).toEqual([
      'mine',
      explainProblem('not_found'),
    ]);
  });

  it('is filled in its own rows when somebody has sorted it and moved the columns', async () => {
    await harness.start();
    harness.addKeys(4, 'c3.example', 'c4.example');
    harness.sheet.reorder('column', [4, 3, 2, 1, 5, 6]);
    harness.sheet.reverseRows(1);
    await harness.runNext();
    expect(harness.rows.map(([id = '', name = '', , key]) => [key, name, id])).toEqual([
      ['c4.example', 'c4.example', 4],
      ['c3.example', 'c3.example', 3],
      ['c2.example', '', ''],
      ['c1.example', 'Typed by hand', ''],
    ]);
  });

  it('gets the values from the cache when a write has failed', async () => {
    await harness.start();
    harness.addKeys(4, 'c3.example');
    harness.sheet.isProtected = true;
    await harness.runNext();
    expect(await harness.view()).toMatchObject({ state: 'stopped', problem: { code: 'sheet_refused' } });
    harness.sheet.isProtected = false;
    await harness.put();
    await harness.runNext();
    expect(harness.rows[2]).toEqual(['c3.example', '', 'c3.example', 3]);
    expect(harness.gateway.requestedKeys).toEqual(['c3.example']);
    await expect.poll(() => harness.spent()).toBe(PRICE);
  });

  it('costs at most the credits of a run, then stops when those of the month are used up', async () => {
    await harness.start({ max_credits: 2 * PRICE, month_credits: 3 * PRICE });
    harness.addKeys(4, 'c3.example', 'c4.example', 'c5.example', 'c6.example');
    await harness.runNext();
    await expect.poll(() => harness.spent()).toBe(2 * PRICE);
    expect(await harness.view()).toMatchObject({ state: 'on', month_spent: 2 * PRICE });
    await harness.runNext();
    await expect.poll(() => harness.spent()).toBe(3 * PRICE);
    expect(await harness.view()).toMatchObject({
      state: 'stopped',
      problem: { code: 'over_budget' },
      month_spent: 3 * PRICE,
      next_at: null,
    });
    await harness.runNext();
    expect(harness.gateway.requestedKeys).toHaveLength(3);
    expect(harness.rows.map(([, , name = '']) => name)).toEqual([
      'Typed by hand',
      '',
      'c3.example',
      'c4.example',
      'c5.example',
      '',
    ]);
  });

  it.each([
    ['its sheet is gone', () => harness.spreadsheet.sheets.splice(0), 'sheet_missing'],
    [
      'the columns are gone',
      () => harness.sheet.shift({ axis: 'column', at: 3, count: -2 }),
      'sheet_refused',
    ],
    [
      'the column of keys is gone',
      () => harness.sheet.shift({ axis: 'column', at: 1, count: -1 }),
      'sheet_refused',
    ],
    ['the spreadsheet is not shared', () => harness.spreadsheet.editors.clear(), 'sheet_not_shared'],
    [
      'its token is revoked',
      () => env.DB.prepare('UPDATE tokens SET revoked_at = 1 WHERE team_id = ?').bind(harness.team).run(),
      'unauthorised',
    ],
  ])('stops with a reason when %s', async (_, change, code) => {
    await harness.start();
    harness.addKeys(4, 'c3.example');
    await change();
    await harness.runNext();
    harness.client = await createClient(harness.team, {}, harness.gateway);
    expect(await harness.view()).toMatchObject({ state: 'stopped', problem: { code }, next_at: null });
    expect(harness.gateway.requestedKeys).toEqual([]);
  });

  it('spends nothing when a person has switched it off', async () => {
    await harness.start();
    harness.addKeys(4, 'c3.example');
    await harness.put({ paused: true });
    await harness.runNext();
    await harness.client.call('DELETE', `/enrichments/${harness.id}`);
    await harness.runNext();
    expect(harness.google.calls).toEqual([]);
    expect(harness.gateway.requestedKeys).toEqual([]);
    const left = await env.DB.prepare('SELECT count(*) AS count FROM enriched_keys WHERE enrichment_id = ?')
      .bind(harness.id)
      .first();
    expect(left).toEqual({ count: 0 });
  });
});

const fill = (keys: string[], duplicates?: string[]): Promise<SheetsResponse<'fillKeys'>> =>
  harness.client.ok<SheetsResponse<'fillKeys'>>('POST', `/enrichments/${harness.id}/fill`, {
    keys,
    ...(duplicates === undefined ? {} : { duplicates }),
  });

describe('an open sheet', () => {
  it('gets new keys once, and known ones only until they are written', async () => {
    await harness.start({ push: false });
    const { rows, enrichment } = await fill(['c2.example', 'c3.example', 'C3.example']);
    expect(rows).toMatchObject([{ key: 'C3.example', record: { name: 'c3.example' } }]);
    expect(enrichment).toMatchObject({ state: 'on', month_spent: PRICE, next_at: null });
    // The answer was lost.
    expect((await fill(['c3.example'])).rows).toMatchObject([{ record: { name: 'c3.example' }, credits: 0 }]);
    await harness.client.call('POST', `/enrichments/${harness.id}/known`, { keys: ['c3.example'] });
    expect((await fill(['c3.example'])).rows).toEqual([]);
    // Another row of the table has this key: it is answered from the cache.
    const again = await fill(['c3.example', 'c4.example'], ['C3.example']);
    expect(again.rows).toMatchObject([
      { key: 'c3.example', record: { name: 'c3.example' }, credits: 0 },
      { key: 'c4.example', credits: PRICE },
    ]);
    await expect.poll(() => harness.spent()).toBe(2 * PRICE);
    expect(await listSources(harness.team)).toEqual(['schedule']);
    await harness.runNext();
    expect(harness.google.calls).toEqual([]);
  });

  it('that asks at once with many calls never exceeds the credits of a month', async () => {
    await harness.start({ push: false, month_credits: 2 * PRICE });
    const calls = Array.from({ length: 8 }, (_, at) =>
      harness.client.call('POST', `/enrichments/${harness.id}/fill`, {
        keys: [`c${at + 10}.example`, `c${at + 20}.example`],
      }),
    );
    await Promise.all(calls);
    await fill(['c40.example', 'c41.example', 'c42.example']);
    expect(await harness.spent()).toBeLessThanOrEqual(2 * PRICE);
    expect(await harness.view()).toMatchObject({ state: 'stopped', problem: { code: 'over_budget' } });
    expect((await fill(['c43.example'])).rows).toEqual([]);
  });

  it('needs the scope of the lookups', async () => {
    await harness.start({ push: false });
    const other = await createClient(harness.team, { operations: ['search'] }, harness.gateway);
    const path = `/enrichments/${harness.id}`;
    for (const [method, target, body] of [
      ['POST', `${path}/fill`, { keys: ['c3.example'] }],
      ['POST', `${path}/known`, { keys: ['c3.example'] }],
      ['DELETE', path],
    ] as const)
      expect(await other.problem(method, target, body)).toMatchObject({ code: 'forbidden_scope' });
    const stranger = await createClient(`${harness.team}-other`, {}, harness.gateway);
    expect(await stranger.problem('DELETE', path)).toMatchObject({ code: 'not_found' });
  });
});

describe('an erased company', () => {
  const countKnown = () =>
    env.DB.prepare('SELECT count(*) AS count FROM enriched_keys WHERE enrichment_id = ?')
      .bind(harness.id)
      .first<number>('count');

  it('is removed from the known keys, and refused later without a charge', async () => {
    await harness.start();
    harness.addKeys(4, 'c701.example', 'c702.example');
    await harness.runNext();
    await expect.poll(() => harness.spent()).toBe(2 * PRICE);
    expect(await countKnown()).toBe(4);
    await harness.erase('c701.example');
    expect(await countKnown()).toBe(3);
    const calls = harness.gateway.requestedKeys.length;
    harness.addKeys(6, 'c701.example');
    await harness.runNext();
    expect(harness.rows[4]).toEqual(['c701.example', '', expect.stringMatching(/^#/)]);
    expect((await fill(['c701.example', 'c702.example'])).rows).toEqual([]);
    expect(harness.gateway.requestedKeys).toHaveLength(calls);
    expect(await harness.spent()).toBe(2 * PRICE);
    expect(await harness.view()).toMatchObject({ state: 'on', month_spent: 2 * PRICE });
  });

  longIt('is refused in an open sheet too, and ends an order that names it', async () => {
    await harness.start({ push: false });
    await fill(['c703.example']);
    await harness.erase('c703.example');
    expect((await fill(['c703.example'])).rows).toMatchObject([
      { key: 'c703.example', status: 'failed', problem: 'erased', credits: 0 },
    ]);
    await env.DB.prepare('UPDATE enrichments SET problem = ? WHERE team_id = ?')
      .bind(
        JSON.stringify({ problem: 'sheet_refused', detail: 'The sheet c704.example is protected.' }),
        harness.team,
      )
      .run();
    await harness.erase('c704.example');
    expect(JSON.stringify(await harness.view())).not.toContain('c704');
    await harness.put({ push: false, title: 'Competitors of c705.example' });
    await harness.erase('c705.example');
    expect(
      await harness.client.problem('POST', `/enrichments/${harness.id}/fill`, { keys: ['c706.example'] }),
    ).toMatchObject({ code: 'not_found' });
  });
});
