// Channel between host and thread: a call returns its own complete reply despite spurious wake-ups.
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import {
  createExecution,
  type Thread,
  type ToHost,
  type ToThread,
} from '../../../../addon/dev/host/threads/channel.ts';
import type { Job } from '../../../../addon/dev/host/threads/protocol.ts';

/** Makes one call per argument of its job and returns the replies. */
const CALLING = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData).then(({ HostClient }) => parentPort.on('message', ({ job, memory }) => {
    const host = new HostClient(memory, (message) => parentPort.postMessage(message));
    const replies = JSON.parse(job.args).map((name) => host.call({ name, args: '[]', bytes: [] }));
    parentPort.postMessage({ kind: 'outcome', outcome: { done: true, value: JSON.stringify(replies) } });
  }));`;

const workers: Worker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.terminate())));

function startThread(): { thread: Thread; memory: () => SharedArrayBuffer } {
  const channel = new URL('../../../../addon/dev/host/threads/channel.ts', import.meta.url).href;
  const worker = new Worker(CALLING, { eval: true, workerData: channel, execArgv: [] });
  workers.push(worker);
  let memory = new SharedArrayBuffer(4);
  const thread: Thread = {
    send: (message: ToThread) => {
      memory = message.memory;
      worker.postMessage(message);
    },
    listen: (onMessage, onBreak) => {
      worker.on('message', (message: ToHost) => onMessage(message));
      worker.on('error', onBreak);
    },
    end: () => undefined,
  };
  return { thread, memory: () => memory };
}

/** Wakes a waiting thread without a reply, like a late notification. */
async function wake(memory: SharedArrayBuffer): Promise<void> {
  const head = new Int32Array(memory, 0, 1);
  while (Atomics.notify(head, 0) === 0) await setImmediate();
}

const job: Job = {
  code: '',
  functionName: '',
  args: '["first", "second", "third"]',
  kind: 'menu',
  useHostClock: false,
  asciiDigests: true,
  timeZone: 'UTC',
  authMode: 'FULL',
  files: {},
};
/** Longer than one chunk. */
const LONG = 'x'.repeat(600_000);

test('returns complete replies after spurious wake-ups', async () => {
  const { thread, memory } = startThread();
  const outcome = await createExecution(thread).run(job, async ({ name }) => {
    for (let times = 0; times < 3; times += 1) await wake(memory());
    return { ok: true, value: `${name} ${LONG}`, bytes: [] };
  });
  const values = ['first', 'second', 'third'].map((name) => ({
    ok: true,
    value: `${name} ${LONG}`,
    bytes: [],
  }));
  expect(outcome).toEqual({ done: true, value: JSON.stringify(values) });
});
