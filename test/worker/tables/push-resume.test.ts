// A push goes part by part, every row once, whoever is killed; one push to a table at a time, and open sheets first.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { PushStore } from '../../../worker/tables/push/store.ts';
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

let house: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  house = new TablesHarness();
});

describe('5,000 rows', () => {
  /** Google, of which one call never comes back. @returns when it was made */
  function hangsAt(write: number): { fetch: typeof house.google.fetch; hangs: Promise<void> } {
    let heard = (): void => {};
    const hangs = new Promise<void>((resolve) => {
      heard = resolve;
    });
    return {
      hangs,
      fetch: async (url, init) => {
        if (init.method === 'POST' && house.google.count('write') >= write) {
          heard();
          return new Promise<Response>(() => {});
        }
        return house.google.fetch(url, init);
      },
    };
  }

  it('come in parts, each written down', async () => {
    const { table } = await house.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    const seen: number[] = [];
    await house.runPush(id, async (url, init) => {
      const { landed } = await getOnlyPush(table);
      if (seen.at(-1) !== landed) seen.push(landed);
      return house.google.fetch(url, init);
    });
    expect(seen).toEqual([0, 2_000, 4_000]);
    expect(house.sheetIds).toEqual(ids(5_000));
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', landed: 5_000 });
  });

  it('go on behind the last part where whoever wrote them was killed, every row once', async () => {
    const { table } = await house.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    // The headings, more rows and the values of the first part; rows and values of the second.
    const { fetch, hangs } = hangsAt(4);
    void house.runPush(id, fetch);
    await hangs;
    const left = await getOnlyPush(table);
    expect(left).toMatchObject({ state: 'waiting', landed: 2_000 });
    expect(left.after).not.toBeNull();
    // Nobody else goes on as long as it may be alive.
    expect(await house.work()).toBe(0);
    house.now = (left.dueAt ?? 0) + 1;
    const reads = house.google.count('read');
    expect(await house.work()).toBe(1);
    expect(house.sheetIds).toEqual(ids(5_000));
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', landed: 5_000 });
    // Two parts and the time, not three.
    expect(house.google.count('read') - reads).toBeLessThanOrEqual(12);
  });

  it('are not written by two at once: who has lost the lease stops before the next call', async () => {
    const { table } = await house.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    let calls = 0;
    await house.runPush(id, async (url, init) => {
      calls += 1;
      if (calls === 8) {
        // It took too long, and somebody else has done it all meanwhile.
        house.now += HOUR_MS;
        expect(await house.work()).toBe(1);
      }
      return house.google.fetch(url, init);
    });
    expect(house.sheetIds).toEqual(ids(5_000));
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', tries: 0, landed: 5_000 });
  });
});

describe('an open sheet', () => {
  it('goes first: nothing is pushed for two minutes', async () => {
    const { table } = await house.tableWithRows(1);
    house.now -= 1;
    expect(await house.work()).toBe(0);
    house.now += 1;
    expect(await house.work()).toBe(1);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done' });
  });

  it('that is reading the rows is waited for, also by a push that is under way', async () => {
    const { table, run } = await house.tableWithRows(5_000);
    const id = (await getOnlyPush(table)).id;
    let writes = 0;
    await house.runPush(id, async (url, init) => {
      if (init.method === 'POST') writes += 1;
      // The first part is in; the sheet asks for the rows while the second is being compared.
      if (init.method === 'GET' && (await getOnlyPush(table)).landed === 2_000) {
        await new PushStore(env.DB).postponeForReader('team', run, house.now, table.id);
      }
      return house.google.fetch(url, init);
    });
    expect(writes).toBeLessThan(6);
    expect(house.sheetIds).toEqual(ids(2_000));
    const left = await getOnlyPush(table);
    expect(left).toMatchObject({ state: 'waiting', tries: 0, landed: 2_000 });
    expect(left.dueAt).toBeGreaterThanOrEqual(house.now + PUSH_DELAY_MS);
    // It writes them all.
    house.sheet.rows = 5_001;
    house.sheet.fill(
      2_002,
      1,
      ids(3_000, 2_001).map((own) => [`Company ${own}`, own, 10]),
    );
    house.now = left.dueAt ?? 0;
    await house.work();
    expect(house.sheetIds).toEqual(ids(5_000));
  });
});

describe('two pushes to one table', () => {
  it('go one after the other, the older first', async () => {
    const { table } = await house.tableWithRows(2, { mode: 'update' });
    house.now += 1_000;
    const run = crypto.randomUUID();
    await storeRows(run, 2, 1, 'Newer');
    await house.completeRun(table, run);
    const [older, newer] = await listPushes(table);
    await house.runPush(newer?.id ?? '');
    expect(house.google.calls).toEqual([]);
    expect(await new PushStore(env.DB).listDue(house.now)).toEqual([older?.id]);
    await house.work();
    expect(house.sheet.values().slice(1)).toEqual(ids(2).map((id) => [`Newer ${id}`, id, 10]));
  });

  it('wait for each other also where the older one is tried again later', async () => {
    const { table } = await house.tableWithRows(1);
    house.spreadsheet.editors.clear();
    await house.work();
    house.now += 1_000;
    const run = crypto.randomUUID();
    await storeRows(run, 1, 9);
    await house.completeRun(table, run);
    house.spreadsheet.editors.add(EMAIL);
    expect(await house.work()).toBe(0);
    house.now += HOUR_MS;
    expect(await house.work()).toBe(2);
    expect(house.sheetIds).toEqual([1, 9]);
  });
});
