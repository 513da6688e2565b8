// Runs a schedule by a data request: counts matches for free, checks the price, then orders once with the run id as
// idempotency key and polls.
import type { Query } from '../../../shared/api/query.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { QueryStyle } from '../../../shared/operations.ts';
import { findBulkOperation, priceQuery } from '../../data-requests/order/order.ts';
import { countMatches } from '../../data-requests/order/resolve-query.ts';
import type { DataRequestService } from '../../data-requests/service.ts';
import { endedPhases } from '../../data-requests/state-machine.ts';
import type { RequestRow, TableRunRow } from '../../db/schema.ts';
import { enqueue } from '../../queue/jobs.ts';
import { invalidSchedule, runTooExpensive, tooManyRecords } from './failures.ts';
import { buildRunQuery } from './run-query.ts';
import type { RunStore } from './run-store.ts';
import { classifyFailure, type RunContext, type RunOutcome, type RunTask } from './search-run.ts';

/** Interval between checks of a data request. */
const POLL_INTERVAL_MS = 60_000;

export interface RequestRunContext extends RunContext {
  service: DataRequestService;
}

function toRequestQuery(query: Query): { style: QueryStyle; body: string } {
  return 'filters' in query
    ? { style: 'filter', body: JSON.stringify(query.filters) }
    : { style: 'es_dsl', body: JSON.stringify('es_dsl' in query ? query.es_dsl : query) };
}

/** Creates the data request of a run, or returns the existing one; an outcome when nothing was ordered. */
async function createRequest(
  { env, runs, context, service, extendLease }: RequestRunContext,
  { run, table, maxCredits }: RunTask,
  query: Query,
  origin: string,
): Promise<RequestRow | RunOutcome> {
  const { family } = table;
  const { payer } = context;
  const existing = await service.repository.findByIdempotencyKey(payer.team, run.id);
  if (existing !== undefined && existing.phase !== 'reserving') return existing;
  const runQuery = await buildRunQuery({ env, runs }, { run, table }, query);
  if (runQuery === undefined) return { kind: 'done' };
  const { style, body } = toRequestQuery(runQuery);
  const operation = findBulkOperation(family, style);
  if (operation === undefined) return { kind: 'failed', failure: invalidSchedule.source };
  const total = await countMatches(family, style, body, context);
  if (typeof total !== 'number') return classifyFailure(total, run, context.now());
  if (total === 0) return { kind: 'done' };
  if (total > maxRequestRecords) return { kind: 'failed', failure: tooManyRecords(total, run.since) };
  const credits = total * operation.credits;
  if (credits > maxCredits)
    return { kind: 'failed', failure: runTooExpensive(total, credits, maxCredits, run.since) };
  // The schedule may have been deleted while the matches were counted: then nothing is bought.
  if (!(await extendLease())) return { kind: 'lost' };
  const selection = { query: body };
  return service.create(
    { operation, selection, webhookUrl: null, columns: null },
    async () => priceQuery(selection, total),
    { payer, origin, idempotencyKey: run.id },
  );
}

async function recordRequestResult(runs: RunStore, run: TableRunRow, row: RequestRow): Promise<RunOutcome> {
  const { phase, failure, rows, charged, reserved } = row;
  await runs.update(run.id, {
    rows: phase === 'ready' ? rows : 0,
    credits: charged ?? reserved,
  });
  if (phase === 'ready' || failure?.problem === 'not_found') return { kind: 'done' };
  if (phase === 'cancelled') {
    return {
      kind: 'failed',
      failure: { problem: 'internal', detail: 'Its data request was stopped.', fix: 'Refresh by hand.' },
    };
  }
  const { problem = 'provider_unclear', detail } = failure ?? {};
  return { kind: 'failed', failure: { problem, ...(detail === undefined ? {} : { detail }) } };
}

/**
 * Orders the data request of a run.
 * @param query - query of the data request behind the table
 * @param origin - public origin of the gateway, for the provider's webhooks
 * @throws ProblemError when the credits cannot be reserved
 */
export async function startRequestRun(
  context: RequestRunContext,
  task: RunTask,
  query: Query,
  origin: string,
): Promise<RunOutcome> {
  const request = await createRequest(context, task, query, origin);
  if (!('phase' in request)) return request;
  await context.runs.update(task.run.id, { requestId: request.id });
  await enqueue(context.env, [{ kind: 'data_request', id: request.id }]);
  return { kind: 'later', waitMs: POLL_INTERVAL_MS };
}

/** Checks the data request of a run. Needs no valid token: the request is already paid for. */
export async function checkRequestRun(
  { repository }: DataRequestService,
  runs: RunStore,
  run: TableRunRow,
  request: string,
): Promise<RunOutcome> {
  const row = await repository.get(request);
  if (row === undefined) return { kind: 'failed', failure: { problem: 'internal' } };
  return endedPhases.includes(row.phase)
    ? recordRequestResult(runs, run, row)
    : { kind: 'later', waitMs: POLL_INTERVAL_MS };
}
