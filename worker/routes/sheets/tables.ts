// /sheets/v1/tables: tables that rows arrive in by themselves, and the rows that a schedule brought for them.

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
  const { state, updatedAt, landed, problem: trouble } = push;
  const view = { state, at: toIsoTime(updatedAt), rows: landed };
  return trouble === null ? view : { ...view, problem: toReason(trouble) };
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

/** @throws ProblemError `not_found`, for another team's as well; `forbidden_scope` */
async function find({ env, caller }: RouteContext, id: string): Promise<TableRow> {
  const row = await new TableStore(env.DB).get(caller.teamId, id);
  if (row === undefined) {
    throw new ProblemError(
      'not_found',
      'There is no such table.',
      'Look it up in the list of tables: another team’s can’t be seen.',
    );
  }
  requireScope(caller, row.family);
  return row;
}

/**
 * The data request that a table's rows come from.
 * @throws ProblemError where it is none of the team's, or of another family
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
    throw invalidRequest('source.request', 'names none of the team’s requests');
  }
  if (request.family !== family)
    throw invalidRequest('source.request', `is of ${request.family}, not ${family}`);
  return request;
}

/** @throws ProblemError `push_not_configured` where the gateway can't write into spreadsheets */
function requirePushAccount({ env }: RouteContext): void {
  if (getServiceAccount(env) === undefined) throw new ProblemError('push_not_configured');
}

/** Rows that were ready before the table was registered, and are not in it, get into it as if they came after. */
async function pushReadyRows(
  row: TableRow,
  request: RequestRow | undefined,
  context: RouteContext,
): Promise<void> {
  if (!row.push || request?.phase !== 'ready' || request.rows === 0 || request.clearedAt !== null) return;
  if ((request.endedAt ?? 0) <= row.asOf) return;
  const { env, now } = context;
  const made = await new PushStore(env.DB).insertStatement(row.teamId, { tableId: row.id }, request.id, now);
  const messages = made.map(({ id }) => ({ kind: 'push', id }) as const);
  await enqueue(env, messages, PUSH_DELAY_S);
}

const list = smallRoute({
  method: 'GET',
  path: '/tables',
  summary: 'Tables that rows arrive in by themselves, the newest first',
  description: 'Those of families that the token may not use are left out.',
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
  summary: 'A table, and what came of the last push into its spreadsheet',
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
  summary: 'Register a table, or change one; spends nothing',
  description: `The id is of the caller’s making. At most ${maxTables} a team. With \`push\` the gateway writes rows that arrive into the spreadsheet, also while it is closed.`,
  problems: [
    'invalid_request',
    'unknown_field',
    'too_large',
    'forbidden_scope',
    'too_many',
    'push_not_configured',
  ],
  request: z.object({ params: tableParams, body: tableBody }),
  success: { status: 200, description: 'The table as it is kept', schema: tableView },
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
      // Clocks differ; what is new from here on is not in the table, whatever its own says.
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
  summary: 'Have no more rows arrive in a table: its schedule goes, and the rows that were brought for it',
  description: 'What stands in the sheet stays.',
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
  summary: 'Rows that a run of the schedule brought, in the table’s columns that it has; free for 30 days',
  problems: ['not_found', 'forbidden_scope', 'invalid_request', 'pending'],
  request: z.object({ params: runParams, query: runRowsQuery }),
  success: { status: 200, description: 'A page of rows', schema: dataRequestRows },
  handle: async ({ params, query: { after, limit } }, context) => {
    const table = await find(context, params.id);
    const run = await new TableStore(context.env.DB).run(table.teamId, table.id, params.run);
    if (run === undefined) {
      throw new ProblemError('not_found', 'The table has no such run.', 'Ask for changes to find its runs.');
    }
    if (run.state === 'running') throw new ProblemError('pending', 'The rows are still on their way.');
    if (run.clearedAt !== null) {
      throw new ProblemError(
        'not_found',
        'Its rows were kept for 30 days and are gone.',
        'The next run brings what is new since the table was filled.',
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
  summary: 'Report that the sheet of a table was deleted: its schedule stops and buys nothing more',
  description:
    'The schedule says why it stopped; to put it again starts it. Sending it again changes nothing.',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: tableParams }),
  success: { status: 204, description: 'Noted' },
  handle: async ({ params: { id } }, context) => {
    await stopForMissingSheet(context.env, await find(context, id), context.now);
    return undefined;
  },
});

export const tableRoutes: readonly Route[] = [list, get, put, remove, listRunRows, reportMissingSheet];
