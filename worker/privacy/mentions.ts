// Erases texts of teams that name a person or company, and provider answers that repeat them.
import { eraseFromFailures } from '../data-requests/erasure.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { createNameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import { eraseFromTables } from '../tables/erasure.ts';

/**
 * Deletes saved searches, runs, registered tables, alert messages and provider answers that name a person or company by id,
 * shorthand name, profile URL or website. Other texts stay: see {@link createNameMatcher}.
 * @param keys - all keys of the person or company
 * @returns the number of deleted rows
 */
export async function deleteMentions(db: D1Database, keys: Iterable<RecordKey>): Promise<number> {
  const matcher = createNameMatcher(keys);
  if (matcher === undefined) return 0;
  const deleted = await eraseFromTables(db, matcher);
  await eraseFromFailures(db, matcher);
  return deleted;
}
