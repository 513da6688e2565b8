// Applies a fault to a response.
import type { SandboxPlatform } from '../platform.ts';
import type { Fault } from './faults.ts';

/** Longer than any client waits. */
const HANG_MS = 15 * 60_000;

const BODYLESS_STATUSES = new Set([204, 205, 304]);

/** Checks whether the fault responds in place of the operation. */
export function replacesResponse({ status, body, hang }: Fault): boolean {
  return status !== undefined || body !== undefined || hang === true;
}

/** Checks whether the fault withholds the operation's response. Then the call is charged only if the fault has `after`. */
export function withholdsResponse(fault: Fault): boolean {
  return replacesResponse(fault) || fault.cut !== undefined;
}

/** Sends the first bytes of a body, then breaks the connection. It announces more bytes, so that no proxy takes the body for complete. */
async function cutBody(
  body: ReadableStream<Uint8Array> | null,
  bytes: number,
): Promise<ReadableStream<Uint8Array>> {
  const content = new Uint8Array(await new Response(body).arrayBuffer());
  const { readable, writable } = new FixedLengthStream(content.length + 1);
  const writer = writable.getWriter();
  const written =
    bytes === 0 || content.length === 0 ? Promise.resolve() : writer.write(content.subarray(0, bytes));
  // The write finishes while the client reads; a client that stops reading breaks the connection as well.
  void written.then(() => writer.abort(new Error('The connection was broken on purpose.'))).catch(() => {});
  return readable;
}

function createReplacement({ status = 200, body }: Fault): Response {
  if (BODYLESS_STATUSES.has(status)) return new Response(null, { status });
  return new Response(body ?? JSON.stringify({ message: 'This fault was set on purpose.' }), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

/**
 * Builds the response that the client gets.
 * @param response - the operation's response; undefined if the fault replaces the operation
 * @returns a response after {@link HANG_MS} if the fault hangs
 */
export async function applyFault(
  fault: Fault,
  response: Response | undefined,
  sleep: SandboxPlatform['sleep'],
): Promise<Response> {
  if (fault.hang === true) {
    await sleep(HANG_MS);
    return new Response(null, { status: 504 });
  }
  if (replacesResponse(fault)) await response?.body?.cancel();
  const base = response === undefined || replacesResponse(fault) ? createReplacement(fault) : response;
  const headers = new Headers(base.headers);
  if (fault.content_type !== undefined) headers.set('content-type', fault.content_type);
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value);
  if (fault.cut === undefined) return new Response(base.body, { status: base.status, headers });
  headers.delete('content-length');
  return new Response(await cutBody(base.body, fault.cut), { status: base.status, headers });
}
