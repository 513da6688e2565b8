// /sheets/v1/tables: registered tables, the rows that schedules fetched for them, and what they report.
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { maxTables, type PushView, type TableView } from '../../../shared/api/tables.ts';
import { RowIndex, readRows } from '../../data-requests/ingest/index.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import type { TableRow } from '../../db/schema.ts';
import { journalClientRevocation } from '../../gateway/auth/revocation-journal.ts';
import { canUse, requireScope } from '../../gateway/auth/tokens.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { pushTokenInvalid } from '../../tables/budgets.ts';
import { getPushAccount } from '../../tables/push/pusher.ts';
import { PushStore } from '../../tables/push/store.ts';
import { registerTable } from '../../tables/registration.ts';
import { ReportStore } from '../../tables/reports/store.ts';
import { deleteTableRuns } from '../../tables/retention.ts';
import { stopSchedule } from '../../tables/schedules/run-schedule.ts';
import { RunStore } from '../../tables/schedules/run-store.ts';
import { toReason } from '../../tables/schedules/view.ts';
import {
  getFillOperation,
  incomingColumns,
  type LatestPush,
  TableStore,
  toRowsSource,
} from '../../tables/store.ts';
import { MAX_ROWS_BYTES, type Route, type RouteContext, smallRoute } from './route.ts';

function toPushView(push: LatestPush | undefined): PushView | null {
  if (push === undefined) return null;
  const { state, updatedAt, rowsWritten, problem: failure } = push;
  const view = { state, at: toIsoTime(updatedAt), rows: rowsWritten };
  return failure === null ? view : { ...view, problem: toReason(failure) };
}

interface PushStates {
  latest: readonly LatestPush[];
  /** Ids of tables whose pushes have stopped. */
  stopped: readonly string[];
}

/** Reads the states of the pushes of a team's tables, or of one table. */
async function readPushStates(
  { env, caller: { teamId }, now }: RouteContext,
  table?: string,
): Promise<PushStates> {
  const store = new TableStore(env.DB);
  const [latest, stopped] = await Promise.all([
    store.listLatestPushes(teamId, table),
    store.listStoppedPushes(teamId, now, table),
  ]);
  return { latest, stopped };
}

