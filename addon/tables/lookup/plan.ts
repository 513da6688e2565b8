// Plans and starts the lookup of a column: of people's own list, or of a table.
import type { Connection } from '../../../shared/connection.ts';
import { countNotKeys } from '../../../shared/keys/not-keys.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { EnrichPlan, Overwrite, Start } from '../../server/api/index.ts';
import { getRange, groupConsecutive, type Sheet, toArea, toColumnLetters } from '../../sheet/area.ts';
import { textEntry } from '../../sheet/entries.ts';
import { requireWritable, withSheetErrors } from '../../sheet/guard.ts';
import type { TableLocation } from '../locate.ts';
import { findTable, readFingerprints, saveFingerprints, saveTable, type TableRecord } from '../registry.ts';
import { listHeadingNotes, widenColumns } from '../rows/layout.ts';
import { describeChanges, listManualChanges, requireConfirmation } from '../rows/overwrite.ts';
import { fingerprintRow, writeRows } from '../rows/write-rows.ts';
import { createPriceChangedError, digestPlan } from '../runs/approval.ts';
import { createRun, type RunRecord, saveRun } from '../runs/run-store.ts';
import { recordStep, startUndoLog } from '../runs/undo-log.ts';
import { readRowKeys } from './keys.ts';
import { saveChoices } from './name-choices.ts';
import { withoutOwnColumns } from './own-columns.ts';
import { type LookupOrder, type PreparedLookup, prepareLookup, withNewColumns } from './prepare.ts';
import { priceLookup } from './price.ts';
import { getMaxBatch, warnAboutUnfinished } from './rows.ts';

/** Finds the rows that were changed by hand, and describes them. Such rows may be left out. */
function findOverwrite(prepared: PreparedLookup): { changed: number[]; overwrite: Overwrite | undefined } {
  const { table, rows, writtenIndexes, previousValues = prepared.body.values } = prepared;
  const { previousLocation = withoutOwnColumns(table, prepared.location) } = prepared;
  const body = { ...prepared.body, values: previousValues };
  const there = writtenIndexes.flatMap((at) => {
    const column = prepared.location.columns[at];
    const index = column === undefined ? -1 : previousLocation.columns.indexOf(column);
    return index < 0 ? [] : [index];
  });
  const changed = listManualChanges(table, previousLocation, body, rows, there);
  const overwrite = describeChanges(previousLocation, body, changed, there);
  return { changed, overwrite: overwrite && { ...overwrite, canKeep: true } };
}

function requireWritableColumns(prepared: PreparedLookup): void {
  const { body, location, writtenIndexes } = prepared;
  const all = withNewColumns(prepared);
  const columns = writtenIndexes.flatMap((at) => all.columns[at] ?? []);
  const row = Math.max(1, location.row);
  const rows = Math.max(1, body.area.row + body.area.rows - row);
  for (const { from, count } of groupConsecutive(columns.sort((a, b) => a - b)))
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
  const lost = table.columns.filter(
    ({ role }, at) => role !== 'key' && location.columns[at] === undefined && at < table.place.columns.length,
  );
  return [
    ...warnAboutUnfinished(unfinished),
    ...(needsHeading ? ['The column has no heading: a heading row will be inserted above it.'] : []),
    ...(isFiltered(location.sheet) ? ['Rows that the filter hides are included.'] : []),
    ...(isSpendingOn()
      ? []
      : [
          `Spending is off for this spreadsheet: only records your team already bought are written${missing === 0 ? '' : `, ${missing.toLocaleString('en')} ${missing === 1 ? 'is' : 'are'} left out`}.`,
        ]),
    ...lost.map(({ heading }) => `The heading “${heading}” is missing: that column is skipped.`),
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
  { sheet, column, family, fields, maxAgeS, moreKeys = [], decided = [], into = [] }: LookupOrder,
): string {
  const keys = rows.flatMap((at) => [
    at,
    ...(body.values[at] ?? []).filter((_, column) => table.columns[column]?.role === 'key'),
  ]);
  const more = JSON.stringify([moreKeys, decided.map(({ companyId }) => companyId), into]);
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
  const { table, body, rows, writtenIndexes, addedIndexes } = prepared;
  const keys = rows.map((at) => readRowKeys(table, body.values[at] ?? [], prepared.knownNames));
  const sum = priceLookup(table, keys, order, connection);
  const invalid = keys.flatMap((all) => {
    const first = all.find((key) => key.kind === 'invalid');
    return first?.kind === 'invalid' && all.every(({ kind }) => kind !== 'key') ? [first.is] : [];
  });
  const { overwrite: willOverwrite } = findOverwrite(prepared);
  const places = withNewColumns(prepared);
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
    columns: writtenIndexes.flatMap((at) => {
      const column = places.columns[at];
      const { heading = '', isOwn } = table.columns[at] ?? {};
      if (column === undefined) return [];
      const own = isOwn === true ? { isOwn } : {};
      return [{ heading, letter: toColumnLetters(column), isNew: addedIndexes.includes(at), ...own }];
    }),
    ...(willOverwrite === undefined ? {} : { willOverwrite }),
    // How many names have a record is not known yet.
    warnings: listWarnings(prepared, sum.reason === undefined ? sum.to_fetch : 0),
  };
}

