// /sheets/v1/tables: registered tables, and the rows that schedules fetched for them.

import * as z from 'zod';
import { dataRequestRows } from '../../../shared/api/data-requests.ts';
import { maxSavedQueryLength } from '../../../shared/api/saved-searches.ts';
import {
  maxTables,
  type PushView,
  runParams,
  runRowsQuery,
  type TableBody,
  type TableView,
  tableBody,
  tableList,
  tableParams,
  tableView,
} from '../../../shared/api/tables.ts';
import { readRows } from '../../data-requests/ingest/index.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import type { RequestRow, TableRow } from '../../db/schema.ts';
import { canUseFamily, requireScope } from '../../gateway/auth/tokens.ts';
import { buildProviderQuery } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { incomingColumns } from '../../tables/columns.ts';
import { enqueue } from '../../tables/job-queue.ts';
import { getPushAccount, getServiceAccount } from '../../tables/push/pusher.ts';
import { PUSH_DELAY_S, PushStore } from '../../tables/push/store.ts';
import { stopForMissingSheet } from '../../tables/schedules/missing-sheet.ts';
import { RunStore } from '../../tables/schedules/run-store.ts';
import { toReason } from '../../tables/schedules/view.ts';
import { type LatestPush, TableStore } from '../../tables/store.ts';
import { deleteTableRuns } from '../../tables/sweep.ts';
import { invalidRequest } from '../route.ts';
import { MAX_ROWS_BYTES, type Route, type RouteContext, smallRoute } from './route.ts';

function toPushView(push: LatestPush | undefined): PushView | null {
  if (push === undefined) return null;
  const { state, updatedAt, landed, problem: failure } = push;
  const view = { state, at: toIsoTime(updatedAt), rows: landed };
  return failure === null ? view : { ...view, problem: toReason(failure) };
}

function toView(row: TableRow, pushes: readonly LatestPush[]): TableView {
  const { id, title, family, columns, source, mode, push } = row;
  return {
    id,
    title,
    family,
    spreadsheet: { id: row.spreadsheetId, sheet_id: row.sheetId, row: row.headingRow },
    columns,
    source,
    mode,
    push,
    as_of: toIsoTime(row.asOf),
    pushed: toPushView(pushes.find(({ tableId }) => tableId === id)),
    created_at: toIsoTime(row.createdAt),
    updated_at: toIsoTime(row.updatedAt),
  };
}

/**
 * Finds a table of the team.
 * @throws ProblemError `not_found`, also for tables of other teams; `forbidden_scope`
 */
async function find({ env, caller }: RouteContext, id: string): Promise<TableRow> {
  const row = await new TableStore(env.DB).get(caller.teamId, id);
  if (row === undefined) {
    throw new ProblemError(
      'not_found',
      'This table does not exist.',
      'Check the list of tables. Tables of other teams are not visible.',
    );
  }
  requireScope(caller, row.family);
  return row;
}

/**
 * Finds the data request that is the source of a table.
 * @throws ProblemError `invalid_request` if it belongs to another team or family
 */
async function findSourceRequest(
  { source, family }: TableBody,
  context: RouteContext,
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

/** @throws ProblemError `push_not_configured` if the gateway has no service account */
function requirePushAccount({ env }: RouteContext): void {
  if (getServiceAccount(env) === undefined) throw new ProblemError('push_not_configured');
}

/** Pushes rows that were ready before the table was registered but are not in it. */
async function pushReadyRows(
  row: TableRow,
  request: RequestRow | undefined,
  context: RouteContext,
): Promise<void> {
  if (!row.push || request?.phase !== 'ready' || request.rows === 0 || request.clearedAt !== null) return;
  if ((request.endedAt ?? 0) <= row.asOf) return;
  const { env, now } = context;
  const pushes = await new PushStore(env.DB).insertStatement(
    row.teamId,
    { tableId: row.id },
    request.id,
    now,
  );
  const messages = pushes.map(({ id }) => ({ kind: 'push', id }) as const);
  await enqueue(env, messages, PUSH_DELAY_S);
}

const list = smallRoute({
  method: 'GET',
  path: '/tables',
  summary: 'List registered tables, newest first',
  description: 'Families outside the token’s scopes are left out.',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'The team’s tables', schema: tableList },
  handle: async (_, { env, caller }) => {
    const store = new TableStore(env.DB);
    const { teamId } = caller;
    const [rows, pushes] = await Promise.all([store.list(teamId), store.listLatestPushes(teamId)]);
    return {
      tables: rows.filter(({ family }) => canUseFamily(caller, family)).map((row) => toView(row, pushes)),
      push_account: getPushAccount(env),
    };
  },
});

