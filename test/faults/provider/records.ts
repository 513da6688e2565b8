// Made-up records: any key has one, the same each time.
import { createHash } from 'node:crypto';
import {
  isRecordOperation,
  operations,
  type QueryOperation,
  type RecordOperation,
  recordOperations,
} from '../../../shared/operations.ts';

/** Keys that begin like this have no record. */
const MISSING = 'missing';
const MAX_ID = 2 ** 31;
/** Contract, "Errors". */
const MEMBER_FAMILIES = /^employee_/;

/** What is asked for a record. */
export interface RecordRequest {
  operation: RecordOperation;
  /** As it was asked, decoded. */
  key: string;
}

/** What is asked. */
export type ProviderRequest = RecordRequest | { operation: QueryOperation /** The query. */; key: string };

/** Is it a record that is asked for? */
export function isRecordRequest(question: ProviderRequest): question is RecordRequest {
  return isRecordOperation(question.operation);
}

/** Reads a path below `/cdapi`. @param body - of a POST */
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

/** @returns the id of the record that a key has: the key itself where it is one */
export function getRecordId({ operation, key }: RecordRequest): number {
  if (/^\d{1,15}$/.test(key)) return Number(key);
  return createHash('sha256').update(`${operation.family}:${key}`).digest().readUInt32BE() % MAX_ID;
}

/**
 * The record of a key.
 * @param bytes - about how long it is as JSON, at least
 * @returns undefined where there is none
 */
export function buildRecord(question: RecordRequest, bytes: number): Record<string, unknown> | undefined {
  const { key, operation } = question;
  if (key.startsWith(MISSING)) return undefined;
  return {
    id: getRecordId(question),
    name: `Record of ${key}`,
    ...(operation.keyParameter === 'website' ? { websites_main: key } : {}),
    description: 'x'.repeat(bytes),
  };
}

/** What the service says where there is no record. */
export function buildNotFoundBody({ operation }: RecordRequest): string {
  const what = MEMBER_FAMILIES.test(operation.family) ? 'Member' : 'Record';
  return JSON.stringify({ detail: `${what} not found` });
}
