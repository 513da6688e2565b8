// Matches requests of the drop-in API against its own routes: one expression for the routes of all surfaces has hundreds of groups
// and takes twice as long.
import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';

/** Tells whether a path belongs to the drop-in API. */
const isDropInPath = (path: string): boolean => path.startsWith('/cdapi/') || path === '/cdapi';

/**
 * Routes of the drop-in API, and all others. Middleware for all paths is for the others only: a drop-in route is a single handler,
 * which Hono calls without a promise.
 */
export class SurfaceRouter<T> implements Router<T> {
  readonly name = 'SurfaceRouter';
  readonly #dropIn = new RegExpRouter<T>();
  readonly #others = new RegExpRouter<T>();

  add(method: string, path: string, handler: T): void {
    (isDropInPath(path) ? this.#dropIn : this.#others).add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    if (!isDropInPath(path)) return this.#others.match(method, path);
    const result = this.#dropIn.match(method, path);
    return result.length === 1 ? [result[0].slice(0, 1)] : [result[0].slice(0, 1), result[1]];
  }
}
