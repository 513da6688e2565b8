// Erases a person or company from saved searches, activity, registered tables, schedules, enrichments and alerts.
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { isInList } from '../db/json-list.ts';
import {
  alertMessages,
  enrichedKeys,
  enrichments,
  runs,
  schedules,
  searches,
  spreadsheets,
  tableRuns,
  tables,
} from '../db/schema.ts';
import type { NameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import {
  deleteNamingRows,
  findNamingRows,
  type SearchedTable,
  stripNamingAnswers,
} from '../gateway/refusal-list/named-rows.ts';

const isScheduleOfTable = sql`${schedules.teamId} = ${tables.teamId} AND ${schedules.tableId} = ${tables.id}`;

/** Texts that people wrote, and messages about them. */
const writtenTexts = {
  saved_searches: {
    table: searches,
    key: sql`json_array(${searches.teamId}, ${searches.id})`,
    text: sql`${searches.name} || ' ' || ${searches.query}`,
    family: searches.family,
  },
  runs: {
    table: runs,
    key: sql`json_array(${runs.teamId}, ${runs.id})`,
    text: runs.title,
    family: runs.family,
    isTitle: true,
  },
  tables: {
    table: tables,
    key: sql`json_array(${tables.teamId}, ${tables.id})`,
    text: sql`${tables.title} || ' ' || ${tables.source} || ' ' || ${tables.columns} || ' ' ||
      coalesce((SELECT ${schedules.query} FROM ${schedules} WHERE ${isScheduleOfTable}), '')`,
    family: tables.family,
  },
  enrichments: {
    table: enrichments,
    key: sql`json_array(${enrichments.teamId}, ${enrichments.id})`,
    text: sql`${enrichments.title} || ' ' || ${enrichments.key} || ' ' || ${enrichments.columns} || ' ' ||
      coalesce(${enrichments.query}, '')`,
    family: enrichments.family,
  },
  spreadsheets: {
    table: spreadsheets,
    key: sql`json_array(${spreadsheets.teamId}, ${spreadsheets.id})`,
    text: spreadsheets.name,
    isTitle: true,
  },
  alert_messages: {
    table: alertMessages,
    key: sql`${alertMessages.id}`,
    // Without the word joiners of its addresses.
    text: sql`replace(${alertMessages.body}, char(0x2060), '')`,
  },
} as const satisfies Readonly<Record<string, SearchedTable>>;

/** Problems that may quote the provider. */
const storedProblems = [
  { table: tableRuns, key: sql`${tableRuns.id}`, text: tableRuns.problem },
  {
    table: schedules,
    key: sql`json_array(${schedules.teamId}, ${schedules.tableId})`,
    text: schedules.problem,
  },
  { table: enrichments, key: writtenTexts.enrichments.key, text: enrichments.problem },
];

/** Numbers of texts that name a person or company, by place. */
export type TextCounts = Record<keyof typeof writtenTexts, number>;

export const noTexts: TextCounts = {
  saved_searches: 0,
  runs: 0,
  tables: 0,
  enrichments: 0,
  spreadsheets: 0,
  alert_messages: 0,
};

/** Counts what {@link eraseFromTables} would delete. @param matcher - absent without keys */
export async function countInTables(db: D1Database, matcher: NameMatcher | undefined): Promise<TextCounts> {
  const counts = { ...noTexts };
  if (matcher === undefined) return counts;
  for (const [place, searched] of Object.entries(writtenTexts))
    Object.assign(counts, { [place]: (await findNamingRows(db, searched, matcher)).length });
  return counts;
}

/**
 * Erases a person or company from the texts of all teams.
 * @returns the number of deleted texts
 */
export async function eraseFromTables(db: D1Database, matcher: NameMatcher): Promise<number> {
  const { spreadsheets: names, ...texts } = writtenTexts;
  let deleted = 0;
  for (const searched of Object.values(texts)) deleted += await deleteNamingRows(db, searched, matcher);
  // The schedule of a deleted table still has its query; the sweep removes the rest within the hour.
  if (deleted > 0) {
    await drizzle(db)
      .delete(schedules)
      .where(sql`NOT EXISTS (SELECT 1 FROM ${tables} WHERE ${isScheduleOfTable})`);
  }
  // The row stays, so that the next opening of the spreadsheet does not store its name again.
  const named = await findNamingRows(db, names, matcher);
  await drizzle(db).update(spreadsheets).set({ name: '' }).where(isInList(names.key, named));
  for (const failures of storedProblems) await stripNamingAnswers(db, failures, matcher);
  return deleted + named.length;
}

/**
 * Deletes the keys of an erased person or company from what columns that are kept filled know. From then on the key is looked
 * up if it is in a sheet, which is refused and free.
 */
export async function eraseEnrichedKeys(db: D1Database, pseudonyms: readonly string[]): Promise<void> {
  // One search in the primary key for each column and pseudonym: the keys of all teams are too many to scan.
  await drizzle(db).run(sql`DELETE FROM ${enrichedKeys} WHERE (team_id, enrichment_id, key) IN (
    SELECT kept.team_id, kept.id, listed.value
    FROM ${enrichments} AS kept CROSS JOIN json_each(${JSON.stringify(pseudonyms)}) AS listed)`);
}
