// Searches and previews of the add-on: pages of ids, and tables of preview rows.
import type { Column } from '../../shared/api/common.ts';
import type { RelaxedCount } from '../../shared/api/query.ts';
import type {
  PreviewEstimateRequest,
  PreviewEstimateResponse,
  PreviewRequest,
  PreviewResponse,
  SearchRequest,
  SearchResponse,
} from '../../shared/api/search.ts';
import { getPreviewColumns } from '../../shared/families/columns.ts';
import type { Family } from '../../shared/families/index.ts';
import { previewMaxPage, previewPageSize } from '../../shared/families/previews.ts';
import { maxWaitMs } from '../../shared/limits.ts';
import { getValueAt, parseFieldPath } from '../../shared/query/field-paths.ts';
import { describeUnknownPreviewFields } from '../../shared/query/known-fields.ts';
import { relaxQuery } from '../../shared/query/query-conditions.ts';
import { computeSince } from './cache/freshness.ts';
import type { GatewayContext } from './context.ts';
import { requireConfirmation } from './estimate.ts';
import { buildProviderQuery, createPageError, type ProviderQuery, rejectUnknownFields } from './query.ts';
import {
  fetchPage,
  findCachedPages,
  type PageOptions,
  type PageRequest,
  type PageResult,
} from './search-pages.ts';

/** The result of a preview. The route adds the stamp. */
export type PreviewResult = Omit<PreviewResponse, 'stamp'>;

type FetchedPage = Exclude<PageResult, { outcome: 'failed' }>;

/**
 * Fetches a page.
 * @throws ProblemError with the provider's message, if there is one
 */
async function fetchPageOrThrow(pageRequest: PageRequest, context: GatewayContext): Promise<FetchedPage> {
  const answer = await fetchPage(pageRequest, context);
  if (answer.outcome !== 'failed') return answer;
  throw createPageError(answer.problem, answer.answer);
}

function readCount({ page }: FetchedPage, header: string): number {
  return Number(page.headers[header] ?? 0);
}

/** Counts the matches without each condition. Counts that fail or exceed the deadline are left out. */
async function countRelaxedQueries(
  request: SearchRequest,
  waitMs: number,
  context: GatewayContext,
): Promise<RelaxedCount[]> {
  const counts = relaxQuery(request).map(async ({ condition, query }) => {
    const providerQuery = buildProviderQuery('search', request.family, query);
    providerQuery.parameters.set('items_per_page', '1');
    const answer = await fetchPage({ ...providerQuery, since: 0, waitMs }, context);
    return answer.outcome === 'failed' ? [] : [{ condition, total: readCount(answer, 'x-total-results') }];
  });
  return (await Promise.all(counts)).flat();
}

/**
 * Fetches a page of ids. Free.
 * @param since - minimum time of a cached page, in milliseconds since 1970
 * @throws ProblemError
 */
export async function search(
  request: SearchRequest,
  context: GatewayContext,
  since = 0,
): Promise<SearchResponse> {
  const { family, sort, items_per_page, after, wait_ms: waitMs = maxWaitMs } = request;
  const query = buildProviderQuery('search', family, request, sort);
  if (items_per_page !== undefined) query.parameters.set('items_per_page', String(items_per_page));
  if (after !== undefined) query.parameters.set('after', after);
  const started = context.now();
  const answer = await fetchPageOrThrow({ ...query, since, waitMs }, context);
  const total = readCount(answer, 'x-total-results');
  const remainingMs = Math.max(0, waitMs - (context.now() - started));
  return {
    ...(request.explain_empty && total === 0
      ? { without: await countRelaxedQueries(request, remainingMs, context) }
      : {}),
    ids: answer.page.items.value.map(String),
    total,
    pages: readCount(answer, 'x-total-pages'),
    after: answer.page.headers['x-next-page-after'] ?? null,
  };
}

/**
 * Returns the columns of a preview.
 * @param fields - names; `*` or undefined for all
 * @throws ProblemError `unknown_field`
 */
export function selectColumns(
  family: Family,
  fields: readonly string[] | undefined,
  anyFields: boolean | undefined,
): Column[] {
  const all = getPreviewColumns(family);
  if (fields === undefined || fields.includes('*')) return all;
  if (anyFields !== true) rejectUnknownFields(describeUnknownPreviewFields(family, fields));
  return fields.map((name) => all.find((column) => column.name === name) ?? { name, type: 'text' });
}

export function toRow(item: unknown, columns: readonly Column[]): unknown[] {
  return columns.map(({ name }) => getValueAt(item, parseFieldPath(name) ?? []) ?? null);
}

