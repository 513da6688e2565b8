// Runs a schedule of a search: counts matches for free, checks the price, then buys preview pages. Each page is bought
// once, however often the run resumes.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Query } from '../../../shared/api/query.ts';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { findEarlierRecords, ingestFile } from '../../data-requests/ingest/index.ts';
import { fitsWithoutReservations } from '../../data-requests/order/reserved-credits.ts';
import { countMatches } from '../../data-requests/order/resolve-query.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import type { StoredProblem, TableRow, TableRunRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import {
  buildProviderQuery,
  findQueryFix,
  type ProviderQuery,
  parseProviderMessage,
} from '../../gateway/query.ts';
import { fetchPage, type PageResult } from '../../gateway/search-pages.ts';
import { readMonthSpending } from '../budgets.ts';
import {
  budgetTooSmall,
  creditsReserved,
  limitReached,
  monthUsedUp,
  quoteProvider,
  runTooExpensive,
  tooManyRows,
} from './failures.ts';
import { buildRunQuery } from './run-query.ts';
import type { RunStore } from './run-store.ts';
import { STALL_TIMEOUT_MS } from './store.ts';

/** Result of one job of a run. `later`: resume after `waitMs`. `lost`: another worker holds the lease. */
export type RunOutcome =
  | { kind: 'done' }
  | { kind: 'failed'; failure: StoredProblem }
  | { kind: 'later'; waitMs: number; failure?: StoredProblem }
  | { kind: 'lost' };

export interface RunContext {
  env: Env;
  runs: RunStore;
  context: GatewayContext;
  /** Extends the lease of the schedule. @returns false when it is lost */
  extendLease: () => Promise<boolean>;
}

export interface RunTask {
  run: TableRunRow;
  table: TableRow;
  /** Most credits that the run may cost. */
  maxCredits: number;
}

type FailedPage = Extract<PageResult, { outcome: 'failed' }>;

const PAGE_WAIT_MS = 25_000;
/** Delay before asking again for a page that is still being fetched. */
const RETRY_MS = 60_000;
/** A page takes about ten D1 calls; an invocation handles up to five jobs and may make 1,000 calls. */
const MAX_PAGES_PER_JOB = 15;
/** A page of previews is small, so the ingest buffers can be. */
const INGEST_LIMITS = { bytes: 256 * 1024, rows: previewPageSize, lineBytes: 4 * 1024 * 1024 };

/** Reservations of lookups end within a minute; those of data requests take hours. */
const CREDIT_RECHECK_MS = 300_000;

const failed = (failure: StoredProblem): RunOutcome => ({ kind: 'failed', failure });

/** Postpones a run while other work has reserved the credits: they may become free again. */
export const postponeForCredits = (credits: number): RunOutcome => ({
  kind: 'later',
  waitMs: CREDIT_RECHECK_MS,
  failure: creditsReserved(credits),
});

/** Decides whether a failed call postpones the run or fails it. */
export function classifyFailure(
  { problem, answer, retryAfterMs }: FailedPage,
  { startedAt, page }: TableRunRow,
  now: number,
): RunOutcome {
  const isLate = problem === 'rate_limited' || problem === 'pending';
  const isGatewayProblem = isLate || problem === 'gateway_unavailable';
  const isTransient = isGatewayProblem || (problem === 'provider_unavailable' && page > 0);
  if (isTransient && now < startedAt + STALL_TIMEOUT_MS)
    return { kind: 'later', waitMs: retryAfterMs ?? RETRY_MS };
  const message = parseProviderMessage(answer);
  const fix = findQueryFix(message);
  return failed({
    problem: isLate ? 'provider_unavailable' : problem,
    ...(message === undefined ? {} : { detail: quoteProvider(message) }),
    ...(fix === undefined ? {} : { fix }),
  });
}

/** Serialises an item for comparison, without its score: a new score is no change. */
function toComparable(item: DataRecord): string {
  const { _score, ...content } = item;
  return JSON.stringify(content);
}

/** Stores the items of a page that are new or differ from those of earlier runs. @returns count of stored rows */
async function ingestItems(
  { env, runs }: RunContext,
  { run, table }: RunTask,
  items: readonly unknown[],
): Promise<number> {
  const records = items.filter(isObject);
  const store = getRowStore(env);
  const earlier = await findEarlierRecords(
    store,
    await runs.listOverlappingRuns(run),
    records.map(({ id }) => String(id)),
  );
  const changed = records.filter((item) => {
    const previous = earlier.get(String(item.id));
    return previous === undefined || toComparable(previous) !== toComparable(item);
  });
  const { body } = new Response(changed.map((item) => `${JSON.stringify(item)}\n`).join(''));
  if (changed.length === 0 || body === null) return 0;
  const file = { requestId: run.id, family: table.family, fileIndex: run.page, body };
  return (await ingestFile(store, file, INGEST_LIMITS)).rows;
}

