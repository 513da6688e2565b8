// Starts executions in Node: reuses worker threads and creates a new realm for each job.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { createExecution, type Thread, type ToHost, type ToThread } from '../threads/channel.ts';
import type { Execution } from '../threads/protocol.ts';

const ignore = (): void => undefined;
const idle: Worker[] = [];
let realmCode: Promise<string> | undefined;

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

async function createWorker(): Promise<Worker> {
  realmCode ??= buildRealm();
  const url = new URL('./thread.ts', import.meta.url);
  return new Worker(url, { workerData: await realmCode, execArgv: [] });
}

/** Sets the only handlers of a thread. */
function listen(worker: Worker, onMessage: (message: ToHost) => void, onError: (why: Error) => void): void {
  worker.removeAllListeners('message').on('message', onMessage);
  worker.removeAllListeners('error').on('error', onError);
}

function release(worker: Worker): void {
  listen(worker, ignore, ignore);
  worker.unref();
  idle.push(worker);
}

/** Starts an execution in a worker thread. Idle threads do not keep the process alive. */
export function startNodeExecution(): Execution {
  let current: Worker | undefined;
  let ended = false;
  let onMessage: (message: ToHost) => void = ignore;
  let onError: (why: Error) => void = ignore;
  const assign = (available: Worker, message: ToThread): void => {
    if (ended) {
      release(available);
      return;
    }
    current = available;
    listen(available, onMessage, onError);
    available.ref();
    available.postMessage(message);
  };
  const thread: Thread = {
    send: (message) => {
      const free = idle.pop();
      if (free) assign(free, message);
      else createWorker().then((created) => assign(created, message), onError);
    },
    listen: (message, onThreadError) => {
      onMessage = message;
      onError = onThreadError;
    },
    end: (reusable) => {
      ended = true;
      if (current && reusable) release(current);
      else void current?.terminate();
    },
  };
  return createExecution(thread);
}