const get = smallRoute({
  method: 'GET',
  path: '/tables/{id}',
  summary: 'Get a registered table and the result of its last push',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: tableParams }),
  success: { status: 200, description: 'The table', schema: tableView },
  handle: async ({ params: { id } }, context) => {
    const row = await find(context, id);
    return toView(row, await new TableStore(context.env.DB).listLatestPushes(row.teamId, id));
  },
});

const put = smallRoute({
  method: 'PUT',
  path: '/tables/{id}',
  summary: 'Register or change a table; free',
  description: `The caller chooses the id. At most ${maxTables} for each team. With \`push\`, the gateway writes new rows to the spreadsheet even while it is closed.`,
  problems: [
    'invalid_request',
    'unknown_field',
    'too_large',
    'forbidden_scope',
    'too_many',
    'push_not_configured',
  ],
  request: z.object({ params: tableParams, body: tableBody }),
  success: { status: 200, description: 'The stored table', schema: tableView },
  handle: async ({ params: { id }, body }, context) => {
    const { env, caller, now } = context;
    const { title, family, spreadsheet, columns, source, mode, push } = body;
    const { teamId, tokenId } = caller;
    const store = new TableStore(env.DB);
    const before = await store.get(teamId, id);
    requireScope(caller, before?.family ?? family);
    requireScope(caller, family);
    const request = await findSourceRequest(body, context);
    if (push) requirePushAccount(context);
    const row = await store.put({
      id,
      teamId,
      tokenId,
      title,
      family,
      spreadsheetId: spreadsheet.id,
      sheetId: spreadsheet.sheet_id,
      headingRow: spreadsheet.row,
      columns,
      source,
      requestId: request?.id ?? null,
      mode,
      push,
      // The caller's clock may be ahead. Changes after the current time can't be in the table yet.
      asOf: Math.min(Date.parse(body.as_of), now),
      createdAt: now,
      updatedAt: now,
    });
    if (row === undefined) throw new ProblemError('too_many');
    await pushReadyRows(row, request, context);
    return toView(row, await store.listLatestPushes(teamId, id));
  },
});

const remove = smallRoute({
  method: 'DELETE',
  path: '/tables/{id}',
  summary: 'Unregister a table: deletes its schedule and its stored rows',
  description: 'The sheet stays unchanged.',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: tableParams }),
  success: { status: 204, description: 'Deleted' },
  handle: async ({ params: { id } }, context) => {
    const { teamId } = await find(context, id);
    await new TableStore(context.env.DB).remove(teamId, id);
    await deleteTableRuns(context.env, teamId, id);
    return undefined;
  },
});

const listRunRows = smallRoute({
  method: 'GET',
  path: '/tables/{id}/runs/{run}/rows',
  summary: 'Read the rows of a schedule’s run, in the table’s columns; free for 30 days',
  problems: ['not_found', 'forbidden_scope', 'invalid_request', 'pending'],
  request: z.object({ params: runParams, query: runRowsQuery }),
  success: { status: 200, description: 'A page of rows', schema: dataRequestRows },
  handle: async ({ params, query: { after, limit } }, context) => {
    const table = await find(context, params.id);
    const run = await new TableStore(context.env.DB).run(table.teamId, table.id, params.run);
    if (run === undefined) {
      throw new ProblemError(
        'not_found',
        'This run does not exist.',
        'List the changes to find the runs of the table.',
      );
    }
    if (run.state === 'running') throw new ProblemError('pending', 'The rows are not ready yet.');
    if (run.clearedAt !== null) {
      throw new ProblemError(
        'not_found',
        'The rows were deleted after 30 days.',
        'The next run fetches all changes since the table was last filled.',
      );
    }
    await new PushStore(context.env.DB).postponeForReader(table.teamId, run.id, context.now, table.id);
    const page = await readRows(getRowStore(context.env), {
      requestId: run.requestId ?? run.id,
      family: table.family,
      limit,
      maxBytes: MAX_ROWS_BYTES,
      columns: incomingColumns(table).map(({ path }) => path),
      ...(after === undefined ? {} : { after }),
    });
    if (page.after === null) await new RunStore(context.env.DB).markDelivered(run.id, context.now);
    return page;
  },
});

const reportMissingSheet = smallRoute({
  method: 'POST',
  path: '/tables/{id}/missing',
  summary: 'Report that the sheet of a table was deleted; stops its schedule',
  description: 'The schedule shows the reason. PUT on the schedule starts it again. Idempotent.',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: tableParams }),
  success: { status: 204, description: 'Recorded' },
  handle: async ({ params: { id } }, context) => {
    await stopForMissingSheet(context.env, await find(context, id), context.now);
    return undefined;
  },
});

export const tableRoutes: readonly Route[] = [list, get, put, remove, listRunRows, reportMissingSheet];
