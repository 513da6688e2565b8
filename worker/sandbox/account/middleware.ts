// Passes each call through the account: admission, faults, operation, charge, headers.
import type { Context, MiddlewareHandler } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { fileOperations, operations } from '../../../shared/operations.ts';
import { detailError, gatewayError } from '../api/service-errors.ts';
import type { SandboxPlatform } from '../platform.ts';
import type { SandboxBindings } from '../requests/requests-object.ts';
import { type Admission, getAccount, type Refusal } from './account.ts';
import type { Call, Fault } from './faults.ts';

export interface AccountVariables {
  /** Milliseconds since 1970, by the provider's clock. */
  sandboxNow: () => number;
}

type AccountEnv = { Bindings: SandboxBindings; Variables: AccountVariables };

/** Responses that report the balance. Contract, "Headers". */
const reportsBalance: ReadonlySet<Call['name']> = new Set(['search', 'collect', 'enrich', 'preview']);

const refusalResponses: Readonly<Record<Refusal, () => Response>> = {
  rate: () => gatewayError(429, 'API rate limit exceeded').response(),
  credits: () => detailError(402, 'Insufficient credits').response(),
};

/** Replaces a response. A plain assignment to `c.res` would keep the old response's headers. */
function replaceResponse(c: Context, response: Response): void {
  c.res = undefined;
  c.res = response;
}

/**
 * Gives every response a correlation id.
 */
export function correlationMiddleware(platform: SandboxPlatform): MiddlewareHandler {
  return async (c, next) => {
    await next();
    c.header('x-correlation-id', platform.newId());
  };
}

/**
 * Wraps the operations of the service: enforces the rate limit and the balance, applies faults, charges the 200 of a paid
 * operation, and reports limits and balance in headers.
 */
export function accountMiddleware(platform: SandboxPlatform): MiddlewareHandler<AccountEnv> {
  /** @returns the balance to report; undefined if the response doesn't come from the operation */
  async function handleAdmitted(
    c: Context<AccountEnv>,
    next: () => Promise<void>,
    call: Call,
    { fault, balance }: Admission,
  ): Promise<number | undefined> {
    let remainingBalance: number | undefined = balance;
    const runAndCharge = async (): Promise<void> => {
      await next();
      if (c.res.status !== 200 || call.credits === 0) return;
      const charge = await getAccount(c.env).charge(call.credits);
      remainingBalance = charge.balance;
      if (!charge.paid) replaceResponse(c, refusalResponses.credits());
    };
    if (fault === undefined) {
      await runAndCharge();
      return remainingBalance;
    }
    if (fault.delay_ms !== undefined) await platform.sleep(fault.delay_ms);
    if (fault.after === true || !withholdsResponse(fault)) await runAndCharge();
    else if (!replacesResponse(fault)) await next();
    const response = c.finalized ? c.res : undefined;
    replaceResponse(c, await applyFault(fault, response, platform.sleep));
    return replacesResponse(fault) ? undefined : remainingBalance;
  }

  return async (c, next) => {
    const call = identifyCall(c.req.method, c.req.path);
    const admission = await getAccount(c.env).admit(call);
    c.set('sandboxNow', () => platform.now() + admission.clockOffsetMs);
    let balance: number | undefined;
    if (admission.refusal === undefined) {
      balance = await handleAdmitted(c, next, call, admission);
    } else {
      c.res = refusalResponses[admission.refusal]();
      if (admission.refusal === 'credits') balance = admission.balance;
    }
    c.header('x-ratelimit-limit-second', String(admission.rate.limit));
    c.header('x-ratelimit-remaining-second', String(admission.rate.remaining));
    if (balance !== undefined && reportsBalance.has(call.name))
      c.header('x-credits-remaining', String(balance));
  };
}

/** Converts a path of the contract to the router's syntax; the last parameter matches the rest of the path. */
export function toRoutePath(path: string): string {
  return `${PREFIX}${path.replace(/\{(\w+)\}$/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1')}`;
}

const PREFIX = '/cdapi';

const calls = new TrieRouter<Omit<Call, 'path'>>();
for (const { method, path, name, family, credits } of operations) {
  // A data request is charged when it is ready, by its delivered records.
  calls.add(method, toRoutePath(path), { name, family, credits: name === 'bulk' ? 0 : credits });
}
const free = { family: undefined, credits: 0 };
calls.add('GET', toRoutePath(fileOperations.list.path), { name: 'files', ...free });
calls.add('GET', toRoutePath(fileOperations.download.path), { name: 'download', ...free });

/**
 * Identifies the operation of a request.
 * @param path - with `/cdapi`
 */
function identifyCall(method: string, path: string): Call {
  const [[found] = []] = calls.match(method, path);
  return { ...(found?.[0] ?? { name: undefined, ...free }), path: path.slice(PREFIX.length) };
}

/** Longer than any client waits. */
const HANG_MS = 15 * 60_000;

const BODYLESS_STATUSES = new Set([204, 205, 304]);

/** Checks whether the fault responds in place of the operation. */
function replacesResponse({ status, body, hang }: Fault): boolean {
  return status !== undefined || body !== undefined || hang === true;
}

/** Checks whether the fault withholds the operation's response. Then the call is charged only if the fault has `after`. */
function withholdsResponse(fault: Fault): boolean {
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
async function applyFault(
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
