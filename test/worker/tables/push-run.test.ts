// Pushes of new rows into a closed spreadsheet: page by page, resumable, after open sheets, one push to a table at a time.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { changedCellColour } from '../../../shared/table/plan.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import { PushStore } from '../../../worker/tables/push/store.ts';
import { listDueJobs, planJob, readJob } from '../job-rows.ts';
import { createToken } from '../routes/sheets/callers.ts';
import {
  deleteTables,
  getOnlyPush,
  HOUR_MS,
  ids,
  listPushes,
  PUSH_DELAY_MS,
  storeRows,
  TablesHarness,
} from './harness.ts';
import { EMAIL } from './push/fake-google.ts';
import { markTable } from './push/fake-sheet.ts';

let harness: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  harness = new TablesHarness();
});

describe('new rows', () => {
  it('are written to the table’s columns with the sync time', async () => {
    const { table } = await harness.tableWithRows(3);
    expect(await harness.runDue()).toBe(1);
    const [head, ...rows] = harness.sheet.values();
    expect(head?.slice(0, 5)).toEqual(['Name', 'Id', 'People', '', 'Last synced']);
    expect(head?.[5]).toBeTypeOf('number');
    expect(rows).toEqual(ids(3).map((id) => [`Company ${id}`, id, 10]));
    expect(await getOnlyPush(table)).toMatchObject({
      state: 'done',
      rowsWritten: 3,
      problem: null,
      attempts: 0,
    });
  });

  it('are recorded as one change however often their run is published', async () => {
    const { table, run } = await harness.tableWithRows(1);
    await harness.completeRun(table, run);
    await harness.runDue();
    await harness.completeRun(table, run);
    expect(await harness.runDue()).toBe(0);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done' });
    const { results } = await env.DB.prepare('SELECT kind, subject, run FROM changes').all();
    expect(results).toEqual([{ kind: 'table', subject: table.id, run }]);
  });

  it('of a data request are pushed to its tables with pushes, within the team', async () => {
    const requestId = crypto.randomUUID();
    await storeRows(requestId, 2);
    const pushed = await harness.registerTable({ requestId });
    const withoutPush = await harness.registerTable({ requestId, push: false });
    const other = await harness.registerTable();
    await createToken('another');
    const foreign = await harness.registerTable({ requestId, teamId: 'another' });
    const change = { teamId: 'team', kind: 'request', subject: requestId, run: '', hasRows: true } as const;
    await recordChange(env, change, harness.now);
    harness.now += PUSH_DELAY_MS;
    await harness.runDue();
    expect(await getOnlyPush(pushed)).toMatchObject({ state: 'done', rowsId: requestId, rowsWritten: 2 });
    for (const table of [withoutPush, other, foreign]) expect(await listPushes(table)).toEqual([]);
  });

  it('of a run by a data request are the rows of that request', async () => {
    const requestId = crypto.randomUUID();
    await storeRows(requestId, 2);
    const table = await harness.registerTable();
    await env.DB.prepare(
      `INSERT INTO table_runs (id, team_id, table_id, state, since, request_id, started_at)
         VALUES ('run-1', 'team', ?, 'done', 0, ?, 0)`,
    )
      .bind(table.id, requestId)
      .run();
    await harness.completeRun(table, 'run-1');
    await harness.runDue();
    expect(harness.sheetIds).toEqual([1, 2]);
  });

  it('are not duplicated when an open sheet has written them first', async () => {
    const { table, run } = await harness.tableWithRows(3, { mode: 'update' });
    // An id as text is the same id.
    harness.sheet.fill(1, 1, [
      ['Name', 'Id', 'People'],
      ['Company 2', '2', 10],
      ['Company 1', 1, 10],
    ]);
    markTable(harness.sheet, table.id, table.columns);
    await harness.runDue();
    expect(harness.sheetIds).toEqual(['2', 1, '3']);
    await env.DB.prepare("UPDATE pushes SET state = 'waiting', after = NULL").run();
    await planJob('push', (await getOnlyPush(table)).id, harness.now);
    const before = harness.sheet.snapshot();
    await harness.runDue();
    expect(harness.sheet.snapshot()).toEqual(before);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', rowsId: run });
  });

  it('of previews keep the columns that previews lack', async () => {
    const source = { kind: 'search', query: { text: 'bakers' } } as const;
    const { table } = await harness.tableWithRows(2, { mode: 'update', source });
    harness.sheet.fill(1, 1, [
      ['Name', 'Id', 'People'],
      ['Baker 2', 2, 25],
    ]);
    markTable(harness.sheet, table.id, table.columns);
    await harness.runDue();
    const rows = harness.sheet.values().slice(1);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['Company 2', 2],
      ['Company 1', 1],
    ]);
    expect(rows[0]?.[2]).toBe(25);
    expect(rows[1]?.[2] ?? '').toBe('');
  });

  it('update the table, not another one with the same headings', async () => {
    const headings = ['Name', 'Id', 'People'];
    const cells = [headings, ['Old', 1, 10], [], headings, ['Old', 1, 10]];
    harness.sheet.fill(1, 1, cells);
    const { table } = await harness.tableWithRows(1, { mode: 'update' });
    markTable(harness.sheet, table.id, table.columns, 4);
    await harness.runDue();
    const names = harness.sheet.values().map(([name]) => name);
    expect(names).toEqual(['Name', 'Old', undefined, 'Name', 'Company 1']);
    expect(harness.sheet.cell(5, 1)).toMatchObject({
      note: 'Was “Old” until 2100-03-01',
      background: changedCellColour,
    });
  });
});

