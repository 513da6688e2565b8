// What the platform itself does, which the gateway relies on: what outlives a kill, what rings by itself, what goes on when
// a caller has gone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster/cluster.ts';
import { type Diary, openDiary } from './diary.ts';
import { call } from './leave.ts';
import type { CommandBody } from './worker/commands.ts';

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
const noted = (note: string, timeout = 10_000) =>
  expect.poll(() => diary.notes, { timeout, interval: 20 }).toContain(note);

describe('two Workers over the same objects', () => {
  it('see one KV, one database and one object', async () => {
    await cluster.run({ run: 'kv_put', key: 'shared', value: 'by one' }, 'one');
    await cluster.run({ run: 'sql', statement: "INSERT INTO settings VALUES ('shared', 'by one')" }, 'one');
    await cluster.run({ run: 'probe_work', name: 'shared', ms: 0 }, 'one');
    expect(await cluster.run({ run: 'kv_get', key: 'shared' }, 'two')).toBe('by one');
    expect(await cluster.run({ run: 'kv_get_many', keys: ['shared', 'none'] }, 'two')).toEqual({
      shared: 'by one',
      none: null,
    });
    const select: CommandBody = {
      run: 'sql',
      statement: 'SELECT value FROM settings WHERE name = ?',
      values: ['shared'],
    };
    expect(await cluster.run(select, 'two')).toEqual([{ value: 'by one' }]);
    expect(await cluster.run({ run: 'probe_notes', name: 'shared' }, 'two')).toEqual(['begun', 'done']);
  });
});

describe('after kill -9 and a start on the same folder', () => {
  it('what was stored is there: in KV, in the database and in an object', async () => {
    await cluster.run({ run: 'kv_put', key: 'kept', value: 'kept', ttl_s: 3600 });
    await cluster.run({ run: 'sql', statement: "INSERT INTO settings VALUES ('kept', 'kept')" });
    await cluster.run({ run: 'probe_work', name: 'kept', ms: 0 });
    await cluster.kill();
    await cluster.start();
    expect(await cluster.run({ run: 'kv_get', key: 'kept' })).toBe('kept');
    expect(
      await cluster.run({ run: 'sql', statement: "SELECT value FROM settings WHERE name = 'kept'" }),
    ).toEqual([{ value: 'kept' }]);
    expect(await cluster.run({ run: 'probe_notes', name: 'kept' })).toEqual(['begun', 'done']);
  });

  it('alarms ring by themselves, without any request: those that were missed, and those to come', async () => {
    const start = Date.now();
    const [missed, toCome] = [1000, 6000];
    await cluster.run({ run: 'probe_wake', name: 'missed', in_ms: missed });
    await cluster.run({ run: 'probe_wake', name: 'to come', in_ms: toCome });
    await cluster.kill();
    await expect.poll(Date.now, { timeout: 5000 }).toBeGreaterThan(start + missed + 500);
    expect(diary.notes).not.toContain('missed alarm');
    await cluster.start();
    await noted('missed alarm');
    await noted('to come alarm', 30_000);
    expect(diary.at('to come alarm')).toBeGreaterThanOrEqual(start + toCome);
    expect(diary.notes.filter((note) => note.endsWith('alarm'))).toHaveLength(2);
  });

  it('work that was under way has ended, and nothing tells its object so', async () => {
    const { sent } = call(cluster.url('one'), {
      method: 'POST',
      body: JSON.stringify({ run: 'probe_work', name: 'cut off', ms: 1000 }),
    });
    await sent;
    await noted('cut off begun');
    await cluster.kill();
    await cluster.start();
    await cluster.run({ run: 'probe_wake', name: 'later', in_ms: 1200 });
    await noted('later alarm');
    expect(await cluster.run({ run: 'probe_notes', name: 'cut off' })).toEqual(['begun']);
  });
});

describe.concurrent('when the caller of a Worker has gone', () => {
  const workFor = (name: string, ms: number) =>
    call(cluster.url('two'), { method: 'POST', body: JSON.stringify({ run: 'probe_work', name, ms }) });

  it("an object's method that the Worker called goes on to its end, the Worker does not", async () => {
    const { leave } = workFor('left', 2000);
    await noted('left begun');
    leave();
    await noted('left done');
    const { leave: stay } = workFor('stayed', 0);
    await noted('stayed answered');
    stay();
    expect(diary.notes).not.toContain('left answered');
  });

  it('the method goes on past the ten seconds after which an idle object is put away', async () => {
    const { leave } = workFor('long', 12_000);
    await noted('long begun');
    leave();
    await noted('long done', 20_000);
  }, 40_000);
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
