// Pages of lists: a query reads one row more than the page has.
import { invalidRequest } from '../http/problem-error.ts';

/** Cuts a page. @returns its rows, and the last one if there are more */
export function cutPage<T>(rows: readonly T[], limit: number): { shown: T[]; last: T | undefined } {
  const shown = rows.slice(0, limit);
  return { shown, last: rows.length > limit ? shown.at(-1) : undefined };
}

/**
 * Finds the row that a page begins after.
 * @throws ProblemError `invalid_request`
 */
export async function findStart<T>(
  after: string | undefined,
  find: (id: string) => Promise<T | undefined>,
  what: string,
): Promise<T | undefined> {
  if (after === undefined) return undefined;
  const start = await find(after);
  if (start === undefined) throw invalidRequest('after', `is not the id of ${what}`);
  return start;
}
