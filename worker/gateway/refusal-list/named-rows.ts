// Finds and erases rows of D1 whose text names an erased person or company. Each folder passes its own tables.
import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Family } from '../../../shared/families/index.ts';
import { isInList } from '../../db/json-list.ts';
import type { NameMatcher } from './name-matcher.ts';

export interface SearchedTable {
  table: SQLiteTable;
  key: SQL;
  text: SQL | SQLiteColumn;
  /** The family that the text is about, if it is about one. */
  family?: SQLiteColumn;
  /** The text is a title, in which a number may be an id. */
  isTitle?: true;
}

/** @returns the keys of the rows whose text names the person */
export async function findNamingRows(
  db: D1Database,
  { table, key, text, family, isTitle }: SearchedTable,
  { names, matches }: NameMatcher,
): Promise<string[]> {
  // As SQL: drizzle's select leaves out the names of tables, which a subquery in `text` needs.
  const rows = await drizzle(db).all<{ key: string; text: string; family: Family | null }>(
    sql`SELECT ${key} AS key, lower(${text}) AS text, ${family ?? sql`NULL`} AS family FROM ${table}
      WHERE EXISTS (SELECT 1 FROM json_each(${JSON.stringify(names)}) WHERE instr(lower(${text}), value) > 0)`,
  );
  return rows.flatMap((row) => (matches(row.text, row.family ?? undefined, isTitle) ? [row.key] : []));
}

/**
 * Deletes rows that name a person or company.
 * @returns the number of deleted rows
 */
export async function deleteNamingRows(
  db: D1Database,
  searched: SearchedTable,
  matcher: NameMatcher,
): Promise<number> {
  const keys = await findNamingRows(db, searched, matcher);
  if (keys.length > 0) await drizzle(db).delete(searched.table).where(isInList(searched.key, keys));
  return keys.length;
}

/**
 * Removes the provider's answer from the failures that name a person. The rows stay, because they account for credits.
 * @param searched - `text` is a JSON column with the members `detail` and `answer`
 */
export async function stripNamingAnswers(
  db: D1Database,
  searched: SearchedTable & { text: SQLiteColumn },
  matcher: NameMatcher,
): Promise<void> {
  const keys = await findNamingRows(db, searched, matcher);
  if (keys.length === 0) return;
  const { table, key, text } = searched;
  // As SQL: drizzle's update knows no column of a table that is a variable.
  await drizzle(db).run(
    sql`UPDATE ${table} SET ${sql.identifier(text.name)} = json_remove(${text}, '$.detail', '$.answer')
      WHERE ${isInList(key, keys)}`,
  );
}
