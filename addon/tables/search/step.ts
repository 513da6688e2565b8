// Writes the preview of a search, one page per step: replaces, appends or updates rows.

import type { PreviewRequest } from '../../../shared/api/search.ts';
import type { Connection } from '../../../shared/connection.ts';
import { hasPreviewField, previewPageSize } from '../../../shared/families/previews.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { createError } from '../../lib/addon-error.ts';
import { blankEntry, createEntryConverter, fingerprint } from '../../sheet/entries.ts';
import { relocateTable, requireTable } from '../located-table.ts';
import type { TableRecord } from '../registry.ts';
import { formatOriginNote, type Origin, toOriginEntry } from '../rows/layout.ts';
import { openTarget, writePage } from '../rows/write-page.ts';
import { getRowId, type TableRow, toCells } from '../rows/write-rows.ts';
import {
  buildLimits,
  buildMaxAge,
  countWritten,
  PAGE_WAIT_MS,
  type RunRecord,
  type SearchState,
} from '../runs/run-store.ts';
import { addFullRecords, type FetchedRows, listRecordColumns } from './full-records.ts';

/** Shown if a preview would have to be bought. */
export const SPENDING_OFF =
  'Spending is off for this spreadsheet. Switch it on under Activity to write a preview.';

/** @throws AddonError if spending is off */
function fetchPage(run: RunRecord, table: TableRecord, state: SearchState, connection: Connection) {
  if (!isSpendingOn()) throw createError('spending_off', SPENDING_OFF);
  const request: PreviewRequest = {
    ...(state.query ?? table.query ?? { text: '' }),
    family: table.family,
    page: state.page,
    pages: 1,
    ...(state.snapshot === undefined ? {} : { snapshot: state.snapshot }),
    fields: [
      ...new Set([
        ...table.columns.flatMap(({ path }) => (hasPreviewField(table.family, path) ? path : [])),
        ...(listRecordColumns(table).length === 0 ? [] : ['id']),
      ]),
    ],
    ...buildMaxAge(run, state.maxAgeS),
    ...buildLimits(run),
    wait_ms: PAGE_WAIT_MS,
  };
  const page = unwrap(call(connection, 'preview', { body: request }));
  run.credits += page.credits.spent;
  // A page that is fetched again was counted before.
  run.saved += state.waits === undefined ? page.credits.saved : 0;
  return page;
}

function toTableRows(table: TableRecord, { columns, rows, credits }: FetchedRows): TableRow[] {
  const toEntry = createEntryConverter();
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const isBought = credits.spent > 0;
  const origin: Origin = {
    retrievedAt: isBought ? new Date().toISOString() : undefined,
    source: isBought ? 'bought' : 'already bought',
    credits: rows.length === 0 ? 0 : credits.spent / rows.length,
  };
  const notes = table.columns.map((_, at) => (at === 0 ? formatOriginNote(origin) : undefined));
  return rows.map((row) => {
    const entries = table.columns.map(({ role, path }) => {
      const index = places.get(path);
      return toOriginEntry(role, origin) ?? (index === undefined ? blankEntry : toEntry(row[index], path));
    });
    const id = getRowId(table, toCells(entries));
    return { id, entries, ...(table.provenance === 'notes' ? { notes } : {}) };
  });
}

/**
 * Writes fetched rows into the table of a run, which may have moved meanwhile. Modifies the run.
 * @param isLast - no rows follow
 * @throws AddonError if the sheet refuses
 */
export function writeFetchedRows(
  run: RunRecord,
  state: SearchState,
  fetched: FetchedRows,
  isLast: boolean,
): void {
  const { table, location } = relocateTable(run.tableId);
  const target = openTarget(run.id, state, table, location);
  if (state.mode === 'replace' && !state.cleared) state.previous = target.body.values.map(fingerprint);
  const rows = toTableRows(table, fetched);
  const previous = state.previous && new Set(state.previous);
  const isNew = ({ entries }: TableRow): boolean => previous?.has(fingerprint(toCells(entries))) === false;
  const updated = previous === undefined ? {} : { updated: rows.filter(isNew).length };
  countWritten(run, { ...writePage(target, state, rows, { isLast }), ...updated });
  run.done += rows.length;
}

/**
 * Fetches the next page of a search, and the full records of its rows if a column needs them, and writes it. Modifies the run; the caller saves it.
 * @returns whether there are more pages
 * @throws AddonError if the gateway or the sheet refuses; the run keeps its position but records what it paid
 */
export function stepSearch(run: RunRecord, state: SearchState, connection: Connection): boolean {
  const { table } = requireTable(run.tableId);
  const answer = fetchPage(run, table, state, connection);
  const fetched = addFullRecords(run, table, state, answer, connection);
  if (fetched === undefined) return true;
  const pages = Math.min(state.pages, answer.total_pages);
  const hasMore = fetched.rows.length > 0 && answer.page < pages;
  writeFetchedRows(run, state, fetched, !hasMore);
  state.page = answer.page + 1;
  state.pages = pages;
  if (answer.snapshot !== null) state.snapshot = answer.snapshot;
  run.total = Math.min(answer.total, state.pages * previewPageSize);
  return hasMore;
}
