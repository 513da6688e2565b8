// What people kept of their own work that names somebody who is erased, and what was told of it.
import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { families } from '../../shared/families/index.ts';
import { isInList } from '../db/json-list.ts';
import { alertMessages, requests, runs, schedules, searches, tableRuns, tables } from '../db/schema.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';

/** A table with texts, and an expression that tells its rows apart. */
interface Texts {
  table: SQLiteTable;
  key: SQL;
  text: SQL | SQLiteColumn;
}

/** The schedule of a registered table. */
const ofTable = sql`${schedules.teamId} = ${tables.teamId} AND ${schedules.tableId} = ${tables.id}`;

/** Where people write, and what is told of it. Rows that name somebody go. */
const written: readonly Texts[] = [
  {
    table: searches,
    key: sql`json_array(${searches.teamId}, ${searches.id})`,
    text: sql`${searches.name} || ' ' || ${searches.query}`,
  },
  { table: runs, key: sql`json_array(${runs.teamId}, ${runs.id})`, text: runs.title },
  {
    table: tables,
    key: sql`json_array(${tables.teamId}, ${tables.id})`,
    text: sql`${tables.title} || ' ' || ${tables.source} || ' ' || ${tables.columns} || ' ' ||
      coalesce((SELECT ${schedules.query} FROM ${schedules} WHERE ${ofTable}), '')`,
  },
  { table: alertMessages, key: sql`${alertMessages.id}`, text: alertMessages.body },
];

/** Where the provider's words about a query are kept. They go, what they are about stays: it tells of credits. */
const answered: readonly (Texts & { text: SQLiteColumn })[] = [
  { table: requests, key: sql`${requests.id}`, text: requests.failure },
  { table: tableRuns, key: sql`${tableRuns.id}`, text: tableRuns.problem },
  {
    table: schedules,
    key: sql`json_array(${schedules.teamId}, ${schedules.tableId})`,
    text: schedules.problem,
  },
];

const WORD = /[\p{L}\p{N}_-]/u;

/** Does a text have these characters as a word by itself? */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (!WORD.test(before) && !WORD.test(after)) return true;
  }
  return false;
}

/** The words that name somebody and nobody else: the shorthand names of people. */
function namesOf(keys: Iterable<RecordKey>): string[] {
  const names = new Set<string>();
  for (const { family, kind, value } of keys) {
    if (families[family].subject === 'employee' && kind === 'shorthand_name') names.add(value.toLowerCase());
  }
  return [...names];
}

/** How somebody is named in texts. */
export interface Mention {
  /** In lower case. */
  names: readonly string[];
  /** Does a text name them, by a shorthand name or a profile URL with it? */
  isIn: (text: string) => boolean;
}

/**
 * Says how somebody is named in texts.
 * @param keys - of whoever it is
 * @returns undefined where nothing names them alone
 */
export function mentionOf(keys: Iterable<RecordKey>): Mention | undefined {
  const names = namesOf(keys);
  if (names.length === 0) return undefined;
  return { names, isIn: (text) => names.some((name) => hasWord(text.toLowerCase(), name)) };
}

/**
 * Deletes saved searches, runs, registered tables and alert messages that name somebody by their shorthand name or profile
 * URL, which nobody else has, and the provider’s words that do. A plain name may be another’s, and a company’s shorthand name
 * may be any word: these are left to whoever wrote them.
 * @param keys - of whoever is erased
 * @returns how many were deleted
 */
export async function forgetMentions(db: D1Database, keys: Iterable<RecordKey>): Promise<number> {
  const names = namesOf(keys);
  if (names.length === 0) return 0;
  const orm = drizzle(db);
  const list = JSON.stringify(names);

  /** @returns the keys of rows that name them, as JSON */
  async function naming({ table, key, text }: Texts): Promise<string[]> {
    // As SQL: drizzle's select leaves out the names of tables, of which the subquery in a text needs two.
    const found = await orm.all<{ key: string; text: string }>(
      sql`SELECT ${key} AS key, lower(${text}) AS text FROM ${table}
        WHERE EXISTS (SELECT 1 FROM json_each(${list}) WHERE instr(lower(${text}), value) > 0)`,
    );
    return found.flatMap(({ key: own, text: said }) =>
      names.some((name) => hasWord(said, name)) ? [own] : [],
    );
  }

  let deleted = 0;
  for (const texts of written) {
    const found = await naming(texts);
    if (found.length === 0) continue;
    await orm.delete(texts.table).where(isInList(texts.key, found));
    deleted += found.length;
  }
  // What a table that was deleted leaves of its own words; the rest of it goes within the hour.
  if (deleted > 0) {
    await orm.delete(schedules).where(sql`NOT EXISTS (SELECT 1 FROM ${tables} WHERE ${ofTable})`);
  }
  for (const texts of answered) {
    const found = await naming(texts);
    if (found.length === 0) continue;
    const { table, key, text } = texts;
    // As SQL: drizzle's update knows no column of a table that is a variable.
    await orm.run(
      sql`UPDATE ${table} SET ${sql.identifier(text.name)} = json_remove(${text}, '$.detail', '$.answer')
        WHERE ${isInList(key, found)}`,
    );
  }
  return deleted;
}
