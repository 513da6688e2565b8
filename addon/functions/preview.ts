// CDAPI_PREVIEW: preview rows of matching records.
import type { Query } from '../../shared/api/query.ts';
import type { Connection } from '../../shared/connection.ts';
import type { Family } from '../../shared/families/index.ts';
import { previewMaxPage } from '../../shared/families/previews.ts';
import { maxPreviewPages } from '../../shared/limits.ts';
import { getCellError } from '../../shared/problems.ts';
import { openCache } from '../client/cache.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { preview } from '../client/gateway.ts';
import { mayFormulaSpend } from '../client/spending.ts';
import { type Cell, createCellConverter, formatDate } from '../lib/dates.ts';
import { PREVIEW_OPTIONS, parseCount, parseFamily, parseFields, parseOptions } from './arguments/options.ts';
import { parseQuery } from './arguments/query.ts';
import { getRemainingMs, isLate } from './deadline.ts';

const SPENDING_OFF = 'Spending is off for this spreadsheet: switch it on in the sidebar to see a preview.';

/** The rows of the fetched pages. */
interface PreviewTable {
  heading: string[];
  rows: unknown[][];
  /** The error word of the page that could not be fetched. */
  word?: string;
}

const isPreviewTable = (value: unknown): value is PreviewTable =>
  typeof value === 'object' && value !== null && 'heading' in value && 'rows' in value;

/** Fetches pages of one snapshot, starting with the first. Throws if the first page fails. */
function fetchPages(
  connection: Connection,
  family: Family,
  query: Query,
  fields: string[] | undefined,
  pages: number,
  maxCredits: number | undefined,
): PreviewTable & { stamp?: string } {
  let spent = 0;
  const rows: unknown[][] = [];
  let heading: string[] = [];
  let stamp: string | undefined;
  let snapshot: string | null = null;
  let page = 1;
  const table = (word?: string) => ({
    heading,
    rows,
    ...(word === undefined ? {} : { word }),
    ...(stamp === undefined ? {} : { stamp }),
  });
  while (page <= pages) {
    if (page > 1 && getRemainingMs() === 0) return table(getCellError('pending'));
    const answer = preview(connection, {
      family,
      ...query,
      wait_ms: getRemainingMs(),
      page,
      pages: Math.min(maxPreviewPages, pages - page + 1),
      ...(maxCredits === undefined ? {} : { max_credits: Math.max(0, maxCredits - spent) }),
      ...(snapshot === null ? {} : { snapshot }),
      ...(fields === undefined ? {} : { fields }),
    });
    if (!answer.ok && page === 1) throw new Error(answer.message);
    if (!answer.ok) return table(getCellError(answer.code));
    const { body } = answer;
    heading = body.columns.map(({ name }) => name);
    rows.push(...body.rows);
    ({ stamp, snapshot } = body);
    spent += body.credits.spent;
    if (body.page < page || body.page >= body.total_pages) break;
    page = body.page + 1;
  }
  return table();
}

/**
 * Shows a preview of matching records.
 * @param fields - fields of the preview; defaults to all
 * @param pages - pages of 20 rows
 * @param options - `max_credits=100`, `any_fields`, `refresh=1`
 * @returns a heading row, then one row per record in order of relevance; `#NOT_FOUND` if nothing matches. If a later
 * page fails or time runs out, the last row holds the error word
 * @throws Error if the first page fails, or a field is unknown
 */
export function CDAPI_PREVIEW(
  family: unknown,
  query: unknown,
  fields?: unknown,
  pages?: unknown,
  options?: unknown,
): Cell[][] {
  const name = parseFamily(family);
  const { maxCredits, ...read } = parseOptions(options, PREVIEW_OPTIONS);
  const parsedQuery = parseQuery(name, query, formatDate, read);
  const named = parseFields(fields);
  const count = parseCount(pages, 'The number of pages', previewMaxPage, 1);
  const connection = requireFormulaConnection();
  const memory = openCache(connection);
  const cacheName = ['preview', name, parsedQuery, named ?? null, count];
  const cached = memory.get(cacheName);
  let table: PreviewTable;
  if (isPreviewTable(cached)) table = cached;
  else {
    if (!mayFormulaSpend()) throw new Error(SPENDING_OFF);
    const { stamp, ...fetched } = fetchPages(connection, name, parsedQuery, named, count, maxCredits);
    if (!isLate()) {
      memory.setStamp(stamp);
      if (fetched.word === undefined) memory.put(cacheName, fetched);
    }
    table = fetched;
  }
  const { heading, rows, word } = table;
  const toCell = createCellConverter();
  const blanks = heading.slice(1).map(() => '');
  const last = word ?? (rows.length === 0 ? getCellError('not_found') : undefined);
  return [
    [...heading],
    ...rows.map((row) => heading.map((_, at) => toCell(row[at]))),
    ...(last === undefined ? [] : [[last, ...blanks]]),
  ];
}
