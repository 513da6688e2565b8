// The way of a call through the account: admit → faults → the operation → charge → headers.
import type { Context, MiddlewareHandler } from 'hono';
import { detailError, gatewayError } from '../api/service-errors.ts';
import type { SandboxBindings } from '../bindings.ts';
import { type SandboxPlatform, sandboxPlatform } from '../platform.ts';
import type { Admission, Refusal } from './account.ts';
import { getAccount } from './account-object.ts';
import { applyFault, replacesResponse, withholdsResponse } from './apply-fault.ts';
import type { Call } from './faults.ts';
import { identifyCall } from './identify-call.ts';

/** What the account leaves for the operations behind it. */
export interface AccountVariables {
  /** Milliseconds since 1970, by the provider's clock. */
  sandboxNow: () => number;
}

type AccountEnv = { Bindings: SandboxBindings; Variables: AccountVariables };

/** Contract, "Headers": the answers that tell the balance. */
const reportsBalance: ReadonlySet<Call['name']> = new Set(['search', 'collect', 'enrich', 'preview']);

const refusalResponses: Readonly<Record<Refusal, () => Response>> = {
  rate: () => gatewayError(429, 'API rate limit exceeded').response(),
  credits: () => detailError(402, 'Insufficient credits').response(),
};

/** Puts an answer in place of another without keeping the other's headers, which assigning alone would do. */
function replaceResponse(c: Context, answer: Response): void {
  c.res = undefined;
  c.res = answer;
}

/**
 * Gives every answer an opaque id.
 */
export function correlationMiddleware(platform: SandboxPlatform = sandboxPlatform): MiddlewareHandler {
  return async (c, next) => {
    await next();
    c.header('x-correlation-id', platform.newId());
  };
}

/**
 * Wraps the operations of the service: refuses what is too fast or can't be paid, lets faults strike, charges a 200 of a
 * paid operation, and says in headers how things stand.
 */
export function accountMiddleware(
  platform: SandboxPlatform = sandboxPlatform,
): MiddlewareHandler<AccountEnv> {
  /** @returns the balance to tell; undefined where the answer comes from before the account */
  async function answer(
    c: Context<AccountEnv>,
    next: () => Promise<void>,
    call: Call,
    { fault, balance }: Admission,
  ): Promise<number | undefined> {
    let left: number | undefined = balance;
    const operate = async (): Promise<void> => {
      await next();
      if (c.res.status !== 200 || call.credits === 0) return;
      const charge = await getAccount(c.env).charge(call.credits);
      left = charge.balance;
      if (!charge.paid) replaceResponse(c, refusalResponses.credits());
    };
    if (fault === undefined) {
      await operate();
      return left;
    }
    if (fault.delay_ms !== undefined) await platform.sleep(fault.delay_ms);
    if (fault.after === true || !withholdsResponse(fault)) await operate();
    else if (!replacesResponse(fault)) await next();
    const operated = c.finalized ? c.res : undefined;
    replaceResponse(c, await applyFault(fault, operated, platform.sleep));
    return replacesResponse(fault) ? undefined : left;
  }

  return async (c, next) => {
    const call = identifyCall(c.req.method, c.req.path);
    const admission = await getAccount(c.env).admit(call);
    c.set('sandboxNow', () => platform.now() + admission.clockOffsetMs);
    let balance: number | undefined;
    if (admission.refusal === undefined) {
      balance = await answer(c, next, call, admission);
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