/** Builds the query for a page of a ranking. The first page starts a new ranking. */
function buildPageQuery(query: ProviderQuery, page: number, snapshot: string | null): ProviderQuery {
  const parameters = new URLSearchParams(query.parameters);
  if (page > 1) parameters.set('page', String(page));
  if (snapshot !== null && page > 1) parameters.set('snapshot_token', snapshot);
  else if (page === 1) parameters.set('snapshot', 'true');
  return { ...query, parameters };
}

/**
 * Estimates the current price of the first pages of a preview. Free. Cached pages cost nothing.
 * @throws ProblemError
 */
export async function estimatePreview(
  request: PreviewEstimateRequest,
  context: GatewayContext,
): Promise<PreviewEstimateResponse> {
  const since = computeSince(request.max_age_s, context.now());
  const query = buildProviderQuery('preview', request.family, request);
  const { total, without } = await search({ ...request, items_per_page: 1 }, context);
  const pages = Math.min(request.pages, previewMaxPage, Math.ceil(total / previewPageSize));
  const find = (numbers: readonly number[], snapshot: string | null) =>
    findCachedPages(
      numbers.map((page) => ({ ...buildPageQuery(query, page, snapshot), since })),
      context,
    );
  const [first] = await find(pages > 0 ? [1] : [], null);
  // Without a cached first page there is no ranking that later pages could belong to.
  const token = first?.['x-snapshot-token'];
  const later = first === undefined ? [] : Array.from({ length: Math.max(0, pages - 1) }, (_, at) => at + 2);
  const withToken = token === undefined ? [] : await find(later, token);
  const missing = later.filter((_, at) => withToken[at] === undefined);
  // These may have been fetched after the snapshot had expired.
  const withoutToken = missing.length === 0 ? [] : await find(missing, null);
  const cached = [first, ...withToken, ...withoutToken].filter((headers) => headers !== undefined).length;
  const toFetch = pages - cached;
  return {
    total,
    pages,
    cached,
    to_fetch: toFetch,
    credits: toFetch * query.operation.credits,
    ...(without === undefined ? {} : { without }),
  };
}

/**
 * Fetches pages of a preview in the same ranking. If a later page fails or the deadline passes, returns the rows so far.
 * @throws ProblemError if the first page fails
 */
export async function preview(request: PreviewRequest, context: GatewayContext): Promise<PreviewResult> {
  const first = request.page ?? 1;
  const started = context.now();
  const end = started + (request.wait_ms ?? maxWaitMs);
  const since = computeSince(request.max_age_s, started);
  const last = Math.min(first + (request.pages ?? 1) - 1, previewMaxPage);
  const query = buildProviderQuery('preview', request.family, request);
  const columns = selectColumns(request.family, request.fields, request.any_fields);
  const most = (last - first + 1) * query.operation.credits;
  if (request.max_credits === undefined && most > (context.formulaMaxCredits ?? most)) {
    const { credits } = await estimatePreview({ ...request, pages: last }, context);
    requireConfirmation(credits, request, context);
  }
  const total = await search({ ...request, items_per_page: 1 }, context, since);
  const pages = Math.min(previewMaxPage, Math.ceil(total.total / previewPageSize));

  let snapshot = request.snapshot ?? null;
  const credits = { spent: 0, saved: 0 };
  const rows: unknown[][] = [];
  let lastPage = first;
  const limits = (spent: number): Pick<PageOptions, 'maxCredits' | 'cancelId'> => ({
    ...(request.max_credits === undefined ? {} : { maxCredits: request.max_credits - spent }),
    ...(request.cancel_id === undefined ? {} : { cancelId: request.cancel_id }),
  });
  for (let page = first; page <= last && (page === first || page <= pages); page += 1) {
    const waitMs = Math.max(0, end - context.now());
    if (waitMs === 0 && rows.length > 0) break;
    const fetchWith = (token: string | null): Promise<PageResult> =>
      fetchPage({ ...buildPageQuery(query, page, token), ...limits(credits.spent), since, waitMs }, context);
    let answer = await fetchWith(snapshot);
    // The cached first page may be older than the provider's snapshot. Its rows are paid for, so the rest follows without one.
    if (answer.outcome === 'failed' && answer.answer?.status === 422 && page > 1 && snapshot !== null) {
      snapshot = null;
      answer = await fetchWith(null);
    }
    if (answer.outcome === 'failed') {
      credits.spent += answer.credits;
      if (rows.length > 0) break;
      throw createPageError(answer.problem, answer.answer);
    }
    credits.spent += answer.credits;
    if (answer.outcome !== 'fetched' && answer.credits === 0) credits.saved += query.operation.credits;
    snapshot = answer.page.headers['x-snapshot-token'] ?? snapshot;
    rows.push(...answer.page.items.value.map((item) => toRow(item, columns)));
    lastPage = page;
  }
  return {
    columns,
    rows,
    page: lastPage,
    total_pages: pages,
    total: total.total,
    snapshot,
    credits: { ...credits, remaining: context.remaining },
  };
}
