// SQL conditions with lists of values.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Builds a condition: an expression has one of many values. The list is one JSON parameter, because D1 takes at most 100
 * parameters per statement, and drizzle's `inArray` needs one per value.
 * @param values - at most 2 MB as JSON
 */
export function isInList(expression: SQLWrapper, values: readonly string[]): SQL {
  return sql`${expression} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
