// The operations of the provider's API: names, paths, parameters and prices.
import type { alertsScope } from './alerts-scope.ts';
import type { BulkKind, KeyKind, QueryStyle, SortField } from './families/definition.ts';
import { dslSorts, type Family, familyNames, familyOperations, prices } from './families/registry.ts';

export type { BulkKind, QueryStyle, SortField } from './families/definition.ts';

interface PricedPath {
  family: Family;
  method: 'GET' | 'POST';
  /** Path below the prefix `/cdapi`. `{key}` is the encoded key. */
  path: string;
  /** Credits that a 200 response costs. Other responses are free. */
  credits: number;
}

/** Returns a single record for a key. */
export interface RecordOperation extends PricedPath {
  name: 'collect' | 'enrich';
  /** Kinds of key that the operation accepts. */
  keys: readonly KeyKind[];
  /** Query parameter for the key. Absent if the key is in the path. */
  keyParameter?: string;
}

/** Returns a page of ids, or a page of preview items. */
export interface QueryOperation extends PricedPath {
  name: 'search' | 'preview';
  style: QueryStyle;
  /** Sort orders: the `sort` parameter of filters, the `sort` member of a DSL body. */
  sorts: readonly SortField[];
}

/** Creates a data request. */
export interface BulkOperation extends PricedPath {
  name: 'bulk';
  kind: BulkKind;
}

export type Operation = RecordOperation | QueryOperation | BulkOperation;

/** What a token may be limited to: operations of the provider, and alerts. */
export type ScopeName = Operation['name'] | typeof alertsScope;

/** Returns the sort orders of a family's searches. */
export function getSortFields(family: Family, style: QueryStyle): readonly SortField[] {
  if (style === 'filter') return ['id', 'last_updated'];
  return ['id', '_score', ...(dslSorts[family] ?? [])];
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

export function isRecordOperation(operation: Operation): operation is RecordOperation {
  return operation.name === 'collect' || operation.name === 'enrich';
}

/** Every operation except {@link fileOperations}. */
export const operations: readonly Operation[] = /* @__PURE__ */ familyNames.flatMap(buildOperations);

/** The free operations that list and download the files of a data request. */
export const fileOperations = {
  list: { name: 'list', method: 'GET', path: '/v2/data_requests/{data_request_id}/files' },
  download: {
    name: 'download',
    method: 'GET',
    path: '/v2/data_requests/{data_request_id}/files/{file_name}',
  },
} as const;
export type FileOperation = (typeof fileOperations)[keyof typeof fileOperations];

export const recordOperations: readonly RecordOperation[] = /* @__PURE__ */ operations.filter(
  isRecordOperation,
);

/**
 * Finds the operation that returns a record of a family by a kind of key.
 * @returns undefined if the service has none
 */
export function findRecordOperation(family: Family, kind: KeyKind): RecordOperation | undefined {
  return recordOperations.find((operation) => operation.family === family && operation.keys.includes(kind));
}

/** Returns the kinds of key by which records of a family can be looked up. */
export function getLookupKinds(family: Family): KeyKind[] {
  return recordOperations.filter((operation) => operation.family === family).flatMap(({ keys }) => keys);
}

/** Returns the price of a record in credits. It is the same for every operation. */
export function getRecordPrice(family: Family): number {
  return prices[family].record;
}

/** Returns the price of a preview page in credits. Meaningful only for families with previews. */
export function getPreviewPrice(family: Family): number {
  return prices[family].preview;
}
