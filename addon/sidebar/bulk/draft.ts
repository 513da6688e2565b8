// What a person has filled into the bulk tab, and the order that comes of it.
import type { Family } from '../../../shared/families/index.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type {
  BulkOrder,
  BulkPlan,
  BulkSource,
  CandidateColumn,
  MethodResult,
  Scope,
} from '../../server/api/index.ts';
import { formatCount, formatCredits, formatNumber, getFamilyLabel, parseWholeNumber } from '../format.ts';
import {
  buildTarget,
  type Destination,
  defaultDestination,
  NO_COLUMN_CHOSEN,
  NO_TABLE_CHOSEN,
} from '../parts/destination.tsx';
import { getTitle, parseDraft, type SearchDraft } from '../search/draft.ts';

/** The tab as it is filled. */
export interface BulkDraft extends Destination {
  by: BulkSource['by'];
  /** The column of keys; undefined for the likeliest. */
  column: string | undefined;
  /** What its keys name; undefined for the likeliest. */
  family: Family | undefined;
  scope: Scope;
  /** The columns to write that were chosen, by family. */
  chosen: Partial<Record<Family, string[]>>;
  limit: string;
  /** '' for a name made of the source. */
  title: string;
  push: boolean;
}

export const emptyBulkDraft: BulkDraft = {
  ...defaultDestination,
  by: 'search',
  column: undefined,
  family: undefined,
  scope: 'all',
  chosen: {},
  limit: '1,000',
  title: '',
  push: false,
};

/** What names the records. */
export interface RecordSource {
  family: Family;
  /** Undefined while the limit can't be read. */
  source: BulkSource | undefined;
  /** A name made of it. */
  title: string;
  /** Columns that were chosen elsewhere. */
  columns: readonly string[];
}

/** The most records that are wanted; undefined where they can't be read. */
export const parseLimit = ({ limit }: BulkDraft): number | undefined =>
  parseWholeNumber(limit, maxRequestRecords);

/**
 * The search that is filled in.
 * @returns undefined where it can't be read, or nobody has filled anything in
 */
export function sourceFromSearch(
  search: SearchDraft | undefined,
  draft: BulkDraft,
): RecordSource | undefined {
  const query = search && parseDraft(search).query;
  if (search === undefined || query === undefined) return undefined;
  const { family, input, unchangedQuery, conditions, columns } = search;
  const filled = conditions.some(({ values }) => values.some((value) => value.trim() !== ''));
  if (input === 'form' && unchangedQuery === undefined && !filled) return undefined;
  const limit = parseLimit(draft);
  return {
    family,
    source: limit === undefined ? undefined : { by: 'search', query, limit },
    title: getTitle(search),
    columns,
  };
}

/** The keys of a column. */
export function sourceFromColumn(
  column: CandidateColumn | undefined,
  draft: BulkDraft,
): RecordSource | undefined {
  const family = column?.families.find((one) => one === draft.family) ?? column?.families[0];
  if (column === undefined || family === undefined) return undefined;
  const { sheet, heading, letter, kind } = column;
  return {
    family,
    source: { by: 'column', sheet, column: column.column, sort: kind, scope: draft.scope },
    title: `${getFamilyLabel(family)}: ${heading || letter}`,
    columns: [],
  };
}

/** The columns that are written: those chosen here, those of the search that records have too, or the usual ones. */
export function getColumns(
  draft: BulkDraft,
  { family, columns }: RecordSource,
  known: MethodResult<'fields'> | undefined,
): string[] | undefined {
  const names = known?.columns.map(({ name }) => name);
  const shared = names && columns.filter((name) => names.includes(name));
  return draft.chosen[family] ?? (shared?.length ? shared : known?.defaults);
}

/**
 * Makes the order.
 * @param columns - undefined while they are not known
 * @returns what is missing, in words; undefined while nobody knows
 */
export function buildBulkOrder(
  draft: BulkDraft,
  { family, source, title }: RecordSource,
  columns: string[] | undefined,
): BulkOrder | string | undefined {
  const target = buildTarget(draft);
  if (source === undefined) return 'Enter the number of records.';
  if (columns?.length === 0) return NO_COLUMN_CHOSEN;
  if (target === undefined) return NO_TABLE_CHOSEN;
  return (
    columns && { family, source, columns, ...target, title: draft.title.trim() || title, push: draft.push }
  );
}

/** What the button says: `Order 1,000 records · 10,000 credits`. */
export const formatOrderLabel = ({ records, credits }: BulkPlan): string =>
  `Order ${formatCount(records, 'record')} · ${credits === 0 ? 'free' : formatCredits(credits)}`;

/** What stands beside the button: what is new and what the team already bought. */
export function formatPrice({ records, cached, credits }: BulkPlan): string {
  if (records === 0) return 'Nothing to order. Change the search or the column.';
  const fresh = records - cached;
  if (fresh === 0) return `${formatCount(records, 'record')} · all already bought (free)`;
  const price = `up to ${formatCredits(credits)}, charged on delivery`;
  return cached === 0
    ? `${formatCount(records, 'record')} · ${price}`
    : `${formatCount(records, 'record')} · ${formatNumber(cached)} already bought (free) · ${formatNumber(fresh)} new: ${price}`;
}
