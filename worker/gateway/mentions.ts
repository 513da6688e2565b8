// What people kept of their own work that names somebody who is erased, and what was told of it.
import { families } from '../../shared/families.ts';
import type { RecordKey } from './names.ts';

/** Where people write, and what is told of it: by table, with what tells its rows apart. Rows that name somebody go. */
const written = [
  { table: 'searches', key: 'json_array(team_id, id)', text: "name || ' ' || query" },
  { table: 'runs', key: 'json_array(team_id, id)', text: 'title' },
  {
    table: 'tables',
    key: 'json_array(team_id, id)',
    text: `title || ' ' || source || ' ' || "columns" || ' ' || coalesce((SELECT query FROM schedules
      WHERE schedules.team_id = tables.team_id AND schedules.table_id = tables.id), '')`,
  },
  { table: 'alert_messages', key: 'id', text: 'body' },
] as const;

/** Where the provider's words about a query are kept. They go, what they are about stays: it tells of credits. */
const answered = [
  { table: 'requests', key: 'id', text: 'failure' },
  { table: 'table_runs', key: 'id', text: 'problem' },
  { table: 'schedules', key: 'json_array(team_id, table_id)', text: 'problem' },
] as const;

/** What a table that was deleted leaves of its own words; the rest of it goes within the hour. */
const LEFT = `DELETE FROM schedules WHERE NOT EXISTS
  (SELECT 1 FROM tables WHERE tables.team_id = schedules.team_id AND tables.id = schedules.table_id)`;

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
  const list = JSON.stringify(names);

  /** @returns the keys of rows that name them, as JSON */
  async function naming({
    table,
    key,
    text,
  }: {
    table: string;
    key: string;
    text: string;
  }): Promise<string[]> {
    const { results } = await db
      .prepare(
        `SELECT ${key} AS key, lower(${text}) AS text FROM ${table}
           WHERE EXISTS (SELECT 1 FROM json_each(?) WHERE instr(lower(${text}), value) > 0)`,
      )
      .bind(list)
      .run<{ key: string; text: string }>();
    return results.flatMap(({ key: own, text: said }) =>
      names.some((name) => hasWord(said, name)) ? [own] : [],
    );
  }

  let deleted = 0;
  for (const { table, key, text } of written) {
    const found = await naming({ table, key, text });
    if (found.length === 0) continue;
    await db
      .prepare(`DELETE FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?))`)
      .bind(JSON.stringify(found))
      .run();
    deleted += found.length;
  }
  if (deleted > 0) await db.prepare(LEFT).run();
  for (const { table, key, text } of answered) {
    const found = await naming({ table, key, text });
    if (found.length === 0) continue;
    await db
      .prepare(
        `UPDATE ${table} SET ${text} = json_remove(${text}, '$.detail', '$.answer')
           WHERE ${key} IN (SELECT value FROM json_each(?))`,
      )
      .bind(JSON.stringify(found))
      .run();
  }
  return deleted;
}
