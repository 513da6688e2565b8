// /sheets/v1/tables/{id}/report: what a refreshed table reports in its spreadsheet.
import * as z from 'zod';
import { tableReport } from '../../../shared/api/lists.ts';
import { tableParams } from '../../../shared/api/tables.ts';
import type { TableRow } from '../../db/schema.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { getFillOperation } from '../../tables/fill-operation.ts';
import { ReportStore } from '../../tables/reports/store.ts';
import { TableStore } from '../../tables/store.ts';
import { type Route, type RouteContext, smallRoute } from './route.ts';

/** @throws ProblemError `not_found`, also for tables of other teams; `forbidden_scope` */
async function find({ env, caller }: RouteContext, id: string): Promise<TableRow> {
  const row = await new TableStore(env.DB).get(caller.teamId, id);
  if (row === undefined)
    throw new ProblemError('not_found', 'This table does not exist.', 'Register the table first.');
  requireScope(caller, row.family, getFillOperation(row));
  return row;
}

const get = smallRoute({
  method: 'GET',
  path: '/tables/{id}/report',
  summary: 'Get what a table reports in its spreadsheet',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: tableParams }),
  success: { status: 200, description: 'The report', schema: tableReport },
  handle: async ({ params: { id } }, context) => {
    const { teamId } = await find(context, id);
    const report = await new ReportStore(context.env.DB).get({ teamId, tableId: id });
    const { signals = false, snapshots = 0, assistants = false } = report ?? {};
    return { signals, snapshots, assistants };
  },
});

const put = smallRoute({
  method: 'PUT',
  path: '/tables/{id}/report',
  summary:
    'Report changes in the sheet Changes, keep dated copies of a table, and open it for assistants; free',
  description:
    'Needs a table with `push`: the gateway then writes its refreshes alone, also while the spreadsheet is open. Copies beyond the number to keep are deleted, the oldest first; a sheet that the gateway did not make, or that somebody has renamed, is never deleted.',
  problems: ['not_found', 'invalid_request', 'forbidden_scope'],
  request: z.object({ params: tableParams, body: tableReport }),
  success: { status: 200, description: 'The report', schema: tableReport },
  handle: async ({ params: { id }, body }, context) => {
    const { teamId, push } = await find(context, id);
    if (!push && (body.signals || body.snapshots > 0 || body.assistants === true)) {
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

export const tableReportRoutes: readonly Route[] = [get, put];
