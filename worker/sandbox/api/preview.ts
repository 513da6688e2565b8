// Handles search previews: pages of 20 records with a few fields each, ranked by score. Snapshots keep a ranking.

import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { previewMaxPage, previewPageSize, recordNames } from '../../../shared/families/previews.ts';
import { previewFields } from '../../../shared/families/registry.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import type { QueryOperation } from '../../../shared/operations.ts';
import { parseExactly, stringifyExactly } from '../../lib/exact-json.ts';
import { createSecret, sha256Hex } from '../../lib/hash.ts';
import { getStoredFamily, parseStoredRecord, type RecordStore } from '../record-store.ts';
import { buildSortKeys, toShortFloat } from './cursor.ts';
import { toCanonicalJson } from './json-body.ts';
import { readBoolean, readInteger } from './parameters.ts';
import { parseQueryBody } from './queries.ts';
import type { SearchContext } from './search.ts';
import { validationError } from './service-errors.ts';

interface RankedRecord {
  id: string;
  score: number;
}

/** The service documents no lifetime. */
const LIFETIME_MS = 15 * 60_000;

const rankingSchema = z.array(z.tuple([z.string(), z.number()]));

/**
 * Saves a ranking.
 * @param queryHash - hash of its query
 * @returns the snapshot token
 */
async function saveSnapshot(
  db: D1Database,
  ranked: readonly RankedRecord[],
  queryHash: string,
  now: number,
): Promise<string> {
  const token = createSecret();
  const text = JSON.stringify(ranked.map(({ id, score }) => [id, score]));
  await db.batch([
    db.prepare('DELETE FROM snapshots WHERE kept_until <= ?1').bind(now),
    db
      .prepare('INSERT INTO snapshots (token, query_hash, ranking, kept_until) VALUES (?1, ?2, ?3, ?4)')
      .bind(token, queryHash, text, now + LIFETIME_MS),
  ]);
  return token;
}

/**
 * Finds a ranking.
 * @returns undefined if the token is unknown, expired, or of another query
 */
async function findSnapshot(
  db: D1Database,
  token: string,
  queryHash: string,
  now: number,
): Promise<RankedRecord[] | undefined> {
  const text = await db
    .prepare('SELECT ranking FROM snapshots WHERE token = ?1 AND query_hash = ?2 AND kept_until > ?3')
    .bind(token, queryHash, now)
    .first<string>('ranking');
  return text === null
    ? undefined
    : rankingSchema.parse(JSON.parse(text)).map(([id, score]) => ({ id, score }));
}

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
  context: SearchContext & { db: D1Database },
  operation: QueryOperation,
  parameters: URLSearchParams,
  body: string,
): Promise<Response> {
  const { family, style, sorts, path } = operation;
  const { repository, db, now } = context;
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
    const ranking = await findSnapshot(db, token, queryHash, now());
    if (ranking === undefined) {
      const msg = 'snapshot token is unknown, expired or of another query';
      throw validationError({ loc: ['query', 'snapshot_token'], msg, type: 'value_error.snapshot_token' });
    }
    return respondWithItems(repository.store, family, ranking.slice(from, from + previewPageSize));
  }
  if (!wantsSnapshot)
    return respondWithItems(repository.store, family, await rankRecords(from, previewPageSize));
  const ranking = await rankRecords(0, previewMaxPage * previewPageSize);
  const headers = { 'x-snapshot-token': await saveSnapshot(db, ranking, queryHash, now()) };
  return respondWithItems(repository.store, family, ranking.slice(0, previewPageSize), headers);
}

type DataRecord = Readonly<Record<string, unknown>>;

function listExperiences(record: DataRecord): DataRecord[] {
  const { experience } = record;
  return Array.isArray(experience) ? experience.filter(isObject) : [];
}

/** Finds the job that a base employee's preview shows. Contract, "Records", employee_base preview. */
function findCurrentBaseJob(record: DataRecord): DataRecord {
  const current = listExperiences(record).find(
    ({ order_in_profile, deleted, is_current }) =>
      order_in_profile === 1 &&
      (deleted === 0 || deleted === false) &&
      (is_current === 1 || is_current === true),
  );
  return current ?? {};
}

/** Finds the job that a clean employee's preview shows: the first without an end date. */
function findCurrentCleanJob(record: DataRecord): DataRecord {
  const open = listExperiences(record).filter(({ date_to }) => date_to === undefined || date_to === null);
  const [first] = open.toSorted((a, b) => Number(a.order_in_profile ?? 0) - Number(b.order_in_profile ?? 0));
  return first ?? {};
}

/** Finds the job that gives the previews of a family their title and company. */
const findCurrentJob: Readonly<Partial<Record<Family, (record: DataRecord) => DataRecord>>> = {
  employee_base: findCurrentBaseJob,
  employee_clean: findCurrentCleanJob,
};
const JOB_FIELD = /^(?:title$|company_)/;

/**
 * Builds the preview item of a record.
 * @returns all preview fields of the family, null if the record has none
 */
function buildPreviewItem(family: Family, record: DataRecord, score: number): Record<string, unknown> {
  const job = findCurrentJob[getStoredFamily(family)]?.(record);
  const getValue = (field: string): unknown => {
    if (field === '_score') return toShortFloat(score);
    const source = job !== undefined && JOB_FIELD.test(field) ? job : record;
    return source[recordNames[field] ?? field] ?? null;
  };
  return Object.fromEntries(previewFields[family].map((field) => [field, getValue(field)]));
}
