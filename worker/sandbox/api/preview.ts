// Search preview: pages of 20 records with a few fields each, ranked by match; snapshots keep the pages of one ranking.
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import type { QueryOperation } from '../../../shared/operations.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { type RecordStore, storedFamily } from '../record-store.ts';
import { validationError } from './service-errors.ts';
import { orderOf } from './cursor.ts';
import { readBoolean, readInteger } from './parameters.ts';
import { previewItem } from './preview-item.ts';
import { readQueryBody } from './queries.ts';
import type { SearchRooms } from './search.ts';
import type { Snapshots } from './snapshots.ts';

const pageNumber = { name: 'page', default: 1, min: 1, max: previewMaxPage };

const record = z.record(z.string(), z.unknown());

/** A record's place in a ranking. */
export interface Ranked {
  id: string;
  score: number;
}

async function items(store: RecordStore, family: Family, ranked: readonly Ranked[]): Promise<unknown[]> {
  const found = await store.findByIds(
    storedFamily(family),
    ranked.map(({ id }) => id),
  );
  return ranked.flatMap(({ id, score }) => {
    const stored = found.get(id);
    return stored === undefined ? [] : [previewItem(family, record.parse(JSON.parse(stored.data)), score)];
  });
}

/**
 * Answers a preview.
 * @param body - as it came
 * @returns the items of a page; with `snapshot=true` on page 1 also the token for the pages behind it
 * @throws ServiceError 422 or 400 where something is wrong with the request
 */
export async function answerPreview(
  context: SearchRooms & { snapshots: Snapshots },
  operation: QueryOperation,
  parameters: URLSearchParams,
  body: string,
): Promise<Response> {
  const { family, style, sorts, path } = operation;
  const { library, snapshots, now } = context;
  const page = readInteger(parameters, pageNumber);
  const wantsSnapshot = readBoolean(parameters, 'snapshot') && page === 1;
  const { query, sort } = readQueryBody(family, style, body, sorts, now);
  const from = (page - 1) * previewPageSize;
  const rank = async (first: number, size: number): Promise<Ranked[]> => {
    const { hits } = await library.search(storedFamily(family), {
      query,
      sort: orderOf(family, sort ?? '_score'),
      from: first,
      size,
      // Scores stand in every item, also where another order was asked for.
      scores: true,
    });
    return hits.map(({ id, score }) => ({ id, score: score ?? 0 }));
  };

  const token = parameters.get('snapshot_token');
  // White space makes no other query of it.
  const asked = await sha256Hex(`${path}\n${JSON.stringify(JSON.parse(body))}`);
  if (token !== null) {
    const ranking = await snapshots.read(token, asked, now());
    if (ranking === undefined) {
      const msg = 'snapshot token is unknown, expired or of another query';
      throw validationError({ loc: ['query', 'snapshot_token'], msg, type: 'value_error.snapshot_token' });
    }
    return Response.json(await items(library.store, family, ranking.slice(from, from + previewPageSize)));
  }
  if (!wantsSnapshot)
    return Response.json(await items(library.store, family, await rank(from, previewPageSize)));
  const ranking = await rank(0, previewMaxPage * previewPageSize);
  const headers = { 'x-snapshot-token': await snapshots.keep(ranking, asked, now()) };
  return Response.json(await items(library.store, family, ranking.slice(0, previewPageSize)), { headers });
}
