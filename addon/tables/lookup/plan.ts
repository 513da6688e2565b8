// Plans and starts the lookup of a column: of people's own list, or of a table.

import type { Connection } from '../../../shared/connection.ts';
import { countNotKeys } from '../../../shared/keys/not-keys.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { toColumnLetters } from '../../../shared/table/columns.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { createError } from '../../lib/addon-error.ts';
import type { EnrichPlan, Overwrite, Start } from '../../server/api/index.ts';
import { getRange, groupConsecutive, type Sheet, toArea } from '../../sheet/area.ts';
import { textEntry } from '../../sheet/entries.ts';
import { requireWritable, withSheetErrors } from '../../sheet/guard.ts';
import { t } from '../../texts/texts.ts';
import { clearMarkCache, getColumnSpan, markTable } from '../locate.ts';
import { warnAboutDeleted } from '../located-table.ts';
import { findTable, saveTable } from '../registry.ts';
import { listHeadingNotes, widenColumns } from '../rows/layout.ts';
import {
  createPriceChangedError,
  describeChanges,
  digestPlan,
  listManualChanges,
  requireConfirmation,
} from '../rows/overwrite.ts';
import { growSheet } from '../rows/write-blocks.ts';
import { writeRows } from '../rows/write-rows.ts';
import { createRun, type RunRecord, type StartedRun, saveRun } from '../runs/run-store.ts';
import { recordStep, startUndoLog } from '../runs/undo-log.ts';
import { readRowKeys } from './keys.ts';
import { saveChoices } from './name-choices.ts';
import { type LookupOrder, type PreparedLookup, prepareLookup } from './prepare.ts';
import { priceCounts, priceLookup } from './price.ts';
import { getMaxBatch, warnAboutUnfinished } from './rows.ts';

/** Finds the rows that were changed by hand, and describes them. Such rows may be left out. */
function findOverwrite({ table, columns, location, body, rows, writtenIndexes }: PreparedLookup): {
  changed: number[];
  overwrite: Overwrite | undefined;
} {
  const at = writtenIndexes.filter((index) => columns[index]?.state === 'kept');
  const changed = listManualChanges(table, location, body, rows, at);
  const overwrite = describeChanges(location, body, changed, at);
  return { changed, overwrite: overwrite && { ...overwrite, canKeep: true } };
}

function requireWritableColumns({ body, location, columns, writtenIndexes }: PreparedLookup): void {
  const places = writtenIndexes.flatMap((index) => columns[index]?.at ?? []);
  const row = Math.max(1, location.row);
  const rows = Math.max(1, body.area.row + body.area.rows - row);
  for (const { from, count } of groupConsecutive(places.sort((a, b) => a - b)))
    requireWritable(location.sheet, { row, column: from, rows, columns: count });
}

/** Tells whether the sheet's filter has a condition, so that it may hide rows. */
function isFiltered(sheet: Sheet): boolean {
  const filter: GoogleAppsScript.Spreadsheet.Filter | null = sheet.getFilter();
  if (filter === null) return false;
  const { column, columns } = toArea(filter.getRange());
  return Array.from({ length: columns }, (_, at) => column + at).some(
    (at) => filter.getColumnFilterCriteria(at) !== null,
  );
}

/** @param missing - number of records to buy */
function listWarnings(
  { location, needsHeading, table, unfinished }: PreparedLookup,
  missing: number,
): string[] {
  return [
    ...warnAboutUnfinished(unfinished),
    ...(needsHeading ? [t('The column has no heading: a heading row will be inserted above it.')] : []),
    ...(isFiltered(location.sheet) ? [t('Rows that the filter hides are included.')] : []),
    ...(isSpendingOn() || table.kind === 'count'
      ? []
      : [
          t(
            missing === 0
              ? 'Spending is off for this spreadsheet: only records your team already bought are written.'
              : missing === 1
                ? 'Spending is off for this spreadsheet: only records your team already bought are written, 1 is left out.'
                : 'Spending is off for this spreadsheet: only records your team already bought are written, {missing} are left out.',
            { missing },
          ),
        ]),
    ...warnAboutDeleted(table, location),
  ];
}

/**
 * Plans the lookup of a column. Free.
 * @throws AddonError
 */
export function planLookup(order: LookupOrder, connection: Connection): EnrichPlan {
  const prepared = prepareLookup(order);
  requireWritableColumns(prepared);
  return buildPlan(prepared, order, connection);
}

/** Digests everything that determines the purchase and the written cells. */
function digestLookup(
  { table, body, rows }: PreparedLookup,
  { sheet, column, family, fields, count, maxAgeS, moreKeys = [], decided = [], into = [] }: LookupOrder,
): string {
  const keys = rows.flatMap((at) => [
    at,
    ...(body.values[at] ?? []).filter((_, column) => table.columns[column]?.role === 'key'),
  ]);
  const more = JSON.stringify([moreKeys, decided.map(({ companyId }) => companyId), into, count?.query]);
  return digestPlan([sheet, column, family, maxAgeS ?? '', ...fields, more, ...keys]);
}

/**
 * Finds the digest that the approval of an order's plan would have now, without a request.
 * @returns undefined if the order can't be planned
 */
export function findDigest(order: LookupOrder): string | undefined {
  try {
    return digestLookup(prepareLookup(order), order);
  } catch {
    return undefined;
  }
}

