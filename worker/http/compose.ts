// Several middlewares as one: the way from one to the next through the app costs more than what most of them do.
import type { Context, Env, Next } from 'hono';

/** A middleware that leaves the answer to those behind it, or throws. */
export type Middleware<E extends Env> = (c: Context<E>, next: Next) => Promise<void>;

type AnyMiddleware = (c: Context, next: Next) => Promise<void>;

/** Makes one middleware that passes a request through all of them, in their order. */
export function compose(first: AnyMiddleware, ...rest: AnyMiddleware[]): AnyMiddleware {
  return rest.reduce((outer, inner) => (c, next) => outer(c, () => inner(c, next)), first);
}
