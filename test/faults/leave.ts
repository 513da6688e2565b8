// A caller that goes away before it has its answer.
import { request } from 'node:http';

/** A call that was made. */
export interface Call {
  /** Resolves when the request has left. */
  sent: Promise<void>;
  /**
   * Ends the connection so that the Worker hears of it: a connection that is merely closed on this side looks to the local
   * platform like one whose owner still waits.
   */
  leave: () => void;
}

/** Makes a call whose answer nobody reads. */
export function call(
  url: string,
  init: { method: string; headers?: Record<string, string>; body: string },
): Call {
  const { body, ...options } = init;
  const sending = request(url, options);
  sending.on('error', () => {});
  const sent = new Promise<void>((resolve) => sending.end(body, resolve));
  return { sent, leave: () => sending.socket?.resetAndDestroy() };
}
