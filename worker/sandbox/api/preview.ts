// Handles search previews: pages of 20 records with a few fields each, ranked by score. Snapshots keep a ranking.
import type { Family } from '../../../shared/families/index.ts';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import type { QueryOperation } from '../../../shared/operations.ts';
import { parseExactly, stringifyExactly } from '../../lib/exact-json.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { getStoredFamily, parseStoredRecord, type RecordStore } from '../record-store.ts';
import { buildSortKeys } from './cursor.ts';
import { toCanonicalJson } from './json-body.ts';
import { readBoolean, readInteger } from './parameters.ts';
import { buildPreviewItem } from './preview-item.ts';
import { parseQueryBody } from './queries.ts';
import type { SearchContext } from './search.ts';
import { validationError } from './service-errors.ts';
import type { RankedRecord, SnapshotStore } from './snapshots.ts';

const pageNumber = { name: 'page', default: 1, min: 1, max: previewMaxPage };

async function respondWithItems(
  store: RecordStore,
  family: Family,
  ranked: readonly RankedRecord[],
  headers: Record<string, string> = {},
): Promise<Response> {
  const found = await store.findByIds(
    getStoredFamily(family),
    ranked.map(({ id }) => id),
  );
  const items = ranked.flatMap(({ id, score }) => {
    const stored = found.get(id);
    return stored === undefined ? [] : [buildPreviewItem(family, parseStoredRecord(stored), score)];
  });
  return new Response(stringifyExactly(items), {
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

/**
 * Handles a preview.
 * @param body - the unparsed body
 * @returns the items of a page; with `snapshot=true` on page 1 also the token for the following pages
 * @throws ServiceError 422 or 400 if the request is invalid
 */
export async function handlePreview(
  context: SearchContext & { snapshots: SnapshotStore },
  operation: QueryOperation,
  parameters: URLSearchParams,
  body: string,
): Promise<Response> {
  const { family, style, sorts, path } = operation;
  const { repository, snapshots, now } = context;
  const page = readInteger(parameters, pageNumber);
  const wantsSnapshot = readBoolean(parameters, 'snapshot') && page === 1;
  const { query, sort } = parseQueryBody(family, style, body, sorts, now);
  const from = (page - 1) * previewPageSize;
  const rankRecords = async (first: number, size: number): Promise<RankedRecord[]> => {
    const { hits } = await repository.search(getStoredFamily(family), {
      query,
      sort: buildSortKeys(family, sort ?? '_score'),
      from: first,
      size,
      // Every item has a score, whatever the order.
      scores: true,
    });
    return hits.map(({ id, score }) => ({ id, score: score ?? 0 }));
  };

  const token = parameters.get('snapshot_token');
  const queryHash = await sha256Hex(`${path}\n${toCanonicalJson(parseExactly(body))}`);
  if (token !== null) {
    const ranking = await snapshots.find(token, queryHash, now());
    if (ranking === undefined) {
      const msg = 'snapshot token is unknown, expired or of another query';
      throw validationError({ loc: ['query', 'snapshot_token'], msg, type: 'value_error.snapshot_token' });
    }
    return respondWithItems(repository.store, family, ranking.slice(from, from + previewPageSize));
  }
  if (!wantsSnapshot)
    return respondWithItems(repository.store, family, await rankRecords(from, previewPageSize));
  const ranking = await rankRecords(0, previewMaxPage * previewPageSize);
  const headers = { 'x-snapshot-token': await snapshots.save(ranking, queryHash, now()) };
  return respondWithItems(repository.store, family, ranking.slice(0, previewPageSize), headers);
}