function buildPlan(prepared: PreparedLookup, order: LookupOrder, connection: Connection): EnrichPlan {
  const { table, columns, body, rows, writtenIndexes } = prepared;
  const keys = rows.map((at) => readRowKeys(table, body.values[at] ?? [], prepared.knownNames));
  const sum = order.count === undefined ? priceLookup(table, keys, order, connection) : priceCounts(keys);
  const invalid = keys.flatMap((all) => {
    const first = all.find((key) => key.kind === 'invalid');
    return first?.kind === 'invalid' && all.every(({ kind }) => kind !== 'key') ? [first.is] : [];
  });
  const { overwrite: willOverwrite } = findOverwrite(prepared);
  const credits = isSpendingOn() ? sum.credits : 0;
  return {
    rows: rows.length,
    distinct: sum.distinct,
    cached: sum.cached,
    stale: sum.stale,
    toFetch: isSpendingOn() ? sum.to_fetch : 0,
    credits,
    ...(sum.reason === undefined || credits === 0 ? {} : { isMaximum: true as const, reason: sum.reason }),
    approval: { credits, digest: digestLookup(prepared, order) },
    invalid: invalid.length,
    notKeys: countNotKeys(invalid),
    columns: writtenIndexes.flatMap((index) => {
      const { column, at, state } = columns[index] ?? {};
      if (column === undefined || at === undefined) return [];
      const { heading, isOwn } = column;
      return [{ heading, letter: toColumnLetters(at), isNew: state === 'added', ...defined({ isOwn }) }];
    }),
    ...defined({ willOverwrite }),
    // How many names have a record is not known yet.
    warnings: listWarnings(prepared, sum.reason === undefined ? sum.to_fetch : 0),
  };
}

/** Inserts a heading row if there is none, writes the new headings, and marks the columns. */
function writeHeadings(run: RunRecord, prepared: PreparedLookup): void {
  const { table, columns, location, needsHeading } = prepared;
  const { sheet } = location;
  if (needsHeading) {
    withSheetErrors(sheet, () => sheet.insertRowsBefore(location.row + 1, 1), sheet.getMaxColumns());
    location.row += 1;
    clearMarkCache();
    recordStep(run.id, { do: 'rows', sheet: sheet.getSheetId(), row: location.row, count: 1 });
  }
  growSheet(run.id, sheet, { row: location.row, rows: 1, ...getColumnSpan(location) });
  withSheetErrors(sheet, () => markTable(table, location));
  const entries = columns.map(({ column, state }) =>
    state === 'kept' ? undefined : textEntry(column.heading),
  );
  const [key = 1] = location.columns;
  const beside = getRange(sheet, { row: location.row, column: key, rows: 1, columns: 1 });
  // New headings look like the key's heading.
  const bold = needsHeading || beside.getFontWeight() === 'bold';
  const notes = listHeadingNotes(table.columns);
  writeRows(run.id, location, [{ row: location.row, entries, notes }], { bold });
  const added = columns.filter(({ state }) => state === 'added');
  widenColumns(run.id, sheet, { from: added[0]?.at ?? 1, columns: added.map(({ column }) => column) });
}

/** Rows of the first step of a run that costs credits. Steps grow while all rows are answered in time. */
const FIRST_BATCH = 50;

/**
 * Starts the lookup of a column; so far it writes only new headings.
 * @throws AddonError `price_changed` if rows or price differ from the approved plan, `confirm_first` if manual changes
 * would be replaced
 */
export function startLookup(
  order: LookupOrder,
  { approval, keepChanges = false, ...answer }: Start,
  connection: Connection,
): StartedRun {
  const prepared = prepareLookup(order);
  requireWritableColumns(prepared);
  if (prepared.rows.length === 0)
    throw createError('bad_call', 'There are no rows to look up here. Choose other rows.');
  if (approval.digest !== digestLookup(prepared, order)) {
    throw createPriceChangedError(buildPlan(prepared, order, connection));
  }
  const { changed, overwrite } = findOverwrite(prepared);
  requireConfirmation(overwrite, { ...answer, keepChanges });
  const { table } = prepared;
  const kept = new Set(keepChanges ? changed : []);
  const rows = prepared.rows.filter((row) => !kept.has(row));
  if (rows.length === 0)
    throw createError('bad_call', 'All of these rows were changed by hand and are kept.');
  const isPaid = approval.credits > 0;
  const run = createRun(table, order.kind, rows.length, approval.credits, {
    kind: 'lookup',
    scope: keepChanges ? { ...prepared.scope, only: groupConsecutive(rows) } : prepared.scope,
    fields: order.fields,
    cursor: 0,
    fingerprint: '',
    skipped: [],
    batch: isPaid ? Math.min(getMaxBatch(table), FIRST_BATCH) : getMaxBatch(table),
    idleSteps: 0,
    ...defined({ maxAgeS: order.maxAgeS, decides: order.decided && table.lastRun }),
  });
  startUndoLog(run.id, table.id, findTable(table.id));
  if (order.decided !== undefined) {
    const sheet = prepared.location.sheet.getSheetId();
    for (const { companyId: _, ...name } of order.decided) recordStep(run.id, { do: 'choice', sheet, name });
    saveChoices(order.decided);
  }
  writeHeadings(run, prepared);
  SpreadsheetApp.flush();
  saveTable(table);
  saveRun(run);
  return { run, table };
}
