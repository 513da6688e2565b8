// Says what looking a column up would write and cost, and starts it: for a list of people's own, or for rows of a table.
import type { Connection } from '../../../shared/connection.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import { estimateAll } from '../../client/gateway.ts';
import { sheetSpends } from '../../client/spending.ts';
import { Refusal } from '../../lib/addon-error.ts';
import type { EnrichPlan, Overwrite, Start } from '../../server/api/index.ts';
import { letterOf, rangeOf } from '../../sheet/area.ts';
import { textEntry } from '../../sheet/entries.ts';
import { checkPlace, guarded } from '../../sheet/guard.ts';
import type { Found } from '../locate.ts';
import { keepPrints, keepTable, printsOf, type TableRecord, tableOf } from '../registry.ts';
import { changedByHand } from '../rows/overwrite.ts';
import { rowPrint, writeRows } from '../rows/write-rows.ts';
import { digestOf, priceChanged } from '../runs/approval.ts';
import { keepRun, newRun, type RunRecord } from '../runs/run-store.ts';
import { beginUndo, keepStep } from '../runs/undo.ts';
import { type KeysOrder, type Prepared, placesOf, prepare } from './prepare.ts';
import { keyOf, lookupsOf } from './rows.ts';

function overwrites(prepared: Prepared): Overwrite | undefined {
  const { table, found, body, rows, written } = prepared;
  const there = written.filter((at) => found.columns[at] !== undefined);
  return changedByHand(table, found, body, rows, there);
}

function checkPlaces(prepared: Prepared): void {
  const { body, found, written } = prepared;
  const all = placesOf(prepared);
  const columns = written.flatMap((at) => all.columns[at] ?? []);
  if (columns.length === 0) return;
  const row = Math.max(1, found.row);
  const column = Math.min(...columns);
  checkPlace(found.sheet, {
    row,
    column,
    rows: Math.max(1, body.area.row + body.area.rows - row),
    columns: Math.max(...columns) - column + 1,
  });
}

function warningsOf({ found, needsHeading, table }: Prepared): string[] {
  const filter: GoogleAppsScript.Spreadsheet.Filter | null = found.sheet.getFilter();
  const lost = table.columns.filter(
    ({ role }, at) => role !== 'key' && found.columns[at] === undefined && at < table.place.columns.length,
  );
  return [
    ...(needsHeading ? ['The column has no heading: a row for headings is put above it.'] : []),
    ...(filter === null ? [] : ['Rows that the filter hides are included.']),
    ...(sheetSpends() ? [] : ['Spending is off for this sheet: only what is remembered is written.']),
    ...lost.map(({ heading }) => `The heading “${heading}” is gone: that column is left out.`),
  ];
}

/**
 * Says what looking a column up would write and cost; free.
 * @throws Refusal
 */
export function planKeys(order: KeysOrder, connection: Connection): EnrichPlan {
  const prepared = prepare(order);
  checkPlaces(prepared);
  return planOf(prepared, order, connection);
}

/** Depends on all that decides what is bought, and where it is written. */
function digestOfKeys(
  { body, rows }: Prepared,
  { sheet, column, family, fields, maxAgeS }: KeysOrder,
): string {
  const keys = rows.flatMap((at) => [at, body.values[at]?.[0]]);
  return digestOf([sheet, column, family, maxAgeS ?? '', ...fields, '', ...keys]);
}

