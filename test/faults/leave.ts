// A call with a connection of its own, whose caller waits for the answer or goes away.
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer that came. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A call that was made. */
export interface Call {
  /** Resolves when the request has left. */
  sent: Promise<void>;
  /** Rejects where the connection ends before it; nobody has to wait for it. */
  answer: Promise<Answer>;
  /**
   * Ends the connection so that the Worker hears of it: a connection that is merely closed on this side looks to the local
   * platform like one whose owner still waits.
   */
  leave: () => void;
}

/**
 * Makes a call. However many are made at once, none gives up while it waits to be connected, as `fetch` does after ten
 * seconds.
 */
export function call(
  url: string,
  init: { method: string; headers?: Record<string, string>; body?: string },
): Call {
  const { body, ...options } = init;
  const sending = request(url, { ...options, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((read) => resolve({ status, headers, text: read }), reject);
    });
  });
  answer.catch(() => {});
  const sent = new Promise<void>((resolve) => sending.end(body, resolve));
  return { sent, answer, leave: () => sending.socket?.resetAndDestroy() };
}
