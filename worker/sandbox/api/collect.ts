// Handles collect and enrich: returns one record for one key, limited to the requested fields.
import { families, getSubject, type KeyKind } from '../../../shared/families/index.ts';
import { normaliseId, normaliseShorthandName, normaliseWebsite } from '../../../shared/keys/index.ts';
import { looksLikeUrl, parseProfileUrl } from '../../../shared/keys/profile.ts';
import type { RecordOperation } from '../../../shared/operations.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import { getStoredFamily, parseStoredRecord, type RecordStore } from '../record-store.ts';
import { detailError, validationError } from './service-errors.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Parses the key of a collect: digits are an id, other texts a shorthand name or a profile URL. Contract, "Keys". */
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

/** Parses the key of an enrich: a bare domain or a full URL. Other texts match nothing. */
function parseQueryKey(name: string, query: URLSearchParams): { kind: KeyKind; value: string } | undefined {
  const text = query.get(name);
  if (text === null) {
    throw validationError({ loc: ['query', name], msg: 'field required', type: 'value_error.missing' });
  }
  const website = normaliseWebsite(text);
  return website.ok ? website : undefined;
}

/**
 * Handles one collect or enrich.
 * @param key - the decoded last segment of the path, for operations whose path contains the key
 * @returns the record as JSON
 * @throws ServiceError 404 if no record has the key, 422 if the key is invalid
 */
export async function handleRecord(
  store: RecordStore,
  operation: RecordOperation,
  key: string | undefined,
  query: URLSearchParams,
): Promise<Response> {
  const { family, keyParameter } = operation;
  const recordKey =
    keyParameter === undefined ? parsePathKey(operation, key ?? '') : parseQueryKey(keyParameter, query);
  const stored = recordKey && (await store.find(getStoredFamily(family), recordKey.kind, recordKey.value));
  if (!stored) throw detailError(404, getSubject(family).notFoundMessage);
  const fields = query.getAll('fields');
  if (fields.length === 0) return new Response(stored.data, { headers: JSON_TYPE });
  const selected = Object.entries(parseStoredRecord(stored)).filter(([name]) => fields.includes(name));
  return new Response(stringifyExactly(Object.fromEntries(selected)), { headers: JSON_TYPE });
}
