// Starts executions in a browser: a new web worker each, with one spare worker kept warm.
import { executionOver, type Thread, type ToHost } from './channel.ts';
import type { Execution } from './protocol.ts';

/** A worker, with its error if it could not start. */
interface Seat {
  readonly worker: Worker;
  broken?: Error;
}

const spares = new Map<string, Seat>();

function warm(threadUrl: string): Seat {
  const seat: Seat = { worker: new Worker(threadUrl, { type: 'module', name: 'Apps Script' }) };
  seat.worker.onerror = (event) => {
    seat.broken = new Error(event.message || `no worker could be started from ${threadUrl}`);
  };
  return seat;
}

/**
 * Starts an execution in a web worker that runs the built `thread.ts`. The page must be cross-origin isolated
 * (Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy), and its policy must allow `unsafe-eval` in the worker,
 * which evaluates Code.js.
 */
export function startBrowserExecution(threadUrl: string | URL): Execution {
  const url = String(threadUrl);
  const spare = spares.get(url);
  const seat = spare && !spare.broken ? spare : warm(url);
  spares.set(url, warm(url));
  const { worker } = seat;
  const thread: Thread = {
    send: (message) => worker.postMessage(message),
    listen: (onMessage, onBreak) => {
      worker.onmessage = (event: MessageEvent<ToHost>) => onMessage(event.data);
      worker.onerror = (event) =>
        onBreak(new Error(event.message || `no worker could be started from ${url}`));
    },
    end: () => worker.terminate(),
  };
  return executionOver(thread);
}
