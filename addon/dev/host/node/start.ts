// Starts executions in Node: reuses worker threads and creates a new realm for each job.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { createExecution, type Thread, type ToHost, type ToThread } from '../threads/channel.ts';
import type { Execution } from '../threads/protocol.ts';

/** A worker thread with the handlers of its current job. */
interface PooledWorker {
  readonly worker: Worker;
  onMessage: (message: ToHost) => void;
  onError: (why: Error) => void;
}

const ignore = (): void => undefined;
const idle: PooledWorker[] = [];
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

async function createWorker(): Promise<PooledWorker> {
  realmCode ??= buildRealm();
  const url = new URL('./thread.ts', import.meta.url);
  const worker = new Worker(url, { workerData: await realmCode, execArgv: [] });
  const pooled: PooledWorker = { worker, onMessage: ignore, onError: ignore };
  worker.on('message', (message: ToHost) => pooled.onMessage(message));
  worker.on('error', (why: Error) => pooled.onError(why));
  return pooled;
}

function release(pooled: PooledWorker): void {
  pooled.onMessage = ignore;
  pooled.onError = ignore;
  pooled.worker.unref();
  idle.push(pooled);
}

/** Starts an execution in a worker thread. Idle threads do not keep the process alive. */
export function startNodeExecution(): Execution {
  let current: PooledWorker | undefined;
  let ended = false;
  let onMessage: PooledWorker['onMessage'] = ignore;
  let onError: PooledWorker['onError'] = ignore;
  const assign = (available: PooledWorker, message: ToThread): void => {
    if (ended) {
      release(available);
      return;
    }
    current = available;
    Object.assign(available, { onMessage, onError });
    available.worker.ref();
    available.worker.postMessage(message);
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
      else void current?.worker.terminate();
    },
  };
  return createExecution(thread);
}