describe('a push of 5,000 rows', () => {
  /** Creates a `fetch` that never answers from some write on. @returns it and a promise of that write */
  function hangAtWrite(write: number): { fetch: typeof harness.google.fetch; hanging: Promise<void> } {
    const { promise: hanging, resolve } = Promise.withResolvers<void>();
    return {
      hanging,
      fetch: async (url, init) => {
        if (init.method === 'POST' && harness.google.count('write') >= write) {
          resolve();
          return new Promise<Response>(() => {});
        }
        return harness.google.fetch(url, init);
      },
    };
  }

  it('is written in pages and stores its progress after each', async () => {
    const { table } = await harness.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    const seen: number[] = [];
    await harness.runPush(id, async (url, init) => {
      const { rowsWritten } = await getOnlyPush(table);
      if (seen.at(-1) !== rowsWritten) seen.push(rowsWritten);
      return harness.google.fetch(url, init);
    });
    expect(seen).toEqual([0, 2_000, 4_000]);
    expect(harness.sheetIds).toEqual(ids(5_000));
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', rowsWritten: 5_000 });
  });

  it('resumes after the last page when its worker was killed, and writes every row once', async () => {
    const { table } = await harness.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    // Headings, grid rows and values of the first page; grid rows and values of the second.
    const { fetch, hanging } = hangAtWrite(4);
    void harness.runPush(id, fetch);
    await hanging;
    const interrupted = await getOnlyPush(table);
    expect(interrupted).toMatchObject({ state: 'waiting', rowsWritten: 2_000 });
    expect(interrupted.after).not.toBeNull();
    // The lease still holds.
    expect(await harness.runDue()).toBe(0);
    harness.now = ((await readJob('push', id))?.leaseUntil ?? 0) + 1;
    const reads = harness.google.count('read');
    expect(await harness.runDue()).toBe(1);
    expect(harness.sheetIds).toEqual(ids(5_000));
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', rowsWritten: 5_000 });
    // Two pages and the sync time, not three pages.
    expect(harness.google.count('read') - reads).toBeLessThanOrEqual(12);
  });

  it('stops before the next write when its lease is lost', async () => {
    const { table } = await harness.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    let calls = 0;
    await harness.runPush(id, async (url, init) => {
      calls += 1;
      if (calls === 8) {
        // Another worker completes the push meanwhile.
        harness.now += HOUR_MS;
        expect(await harness.runDue()).toBe(1);
      }
      return harness.google.fetch(url, init);
    });
    expect(harness.sheetIds).toEqual(ids(5_000));
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', attempts: 0, rowsWritten: 5_000 });
  });
});

describe('an open sheet', () => {
  it('has a head start of two minutes', async () => {
    const { table } = await harness.tableWithRows(1);
    harness.now -= 1;
    expect(await harness.runDue()).toBe(0);
    harness.now += 1;
    expect(await harness.runDue()).toBe(1);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done' });
  });

  it('that reads the rows postpones a push in progress', async () => {
    const { table, run } = await harness.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    let writes = 0;
    await harness.runPush(id, async (url, init) => {
      if (init.method === 'POST' && !url.endsWith(':search')) writes += 1;
      // The open sheet reads the rows while the second page is compared.
      if (init.method === 'GET' && (await getOnlyPush(table)).rowsWritten === 2_000) {
        await new PushStore(env.DB).postponeForReader('team', run, harness.now, table.id);
      }
      return harness.google.fetch(url, init);
    });
    expect(writes).toBeLessThan(6);
    expect(harness.sheetIds).toEqual(ids(2_000));
    const interrupted = await getOnlyPush(table);
    expect(interrupted).toMatchObject({ state: 'waiting', attempts: 0, rowsWritten: 2_000 });
    const { dueAt = 0 } = (await readJob('push', id)) ?? {};
    expect(dueAt).toBeGreaterThanOrEqual(harness.now + PUSH_DELAY_MS);
    // The open sheet writes the other rows.
    harness.sheet.rows = 5_001;
    harness.sheet.fill(
      2_002,
      1,
      ids(3_000, 2_001).map((id) => [`Company ${id}`, id, 10]),
    );
    harness.now = dueAt ?? 0;
    await harness.runDue();
    expect(harness.sheetIds).toEqual(ids(5_000));
  });
});

describe('two pushes to a table', () => {
  it('run one after the other, the older first', async () => {
    const { table } = await harness.tableWithRows(2, { mode: 'update' });
    harness.now += 1_000;
    await harness.addRun(table, 2, 1, 'Newer');
    const [older, newer] = await listPushes(table);
    await harness.runPush(newer?.id ?? '');
    expect(harness.google.calls).toEqual([]);
    expect(await listDueJobs('push', harness.now)).toEqual([older?.id]);
    await harness.runDue();
    expect(harness.sheet.values().slice(1)).toEqual(ids(2).map((id) => [`Newer ${id}`, id, 10]));
  });

  it('wait for the older one while it is retried', async () => {
    const { table } = await harness.tableWithRows(1);
    harness.spreadsheet.editors.clear();
    await harness.runDue();
    harness.now += 1_000;
    await harness.addRun(table, 1, 9);
    harness.spreadsheet.editors.add(EMAIL);
    expect(await harness.runDue()).toBe(0);
    harness.now += HOUR_MS;
    expect(await harness.runDue()).toBe(2);
    expect(harness.sheetIds).toEqual([1, 9]);
  });
});
