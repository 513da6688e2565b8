// Orders of data requests: selection, price and the provider's request body. Contract, "Bulk".
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import { type BulkKind, type BulkOperation, operations } from '../../../shared/operations.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { ListKind } from './list-kinds.ts';
import type { KeySplit } from './split-keys.ts';

const keysSchema = z.object({ keys: z.array(z.string()) });
/** Queries stay text, because JavaScript can't represent all of their numbers. */
const querySchema = z.object({ query: z.string(), limit: z.number().exactOptional() });

/** Selects records: canonical keys, or the JSON text of a query. */
export const selectionSchema = z.union([keysSchema, querySchema]);
export type Selection = z.infer<typeof selectionSchema>;

/** An order, before its price is known. */
export interface Order {
  operation: BulkOperation;
  selection: Selection;
  /** URL of the caller's webhook. */
  relayUrl: string | null;
  /** Default columns of its rows. */
  columns: string[] | null;
}

/** Finds the operation that creates a data request. */
export function findBulkOperation(family: Family, kind: BulkKind): BulkOperation | undefined {
  return operations.find(
    (operation): operation is BulkOperation =>
      operation.name === 'bulk' && operation.family === family && operation.kind === kind,
  );
}

/** Number of records at most, and the selection to submit. */
export interface Pricing {
  records: number;
  selection: Selection;
  /** Cached and ordered keys; absent where the selection is submitted unchanged. */
  split?: KeySplit;
}

/** Calculates the most that an order can cost, in credits. */
export function calculatePrice({ credits }: BulkOperation, { records, split }: Pricing): number {
  return (split === undefined ? records : split.ordered.length) * credits;
}

/**
 * Prices a list of keys: each may be a record.
 */
export function priceKeys(selection: Extract<Selection, { keys: unknown }>): Pricing {
  return { records: selection.keys.length, selection };
}

/**
 * Prices a query by the number of matches. The number becomes the limit of the request, so that new matches cost nothing.
 * A limit above the maximum stays unchanged, so that the provider refuses it.
 * @param total - number of matches
 */
export function priceQuery(selection: Extract<Selection, { query: unknown }>, total: number): Pricing {
  const wanted = Math.min(selection.limit ?? Number.POSITIVE_INFINITY, total);
  if (wanted > maxRequestRecords) return { records: maxRequestRecords, selection };
  const records = Math.max(1, wanted);
  return { records, selection: { ...selection, limit: records } };
}

/** Hashes an order: equal orders have equal hashes. */
export function hashOrder({ operation, selection, relayUrl, columns }: Order): Promise<string> {
  return sha256Hex(JSON.stringify([operation.path, selection, relayUrl, columns]));
}

const formFields: Readonly<Record<ListKind, string>> = {
  ids: 'ids',
  id_file: 'ids_file',
  shorthand_names: 'shorthand_names',
  urls: 'urls',
};

function buildForm({ kind }: BulkOperation, keys: readonly string[], webhook: string | undefined) {
  const form = new FormData();
  if (kind === 'id_file') {
    form.append(formFields[kind], new File([keys.join('\n')], 'ids.csv', { type: 'text/csv' }));
  } else if (kind !== 'filter' && kind !== 'es_dsl') {
    for (const key of keys) form.append(formFields[kind], key);
  }
  if (webhook !== undefined) form.append('webhook_url', webhook);
  return form;
}

/**
 * Builds the request body for the provider.
 * @param webhook - URL that the provider calls when the request is ready
 */
export function buildRequestBody(
  operation: BulkOperation,
  selection: Selection,
  webhook: string | undefined,
): { body: FormData | string; headers: Record<string, string> } {
  if ('keys' in selection) return { body: buildForm(operation, selection.keys, webhook), headers: {} };
  const name = operation.kind === 'filter' ? 'filters' : 'es_dsl_query';
  const { query, limit } = selection;
  const members = [
    `"${name}":${query}`,
    ...(limit === undefined ? [] : [`"limit":${limit}`]),
    ...(webhook === undefined ? [] : [`"webhook_url":${JSON.stringify(webhook)}`]),
  ];
  return { body: `{${members.join(',')}}`, headers: { 'content-type': 'application/json' } };
}
