// What people kept of their own work that names somebody who is erased: saved searches, runs, and registered tables.
import { families } from '../../shared/families.ts';
import type { RecordKey } from './names.ts';

/** The columns in which people write, by table. */
const written = [
  { table: 'searches', text: "name || ' ' || query" },
  { table: 'runs', text: 'title' },
  {
    table: 'tables',
    text: `title || ' ' || source || ' ' || "columns" || ' ' || coalesce((SELECT query FROM schedules
      WHERE schedules.team_id = tables.team_id AND schedules.table_id = tables.id), '')`,
  },
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

/**
 * Deletes saved searches, runs and registered tables that name somebody by their shorthand name or profile URL, which nobody
 * else has. A plain name may be another’s, and a company’s shorthand name may be any word: these are left to whoever wrote
 * them.
 * @param keys - of whoever is erased
 * @returns how many were deleted
 */
export async function forgetMentions(db: D1Database, keys: Iterable<RecordKey>): Promise<number> {
  const words = new Set<string>();
  for (const { family, kind, value } of keys) {
    if (families[family].subject === 'employee' && kind === 'shorthand_name') words.add(value.toLowerCase());
  }
  if (words.size === 0) return 0;
  const list = JSON.stringify([...words]);
  let deleted = 0;
  for (const { table, text } of written) {
    const { results } = await db
      .prepare(
        `SELECT team_id AS team, id, lower(${text}) AS text FROM ${table}
           WHERE EXISTS (SELECT 1 FROM json_each(?) WHERE instr(lower(${text}), value) > 0)`,
      )
      .bind(list)
      .run<{ team: string; id: string; text: string }>();
    const found = results.filter((row) => [...words].some((word) => hasWord(row.text, word)));
    if (found.length === 0) continue;
    await db
      .prepare(
        `DELETE FROM ${table} WHERE (team_id, id) IN
           (SELECT value ->> 'team', value ->> 'id' FROM json_each(?))`,
      )
      .bind(JSON.stringify(found.map(({ team, id }) => ({ team, id }))))
      .run();
    deleted += found.length;
  }
  if (deleted > 0) await db.prepare(LEFT).run();
  return deleted;
}
