// Starts executions in a browser: a new web worker each, with one spare worker kept warm.
import { createExecution, type Thread, type ToHost } from './channel.ts';
import type { Execution } from './protocol.ts';

/** A worker, with its error if it could not start. */
interface PreparedWorker {
  readonly worker: Worker;
  error?: Error;
}

/** A worker that can't be loaded has an error event without a message. */
function toError(event: ErrorEvent): Error {
  return new Error(
    event.message || 'The server of this page doesn’t answer. Start it again, and reload the page.',
  );
}

const spares = new Map<string, PreparedWorker>();

function prepareWorker(threadUrl: string): PreparedWorker {
  const prepared: PreparedWorker = { worker: new Worker(threadUrl, { type: 'module', name: 'Apps Script' }) };
  prepared.worker.onerror = (event) => {
    prepared.error = toError(event);
  };
  return prepared;
}

/**
 * Starts an execution in a web worker that runs the built `thread.ts`. The page must be cross-origin isolated
 * (Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy), and its policy must allow `unsafe-eval` in the worker,
 * which evaluates Code.js.
 */
export function startBrowserExecution(threadUrl: string | URL): Execution {
  const url = String(threadUrl);
  const spare = spares.get(url);
  const prepared = spare && !spare.error ? spare : prepareWorker(url);
  spares.set(url, prepareWorker(url));
  const { worker } = prepared;
  const thread: Thread = {
    send: (message) => worker.postMessage(message),
    listen: (onMessage, onError) => {
      worker.onmessage = (event: MessageEvent<ToHost>) => onMessage(event.data);
      worker.onerror = (event) => onError(toError(event));
    },
    end: () => worker.terminate(),
  };
  return createExecution(thread);
}
