// CDAPI_PREVIEW: preview rows of matching records.
import type { Query } from '../../shared/api/query.ts';
import type { PreviewResponse } from '../../shared/api/search.ts';
import type { Connection } from '../../shared/connection.ts';
import type { Family } from '../../shared/families/index.ts';
import { previewMaxPage } from '../../shared/families/previews.ts';
import { maxPreviewPages } from '../../shared/limits.ts';
import { explainProblem, getCellError, type ProblemCode } from '../../shared/problems.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { call } from '../client/gateway.ts';
import type { GatewayResult } from '../client/http.ts';
import { type Cell, createCellConverter, formatDate } from '../lib/dates.ts';
import { PREVIEW_OPTIONS, parseCount, parseFamily, parseFields, parseOptions } from './arguments/options.ts';
import { parseQuery } from './arguments/query.ts';
import {
  createRefusedTable,
  type FetchedTable,
  getRemainingMs,
  isRefusedTable,
  loadTable,
  toLimitProblem,
} from './fetching.ts';

/** Fetches pages of one snapshot, starting with the first. Throws if the first page fails. */
function fetchPages(
  connection: Connection,
  family: Family,
  query: Query,
  fields: string[] | undefined,
  pages: number,
  maxCredits: number | undefined,
  isAsking: boolean,
): FetchedTable {
  let spent = 0;
  let snapshot: string | null = null;
  let page = 1;
  const table: FetchedTable = { heading: [], rows: [], isComplete: false };
  const stop = (code: ProblemCode): FetchedTable => {
    table.rows.push([getCellError(toLimitProblem(code, isAsking))]);
    return table;
  };
  while (page <= pages) {
    if (page > 1 && getRemainingMs() === 0) return stop('pending');
    const answer: GatewayResult<PreviewResponse> = call(connection, 'preview', {
      body: {
        family,
        ...query,
        wait_ms: getRemainingMs(),
        page,
        pages: Math.min(maxPreviewPages, pages - page + 1),
        ...(maxCredits === undefined ? {} : { max_credits: Math.max(0, maxCredits - spent) }),
        ...(snapshot === null ? {} : { snapshot }),
        ...(fields === undefined ? {} : { fields }),
      },
    });
    if (!answer.ok && page === 1) {
      const code = toLimitProblem(answer.code, isAsking);
      if (code !== 'confirm_price') throw new Error(answer.message);
      return createRefusedTable(code === answer.code ? answer.message : explainProblem(code));
    }
    if (!answer.ok) return stop(answer.code);
    const body: PreviewResponse = answer.body;
    table.heading = body.columns.map(({ name }) => name);
    table.rows.push(...body.rows);
    table.stamp = body.stamp;
    snapshot = body.snapshot;
    spent += body.credits.spent;
    if (body.page < page || body.page >= body.total_pages) break;
    page = body.page + 1;
  }
  return { ...table, isComplete: true };
}

/**
 * Shows a preview of matching records.
 * @param fields - fields of the preview; defaults to all
 * @param pages - pages of 20 rows
 * @param options - `max_credits=100`, `any_fields`, `refresh=1`
 * @returns a heading row, then one row per record in order of relevance; `#NOT_FOUND` if nothing matches. If a later
 * page fails or time runs out, the last row holds the error word. `#CONFIRM` and the price if a person has to confirm it
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
  const cacheName = ['preview', name, parsedQuery, named ?? null, count];
  const calls = Math.ceil(count / maxPreviewPages);
  const table = loadTable(
    connection,
    cacheName,
    { own: maxCredits, calls, purpose: 'to see a preview' },
    (...limit) => fetchPages(connection, name, parsedQuery, named, count, ...limit),
  );
  const { heading, rows } = table;
  if (isRefusedTable(table)) return [[...heading]];
  const toCell = createCellConverter();
  const shown = rows.length === 0 ? [[getCellError('not_found')]] : rows;
  return [[...heading], ...shown.map((row) => heading.map((_, at) => toCell(row[at])))];
}
