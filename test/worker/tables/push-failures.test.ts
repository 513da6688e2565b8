// A push that fails is tried again as long as that may help, then given up, told of, and replayed by the admin.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { DeadLetterRepository } from '../../../worker/data-requests/dead-letters.ts';
import { PushStore } from '../../../worker/tables/push/store.ts';
import { captureErrorLog } from '../logged-errors.ts';
import {
  deleteTables,
  getOnlyPush,
  HOUR_MS,
  listPushes,
  MINUTE_MS,
  START,
  storeRows,
  TablesHarness,
} from './harness.ts';
import { EMAIL, googleError } from './push/fake-google.ts';

let house: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  house = new TablesHarness();
});

describe('a push that fails', () => {
  /** Works whenever something is due, for so long. @returns when it was worked on, in minutes */
  async function minutes(count: number): Promise<number[]> {
    const worked: number[] = [];
    const start = house.now;
    for (; house.now < start + count * MINUTE_MS; house.now += MINUTE_MS) {
      const at = Math.round((house.now - start) / MINUTE_MS);
      if ((await house.work()) > 0) worked.push(at);
    }
    return worked;
  }

  it.each([
    ['that is not shared', 'sheet_not_shared', () => house.spreadsheet.editors.clear()],
    ['that is gone', 'sheet_missing', () => house.google.spreadsheets.splice(0)],
    [
      'whose sheet is protected',
      'sheet_refused',
      () => {
        house.sheet.isProtected = true;
      },
    ],
    [
      'without a service account',
      'push_not_configured',
      () => {
        house.account = undefined;
      },
    ],
  ])(
    'into a spreadsheet %s is tried twice more over an hour, then given up as a dead letter',
    async (_, code, breaks) => {
      const { table } = await house.tableWithRows(1);
      breaks();
      await house.work();
      expect(await getOnlyPush(table)).toMatchObject({ state: 'waiting', problem: { problem: code } });
      expect(await minutes(120)).toEqual([5, 60]);
      const push = await getOnlyPush(table);
      expect(push).toMatchObject({ state: 'failed', dueAt: null, landed: 0, problem: { problem: code } });
      const letters = await new DeadLetterRepository(env.DB).list(undefined, 10);
      expect(letters).toMatchObject([{ kind: 'push', requestId: push.id, replayedAt: null }]);
      expect(letters[0]?.error).toBe(push.problem?.detail);
    },
  );

  it.each([429, 503])('by status %i of Google is tried again for hours, and gets there', async (status) => {
    const { table } = await house.tableWithRows(1);
    for (let at = 0; at < 7 * 5; at += 1) {
      house.google.overrides.push({ kind: 'read', answer: googleError(status, 'later') });
    }
    await house.work();
    const code = status === 429 ? 'rate_limited' : 'google_unavailable';
    expect(await getOnlyPush(table)).toMatchObject({
      state: 'waiting',
      tries: 1,
      problem: { problem: code },
    });
    // Pauses that grow: a quarter of a minute, one, five, fifteen.
    expect(await minutes(120)).toHaveLength(5);
    expect(await getOnlyPush(table)).toMatchObject({ state: 'done', landed: 1, problem: null });
    expect(house.sheetIds).toEqual([1]);
  });

  it('all day long is given up', async () => {
    const { table } = await house.tableWithRows(1);
    const lines = captureErrorLog();
    const down = () => Promise.reject(new TypeError('no network'));
    for (let turn = 0; turn < 9; turn += 1) {
      const push = await getOnlyPush(table);
      expect(push.state).toBe('waiting');
      house.now = Math.max(house.now, push.dueAt ?? 0);
      await house.runPush(push.id, down);
    }
    expect(await getOnlyPush(table)).toMatchObject({
      state: 'failed',
      problem: { problem: 'google_unavailable' },
    });
    expect(house.now - START).toBeGreaterThan(12 * HOUR_MS);
    expect(lines).toMatchObject(Array(9).fill({ event: 'google_call_failed', error: 'TypeError' }));
  });

  it('has the team told', async () => {
    await env.DB.prepare(
      `INSERT INTO alerts (id, team_id, url, kinds, created_at)
         VALUES ('address', 'team', 'https://hooks.example/x', '["failure"]', 0)`,
    ).run();
    const { table } = await house.tableWithRows(1);
    house.spreadsheet.editors.clear();
    await house.work();
    await minutes(70);
    const { id } = await getOnlyPush(table);
    const told = await env.DB.prepare('SELECT subject, body FROM alert_messages').all<{
      subject: string;
      body: string;
    }>();
    expect(told.results).toHaveLength(1);
    expect(told.results[0]?.subject).toBe(`push:${id}`);
    expect(told.results[0]?.body).toContain('“Bakers”');
    expect(told.results[0]?.body).toContain(`Share it with ${EMAIL}`);
  });

  it('replayed is written, and what came behind it once more, so that the newest stays', async () => {
    const { table } = await house.tableWithRows(2, { mode: 'update' });
    house.spreadsheet.editors.clear();
    await house.work();
    await minutes(70);
    house.spreadsheet.editors.add(EMAIL);
    const run = crypto.randomUUID();
    await storeRows(run, 1, 1, 'Newer');
    await house.completeRun(table, run);
    await house.work();
    expect(house.sheetIds).toEqual([1]);
    const [older, newer] = await listPushes(table);
    expect(await new PushStore(env.DB).replay(older?.id ?? '', house.now)).toEqual([older?.id]);
    await house.work();
    expect(house.sheet.values().slice(1)).toEqual([
      ['Newer 1', 1, 10],
      ['Company 2', 2, 10],
    ]);
    expect((await listPushes(table)).map(({ id, state }) => [id, state])).toEqual([
      [older?.id, 'done'],
      [newer?.id, 'done'],
    ]);
  });

  it('goes where its table does, or where its pushes are switched off', async () => {
    const { table } = await house.tableWithRows(1);
    await house.registerTable({ ...table, push: false });
    await house.work();
    expect(await listPushes(table)).toEqual([]);
    expect(house.google.calls).toEqual([]);
  });
});
