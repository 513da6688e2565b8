// Rows that an assistant appends to a table. They take the way of a schedule's rows: stored without erased people, written by
// one push after the other, and kept as long.
import { and, count, eq, gte } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DataRecord } from '../../shared/api/common.ts';
import { DAY_MS } from '../../shared/lib/durations.ts';
import { ingestFile } from '../data-requests/ingest/index.ts';
import { getRowStore } from '../data-requests/state-machine.ts';
import { type TableRow, tableReports, tableRuns, tables } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { ProblemError } from '../http/problem-error.ts';
import { recordChange } from './changes.ts';
import { incomingColumns, isAddition } from './store.ts';

/** Calls for each table in a day. */
export const maxDailyAdditions = 200;

export async function listOpenTables(db: D1Database, team: string): Promise<TableRow[]> {
  const rows = await drizzle(db)
    .select({ table: tables })
    .from(tables)
    .innerJoin(tableReports, and(eq(tableReports.teamId, tables.teamId), eq(tableReports.tableId, tables.id)))
    .where(and(eq(tables.teamId, team), eq(tables.push, true), eq(tableReports.assistants, true)))
    .all();
  return rows.map(({ table }) => table);
}

/** Lists the paths that rows of an assistant may have. Nested ones have no place in a row. */
export const listOpenPaths = (table: TableRow): string[] =>
  incomingColumns(table).flatMap(({ path }) => (/^\w+$/.test(path) ? [path] : []));

/**
 * Appends rows to an open table. Records that are in the table stay as they are.
 * @param rows - values by path, each with an id
 * @param now - milliseconds since 1970
 * @returns the number of rows that will be written: without erased people and repetitions
 * @throws ProblemError `unknown_field` for a column that the table lacks; `rate_limited`
 */
export async function appendAssistantRows(
  env: Env,
  table: TableRow,
  rows: readonly DataRecord[],
  now: number,
): Promise<number> {
  const { teamId, id: tableId, family } = table;
  const paths = listOpenPaths(table);
  const unknown = rows.flatMap((row) => Object.keys(row)).find((path) => !paths.includes(path));
  if (unknown !== undefined)
    throw new ProblemError(
      'unknown_field',
      `The table has no column ${unknown}.`,
      `Use only ${paths.join(', ')}.`,
    );
  const orm = drizzle(env.DB);
  const [today] = await orm
    .select({ additions: count() })
    .from(tableRuns)
    .where(
      and(
        eq(tableRuns.teamId, teamId),
        eq(tableRuns.tableId, tableId),
        gte(tableRuns.startedAt, now - DAY_MS),
        isAddition(),
      ),
    );
  if ((today?.additions ?? 0) >= maxDailyAdditions)
    throw new ProblemError(
      'rate_limited',
      'Assistants have written to this table too often today.',
      'Go on tomorrow.',
    );
  const id = crypto.randomUUID();
  // The run comes first, so that its rows are found when they expire.
  await orm.insert(tableRuns).values({ id, teamId, tableId, state: 'running', since: now, startedAt: now });
  const { body } = new Response(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  if (body === null) return 0;
  const file = { requestId: id, family, fileIndex: 0, body };
  const { rows: stored } = await ingestFile(getRowStore(env), file);
  await orm.update(tableRuns).set({ state: 'done', rows: stored, endedAt: now }).where(eq(tableRuns.id, id));
  if (stored > 0)
    await recordChange(env, { teamId, kind: 'table', subject: tableId, run: id, hasRows: true }, now);
  return stored;
}
