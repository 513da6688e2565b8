// UrlFetchApp's network access in the playground: requests to this instance, with credits reported.
import { isObject } from '../../../shared/lib/is-object.ts';
import type { Cell, HostFetch } from '../host/types.ts';
import type { Session } from './session.ts';

export interface NetworkCall {
  /** The formula's cell; null for other callers. */
  cell: Cell | null;
  /** Credits spent according to the response, if it says. */
  spent: number | undefined;
  /** The team's remaining credits, if the response says. */
  remaining: number | undefined;
  /** Credits that the call has reserved, if the response says. */
  reserved: number | undefined;
}

export interface TeamCredits {
  /** Spent since midnight, UTC. */
  today: number;
  /** Null without a cap. */
  remaining: number | null;
  /** Reserved for open calls and orders: neither spent nor remaining. */
  reserved: number;
}

const NO_ANSWER = { body: undefined };

/**
 * Calls the gateway as the team.
 * @returns the body, undefined if it is no JSON
 * @throws TypeError if the gateway doesn't answer
 */
export async function callGateway({ url, team_token }: Session, path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}/sheets/v1/${path}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${team_token}`, 'content-type': 'application/json' },
    cache: 'no-store',
  });
  const body: unknown = await response.json().catch(() => undefined);
  return { status: response.status, body };
}

/** Reads the team's credits, for free; undefined if the gateway doesn't answer. */
export async function readTeamCredits(session: Session): Promise<TeamCredits | undefined> {
  const { body } = await callGateway(session, 'me').catch(() => NO_ANSWER);
  const today = toNumber(readProperty(readProperty(body, 'spent'), 'day'));
  return today === undefined
    ? undefined
    : {
        today,
        remaining: toNumber(readProperty(body, 'remaining')) ?? null,
        reserved: toNumber(readProperty(body, 'reserved')) ?? 0,
      };
}

/** Reads what looking up companies by these websites costs now, for free; undefined if the gateway doesn't answer. */
export async function readLookupPrice(
  session: Session,
  keys: readonly string[],
): Promise<number | undefined> {
  const { body } = await callGateway(session, 'estimate', {
    method: 'POST',
    body: JSON.stringify({ family: 'company_clean', by: 'website', keys }),
  }).catch(() => NO_ANSWER);
  return toNumber(readProperty(body, 'credits'));
}

/**
 * Creates the host's fetch.
 * @param onCall - called after each response
 */
export function createFetch(onCall: (call: NetworkCall) => void): HostFetch {
  return async ({ method, url, headers, body, followRedirects }, { cell }) => {
    if (new URL(url).origin !== location.origin)
      throw new Error(`The playground reaches ${location.origin} only.`);
    const response = await fetch(url, {
      method,
      headers,
      body: body === null ? null : new Uint8Array(body),
      redirect: followRedirects ? 'follow' : 'manual',
      cache: 'no-store',
      credentials: 'omit',
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    onCall({ cell, ...readCredits(response.headers.get('content-type'), bytes) });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
  };
}

/** Adds the credits of rows that a table was filled with. */
const sumCredits = (rows: unknown): number =>
  Array.isArray(rows)
    ? rows.reduce((sum: number, row: unknown) => sum + (toNumber(readProperty(row, 'credits')) ?? 0), 0)
    : 0;

function readCredits(type: string | null, bytes: Uint8Array): Omit<NetworkCall, 'cell'> {
  const none = { spent: undefined, remaining: undefined, reserved: undefined };
  if (type === null || !type.includes('json')) return none;
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const credits = readProperty(body, 'credits');
    const remaining = readProperty(credits, 'remaining') ?? readProperty(body, 'remaining');
    return {
      spent: toNumber(readProperty(credits, 'spent')) ?? sumCredits(readProperty(body, 'rows')),
      remaining: toNumber(remaining),
      reserved: toNumber(readProperty(credits, 'reserved')),
    };
  } catch {
    return none;
  }
}

function readProperty(object: unknown, name: string): unknown {
  return isObject(object) ? object[name] : undefined;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
