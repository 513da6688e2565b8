// Lists of values as JSON parameters, and SQL conditions with them.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Builds a condition: an expression has one of many values. The list is one JSON parameter, because D1 takes at most 100
 * parameters per statement, and drizzle's `inArray` needs one per value.
 * @param values - at most 2 MB as JSON
 */
export function isInList(expression: SQLWrapper, values: readonly string[]): SQL {
  return sql`${expression} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** A value of D1 and of Durable Object storage has at most 2 MB; a character takes at most three bytes in UTF-8. */
const MAX_LIST_CHARACTERS = 600_000;

/** Encodes texts as JSON lists that are small enough for one parameter each; no list if there are no texts. */
export function toJsonLists(values: Iterable<string>): string[] {
  const lists: string[] = [];
  let items: string[] = [];
  let length = 0;
  for (const value of values) {
    const item = JSON.stringify(value);
    if (items.length > 0 && length + item.length + 1 > MAX_LIST_CHARACTERS) {
      lists.push(`[${items.join(',')}]`);
      items = [];
      length = 0;
    }
    items.push(item);
    length += item.length + 1;
  }
  return items.length === 0 ? lists : [...lists, `[${items.join(',')}]`];
}
