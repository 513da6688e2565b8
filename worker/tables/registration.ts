// Registers and changes tables. Who changes what a table buys or where its rows go needs the scopes for it, and takes the
// table over: its schedule spends on the new token, and its pushes end with that token.
import { maxSavedQueryLength } from '../../shared/api/saved-searches.ts';
import type { TableBody } from '../../shared/api/tables.ts';
import { DataRequestRepository } from '../data-requests/repository.ts';
import type { RequestRow, TableRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { journalClientRevocation } from '../gateway/auth/revocation-journal.ts';
import { type Caller, canUse, requireScope } from '../gateway/auth/tokens.ts';
import { buildProviderQuery } from '../gateway/query.ts';
import { invalidRequest, ProblemError } from '../http/problem-error.ts';
import { createPushes } from './changes.ts';
import { requireServiceAccount } from './push/pusher.ts';
import { readSourceQuery } from './schedules/run-query.ts';
import { getFillOperation, TableStore } from './store.ts';

/** Caller and time of a registration. */
interface RegistrationContext {
  env: Env;
  caller: Caller;
  now: number;
}

/**
 * Finds the data request that is the source of a table.
 * @throws ProblemError `invalid_request` if it belongs to another team or family
 */
async function findSourceRequest(
  { source, family }: TableBody,
  context: RegistrationContext,
): Promise<RequestRow | undefined> {
  if (source.kind === 'search') {
    const { body } = buildProviderQuery('preview', family, source.query);
    if (body.length > maxSavedQueryLength) {
      throw invalidRequest('source.query', `is longer than ${maxSavedQueryLength} characters`);
    }
    return undefined;
  }
  const request = await new DataRequestRepository(context.env.DB).findForTeam(
    context.caller.teamId,
    source.request,
  );
  if (request === undefined || request.phase === 'reserving') {
    throw invalidRequest('source.request', 'is not a bulk order of the team');
  }
  if (request.family !== family)
    throw invalidRequest('source.request', `has the family ${request.family}, not ${family}`);
  return request;
}

/** Pushes rows that were ready before the table was registered but are not in it. */
async function pushReadyRows(
  row: TableRow,
  request: RequestRow | undefined,
  context: RegistrationContext,
): Promise<void> {
  if (!row.push || request?.phase !== 'ready' || request.rows === 0 || request.clearedAt !== null) return;
  if ((request.endedAt ?? 0) <= row.asOf) return;
  const { env, now } = context;
  await createPushes(env, row.teamId, { tableId: row.id }, request.id, now);
}

function toRow(
  id: string,
  body: TableBody,
  request: RequestRow | undefined,
  { caller, now }: RegistrationContext,
): TableRow {
  const { title, family, spreadsheet, columns, source, mode, push } = body;
  return {
    id,
    teamId: caller.teamId,
    tokenId: caller.tokenId,
    title,
    family,
    spreadsheetId: spreadsheet.id,
    sheetId: spreadsheet.sheet_id,
    columns,
    source,
    requestId: request?.id ?? null,
    mode,
    push,
    awaitsHeadings: body.write_headings ?? false,
    // The caller's clock may be ahead. Changes after the current time can't be in the table yet.
    asOf: Math.min(Date.parse(body.as_of), now),
    createdAt: now,
    updatedAt: now,
  };
}

const isSame = (value: unknown, other: unknown): boolean => JSON.stringify(value) === JSON.stringify(other);

/** Compares what decides about price and destination of rows. */
function hasSameContent(table: TableRow, other: TableRow): boolean {
  const toContent = ({ family, spreadsheetId, sheetId, columns, source, mode, push }: TableRow) => [
    family,
    spreadsheetId,
    sheetId,
    columns.map(({ id, path }) => [id, path]),
    source,
    mode,
    push,
  ];
  return isSame(toContent(table), toContent(other));
}

/**
 * Requires the operations of the old and the new content, unless only the title changes.
 * @throws ProblemError `forbidden_scope`
 */
function requireOperations(
  { caller }: RegistrationContext,
  before: TableRow | undefined,
  row: TableRow,
): void {
  const isTitleOnly = before !== undefined && hasSameContent(before, row) && row.asOf <= before.asOf;
  if (isTitleOnly) return;
  for (const table of [before ?? row, row]) requireScope(caller, table.family, getFillOperation(table));
}

/** Decides whether the caller takes over the pushes of a table with unchanged content: their token is no longer valid. */
async function takesPushesOver({ env, caller, now }: RegistrationContext, row: TableRow): Promise<boolean> {
  if (!canUse(caller, row.family, getFillOperation(row))) return false;
  return (await new TableStore(env.DB).listStoppedPushes(row.teamId, now, row.id)).length > 0;
}

/** Reads the query of the schedule of a table; undefined if it stays the same, null if the table itself stores it. */
async function readNewQuery(
  { env }: RegistrationContext,
  before: TableRow | undefined,
  row: TableRow,
  request: RequestRow | undefined,
) {
  if (before === undefined || isSame(before.source, row.source)) return undefined;
  return (request && (await readSourceQuery(env, request))) ?? null;
}

/**
 * Registers a table, or changes it.
 * @throws ProblemError `forbidden_scope`, `invalid_request`, `push_not_configured`; `too_many` at the team's limit
 */
export async function registerTable(
  context: RegistrationContext,
  id: string,
  body: TableBody,
): Promise<TableRow> {
  const store = new TableStore(context.env.DB);
  const before = await store.get(context.caller.teamId, id);
  for (const family of [before?.family ?? body.family, body.family]) requireScope(context.caller, family);
  const request = await findSourceRequest(body, context);
  if (body.push) requireServiceAccount(context.env);
  const row = toRow(id, body, request, context);
  requireOperations(context, before, row);
  if (before !== undefined && hasSameContent(before, row)) {
    const updated = await store.update(row, await takesPushesOver(context, row));
    if (updated !== undefined) return updated;
  }
  if (before !== undefined)
    await journalClientRevocation(context.env, context.now, { kind: 'table', id, team: row.teamId });
  const stored = await store.put(row, await readNewQuery(context, before, row, request));
  if (stored === undefined) throw new ProblemError('too_many');
  await pushReadyRows(stored, request, context);
  return stored;
}
