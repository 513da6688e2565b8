// Tables, schedules, runs and pushes for tests of the admin's lists.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import {
  type EnrichmentRow,
  enrichments,
  type PushRow,
  pushes,
  type ScheduleRow,
  schedules,
  type TableRow,
  type TableRunRow,
  tableRuns,
  tables,
} from '../../../../../worker/db/schema.ts';
import { getLedger } from '../../../../../worker/gateway/ledger/ledger-object.ts';
import { withOverrides } from '../../../strict/with-overrides.ts';

/** In the future, so that the real queue consumer finds nothing due. */
export const NOW = Date.UTC(2100, 2, 1, 12, 30, 0);

/** Inserts a table of a team. @returns its id */
export async function insertTable(teamId: string, change: Partial<TableRow> = {}): Promise<string> {
  const id = crypto.randomUUID();
  const row: TableRow = {
    id,
    teamId,
    tokenId: 'token',
    title: 'Bakers',
    family: 'company_clean',
    spreadsheetId: 'book',
    sheetId: 7,
    awaitsHeadings: true,
    columns: [{ id: 'c1', path: 'id', heading: 'Id' }],
    source: { kind: 'search', query: { text: 'industry:bakeries' } },
    requestId: null,
    mode: 'append',
    push: true,
    asOf: NOW,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  };
  await drizzle(env.DB).insert(tables).values(row);
  return id;
}

/** Inserts a schedule with its table. @returns the id of the table */
export async function insertSchedule(
  teamId: string,
  tokenId: string,
  change: Partial<ScheduleRow> = {},
): Promise<string> {
  const tableId = await insertTable(teamId);
  const row: ScheduleRow = {
    teamId,
    tableId,
    tokenId,
    every: 'day',
    maxCredits: 200,
    query: null,
    state: 'on',
    problem: null,
    nextAt: NOW + 60_000,
    runId: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  };
  await drizzle(env.DB).insert(schedules).values(row);
  return tableId;
}

/** Inserts a column that is kept filled. @returns its id */
export async function insertEnrichment(
  teamId: string,
  tokenId: string,
  change: Partial<EnrichmentRow> = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const row: EnrichmentRow = {
    id,
    teamId,
    tokenId,
    title: 'Accounts',
    family: 'company_clean',
    by: 'website',
    spreadsheet: { id: 'book', sheet_id: 7 },
    key: { id: 'c9', heading: 'Website' },
    columns: [{ id: 'c2', path: 'name', heading: 'Name' }],
    push: true,
    every: 'day',
    maxCredits: 100,
    monthCredits: 1000,
    state: 'on',
    problem: null,
    lastAt: NOW - 60_000,
    lastRows: 2,
    lastCredits: 20,
    refreshDays: 30,
    query: null,
    alertAt: null,
    lastChanges: 4,
    changesSheetId: null,
    keyCount: 0,
    nextAt: NOW + 60_000,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  };
  await drizzle(env.DB).insert(enrichments).values(row);
  return id;
}

/** Inserts a run of a schedule. @returns its id */
export async function insertTableRun(
  teamId: string,
  tableId: string,
  change: Partial<TableRunRow> = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const run = { id, teamId, tableId, state: 'done', since: 0, startedAt: NOW, ...change } as const;
  await drizzle(env.DB).insert(tableRuns).values(run);
  return id;
}

/** Inserts a push. @returns its id */
export async function insertPush(
  teamId: string,
  tableId: string,
  change: Partial<PushRow> = {},
): Promise<string> {
  const id = crypto.randomUUID().replaceAll('-', '');
  const push = { id, teamId, tableId, rowsId: crypto.randomUUID(), state: 'done' } as const;
  const times = { createdAt: NOW, updatedAt: NOW };
  await drizzle(env.DB)
    .insert(pushes)
    .values({ ...push, ...times, ...change });
  return id;
}

/** Returns the database with a counter of its statements. */
export function countStatements(): { db: D1Database; getCount: () => number } {
  let count = 0;
  const db = withOverrides(env.DB, 'DB', {
    prepare: (call, args) => {
      count += 1;
      return call(args);
    },
    batch: 'pass',
  });
  return { db, getCount: () => count };
}

/** Reserves credits for an enrichment. */
export async function spendOnOrder(
  team: string,
  token: string,
  order: string,
  credits: number,
): Promise<void> {
  const budget = { account: `order:${order}`, month: 1000 };
  const call = { token, operation: 'collect', family: 'company_clean', subject: '' } as const;
  const ledger = getLedger(env, team);
  // Opens it.
  await ledger.setBudget({});
  await ledger.reserveMany([{ ...call, id: crypto.randomUUID(), credits, budget }], 0);
}
