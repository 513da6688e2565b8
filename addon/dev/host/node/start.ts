// Starts executions in Node: reuses worker threads and creates a new realm for each job.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { executionOver, type Thread, type ToHost, type ToThread } from '../threads/channel.ts';
import type { Execution } from '../threads/protocol.ts';

/** A worker thread with the handlers of its current job. */
interface Seat {
  readonly worker: Worker;
  onMessage: (message: ToHost) => void;
  onBreak: (why: Error) => void;
}

const ignore = (): void => undefined;
const idle: Seat[] = [];
let built: Promise<string> | undefined;

/** Bundles execution.ts as one expression that any vm context can evaluate. */
async function buildRealm(): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../realm/execution.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'realm',
    target: 'es2022',
  });
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new Error('the realm was not built');
  return `(() => {${text}\nreturn realm.execute;})()`;
}

async function newSeat(): Promise<Seat> {
  built ??= buildRealm();
  const url = new URL('./thread.ts', import.meta.url);
  const worker = new Worker(url, { workerData: await built, execArgv: [] });
  const seat: Seat = { worker, onMessage: ignore, onBreak: ignore };
  worker.on('message', (message: ToHost) => seat.onMessage(message));
  worker.on('error', (why: Error) => seat.onBreak(why));
  return seat;
}

function rest(seat: Seat): void {
  seat.onMessage = ignore;
  seat.onBreak = ignore;
  seat.worker.unref();
  idle.push(seat);
}

/** Starts an execution in a worker thread. Idle threads do not keep the process alive. */
export function startNodeExecution(): Execution {
  let seat: Seat | undefined;
  let ended = false;
  let onMessage: Seat['onMessage'] = ignore;
  let onBreak: Seat['onBreak'] = ignore;
  const sit = (free: Seat, message: ToThread): void => {
    if (ended) {
      rest(free);
      return;
    }
    seat = free;
    Object.assign(free, { onMessage, onBreak });
    free.worker.ref();
    free.worker.postMessage(message);
  };
  const thread: Thread = {
    send: (message) => {
      const free = idle.pop();
      if (free) sit(free, message);
      else newSeat().then((made) => sit(made, message), onBreak);
    },
    listen: (message, broken) => {
      onMessage = message;
      onBreak = broken;
    },
    end: (used) => {
      ended = true;
      if (seat && used) rest(seat);
      else void seat?.worker.terminate();
    },
  };
  return executionOver(thread);
}
