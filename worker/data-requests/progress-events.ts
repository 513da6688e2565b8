// How a request goes on, live: server-sent events (HTML, 9.2), until it has ended or five minutes are over.
import type { DataRequestView } from '../../shared/api/data-requests.ts';

/** A connection that is open for longer gets lost on the way without anybody hearing of it. */
const MAX_CONNECTION_MS = 300_000;
/** How often D1 is asked. */
const POLL_MS = 500;
/** Proxies close what is silent. */
const KEEP_ALIVE_MS = 15_000;
/** When a browser may come back, with a new ticket. */
const RECONNECT_MS = 5_000;

/** What the events are made with. */
export interface ProgressOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after so many milliseconds, or at once when nobody waits any more. */
  after: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The request as it stands; undefined where it is gone. */
  getView: () => Promise<DataRequestView | undefined>;
  /** Has the listener gone? */
  signal: AbortSignal;
}

/**
 * Makes the events of a request: `state` with all of it whenever something has changed, `close` at the end.
 */
export function streamProgress({ now, after, getView, signal }: ProgressOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const until = now() + MAX_CONNECTION_MS;
  let told = '';
  let toldAt = now();
  let begun = false;
  const stopped = new AbortController();
  signal.addEventListener('abort', () => stopped.abort());

  /** @returns what is to be sent; undefined where there is nothing new */
  const next = async (): Promise<{ text: string; last: boolean } | undefined> => {
    const view = await getView();
    const data = JSON.stringify(view ?? null);
    const over = view === undefined || view.ended_at !== null;
    const late = now() >= until;
    const last = over || late;
    const changed = data !== told;
    told = data;
    if (!changed && !last) return now() - toldAt < KEEP_ALIVE_MS ? undefined : { text: ':\n\n', last };
    const state = changed && view !== undefined ? `event: state\ndata: ${data}\n\n` : '';
    return { text: `${state}${last ? `event: close\ndata: ${over ? 'ended' : 'time'}\n\n` : ''}`, last };
  };

  return new ReadableStream({
    pull: async (controller) => {
      while (!stopped.signal.aborted) {
        if (begun) await after(POLL_MS, stopped.signal);
        const part = await next();
        if (part === undefined) continue;
        toldAt = now();
        controller.enqueue(encoder.encode(begun ? part.text : `retry: ${RECONNECT_MS}\n\n${part.text}`));
        begun = true;
        if (part.last) break;
        return;
      }
      controller.close();
    },
    cancel: () => stopped.abort(),
  });
}