/** Inserts a heading row if there is none, and writes the new headings. */
function writeHeadings(run: RunRecord, prepared: PreparedLookup): TableLocation {
  const { table, addedIndexes, firstFreeColumn, headless, needsHeading } = prepared;
  const places = withNewColumns(prepared);
  const { sheet } = places;
  if (needsHeading) {
    withSheetErrors(sheet, () => sheet.insertRowsBefore(places.row + 1, 1), sheet.getMaxColumns());
    places.row += 1;
    recordStep(run.id, { do: 'rows', sheet: sheet.getSheetId(), row: places.row, count: 1 });
  }
  const line = table.columns.map(({ heading }) => textEntry(heading));
  const [key = 1] = places.columns;
  const beside = getRange(sheet, { row: places.row, column: key, rows: 1, columns: 1 });
  // New headings look like the key's heading.
  const bold = needsHeading || beside.getFontWeight() === 'bold';
  const extras = { notes: [listHeadingNotes(table.columns)], ...(bold ? { bold } : {}) };
  writeRows(run.id, places, places.row, [line], [...headless, ...addedIndexes], extras);
  const added = addedIndexes.flatMap((at) => table.columns[at] ?? []);
  widenColumns(run.id, sheet, { from: firstFreeColumn, columns: added });
  return places;
}

/** Updates the fingerprints of unchanged rows, which now include the new, empty columns. */
function widenFingerprints(prepared: PreparedLookup, location: TableLocation): void {
  const { table, previousLocation, previousValues = [], body } = prepared;
  const places = withoutOwnColumns(table, location);
  const fingerprints = readFingerprints(table.id);
  if (previousLocation === undefined || fingerprints.size === 0) return;
  if (previousLocation.columns.join() === places.columns.join()) return;
  const wider = body.values.flatMap((line, at) =>
    fingerprints.has(fingerprintRow(previousLocation, previousValues[at] ?? []))
      ? [fingerprintRow(places, line)]
      : [],
  );
  saveFingerprints(table.id, new Set(wider));
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
): { run: RunRecord; table: TableRecord } {
  const prepared = prepareLookup(order);
  requireWritableColumns(prepared);
  if (prepared.rows.length === 0)
    throw new AddonError('bad_call', 'There are no rows to look up here. Choose other rows.');
  if (approval.digest !== digestLookup(prepared, order)) {
    throw createPriceChangedError(buildPlan(prepared, order, connection));
  }
  const { changed, overwrite } = findOverwrite(prepared);
  if (!keepChanges) requireConfirmation(overwrite, answer);
  const { table } = prepared;
  const kept = new Set(keepChanges ? changed : []);
  const rows = prepared.rows.filter((row) => !kept.has(row));
  if (rows.length === 0)
    throw new AddonError('bad_call', 'All of these rows were changed by hand and are kept.');
  const isPaid = approval.credits > 0;
  const run = createRun(table, order.kind, rows.length, approval.credits, {
    lookup: {
      scope: keepChanges ? { ...prepared.scope, only: groupConsecutive(rows) } : prepared.scope,
      fields: order.fields,
      cursor: 0,
      fingerprint: '',
      skipped: [],
      batch: isPaid ? Math.min(getMaxBatch(table), FIRST_BATCH) : getMaxBatch(table),
      idleSteps: 0,
      ...(order.maxAgeS === undefined ? {} : { maxAgeS: order.maxAgeS }),
      ...(order.decided === undefined ? {} : { decides: table.lastRun }),
    },
  });
  startUndoLog(run.id, table.id, findTable(table.id));
  if (order.decided !== undefined) {
    const sheet = prepared.location.sheet.getSheetId();
    for (const { companyId: _, ...name } of order.decided) recordStep(run.id, { do: 'choice', sheet, name });
    saveChoices(order.decided);
  }
  const places = writeHeadings(run, prepared);
  SpreadsheetApp.flush();
  widenFingerprints(prepared, places);
  table.place = {
    sheetId: places.sheet.getSheetId(),
    sheet: places.sheet.getName(),
    row: places.row,
    columns: places.columns.map((column, at) => column ?? table.place.columns[at] ?? 1),
  };
  saveTable(table);
  saveRun(run);
  return { run, table };
}
