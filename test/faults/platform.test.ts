// What the platform itself does, which the gateway relies on: what outlives a kill, what rings by itself, what goes on when
// a caller has gone.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Cluster, startCluster } from './cluster/cluster.ts';
import { type Diary, openDiary } from './diary.ts';
import { call } from './leave.ts';
import type { CommandBody } from './worker/commands.ts';

/** What a busy machine may take. */
const PATIENCE_MS = 30_000;

let diary: Diary;
let cluster: Cluster;

beforeAll(async () => {
  diary = await openDiary();
  cluster = await startCluster({ front: 'control', vars: { DIARY: diary.url } });
});
afterAll(async () => {
  await cluster?.close();
  await diary?.close();
});

/** Waits until something was noted. */
const noted = (note: string) =>
  vi.waitFor(() => expect(diary.notes).toContain(note), { timeout: PATIENCE_MS, interval: 20 });

const settingOf = (name: string): CommandBody => ({
  run: 'sql',
  statement: 'SELECT value FROM settings WHERE name = ?',
  values: [name],
});

describe('after kill -9 and a start on the same folder', () => {
  const [missed, toCome] = [500, 4000];
  let start: number;

  beforeAll(async () => {
    await cluster.run({ run: 'kv_put', key: 'kept', value: 'kept', ttl_s: 3600 }, 'one');
    await cluster.run({ run: 'sql', statement: "INSERT INTO settings VALUES ('kept', 'kept')" }, 'one');
    await cluster.run({ run: 'probe_work', name: 'kept', ms: 0 }, 'one');
    const body = JSON.stringify({ run: 'probe_work', name: 'cut off', ms: 1000 });
    await call(cluster.url('one'), { method: 'POST', body }).sent;
    await noted('cut off begun');
    start = Date.now();
    await cluster.run({ run: 'probe_wake', name: 'missed', in_ms: missed });
    await cluster.run({ run: 'probe_wake', name: 'to come', in_ms: toCome });
    await cluster.kill();
    await vi.waitUntil(() => Date.now() > start + missed + 200, { timeout: PATIENCE_MS });
    expect(diary.notes).not.toContain('missed alarm');
    await cluster.start();
  });

  it('what one Worker stored the other finds: in KV, in the database and in an object', async () => {
    expect(await cluster.run({ run: 'kv_get', key: 'kept' }, 'two')).toBe('kept');
    expect(await cluster.run({ run: 'kv_get_many', keys: ['kept', 'none'] }, 'two')).toEqual({
      kept: 'kept',
      none: null,
    });
    expect(await cluster.run(settingOf('kept'), 'two')).toEqual([{ value: 'kept' }]);
    expect(await cluster.run({ run: 'probe_notes', name: 'kept' }, 'two')).toEqual(['begun', 'done']);
  });

  it('alarms ring by themselves, without any request: those that were missed, and those to come', async () => {
    await noted('missed alarm');
    await noted('to come alarm');
    expect(diary.at('to come alarm')).toBeGreaterThanOrEqual(start + toCome);
    expect(diary.notes.filter((note) => note.endsWith('alarm'))).toHaveLength(2);
  });

  it('work that was under way has ended, and nothing tells its object so', async () => {
    await noted('to come alarm');
    expect(await cluster.run({ run: 'probe_notes', name: 'cut off' })).toEqual(['begun']);
  });
});

describe('when the caller of a Worker has gone', () => {
  const workFor = (name: string, ms: number) =>
    call(cluster.url('two'), { method: 'POST', body: JSON.stringify({ run: 'probe_work', name, ms }) });

  it("an object's method goes on to its end, past the ten seconds after which an idle object is put away; the Worker does not", async () => {
    const { leave } = workFor('left', 12_000);
    await noted('left begun');
    leave();
    await noted('left done');
    const { leave: stay } = workFor('stayed', 0);
    await noted('stayed answered');
    stay();
    expect(diary.notes).not.toContain('left answered');
  });
});

describe('an object that is evicted', () => {
  it('ends in the middle of its work, and is made anew with what it had stored', async () => {
    const work = cluster.run({ run: 'probe_work', name: 'evicted', ms: 60_000 }, 'one');
    const failed = expect(work).rejects.toThrow('evicted by the test');
    await noted('evicted begun');
    await cluster.run({ run: 'evict', object: 'PROBE', name: 'evicted' });
    await failed;
    expect(await cluster.run({ run: 'probe_notes', name: 'evicted' }, 'two')).toEqual(['begun']);
    expect(diary.notes).not.toContain('evicted done');
  });
});
