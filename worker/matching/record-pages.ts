// Preview pages of known records, whichever query found them.

import type { Family } from '../../shared/families/index.ts';
import { previewPageSize } from '../../shared/families/previews.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { splitIntoBatches } from '../../shared/lib/split-into-batches.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import type { GatewayContext } from '../gateway/context.ts';
import { buildProviderQuery, type ProviderQuery } from '../gateway/query.ts';
import { fetchPages, findCachedPages } from '../gateway/search-pages.ts';
import { ProblemError } from '../http/problem-error.ts';

/** A preview page of known records. */
export interface RecordPage extends ProviderQuery {
  ids: string[];
  since: number;
  /** Costs nothing now. */
  isCached: boolean;
}

/** Splits ids into as few pages as possible, in their order. */
export const splitIntoPages = (ids: readonly string[]): string[][] => splitIntoBatches(ids, previewPageSize);

/** Pages that show records, and their price. */
export interface RecordPages {
  pages: RecordPage[];
  /** Pages that cost nothing now. */
  cached: number;
  /** Price in credits. */
  credits: number;
}

/**
 * Plans preview pages. Spends nothing.
 * @param ids - of each page, at most as many as a page has
 * @param since - minimum time of a cached page, in milliseconds since 1970
 */
export async function planRecordPages(
  family: Family,
  ids: readonly string[][],
  since: number,
  context: GatewayContext,
): Promise<RecordPages> {
  const planned = ids.map((page) => {
    const query = { es_dsl: { query: { terms: { id: page.map(Number) } } } };
    return { ...buildProviderQuery('preview', family, query), ids: page, since };
  });
  const found = await findCachedPages(planned, context);
  const pages = planned.map((page, at): RecordPage => ({ ...page, isCached: found[at] !== undefined }));
  const cached = pages.filter(({ isCached }) => isCached).length;
  const price = pages[0]?.operation.credits ?? 0;
  return { pages, cached, credits: (pages.length - cached) * price };
}

/** The records of bought pages, and the problems of the others, by id. */
export interface BoughtRecords {
  records: Map<string, unknown>;
  problems: Map<string, ProblemCode>;
  spent: number;
  /** Credits of pages that may still be charged. */
  pending: number;
  saved: number;
}

/**
 * Buys pages.
 * @param deadline - milliseconds since 1970
 */
export async function buyRecordPages(
  pages: readonly RecordPage[],
  deadline: number,
  cancelId: string | undefined,
  context: GatewayContext,
): Promise<BoughtRecords> {
  const waitMs = Math.max(0, deadline - context.now());
  const answers = await fetchPages(pages, { waitMs, cancelId, mustRevalidate: true }, context);
  const bought: BoughtRecords = { records: new Map(), problems: new Map(), spent: 0, pending: 0, saved: 0 };
  pages.forEach(({ ids, operation }, at) => {
    const answer = answers[at];
    bought.spent += answer?.credits ?? 0;
    if (answer === undefined || answer.outcome === 'failed') {
      for (const id of ids) bought.problems.set(id, answer?.problem ?? 'internal');
      if (answer?.problem === 'pending') bought.pending += operation.credits;
      return;
    }
    if (answer.outcome !== 'fetched' && answer.credits === 0) bought.saved += operation.credits;
    for (const item of answer.page.items.value) if (isObject(item)) bought.records.set(String(item.id), item);
  });
  return bought;
}

/**
 * The token was revoked after it was verified, and nothing was bought: the client stops, instead of writing an error for each row.
 * @throws ProblemError `unauthorised`
 */
export function throwIfRevoked({ spent, problems }: BoughtRecords): void {
  if (spent === 0 && [...problems.values()].includes('unauthorised')) throw new ProblemError('unauthorised');
}
