// Combines middlewares. Hono's own dispatch between them costs more than most of them do.
import type { Context, Env, Next } from 'hono';

/** A middleware that never responds itself: it calls `next` or throws. */
export type Middleware<E extends Env> = (c: Context<E>, next: Next) => Promise<void>;

type AnyMiddleware = (c: Context, next: Next) => Promise<void>;

/** Combines middlewares into one that runs them in order. */
export function compose(first: AnyMiddleware, ...rest: AnyMiddleware[]): AnyMiddleware {
  return rest.reduce((outer, inner) => (c, next) => outer(c, () => inner(c, next)), first);
}
