// Runs, saved searches, tables and data requests for tests of the add-on's API.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import type { Run, SavedSearchRequest } from '../../../../shared/api/saved-searches.ts';
import type { TableBody, TableList, TableView } from '../../../../shared/api/tables.ts';
import { type RequestRow, requests } from '../../../../worker/db/schema.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { keyFile } from '../../tables/push/fake-google.ts';
import { type ApiClient, createClient } from './callers.ts';

export const newRun = (more: Partial<Run> = {}): Run => ({
  id: crypto.randomUUID(),
  kind: 'enrich',
  title: 'Enrich column B',
  family: 'company_clean',
  rows: 120,
  failed: 3,
  credits: 234,
  saved: 6,
  started_at: '2026-09-01T12:00:00.000Z',
  ended_at: '2026-09-01T12:01:00.000Z',
  state: 'done',
  ...more,
});

export const validSearch: SavedSearchRequest = {
  name: 'Bakers',
  family: 'company_clean',
  query: { text: 'industry:bakeries' },
  shared: true,
};

export const validTable: TableBody = {
  title: 'Bakers',
  family: 'company_clean',
  spreadsheet: { id: '1AbC_-x', sheet_id: 0 },
  columns: [
    { id: 'c1', path: 'id', heading: 'Id' },
    { id: 'c2', path: 'name', heading: 'Company\nname' },
    { id: 'c88', path: 'funding_rounds[0].last_round_type', heading: 'Round' },
  ],
  source: { kind: 'search', query: { text: 'industry:bakeries' } },
  mode: 'append',
  push: false,
  as_of: '2026-01-01T00:00:00.000Z',
};

export const newTeam = (): string => `team-${crypto.randomUUID()}`;
export const createTeamClient = async (): Promise<ApiClient> => await createClient(newTeam());
export const newId = (): string => crypto.randomUUID();

/** Creates a gateway with a Google service account. */
export const createPushGateway = (account = JSON.stringify(keyFile)): Gateway =>
  createGateway(buildCompanyResponse, undefined, undefined, { GOOGLE_SERVICE_ACCOUNT: account });

export const putTable = (
  client: ApiClient,
  more: Partial<TableBody> = {},
  id = newId(),
): Promise<TableView> => client.ok('PUT', `/tables/${id}`, { ...validTable, ...more });

export const listTitles = async (client: ApiClient): Promise<string[]> =>
  (await client.ok<TableList>('GET', '/tables')).tables.map(({ title }) => title);

/** Inserts a data request. @returns its id */
export async function insertDataRequest(team: string, change: Partial<RequestRow> = {}): Promise<string> {
  const id = newId();
  const row: RequestRow = {
    id,
    teamId: team,
    tokenId: 'token',
    family: 'company_clean',
    kind: 'ids',
    idempotencyKey: null,
    orderHash: 'x',
    columns: null,
    origin: 'https://gateway.example',
    webhookUrl: null,
    requested: 3,
    reserved: 30,
    phase: 'ready',
    cancelRequested: false,
    providerId: null,
    webhookHash: null,
    failure: null,
    rows: 3,
    charged: 30,
    disputed: 0,
    attempts: 0,
    webhookAttempts: null,
    createdAt: clock.now,
    updatedAt: clock.now,
    endedAt: clock.now,
    clearedAt: null,
    cached: 0,
    cachedRows: null,
    cachedSlices: 0,
    identity: null,
    cacheCursor: null,
    ...change,
  };
  await drizzle(env.DB).insert(requests).values(row);
  return id;
}

/** Inserts a run that has ended. @returns its id */
export async function insertRun(
  team: string,
  table: string,
  change: { state?: string; request?: string } = {},
): Promise<string> {
  const id = newId();
  await env.DB.prepare(
    `INSERT INTO table_runs (id, team_id, table_id, state, since, request_id, started_at)
       VALUES (?, ?, ?, ?, 0, ?, ?)`,
  )
    .bind(id, team, table, change.state ?? 'done', change.request ?? null, clock.now)
    .run();
  return id;
}

export const countRows = (name: string, team: string): Promise<number | null> =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${name} WHERE team_id = ?`).bind(team).first<number>('n');
