// Streams the progress of a data request as server-sent events (HTML standard, 9.2) for at most five minutes.
import type { DataRequestView } from '../../shared/api/data-requests.ts';
import type { Clock } from '../lib/clock.ts';

/** Proxies drop connections that are open for longer, without notice. */
const MAX_CONNECTION_MS = 300_000;
/**
 * Interval of reads, each of which is two queries of D1: an invocation may make a thousand. Five minutes take 721 with the one
 * for the ticket.
 */
const POLL_MS = 500;
const LATER_POLL_MS = 1_000;
/** Most orders of cached records end in this time. */
const FAST_MS = 60_000;
/** Proxies close idle connections. */
const KEEP_ALIVE_MS = 15_000;
/** After this time the client may reconnect, with a new ticket. */
const RECONNECT_MS = 5_000;

export interface ProgressOptions extends Pick<Clock, 'now' | 'sleep'> {
  /** Reads the data request; undefined if it no longer exists. */
  getView: () => Promise<DataRequestView | undefined>;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Creates the event stream of a data request: a `state` event with the whole view after each change, `close` at the end.
 */
export function streamProgress({ now, sleep, getView, signal }: ProgressOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const startedAt = now();
  const deadline = startedAt + MAX_CONNECTION_MS;
  let lastData = '';
  let lastSentAt = now();
  let hasStarted = false;
  const closed = Promise.withResolvers<void>();
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    closed.resolve();
  };
  signal.addEventListener('abort', close);

  /** @returns the next event; undefined if nothing has changed */
  const pollEvent = async (): Promise<{ text: string; isLast: boolean } | undefined> => {
    const view = await getView();
    const data = JSON.stringify(view ?? null);
    const hasEnded = view === undefined || view.ended_at !== null;
    const isTimedOut = now() >= deadline;
    const isLast = hasEnded || isTimedOut;
    const changed = data !== lastData;
    lastData = data;
    if (!changed && !isLast)
      return now() - lastSentAt < KEEP_ALIVE_MS ? undefined : { text: ':\n\n', isLast };
    const state = changed && view !== undefined ? `event: state\ndata: ${data}\n\n` : '';
    return {
      text: `${state}${isLast ? `event: close\ndata: ${hasEnded ? 'ended' : 'time'}\n\n` : ''}`,
      isLast,
    };
  };

  return new ReadableStream({
    pull: async (controller) => {
      while (!isClosed) {
        const pauseMs = now() - startedAt < FAST_MS ? POLL_MS : LATER_POLL_MS;
        if (hasStarted) await sleep(pauseMs, closed.promise);
        const event = await pollEvent();
        if (event === undefined) continue;
        lastSentAt = now();
        controller.enqueue(
          encoder.encode(hasStarted ? event.text : `retry: ${RECONNECT_MS}\n\n${event.text}`),
        );
        hasStarted = true;
        if (event.isLast) break;
        return;
      }
      controller.close();
    },
    cancel: close,
  });
}
