// What a fault makes of an answer.
import type { SandboxPlatform } from '../platform.ts';
import type { Fault } from './faults.ts';

/** Longer than anyone waits. */
const HANG_MS = 15 * 60_000;

const WITHOUT_BODY = new Set([204, 205, 304]);

/** Does the fault answer in the operation's place? */
export function replacesResponse({ status, body, hang }: Fault): boolean {
  return status !== undefined || body !== undefined || hang === true;
}

/** Is the caller kept from the operation's answer? Then it is charged only if the fault comes after. */
export function withholdsResponse(fault: Fault): boolean {
  return replacesResponse(fault) || fault.cut !== undefined;
}

/** The first bytes of a body, then the connection breaks. More are announced, so that no proxy takes it for the end. */
async function cutBody(
  body: ReadableStream<Uint8Array> | null,
  bytes: number,
): Promise<ReadableStream<Uint8Array>> {
  const whole = new Uint8Array(await new Response(body).arrayBuffer());
  const { readable, writable } = new FixedLengthStream(whole.length + 1);
  const writer = writable.getWriter();
  const sent = bytes === 0 || whole.length === 0 ? Promise.resolve() : writer.write(whole.subarray(0, bytes));
  // Goes on while the caller reads; one who stops reading breaks the connection as well.
  void sent.then(() => writer.abort(new Error('The connection was broken on purpose.'))).catch(() => {});
  return readable;
}

function createReplacement({ status = 200, body }: Fault): Response {
  if (WITHOUT_BODY.has(status)) return new Response(null, { status });
  return new Response(body ?? JSON.stringify({ message: 'This fault was set on purpose.' }), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

/**
 * Makes the answer that a caller gets.
 * @param answer - of the operation; undefined if it was not called, as the fault answers in its place
 * @returns after {@link HANG_MS} if the fault is to hang
 */
export async function applyFault(
  fault: Fault,
  answer: Response | undefined,
  after: SandboxPlatform['sleep'],
): Promise<Response> {
  if (fault.hang === true) {
    await after(HANG_MS);
    return new Response(null, { status: 504 });
  }
  if (replacesResponse(fault)) await answer?.body?.cancel();
  const base = answer === undefined || replacesResponse(fault) ? createReplacement(fault) : answer;
  const headers = new Headers(base.headers);
  if (fault.content_type !== undefined) headers.set('content-type', fault.content_type);
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value);
  if (fault.cut === undefined) return new Response(base.body, { status: base.status, headers });
  headers.delete('content-length');
  return new Response(await cutBody(base.body, fault.cut), { status: base.status, headers });
}
