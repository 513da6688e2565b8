// Erases what teams wrote about a person: texts, and answers of the provider that repeat them.
import { eraseFromFailures } from '../data-requests/erasure.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { createNameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import { eraseFromTables } from '../tables/erasure.ts';

/**
 * Deletes saved searches, runs, registered tables and alert messages that name a person by shorthand name or profile URL.
 * Removes the provider's answers that do. Other texts stay with their authors: see {@link createNameMatcher}.
 * @param keys - all keys of the person
 * @returns the number of deleted rows
 */
export async function deleteMentions(db: D1Database, keys: Iterable<RecordKey>): Promise<number> {
  const matcher = createNameMatcher(keys);
  if (matcher === undefined) return 0;
  const deleted = await eraseFromTables(db, matcher);
  await eraseFromFailures(db, matcher);
  return deleted;
}
