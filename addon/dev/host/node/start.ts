// Starts executions in Node: threads are kept and used again, the realm in them is new for each job.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { executionOver, type Thread, type ToHost, type ToThread } from '../threads/channel.ts';
import type { Execution } from '../threads/protocol.ts';

/** A thread with whom it answers to at the moment. */
interface Seat {
  readonly worker: Worker;
  onMessage: (message: ToHost) => void;
  onBreak: (why: Error) => void;
}

const ignore = (): void => undefined;
const idle: Seat[] = [];
let built: Promise<string> | undefined;

/** execution.ts as one expression, so that it can be run inside any context. */
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

/** Starts an execution in a worker thread. A thread that waits for work keeps no process alive. */
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
