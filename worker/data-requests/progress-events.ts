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

/** Generates the events. Each has the whole view, if it has changed. @param closed - resolves when nobody reads any more */
async function* generateEvents(
  { now, sleep, getView }: ProgressOptions,
  closed: Promise<void>,
): AsyncGenerator<string, void> {
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  const startedAt = now();
  let lastSentAt = startedAt;
  let lastData = '';
  yield `retry: ${RECONNECT_MS}\n\n`;
  while (!isClosed) {
    const view = await getView();
    const data = JSON.stringify(view ?? null);
    const hasEnded = view === undefined || view.ended_at !== null;
    const isLast = hasEnded || now() >= startedAt + MAX_CONNECTION_MS;
    const state = view !== undefined && data !== lastData ? `event: state\ndata: ${data}\n\n` : '';
    const close = isLast ? `event: close\ndata: ${hasEnded ? 'ended' : 'time'}\n\n` : '';
    const isQuiet = now() - lastSentAt >= KEEP_ALIVE_MS;
    const events = state + close || (isQuiet ? ':\n\n' : '');
    lastData = data;
    if (events !== '') {
      lastSentAt = now();
      yield events;
    }
    if (isLast) return;
    await sleep(now() - startedAt < FAST_MS ? POLL_MS : LATER_POLL_MS, closed);
  }
}

/**
 * Creates the event stream of a data request: a `state` event with the whole view after each change, `close` at the end.
 */
export function streamProgress(options: ProgressOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const closed = Promise.withResolvers<void>();
  options.signal.addEventListener('abort', () => closed.resolve());
  const events = generateEvents(options, closed.promise);
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => closed.resolve(),
  });
}