function toView(row: TableRow, { latest, stopped }: PushStates): TableView {
  const { id, title, family, columns, source, mode, push } = row;
  return {
    id,
    title,
    family,
    spreadsheet: { id: row.spreadsheetId, sheet_id: row.sheetId },
    ...(row.awaitsHeadings ? { write_headings: true } : {}),
    columns,
    source,
    mode,
    push,
    as_of: toIsoTime(row.asOf),
    last_push: toPushView(latest.find(({ tableId }) => tableId === id)),
    ...(stopped.includes(id) ? { push_problem: toReason(pushTokenInvalid) } : {}),
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
 * Finds a table whose schedule, pushes or report the caller changes.
 * @throws ProblemError `not_found`, `forbidden_scope`
 */
async function findForChange(context: RouteContext, id: string): Promise<TableRow> {
  const row = await find(context, id);
  requireScope(context.caller, row.family, getFillOperation(row));
  return row;
}

const list = smallRoute(endpoints.listTables, {
  summary: 'List registered tables, newest first',
  description: 'Families outside the token’s scopes are left out.',
  returns: 'The team’s tables',
  handle: async (_, context) => {
    const { env, caller } = context;
    const [rows, pushes] = await Promise.all([
      new TableStore(env.DB).list(caller.teamId),
      readPushStates(context),
    ]);
    return {
      tables: rows.filter(({ family }) => canUse(caller, family)).map((row) => toView(row, pushes)),
      push_account: getPushAccount(env),
    };
  },
});

const get = smallRoute(endpoints.getTable, {
  summary: 'Get a registered table and the result of its last push',
  returns: 'The table',
  handle: async ({ params: { id } }, context) =>
    toView(await find(context, id), await readPushStates(context, id)),
});

const put = smallRoute(endpoints.putTable, {
  summary: 'Register or change a table; free',
  description: `The caller chooses the id. At most ${maxTables} for each team. With \`push\`, the gateway writes new rows to the spreadsheet even while it is closed. Every change except the title requires the operation that fills the table: \`preview\` for a search, \`bulk\` for a bulk order. Whoever changes the family, source, columns, mode, push or spreadsheet takes the table over: its schedule then spends on this token, and pushes end with it. A table whose pushes have stopped is taken over by the same registration with another token.`,
  returns: 'The stored table',
  handle: async ({ params: { id }, body }, context) =>
    toView(await registerTable(context, id, body), await readPushStates(context, id)),
});

const remove = smallRoute(endpoints.deleteTable, {
  summary: 'Unregister a table: deletes its schedule and its stored rows',
  description: 'The sheet stays unchanged.',
  returns: 'Deleted',
  handle: async ({ params: { id } }, context) => {
    const { env, now } = context;
    const { teamId } = await findForChange(context, id);
    await journalClientRevocation(env, now, { kind: 'table', id, team: teamId });
    await new TableStore(env.DB).remove(teamId, id);
    await deleteTableRuns(env, teamId, id);
    return undefined;
  },
});

const listRunRows = smallRoute(endpoints.listRunRows, {
  summary: 'Read the rows of a schedule’s run, in the table’s columns; free for 30 days',
  returns: 'A page of rows',
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
    const { requestId, operation } = toRowsSource(run);
    // The table may have had another family when the rows were bought.
    requireScope(
      context.caller,
      (await new RowIndex(context.env.DB).getFamily(requestId)) ?? table.family,
      operation,
    );
    await new PushStore(context.env.DB).postponeForReader(table.teamId, run.id, context.now, table.id);
    const page = await readRows(getRowStore(context.env), {
      requestId,
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

const reportMissingSheet = smallRoute(endpoints.reportMissingTable, {
  summary: 'Report that the sheet of a table was deleted; stops its schedule',
  description: 'The schedule shows the reason. PUT on the schedule starts it again. Idempotent.',
  returns: 'Recorded',
  handle: async ({ params: { id } }, context) => {
    await stopSchedule(context.env, await findForChange(context, id), 'missing', context.now);
    return undefined;
  },
});

const getReport = smallRoute(endpoints.getTableReport, {
  summary: 'Get what a table reports in its spreadsheet',
  returns: 'The report',
  handle: async ({ params: { id } }, context) => {
    const { teamId } = await findForChange(context, id);
    const report = await new ReportStore(context.env.DB).get({ teamId, tableId: id });
    const { changes = false, snapshots = 0, assistants = false } = report ?? {};
    return { changes, snapshots, assistants };
  },
});

const putReport = smallRoute(endpoints.putTableReport, {
  summary:
    'Report changes in the sheet Changes, keep dated copies of a table, and open it for assistants; free',
  description:
    'Needs a table with `push`: the gateway then writes its refreshes alone, also while the spreadsheet is open. Copies beyond the number to keep are deleted, the oldest first; a sheet that the gateway did not make, or that somebody has renamed, is never deleted.',
  returns: 'The report',
  handle: async ({ params: { id }, body }, context) => {
    const { teamId, push } = await findForChange(context, id);
    if (!push && (body.changes || body.snapshots > 0 || body.assistants === true)) {
      throw new ProblemError(
        'invalid_request',
        'The gateway does not write into the spreadsheet of this table.',
        'Turn on updates of the closed sheet first, and share the spreadsheet with the service account.',
      );
    }
    await new ReportStore(context.env.DB).put({ teamId, tableId: id }, body);
    return body;
  },
});

export const tableRoutes: readonly Route[] = [
  list,
  get,
  put,
  remove,
  listRunRows,
  reportMissingSheet,
  getReport,
  putReport,
];