function planOf(prepared: Prepared, order: KeysOrder, connection: Connection): EnrichPlan {
  const { table, body, rows, written, added } = prepared;
  const keys = rows.map((at) => keyOf(table, body.values[at]?.[0]));
  const requests = lookupsOf(table, keys, order.fields, order.maxAgeS);
  const sum = { distinct: 0, cached: 0, stale: 0, to_fetch: 0, credits: 0 };
  for (const answer of requests.length === 0 ? [] : estimateAll(connection, requests)) {
    if (!answer.ok) throw new Refusal(answer.code, answer.sentence);
    for (const name of ['distinct', 'cached', 'stale', 'to_fetch', 'credits'] as const) {
      sum[name] += answer.body[name];
    }
  }
  const willOverwrite = overwrites(prepared);
  const places = placesOf(prepared);
  const credits = sheetSpends() ? sum.credits : 0;
  return {
    rows: rows.length,
    distinct: sum.distinct,
    remembered: sum.cached,
    stale: sum.stale,
    toFetch: sheetSpends() ? sum.to_fetch : 0,
    credits,
    approval: { credits, digest: digestOfKeys(prepared, order) },
    invalid: keys.filter(({ kind }) => kind === 'invalid').length,
    columns: written.flatMap((at) => {
      const column = places.columns[at];
      const heading = table.columns[at]?.heading ?? '';
      return column === undefined ? [] : [{ heading, letter: letterOf(column), isNew: added.includes(at) }];
    }),
    ...(willOverwrite === undefined ? {} : { willOverwrite }),
    warnings: warningsOf(prepared),
  };
}

/** Puts a row for headings above a column that has none, and writes the headings that are new. */
function writeHeadings(run: RunRecord, prepared: Prepared): Found {
  const { table, added, needsHeading } = prepared;
  const places = placesOf(prepared);
  const { sheet } = places;
  if (needsHeading) {
    guarded(sheet, () => sheet.insertRowsBefore(places.row + 1, 1));
    places.row += 1;
    keepStep(run.id, { do: 'rows', sheet: sheet.getSheetId(), row: places.row, count: 1 });
  }
  const line = table.columns.map(({ heading }) => textEntry(heading));
  const [key = 1] = places.columns;
  const beside = rangeOf(sheet, { row: places.row, column: key, rows: 1, columns: 1 });
  // Headings look like the one beside which they stand.
  const bold = needsHeading || beside.getFontWeight() === 'bold';
  writeRows(run.id, places, places.row, [line], needsHeading ? [0, ...added] : added, bold ? { bold } : {});
  return places;
}

/** Rows that were as they were written stay so: their prints count the new, empty columns. */
function widenPrints({ table, found, body, added }: Prepared, places: Found): void {
  const prints = printsOf(table.id);
  if (added.length === 0 || prints.size === 0) return;
  const wider = body.values.flatMap((line) =>
    prints.has(rowPrint(found, line)) ? [rowPrint(places, line)] : [],
  );
  keepPrints(table.id, new Set(wider));
}

/**
 * Starts looking a column up: writes the headings that are new, and nothing else yet.
 * @throws Refusal `price_changed` where rows or price are not those of the approved plan; `confirm_first` where something
 * typed by hand would be replaced
 */
export function startKeys(
  order: KeysOrder,
  { approval, confirmed = false }: Start,
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  const prepared = prepare(order);
  checkPlaces(prepared);
  if (prepared.rows.length === 0)
    throw new Refusal('bad_call', 'There is no row to look up in what was chosen.');
  if (approval.digest !== digestOfKeys(prepared, order)) {
    throw priceChanged(planOf(prepared, order, connection));
  }
  const question = overwrites(prepared)?.question;
  if (question !== undefined && !confirmed) throw new Refusal('confirm_first', question);
  const { table, scope } = prepared;
  const run = newRun(table, order.kind, prepared.rows.length, approval.credits, {
    keys: {
      scope,
      fields: order.fields,
      cursor: 0,
      print: '',
      skipped: [],
      batch: maxLookupKeys,
      idle: 0,
      ...(order.maxAgeS === undefined ? {} : { maxAgeS: order.maxAgeS }),
    },
  });
  beginUndo(run.id, table.id, tableOf(table.id));
  const places = writeHeadings(run, prepared);
  SpreadsheetApp.flush();
  widenPrints(prepared, places);
  table.place = {
    sheetId: places.sheet.getSheetId(),
    sheet: places.sheet.getName(),
    row: places.row,
    columns: places.columns.map((column, at) => column ?? table.place.columns[at] ?? 1),
  };
  keepTable(table);
  keepRun(run);
  return { run, table };
}
