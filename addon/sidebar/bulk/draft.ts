// Input of the bulk tab, and the order that it makes.

import type { Family } from '../../../shared/families/index.ts';
import {
  hasPreviewField,
  previewMaxPage,
  previewPageSize,
  recordNames,
} from '../../../shared/families/previews.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import { getPreviewPrice } from '../../../shared/operations.ts';
import type {
  BulkOrder,
  BulkPlan,
  BulkSource,
  CandidateColumn,
  Scope,
  SearchOrder,
  Table,
} from '../../server/api/index.ts';
import type { MethodResult } from '../../server/index.ts';
import { formatCount, formatNumber, t } from '../../texts/texts.ts';
import { addKnownPrice, formatCredits, getFamilyLabel, parseWholeNumber } from '../format.ts';
import { buildTarget, type Destination, NO_COLUMN_CHOSEN, NO_TABLE_CHOSEN } from '../parts/destination.tsx';
import { cutTitle, getTitle, MAX_DESCRIPTION_LENGTH, parseDraft, type SearchDraft } from '../search/draft.ts';

export interface BulkDraft {
  destination: Destination;
  by: BulkSource['by'];
  /** Key of the chosen column; undefined: the likeliest. */
  column: string | undefined;
  /** The chosen family; undefined: the likeliest. */
  family: Family | undefined;
  scope: Scope;
  /** The chosen columns to write, by family. */
  chosen: Partial<Record<Family, string[]>>;
  limit: string;
  /** Orders a search at companies without them. */
  isEverywhere: boolean;
  /** '': derived from the source. */
  title: string;
  push: boolean;
}

/** Input of the tab. */
export interface BulkInput {
  view: 'new' | 'list';
  draft: BulkDraft;
}

const emptyBulkDraft: BulkDraft = {
  destination: { kind: 'newSheet' },
  by: 'search',
  column: undefined,
  family: undefined,
  scope: 'all',
  chosen: {},
  limit: '100',
  isEverywhere: false,
  title: '',
  push: false,
};

const newSheet = { where: { kind: 'newSheet' }, mode: 'replace' } as const;

export const emptyBulkInput: BulkInput = { view: 'new', draft: emptyBulkDraft };

/** Returns the input that orders the records of a table again. Its rows are updated by id. */
export function toBulkDraft({ id, title, family, query, columns, limit }: Table): BulkDraft {
  return {
    ...emptyBulkDraft,
    destination: { kind: 'table', tableId: id, mode: 'update' },
    by: query === undefined ? 'column' : 'search',
    family,
    chosen: { [family]: columns },
    limit: limit === undefined ? emptyBulkDraft.limit : formatNumber(limit),
    title,
  };
}

export interface RecordSource {
  family: Family;
  /** Undefined while the limit is invalid. */
  source: BulkSource | undefined;
  title: string;
  columns: readonly string[];
}

/** Parses the maximum number of records; undefined if it is invalid. */
export const parseLimit = ({ limit }: BulkDraft): number | undefined =>
  parseWholeNumber(limit, maxRequestRecords);

/**
 * Returns the records of the current search.
 * @returns undefined if the search is invalid, or at companies: a bulk order has no companies of a column
 */
export function sourceFromSearch(search: SearchDraft, draft: BulkDraft): RecordSource | undefined {
  const { query } = parseDraft(search);
  if (query === undefined || (search.accounts !== undefined && !draft.isEverywhere)) return undefined;
  const { family, columns } = search;
  const limit = parseLimit(draft);
  return {
    family,
    source: limit === undefined ? undefined : { by: 'search', query, limit },
    title: getTitle({ ...search, accounts: undefined }, MAX_DESCRIPTION_LENGTH),
    columns,
  };
}

export function sourceFromColumn(
  column: CandidateColumn | undefined,
  draft: BulkDraft,
): RecordSource | undefined {
  const family = column?.families.find((each) => each === draft.family) ?? column?.families[0];
  if (column === undefined || column.kind === 'name' || family === undefined) return undefined;
  const { sheet, heading, letter, kind } = column;
  return {
    family,
    source: { by: 'column', sheet, column: column.column, sort: kind, scope: draft.scope },
    title: `${getFamilyLabel(family)}: ${heading || letter}`,
    columns: [],
  };
}

