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
import { count, counted, familyLabel, inCredits, wholeOf } from '../format.ts';
import { NO_COLUMN, NO_TABLE, type Place, somewhere, targetOf } from '../parts/destination.tsx';
import { type Draft, readDraft, titleOf } from '../search/draft.ts';

/** The tab as it is filled. */
export interface BulkDraft extends Place {
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

export const emptyBulk: BulkDraft = {
  ...somewhere,
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
export interface Origin {
  family: Family;
  /** Undefined while the limit can't be read. */
  source: BulkSource | undefined;
  /** A name made of it. */
  title: string;
  /** Columns that were chosen elsewhere. */
  columns: readonly string[];
}

/** The most records that are wanted; undefined where they can't be read. */
export const limitOf = ({ limit }: BulkDraft): number | undefined => wholeOf(limit, maxRequestRecords);

/**
 * The search that is filled in.
 * @returns undefined where it can't be read, or nobody has filled anything in
 */
export function searchOrigin(search: Draft | undefined, draft: BulkDraft): Origin | undefined {
  const query = search && readDraft(search).query;
  if (search === undefined || query === undefined) return undefined;
  const { family, ask, kept, conditions, columns } = search;
  const filled = conditions.some(({ values }) => values.some((value) => value.trim() !== ''));
  if (ask === 'form' && kept === undefined && !filled) return undefined;
  const limit = limitOf(draft);
  return {
    family,
    source: limit === undefined ? undefined : { by: 'search', query, limit },
    title: titleOf(search),
    columns,
  };
}

/** The keys of a column. */
export function columnOrigin(column: CandidateColumn | undefined, draft: BulkDraft): Origin | undefined {
  const family = column?.families.find((one) => one === draft.family) ?? column?.families[0];
  if (column === undefined || family === undefined) return undefined;
  const { sheet, heading, letter, kind } = column;
  return {
    family,
    source: { by: 'column', sheet, column: column.column, sort: kind, scope: draft.scope },
    title: `${familyLabel(family)}: ${heading || letter}`,
    columns: [],
  };
}

/** The columns that are written: those chosen here, those of the search that records have too, or the usual ones. */
export function columnsOf(
  draft: BulkDraft,
  { family, columns }: Origin,
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
export function bulkOrder(
  draft: BulkDraft,
  { family, source, title }: Origin,
  columns: string[] | undefined,
): BulkOrder | string | undefined {
  const target = targetOf(draft);
  if (source === undefined) return 'Enter the number of records.';
  if (columns?.length === 0) return NO_COLUMN;
  if (target === undefined) return NO_TABLE;
  return (
    columns && { family, source, columns, ...target, title: draft.title.trim() || title, push: draft.push }
  );
}

/** What the button says: `Order 1,000 records · 10,000 credits`. */
export const orderLabel = ({ records, credits }: BulkPlan): string =>
  `Order ${counted(records, 'record')} · ${credits === 0 ? 'free' : inCredits(credits)}`;

/** What stands beside the button: what is new and what the team already bought. */
export function priceOf({ records, cached, credits }: BulkPlan): string {
  if (records === 0) return 'Nothing to order. Change the search or the column.';
  const fresh = records - cached;
  if (fresh === 0) return `${counted(records, 'record')} · all already bought (free)`;
  const price = `up to ${inCredits(credits)}, charged on delivery`;
  return cached === 0
    ? `${counted(records, 'record')} · ${price}`
    : `${counted(records, 'record')} · ${count(cached)} already bought (free) · ${count(fresh)} new: ${price}`;
}
