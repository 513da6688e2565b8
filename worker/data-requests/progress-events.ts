// Streams the progress of a request as server-sent events (HTML standard, 9.2) for up to five minutes.
import type { DataRequestView } from '../../shared/api/data-requests.ts';

/** Longer connections may break on the way without an error at either end. */
const MAX_CONNECTION_MS = 300_000;
/** How often D1 is read. */
const POLL_MS = 500;
/** Proxies close silent connections. */
const KEEP_ALIVE_MS = 15_000;
/** When a browser may reconnect. It needs a new ticket. */
const RECONNECT_MS = 5_000;

/** Clock, source and client of a stream. */
export interface ProgressOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after a delay, or at once when the signal aborts. */
  after: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Reads the current view; undefined where the request does not exist. */
  getView: () => Promise<DataRequestView | undefined>;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Streams events: `state` with the whole view after each change, and `close` at the end.
 */
export function streamProgress({ now, after, getView, signal }: ProgressOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const until = now() + MAX_CONNECTION_MS;
  let told = '';
  let toldAt = now();
  let begun = false;
  const stopped = new AbortController();
  signal.addEventListener('abort', () => stopped.abort());

  /** @returns the next event; undefined where nothing changed */
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
