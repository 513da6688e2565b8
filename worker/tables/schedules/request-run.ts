// A run by a data request: counted for free, refused where it is too dear, then made once under the run's id and waited for.
import type { Query } from '../../../shared/api/query.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { QueryStyle } from '../../../shared/operations.ts';
import { countMatches } from '../../data-requests/order/count-matches.ts';
import { findBulkOperation, priceQuery } from '../../data-requests/order/order.ts';
import type { DataRequestService } from '../../data-requests/service.ts';
import { endedPhases } from '../../data-requests/state-machine.ts';
import { startWorkflow } from '../../data-requests/workflow-instances.ts';
import type { RequestRow, TableRunRow } from '../../db/schema.ts';
import type { Payer } from '../../gateway/provider-call.ts';
import { cannot, runTooExpensive, tooManyRecords } from './failures.ts';
import { buildRunQuery } from './run-query.ts';
import type { RunStore } from './run-store.ts';
import { classifyFailure, type RunContext, type RunOutcome, type RunTask } from './search-run.ts';

/** How often a request that is under way is looked at. */
const POLL_INTERVAL_MS = 60_000;

/** What a run by a data request works with. */
export interface RequestRunContext extends RunContext {
  desk: DataRequestService;
  payer: Payer;
}

/** The query as a data request takes it. */
function toRequestQuery(own: Query): { style: QueryStyle; body: string } {
  return 'filters' in own
    ? { style: 'filter', body: JSON.stringify(own.filters) }
    : { style: 'es_dsl', body: JSON.stringify('es_dsl' in own ? own.es_dsl : own) };
}

/** @returns the request, or why there is none */
async function createRequest(
  { env, runs, context, desk, payer, extendLease }: RequestRunContext,
  { run, table, maxCredits }: RunTask,
  query: Query,
  origin: string,
): Promise<RequestRow | RunOutcome> {
  const { family } = table;
  const known = await desk.repository.findByIdempotencyKey(payer.team, run.id);
  if (known !== undefined && known.phase !== 'reserving') return known;
  const asked = await buildRunQuery({ env, runs }, { run, table }, query);
  if (asked === undefined) return { kind: 'done' };
  const { style, body } = toRequestQuery(asked);
  const operation = findBulkOperation(family, style);
  if (operation === undefined) return { kind: 'failed', trouble: cannot.source };
  const total = await countMatches(family, style, body, context);
  if (typeof total !== 'number') return classifyFailure(total, run, context.now());
  if (total === 0) return { kind: 'done' };
  if (total > maxRequestRecords) return { kind: 'failed', trouble: tooManyRecords(total, run.since) };
  const credits = total * operation.credits;
  if (credits > maxCredits)
    return { kind: 'failed', trouble: runTooExpensive(total, credits, maxCredits, run.since) };
  // Counting took its time: whoever ended the schedule meanwhile pays nothing for it.
  if (!(await extendLease())) return { kind: 'lost' };
  const selection = { query: body };
  return desk.create(
    { operation, selection, relayUrl: null, columns: null },
    async () => priceQuery(selection, total),
    { payer, origin, idempotencyKey: run.id },
  );
}

/** What a request that has ended comes to for its run. */
async function recordRequestResult(runs: RunStore, run: TableRunRow, row: RequestRow): Promise<RunOutcome> {
  const { phase, failure, rows, charged, reserved } = row;
  await runs.recordRequestResult(run.id, {
    rows: phase === 'ready' ? rows : 0,
    credits: charged ?? reserved,
  });
  if (phase === 'ready' || failure?.problem === 'not_found') return { kind: 'done' };
  if (phase === 'cancelled') {
    return {
      kind: 'failed',
      trouble: { problem: 'internal', detail: 'Its data request was stopped.', fix: 'Refresh by hand.' },
    };
  }
  const { problem = 'provider_unclear', detail } = failure ?? {};
  return { kind: 'failed', trouble: { problem, ...(detail === undefined ? {} : { detail }) } };
}

/**
 * Makes the data request of a run.
 * @param query - what the request behind the table asked for
 * @param origin - where the provider reaches the gateway
 * @throws ProblemError where the credits may not be held
 */
export async function startRequestRun(
  at: RequestRunContext,
  own: RunTask,
  query: Query,
  origin: string,
): Promise<RunOutcome> {
  const made = await createRequest(at, own, query, origin);
  if (!('phase' in made)) return made;
  await at.runs.update(own.run.id, { requestId: made.id });
  await startWorkflow(at.env, made);
  return { kind: 'later', waitMs: POLL_INTERVAL_MS };
}

/** Looks at the data request that was made for a run: it is paid for, whatever became of who ordered it. */
export async function checkRequestRun(
  { repository }: DataRequestService,
  runs: RunStore,
  run: TableRunRow,
  request: string,
): Promise<RunOutcome> {
  const row = await repository.get(request);
  if (row === undefined) return { kind: 'failed', trouble: { problem: 'internal' } };
  return endedPhases.includes(row.phase)
    ? recordRequestResult(runs, run, row)
    : { kind: 'later', waitMs: POLL_INTERVAL_MS };
}