/** Fetches the page after the last stored one. */
async function fetchNextPage(
  { context }: RunContext,
  { run }: RunTask,
  query: ProviderQuery,
): Promise<{ result: PageResult; snapshot: string | null }> {
  const fetchWith = (snapshot: string | null): Promise<PageResult> => {
    const parameters = new URLSearchParams(query.parameters);
    if (run.page === 0) parameters.set('snapshot', 'true');
    else parameters.set('page', String(run.page + 1));
    if (snapshot !== null) parameters.set('snapshot_token', snapshot);
    // Cached pages from before this run are too old for it.
    const request = { ...query, parameters, since: run.startedAt };
    return fetchPage({ ...request, mustRevalidate: true, waitMs: PAGE_WAIT_MS }, context);
  };
  const result = await fetchWith(run.snapshot);
  // Snapshots expire. Without one a record may appear on two pages; ingest stores it once.
  if (result.outcome === 'failed' && result.answer?.status === 422 && run.snapshot !== null) {
    return { result: await fetchWith(null), snapshot: null };
  }
  const snapshot = result.outcome === 'failed' ? undefined : result.page.headers['x-snapshot-token'];
  return { result, snapshot: snapshot ?? run.snapshot };
}

/** Counts the matches and checks limit and budget before anything is bought. @returns the number of pages */
async function countPages(
  { env, context, runs }: RunContext,
  { run, table: { family }, maxCredits }: RunTask,
  { operation, body }: ProviderQuery,
): Promise<number | RunOutcome> {
  const total = await countMatches(family, operation.style, body, context);
  if (typeof total !== 'number') return classifyFailure(total, run, context.now());
  const pages = Math.ceil(total / previewPageSize);
  if (pages > previewMaxPage) return failed(tooManyRows(total, previewMaxPage * previewPageSize, run.since));
  const credits = pages * operation.credits;
  if (credits > maxCredits) return failed(runTooExpensive(total, credits, maxCredits, run.since));
  const { team, budget } = context.payer;
  const [monthSpent = 0] = budget === undefined ? [] : await readMonthSpending(env, team, [budget]);
  if (budget !== undefined && credits > 0 && monthSpent + credits > budget.month)
    return failed(monthUsedUp(monthSpent, budget.month));
  const { spending, remaining, reserved } = await getLedger(env, team).getBudget();
  if (credits > 0 && !spending) return failed({ problem: 'spending_off' });
  if (remaining !== null && credits > remaining) {
    return credits > remaining + reserved
      ? failed(budgetTooSmall(credits, remaining))
      : postponeForCredits(credits);
  }
  await runs.update(run.id, { pages });
  return pages;
}

/**
 * Advances a run as far as possible.
 * @param query - query of the table's source
 * @throws ProblemError when the family does not support the query
 */
export async function advanceSearchRun(
  dependencies: RunContext,
  { run: resumed, table, maxCredits }: RunTask,
  query: Query,
): Promise<RunOutcome> {
  const { env, runs, context, extendLease } = dependencies;
  const runQuery = await buildRunQuery(dependencies, { run: resumed, table }, query);
  if (runQuery === undefined) return { kind: 'done' };
  // Fields were validated when the table or the data request was created.
  const providerQuery = buildProviderQuery('preview', table.family, { ...runQuery, any_fields: true });
  const pages =
    resumed.pages ?? (await countPages(dependencies, { run: resumed, table, maxCredits }, providerQuery));
  if (typeof pages !== 'number') return pages;
  // A cached page at the resume point was bought by this run before it was recorded.
  const resumePage = resumed.pages === null ? undefined : resumed.page;
  const price = providerQuery.operation.credits;
  for (let run = resumed, isFull = true; isFull && run.page < pages; ) {
    if (run.page >= resumed.page + MAX_PAGES_PER_JOB) return { kind: 'later', waitMs: 0 };
    if (run.credits + price > maxCredits) return failed(limitReached);
    if (!(await extendLease())) return { kind: 'lost' };
    const task = { run, table, maxCredits };
    const { result, snapshot } = await fetchNextPage(dependencies, task, providerQuery);
    if (result.outcome === 'failed') {
      await runs.addCredits(run.id, result.credits);
      if (result.problem === 'over_budget' && (await fitsWithoutReservations(env, context.payer, price)))
        return postponeForCredits(price);
      return classifyFailure(result, run, context.now());
    }
    const paidBefore = run.page === resumePage && result.outcome !== 'fetched' ? price : 0;
    const credits = Math.max(result.credits, paidBefore);
    const items = result.page.items.value;
    const rows = await ingestItems(dependencies, task, items);
    await runs.recordPage(run, { snapshot, rows, credits });
    run = { ...run, page: run.page + 1, snapshot, rows: run.rows + rows, credits: run.credits + credits };
    isFull = items.length === previewPageSize;
  }
  return { kind: 'done' };
}
