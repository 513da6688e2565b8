// Collect and enrich: one record for one key, limited to the fields that were named.
import * as z from 'zod';
import { families, getSubject, type KeyKind } from '../../../shared/families/index.ts';
import { normaliseId, normaliseShorthandName, normaliseWebsite } from '../../../shared/keys/index.ts';
import { looksLikeUrl, parseProfileUrl } from '../../../shared/keys/profile.ts';
import type { RecordOperation } from '../../../shared/operations.ts';
import { getStoredFamily, type RecordStore } from '../record-store.ts';
import { detailError, validationError } from './service-errors.ts';

const storedRecord = z.record(z.string(), z.unknown());

/** The key of a collect: digits only are an id, else a shorthand name or a profile URL. Contract, "Keys". */
function parsePathKey(
  { family, keys }: RecordOperation,
  text: string,
): { kind: KeyKind; value: string } | undefined {
  const loc = ['path', `${families[family].subject}_id`];
  if (/^-?\d+$/.test(text)) {
    const id = normaliseId(text);
    if (id.ok) return id;
    if (/[1-9]/.test(text) && !text.startsWith('-')) return undefined;
    throw validationError({
      loc,
      msg: 'ensure this value is greater than or equal to 1',
      type: 'value_error.number.not_ge',
      ctx: { limit_value: 1 },
    });
  }
  if (!keys.includes('shorthand_name')) {
    throw validationError({ loc, msg: 'value is not a valid integer', type: 'type_error.integer' });
  }
  const name = looksLikeUrl(text) ? parseProfileUrl(text, family) : normaliseShorthandName(text);
  return name.ok ? name : undefined;
}

/** The key of an enrich: a bare domain or a full URL. What is no website matches nothing. */
function parseQueryKey(name: string, query: URLSearchParams): { kind: KeyKind; value: string } | undefined {
  const text = query.get(name);
  if (text === null) {
    throw validationError({ loc: ['query', name], msg: 'field required', type: 'value_error.missing' });
  }
  const website = normaliseWebsite(text);
  return website.ok ? website : undefined;
}

/**
 * Answers one collect or enrich.
 * @param key - the path's last segment, decoded, for operations whose path holds the key
 * @returns the record as JSON
 * @throws ServiceError 404 where there is none, 422 where the key can't be one
 */
export async function handleRecord(
  store: RecordStore,
  operation: RecordOperation,
  key: string | undefined,
  query: URLSearchParams,
): Promise<Response> {
  const { family, keyParameter } = operation;
  const wanted =
    keyParameter === undefined ? parsePathKey(operation, key ?? '') : parseQueryKey(keyParameter, query);
  const found = wanted && (await store.find(getStoredFamily(family), wanted.kind, wanted.value));
  if (!found) throw detailError(404, getSubject(family).notFoundMessage);
  const fields = query.getAll('fields');
  if (fields.length === 0)
    return new Response(found.data, { headers: { 'content-type': 'application/json' } });
  const record = storedRecord.parse(JSON.parse(found.data));
  return Response.json(Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name))));
}
