// First room: who is asking. A verified token is remembered for a few seconds, so that a hit costs no look-up.
import { createMiddleware } from 'hono/factory';
import { LRUCache } from 'lru-cache';
import { isToken } from '../../shared/tokens.ts';
import type { Env } from '../env.ts';
import { sha256Hex } from '../hash.ts';
import { ProblemError } from '../problem-error.ts';
import { type Caller, findCaller } from './tokens.ts';

/** A revoked token is refused after at most this time. */
const REMEMBER_MS = 30_000;
const MAX_REMEMBERED = 10_000;

const BEARER = /^Bearer +(\S+)$/i;

/** What this room adds to a request. */
export interface Authenticated<E extends Env = Env> {
  Bindings: E;
  Variables: { caller: Caller };
}

/**
 * Makes the middleware that lets only callers with a good team token in.
 * @param now - milliseconds since 1970
 * @throws ProblemError `unauthorised`
 */
export function authenticate(now: () => number) {
  const verified = new LRUCache<string, Caller>({
    max: MAX_REMEMBERED,
    ttl: REMEMBER_MS,
    ttlResolution: 0,
    perf: { now },
  });
  return createMiddleware<Authenticated>(async (c, next) => {
    const token = BEARER.exec(c.req.header('authorization') ?? '')?.[1];
    if (token === undefined || !isToken(token)) throw new ProblemError('unauthorised');
    const hash = await sha256Hex(token);
    let caller = verified.get(hash);
    if (caller === undefined) {
      caller = await findCaller(c.env.DB, hash, now());
      if (caller === undefined) throw new ProblemError('unauthorised');
      verified.set(hash, caller);
    }
    c.set('caller', caller);
    await next();
  });
}
