// What a data request orders, in one form for every surface, and how the provider is told. Contract, "Bulk".
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import { type BulkKind, type BulkOperation, operations } from '../../../shared/operations.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { ListKind } from './list-kinds.ts';
import type { KeySplit } from './split-keys.ts';

const keysSchema = z.object({ keys: z.array(z.string()) });
/** The filter object or DSL body is kept as text, just as it came: some numbers are beyond what JavaScript holds. */
const querySchema = z.object({ query: z.string(), limit: z.number().exactOptional() });

/** The records that are wanted: keys in their one spelling, or the JSON text of a query. */
export const selectionSchema = z.union([keysSchema, querySchema]);
export type Selection = z.infer<typeof selectionSchema>;

/** An order that can be priced. */
export interface Order {
  operation: BulkOperation;
  selection: Selection;
  /** Where the caller wants to be told. */
  relayUrl: string | null;
  /** The columns of its rows where none are named. */
  columns: string[] | null;
}

/** The operation that makes a data request, where the family has it. */
export function findBulkOperation(family: Family, kind: BulkKind): BulkOperation | undefined {
  return operations.find(
    (operation): operation is BulkOperation =>
      operation.name === 'bulk' && operation.family === family && operation.kind === kind,
  );
}

/** How many records are wanted at most, and what the provider is to be told. */
export interface Pricing {
  records: number;
  selection: Selection;
  /** Which of them come from the cache and which are ordered; absent where the selection is passed on as it is. */
  split?: KeySplit;
}

/** What an order costs at most, in credits. */
export function calculatePrice({ credits }: BulkOperation, { records, split }: Pricing): number {
  return (split === undefined ? records : split.ordered.length) * credits;
}

/**
 * Prices a list: each key may be a record.
 */
export function priceKeys(selection: Extract<Selection, { keys: unknown }>): Pricing {
  return { records: selection.keys.length, selection };
}

/**
 * Prices a query by how many records match now. The provider is told to deliver no more than that, so that what comes up
 * meanwhile costs nothing. Where more is wanted than a request can bring, the limit stays as the caller said it.
 * @param total - how many match
 */
export function priceQuery(selection: Extract<Selection, { query: unknown }>, total: number): Pricing {
  const wanted = Math.min(selection.limit ?? Number.POSITIVE_INFINITY, total);
  if (wanted > maxRequestRecords) return { records: maxRequestRecords, selection };
  const records = Math.max(1, wanted);
  return { records, selection: { ...selection, limit: records } };
}

/** Tells orders apart: the same order is the same text. */
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
 * The body by which the provider is told.
 * @param webhook - where it is to say that the request is ready
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
