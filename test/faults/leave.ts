// HTTP calls with a separate connection that the caller can drop.
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A call in progress. */
export interface Call {
  /** Rejects if the connection ends first; it need not be awaited. */
  answer: Promise<Answer>;
  /** Resets the connection. The local platform does not notice a connection that is only closed. */
  leave: () => void;
}

/** Makes a call. Unlike `fetch`, it has no connection timeout, so thousands can start at once. */
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
      text(response).then((body) => resolve({ status, headers, text: body }), reject);
    });
  });
  answer.catch(() => {});
  sending.end(body);
  return { answer, leave: () => sending.socket?.resetAndDestroy() };
}
