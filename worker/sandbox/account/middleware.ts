// Passes each call through the account: admission, faults, operation, charge, headers.
import type { Context, MiddlewareHandler } from 'hono';
import { detailError, gatewayError } from '../api/service-errors.ts';
import type { SandboxBindings } from '../bindings.ts';
import { type SandboxPlatform, sandboxPlatform } from '../platform.ts';
import type { Admission, Refusal } from './account.ts';
import { getAccount } from './account-object.ts';
import { applyFault, replacesResponse, withholdsResponse } from './apply-fault.ts';
import type { Call } from './faults.ts';
import { identifyCall } from './identify-call.ts';

/** Variables that the middleware sets for the operations. */
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
export function correlationMiddleware(platform: SandboxPlatform = sandboxPlatform): MiddlewareHandler {
  return async (c, next) => {
    await next();
    c.header('x-correlation-id', platform.newId());
  };
}

/**
 * Wraps the operations of the service: enforces the rate limit and the balance, applies faults, charges the 200 of a paid
 * operation, and reports limits and balance in headers.
 */
export function accountMiddleware(
  platform: SandboxPlatform = sandboxPlatform,
): MiddlewareHandler<AccountEnv> {
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
