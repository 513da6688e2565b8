// The operations of the service, as data: what they are called, where they live, what they take and what they cost.
import { type Family, familyNames, type KeyKind } from './families.ts';

/** The two styles of a query. */
export type QueryStyle = 'filter' | 'es_dsl';

/** The ways to name the records of a data request. */
export type BulkKind = 'filter' | 'es_dsl' | 'ids' | 'id_file' | 'shorthand_names' | 'urls';

/** What a page of a search can be sorted by. */
export type SortField = 'id' | '_score' | 'last_updated' | 'followers' | 'size_employees_count';

interface Facts {
  /** Kinds of key that collect takes. */
  collect: readonly KeyKind[];
  /** Is there enrich, by website? */
  enrich?: true;
  search: readonly QueryStyle[];
  preview: readonly QueryStyle[];
  bulk: readonly BulkKind[];
}

const standard = { record: 10, preview: 10 };
const multiSource = { record: 20, preview: 20 };
const single = { record: 1, preview: 10 };

/** Credits for one record, and for a page of a preview. Service description, "Endpoints". */
const prices: Readonly<Record<Family, { record: number; preview: number }>> = {
  company_clean: standard,
  company_base: standard,
  company_multi_source: multiSource,
  employee_clean: standard,
  employee_base: standard,
  employee_multi_source: multiSource,
  job_base: single,
  job_multi_source: multiSource,
  employee_post: single,
};

const byIdOrName: readonly KeyKind[] = ['id', 'shorthand_name'];
const byId: readonly KeyKind[] = ['id'];
const both: readonly QueryStyle[] = ['filter', 'es_dsl'];
const dsl: readonly QueryStyle[] = ['es_dsl'];
const no: readonly QueryStyle[] = [];

/** Service description, "Endpoints"; contract, "Bulk" for what it adds. */
const facts: Readonly<Record<Family, Facts>> = {
  company_clean: {
    collect: byIdOrName,
    enrich: true,
    search: dsl,
    preview: dsl,
    bulk: ['ids', 'es_dsl', 'shorthand_names', 'urls'],
  },
  company_base: {
    collect: byIdOrName,
    search: both,
    preview: both,
    bulk: ['id_file', 'filter', 'es_dsl'],
  },
  company_multi_source: {
    collect: byIdOrName,
    enrich: true,
    search: dsl,
    preview: dsl,
    bulk: ['ids', 'es_dsl'],
  },
  employee_clean: {
    collect: byIdOrName,
    search: dsl,
    preview: dsl,
    bulk: ['id_file', 'es_dsl', 'shorthand_names', 'urls'],
  },
  employee_base: {
    collect: byIdOrName,
    search: both,
    preview: both,
    bulk: ['ids', 'filter', 'es_dsl', 'shorthand_names', 'urls'],
  },
  employee_multi_source: {
    collect: byIdOrName,
    search: dsl,
    preview: dsl,
    bulk: ['ids'],
  },
  job_base: { collect: byId, search: both, preview: both, bulk: ['id_file', 'filter'] },
  job_multi_source: {
    collect: byId,
    search: dsl,
    preview: dsl,
    bulk: ['ids', 'es_dsl'],
  },
  employee_post: { collect: byId, search: no, preview: no, bulk: [] },
};

interface Located {
  family: Family;
  method: 'GET' | 'POST';
  /** Path below the service's prefix `/cdapi`; `{key}` stands for the encoded key. */
  path: string;
  /** Credits that a 200 costs; any other answer is free. */
  credits: number;
}

/** Answers a single record for a key. */
export interface RecordOperation extends Located {
  name: 'collect' | 'enrich';
  /** The kinds of key it takes. */
  keys: readonly KeyKind[];
  /** The query parameter that carries the key, where the path does not. */
  keyParameter?: string;
}

/** Answers a page of ids, or a page of preview items. */
export interface QueryOperation extends Located {
  name: 'search' | 'preview';
  style: QueryStyle;
  /** What its pages can be sorted by: the `sort` parameter of filters, the `sort` of a DSL body. */
  sorts: readonly SortField[];
}

/** Makes a data request. */
export interface BulkOperation extends Located {
  name: 'bulk';
  kind: BulkKind;
}

export type Operation = RecordOperation | QueryOperation | BulkOperation;

/** What the pages of a family's searches can be sorted by. */
export function sortsOf(family: Family, style: QueryStyle): readonly SortField[] {
  if (style === 'filter') return ['id', 'last_updated'];
  return family === 'company_clean'
    ? ['id', '_score', 'followers', 'size_employees_count']
    : ['id', '_score'];
}

function operationsOf(family: Family): Operation[] {
  const { collect, enrich, search, preview, bulk } = facts[family];
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
      sorts: sortsOf(family, style),
      credits: 0,
    })),
    ...preview.map((style) => ({
      name: 'preview' as const,
      family,
      method: 'POST' as const,
      path: `${top}/search/${style}/preview`,
      style,
      sorts: sortsOf(family, style),
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
export const operations: readonly Operation[] = /* @__PURE__ */ familyNames.flatMap(operationsOf);

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
export function recordOperation(family: Family, kind: KeyKind): RecordOperation | undefined {
  return recordOperations.find((operation) => operation.family === family && operation.keys.includes(kind));
}

/**
 * The kinds of key by which records of a family can be looked up.
 */
export function lookupKinds(family: Family): KeyKind[] {
  return recordOperations.filter((operation) => operation.family === family).flatMap(({ keys }) => keys);
}

/** Credits for one record of a family, however it is bought. */
export function recordCredits(family: Family): number {
  return prices[family].record;
}

/** Credits for one page of a family's preview; it counts where the family has previews. */
export function previewCredits(family: Family): number {
  return prices[family].preview;
}
