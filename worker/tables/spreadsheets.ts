// Names of the spreadsheets of teams, for reports.
import { and, eq, lt, ne, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { DAY_MS } from '../../shared/lib/durations.ts';
import { isInList } from '../db/json-list.ts';
import type { RetentionRule } from '../db/retention.ts';
import { spreadsheets } from '../db/schema.ts';

/** Spreadsheets of a team whose names are stored. */
export const maxSpreadsheets = 5000;

const MAX_NAME_LENGTH = 200;

/**
 * Stores the name of a spreadsheet that a person has opened, unless the team has too many, or an erasure emptied its name: the
 * sidebar sends it again at each opening.
 */
export async function storeSpreadsheetName(
  orm: DrizzleD1Database,
  { team, id, name }: { team: string; id: string; name: string },
  now: number,
): Promise<void> {
  const isKnown = sql`EXISTS (SELECT 1 FROM ${spreadsheets} WHERE ${and(eq(spreadsheets.teamId, team), eq(spreadsheets.id, id))})`;
  const count = sql`(SELECT count(*) FROM ${spreadsheets} WHERE ${eq(spreadsheets.teamId, team)})`;
  await orm
    .insert(spreadsheets)
    .select(
      sql`SELECT ${team}, ${id}, ${name.slice(0, MAX_NAME_LENGTH)}, ${now} WHERE ${isKnown} OR ${count} < ${maxSpreadsheets}`,
    )
    .onConflictDoUpdate({
      target: [spreadsheets.teamId, spreadsheets.id],
      set: { name: sql`iif(${spreadsheets.name} = '', '', excluded.name)`, seenAt: now },
      // Opening it again the same day writes nothing.
      setWhere: sql`${spreadsheets.name} NOT IN ('', excluded.name) OR ${spreadsheets.seenAt} < ${now - DAY_MS}`,
    });
}

/**
 * Finds the names of spreadsheets.
 * @returns finds the name that a connection of the team sent; those of other teams are theirs alone
 */
export async function findSpreadsheetNames(
  orm: DrizzleD1Database,
  ids: readonly string[],
): Promise<(team: string, id: string) => string | undefined> {
  const rows = await orm
    .select()
    .from(spreadsheets)
    .where(and(isInList(spreadsheets.id, ids), ne(spreadsheets.name, '')));
  const names = new Map(rows.map(({ teamId, id, name }) => [`${teamId} ${id}`, name]));
  return (team, id) => names.get(`${team} ${id}`);
}

/** Names are kept as long as the usage that they explain. */
export const spreadsheetRetention: RetentionRule = {
  table: spreadsheets,
  key: [spreadsheets.teamId, spreadsheets.id],
  isExpired: (before) => lt(spreadsheets.seenAt, before),
  days: 1100,
};
