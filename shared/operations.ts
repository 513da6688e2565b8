// The operations of the service, as data: what they are called, where they live, what they take and what they cost.
import type { BulkKind, KeyKind, QueryStyle, SortField } from './families/definition.ts';
import { type Family, familyNames, familyOperations, prices } from './families/registry.ts';

export type { BulkKind, QueryStyle, SortField } from './families/definition.ts';

interface Endpoint {
  family: Family;
  method: 'GET' | 'POST';
  /** Path below the service's prefix `/cdapi`; `{key}` stands for the encoded key. */
  path: string;
  /** Credits that a 200 costs; any other answer is free. */
  credits: number;
}

/** Answers a single record for a key. */
export interface RecordOperation extends Endpoint {
  name: 'collect' | 'enrich';
  /** The kinds of key it takes. */
  keys: readonly KeyKind[];
  /** The query parameter that carries the key, where the path does not. */
  keyParameter?: string;
}

/** Answers a page of ids, or a page of preview items. */
export interface QueryOperation extends Endpoint {
  name: 'search' | 'preview';
  style: QueryStyle;
  /** What its pages can be sorted by: the `sort` parameter of filters, the `sort` of a DSL body. */
  sorts: readonly SortField[];
}

/** Makes a data request. */
export interface BulkOperation extends Endpoint {
  name: 'bulk';
  kind: BulkKind;
}

export type Operation = RecordOperation | QueryOperation | BulkOperation;

/** What the pages of a family's searches can be sorted by. */
export function getSortFields(family: Family, style: QueryStyle): readonly SortField[] {
  if (style === 'filter') return ['id', 'last_updated'];
  return ['id', '_score', ...(familyOperations[family].dslSorts ?? [])];
}

function buildOperations(family: Family): Operation[] {
  const { collect, enrich, search, preview, bulk } = familyOperations[family];
  const credits = prices[family];
  const top = `/v2/${family}`;
  return [
    {
      name: 'collect',
      family,
      method: 'GET',
      path: `${top}/collect/{key}`,
      keys: collect,
      credits: credits.record,
    },
    ...(enrich === undefined
      ? []
      : [
          {
            name: 'enrich' as const,
            family,
            method: 'GET' as const,
            path: `${top}/enrich`,
            keys: ['website' as const],
            keyParameter: 'website',
            credits: credits.record,
          },
        ]),
    ...search.map((style) => ({
      name: 'search' as const,
      family,
      method: 'POST' as const,
      path: `${top}/search/${style}`,
      style,
      sorts: getSortFields(family, style),
      credits: 0,
    })),
    ...preview.map((style) => ({
      name: 'preview' as const,
      family,
      method: 'POST' as const,
      path: `${top}/search/${style}/preview`,
      style,
      sorts: getSortFields(family, style),
      credits: credits.preview,
    })),
    ...bulk.map((kind) => ({
      name: 'bulk' as const,
      family,
      method: 'POST' as const,
      path: `/v2/data_requests/${family}/${kind}`,
      kind,
      credits: credits.record,
    })),
  ];
}

/** Does it answer a single record? */
export function isRecordOperation(operation: Operation): operation is RecordOperation {
  return operation.name === 'collect' || operation.name === 'enrich';
}

/** Every operation but the two that read the files of a data request. */
export const operations: readonly Operation[] = /* @__PURE__ */ familyNames.flatMap(buildOperations);

/** Lists the files of a data request, and downloads one. Free. */
export const fileOperations = {
  list: { method: 'GET', path: '/v2/data_requests/{data_request_id}/files' },
  download: { method: 'GET', path: '/v2/data_requests/{data_request_id}/files/{file_name}' },
} as const;

/** The operations that answer one record. */
export const recordOperations: readonly RecordOperation[] = /* @__PURE__ */ operations.filter(
  isRecordOperation,
);

/**
 * Finds the operation that answers a record of this family for this kind of key.
 * @returns the operation, or undefined where the service has none
 */
export function findRecordOperation(family: Family, kind: KeyKind): RecordOperation | undefined {
  return recordOperations.find((operation) => operation.family === family && operation.keys.includes(kind));
}

/**
 * The kinds of key by which records of a family can be looked up.
 */
export function getLookupKinds(family: Family): KeyKind[] {
  return recordOperations.filter((operation) => operation.family === family).flatMap(({ keys }) => keys);
}

/** Credits for one record of a family, however it is bought. */
export function getRecordPrice(family: Family): number {
  return prices[family].record;
}

/** Credits for one page of a family's preview; it counts where the family has previews. */
export function getPreviewPrice(family: Family): number {
  return prices[family].preview;
}
