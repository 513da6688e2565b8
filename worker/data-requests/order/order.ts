// Orders: what a data request selects, its price, and the body for the provider. Provider API, "Bulk".
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import { type BulkKind, type BulkOperation, operations } from '../../../shared/operations.ts';
import type { RequestRow } from '../../db/schema.ts';
import type { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import type { ListKind } from './parse-keys.ts';
import type { KeySplit } from './split-keys.ts';

const keysSchema = z.object({ keys: z.array(z.string()) });
/** The filter object or DSL body stays JSON text, because JavaScript cannot represent some of its numbers. */
const querySchema = z.object({
  query: z.string(),
  limit: z.number().exactOptional(),
  /** The caller's limit, if `limit` is another one; null for none. */
  requestedLimit: z.number().nullable().exactOptional(),
});

/** The selected records: normalised keys, or the JSON text of a query. */
export const selectionSchema = z.union([keysSchema, querySchema]);
export type Selection = z.infer<typeof selectionSchema>;
export type QuerySelection = z.infer<typeof querySchema>;

/** An order, before it is priced. */
export interface Order {
  operation: BulkOperation;
  selection: Selection;
  /** The caller's webhook URL. */
  webhookUrl: string | null;
  /** Default columns of its rows. */
  columns: string[] | null;
}

export function findBulkOperation(family: Family, kind: BulkKind): BulkOperation | undefined {
  return operations.find(
    (operation): operation is BulkOperation =>
      operation.name === 'bulk' && operation.family === family && operation.kind === kind,
  );
}

/** The maximum number of records, and the selection to submit. */
export interface Pricing {
  records: number;
  selection: Selection;
  /** Cached and ordered keys; absent if the selection is submitted unchanged. */
  split?: KeySplit;
}

export interface QueryPricing extends Pricing {
  selection: QuerySelection;
}

export function calculatePrice({ credits }: BulkOperation, { records, split }: Pricing): number {
  return (split === undefined ? records : split.ordered.length) * credits;
}

/**
 * Calculates what the delivered cached records would have cost.
 * @param row.rows - 0 if the data request was cancelled before it was sent
 */
export function calculateSaved({
  family,
  kind,
  rows,
  cachedRows,
}: Pick<RequestRow, 'family' | 'kind' | 'rows' | 'cachedRows'>): number {
  return Math.min(rows, cachedRows ?? 0) * (findBulkOperation(family, kind)?.credits ?? 0);
}

/** Prices a key list: each key may be a record. */
export function priceKeys(selection: Extract<Selection, { keys: unknown }>): Pricing {
  return { records: selection.keys.length, selection };
}

/**
 * Prices a query by its current number of matches. That number becomes the submitted limit, so later matches cost nothing.
 * If it exceeds the maximum of a data request, the caller's limit is submitted unchanged.
 * @param total - number of matches
 */
export function priceQuery(selection: QuerySelection, total: number): QueryPricing {
  const wanted = Math.min(selection.limit ?? Number.POSITIVE_INFINITY, total);
  if (wanted > maxRequestRecords) return { records: maxRequestRecords, selection };
  const records = Math.max(1, wanted);
  return { records, selection: { ...selection, limit: records, requestedLimit: selection.limit ?? null } };
}

/** Creates the pseudonym of an order, to recognise a repeated one. A plain hash would show whether a known key was ordered. */
export async function hashOrder(
  pseudonyms: Pseudonyms,
  { operation, selection, webhookUrl, columns }: Order,
): Promise<string> {
  return pseudonyms.create(`order:${JSON.stringify([operation.path, selection, webhookUrl, columns])}`);
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
 * Builds the body for the provider.
 * @param webhook - URL that the provider calls when the data request is ready
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
