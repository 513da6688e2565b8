// Generated records: every key has one, which never changes.
import { createHash } from 'node:crypto';
import {
  isRecordOperation,
  operations,
  type QueryOperation,
  type RecordOperation,
  recordOperations,
} from '../../../shared/operations.ts';

/** Prefix of keys without a record. */
const MISSING = 'missing';
const MAX_ID = 2 ** 31;
/** Provider API, "Errors". */
const MEMBER_FAMILIES = /^employee_/;

/** A request for a record. */
export interface RecordRequest {
  operation: RecordOperation;
  /** The decoded key. */
  key: string;
}

/** A request for a record or, with the query as key, for a search or preview. */
export type ProviderRequest = RecordRequest | { operation: QueryOperation; key: string };

/** Returns whether a request is for a record. */
export function isRecordRequest(request: ProviderRequest): request is RecordRequest {
  return isRecordOperation(request.operation);
}

/** Parses a request. @param body - of a POST */
export function parseRequest(url: URL, body: string | undefined): ProviderRequest | undefined {
  if (body !== undefined) {
    const operation = operations.find(
      (one): one is QueryOperation =>
        (one.name === 'search' || one.name === 'preview') && url.pathname === `/cdapi${one.path}`,
    );
    return operation && { operation, key: body };
  }
  for (const operation of recordOperations) {
    const { path, keyParameter } = operation;
    if (keyParameter !== undefined) {
      const key = url.searchParams.get(keyParameter);
      if (url.pathname === `/cdapi${path}` && key !== null) return { operation, key };
      continue;
    }
    const prefix = `/cdapi${path.replace('{key}', '')}`;
    const rest = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : '';
    if (rest !== '' && !rest.includes('/')) return { operation, key: decodeURIComponent(rest) };
  }
  return undefined;
}

/** Returns the id of a key's record: the key itself if it is an id. */
function getRecordId({ operation, key }: RecordRequest): number {
  if (/^\d{1,15}$/.test(key)) return Number(key);
  return createHash('sha256').update(`${operation.family}:${key}`).digest().readUInt32BE() % MAX_ID;
}

/**
 * Builds the record of a key.
 * @param bytes - approximate minimum size as JSON
 * @returns undefined if the key has no record
 */
export function buildRecord(request: RecordRequest, bytes: number): Record<string, unknown> | undefined {
  const { key, operation } = request;
  if (key.startsWith(MISSING)) return undefined;
  return {
    id: getRecordId(request),
    name: `Record of ${key}`,
    ...(operation.keyParameter === 'website' ? { websites_main: key } : {}),
    description: 'x'.repeat(bytes),
  };
}

/** Builds the service's 404 body. */
export function buildNotFoundBody({ operation }: RecordRequest): string {
  const subject = MEMBER_FAMILIES.test(operation.family) ? 'Member' : 'Record';
  return JSON.stringify({ detail: `${subject} not found` });
}
