// Matches requests of the drop-in API against its own routes: one expression for the routes of all surfaces has hundreds of groups
// and takes twice as long.
import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';

/** Tells whether a path belongs to the drop-in API. */
export const isDropInPath = (path: string): boolean => path.startsWith('/cdapi/') || path === '/cdapi';

/** Routes of the drop-in API, and all others. */
export class SurfaceRouter<T> implements Router<T> {
  readonly name = 'SurfaceRouter';
  readonly #dropIn = new RegExpRouter<T>();
  readonly #others = new RegExpRouter<T>();

  add(method: string, path: string, handler: T): void {
    const isForAll = path === '*' || path === '/*';
    if (isForAll || isDropInPath(path)) this.#dropIn.add(method, path, handler);
    if (isForAll || !isDropInPath(path)) this.#others.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    return (isDropInPath(path) ? this.#dropIn : this.#others).match(method, path);
  }
}
