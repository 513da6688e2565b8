// Lists of values in conditions.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Builds a condition: a column or expression has one of many values. The list is one parameter, because D1 takes at most a
 * hundred of them in a statement, and drizzle's `inArray` makes one of each value.
 * @param values - 2 MB at most, written as JSON
 */
export function isInList(expression: SQLWrapper, values: readonly string[]): SQL {
  return sql`${expression} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