/** Returns the columns to write: the chosen ones, else those of the search that records have, else the defaults. */
export function getColumns(
  draft: BulkDraft,
  { family, columns }: RecordSource,
  fields: MethodResult<'fields'> | undefined,
): string[] | undefined {
  const names = fields?.columns.map(({ name }) => name);
  const shared =
    names && columns.map((name) => recordNames[name] ?? name).filter((name) => names.includes(name));
  return draft.chosen[family] ?? (shared?.length ? shared : fields?.defaults);
}

/**
 * Builds the order.
 * @param columns - undefined while loading
 * @returns a sentence about missing input; undefined while loading
 */
export function buildBulkOrder(
  draft: BulkDraft,
  { family, source, title }: RecordSource,
  columns: string[] | undefined,
): BulkOrder | string | undefined {
  const target = buildTarget(draft.destination);
  if (source === undefined) return t('Enter the number of records.');
  if (columns?.length === 0) return t(NO_COLUMN_CHOSEN);
  if (target === undefined) return t(NO_TABLE_CHOSEN);
  return (
    columns && {
      family,
      source,
      columns,
      ...target,
      title: draft.title.trim() || cutTitle(title),
      push: draft.push,
    }
  );
}

/** Formats the button: `Order 1,000 records · up to 10,000 credits`. */
export const formatOrderLabel = ({ records, credits }: BulkPlan): string =>
  addKnownPrice(t('Order {records}', { records: formatCount(records, 'record') }), credits, t('up to '));

/** Formats the price: records to buy and those that the team already bought. */
export function formatPrice({ records, cached, credits }: BulkPlan): string {
  if (records === 0) return t('Nothing to order.');
  const missing = records - cached;
  const count = formatCount(records, 'record');
  if (missing === 0) return t('{count} · all already bought (free)', { count });
  const price = t('up to {credits}, charged on delivery', { credits: formatCredits(credits) });
  return cached === 0
    ? `${count} · ${price}`
    : t('{count} · {cached} already bought (free) · {missing} to buy: {price}', {
        count,
        cached,
        missing,
        price,
      });
}

const previewNames = new Map(Object.entries(recordNames).map(([preview, record]) => [record, preview]));

/**
 * Finds the search that writes the same columns for fewer credits, or its first rows.
 * @param columns - the chosen columns
 * @returns undefined if a search lacks a column or isn't cheaper
 */
export function findCheaperSearch(
  { records, credits }: BulkPlan,
  { family, source, title }: RecordSource,
  columns: readonly string[],
): SearchOrder | undefined {
  if (source?.by !== 'search') return undefined;
  const previewColumns = columns.map((path) => previewNames.get(path) ?? path);
  const pages = Math.min(Math.ceil(records / previewPageSize), previewMaxPage);
  if (
    pages * getPreviewPrice(family) >= credits ||
    !previewColumns.every((path) => hasPreviewField(family, path))
  )
    return undefined;
  const { query } = source;
  return { family, query, columns: previewColumns, pages, ...newSheet, title };
}

/**
 * Tells what a search costs that writes the same columns: `These columns cost 20 credits in Search.`
 * @param known - its price now; undefined while unknown
 */
export function formatSearchPrice(
  { records }: BulkPlan,
  { family, pages }: SearchOrder,
  known: number | undefined,
): string {
  const rows = pages * previewPageSize;
  const subject =
    rows < records ? t('The first {rows} rows with these columns', { rows }) : t('These columns');
  if (known === undefined) {
    const credits = formatCredits(pages * getPreviewPrice(family));
    return t('{subject} cost at most {credits} in Search.', { subject, credits });
  }
  return known === 0
    ? t('{subject} are free in Search.', { subject })
    : t('{subject} cost {credits} in Search.', { subject, credits: formatCredits(known) });
}
