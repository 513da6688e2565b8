// Fills the new rows of the open sheet in columns that are kept filled. The gateway fills those of a closed one.
import type { Enrichment } from '../../../shared/api/enrichments.ts';
import type { LookupRow } from '../../../shared/api/lookup.ts';
import type { Connection } from '../../../shared/connection.ts';
import type { NotKey } from '../../../shared/keys/index.ts';
import { countNotKeys } from '../../../shared/keys/not-keys.ts';
import { findConnection } from '../../client/connection.ts';
import { call } from '../../client/gateway.ts';
import { isUnknownToGateway, unwrap } from '../../client/http.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { ignoreAddonErrors, toFailure } from '../../lib/addon-error.ts';
import { withDocumentLock } from '../../lib/lock.ts';
import { type Area, toArea } from '../../sheet/area.ts';
import { createEntryConverter, fingerprint } from '../../sheet/entries.ts';
import type { BodyCells, TableLocation } from '../../tables/locate.ts';
import { relocateTable } from '../../tables/located-table.ts';
import { readRowKeys } from '../../tables/lookup/keys.ts';
import {
  buildOutcome,
  listRowsInScope,
  listWrittenColumns,
  type RowOutcome,
  readLookupBody,
} from '../../tables/lookup/rows.ts';
import { writeOutcomes } from '../../tables/lookup/write-outcomes.ts';
import {
  findTable,
  isEnrichmentOn,
  listTables,
  listValuePaths,
  readBlankKeys,
  saveBlankKeys,
  saveTable,
  type TableRecord,
} from '../../tables/registry.ts';
import { openWrittenRows } from '../../tables/rows/write-rows.ts';
import { listUnfinishedRuns } from '../../tables/runs/run-store.ts';
import { recordFill, startUndoLog } from '../../tables/runs/undo-log.ts';
import type { Fill, LastFill } from '../api/index.ts';
import { logError } from '../error-log.ts';
import { updateFillTriggers, withRecordedRun } from '../triggers.ts';

export function createMissingSheetCheck(): (table: TableRecord) => boolean {
  const sheets = new Set(
    SpreadsheetApp.getActiveSpreadsheet()
      .getSheets()
      .map((sheet) => sheet.getSheetId()),
  );
  return ({ place }) => !sheets.has(place.sheetId);
}

/** Reports registered tables with a deleted sheet, once each. Failed reports are repeated next time. */
export function reportMissingSheets(connection: Connection): void {
  const isMissing = createMissingSheetCheck();
  for (const table of listTables()) {
    if (table.registered !== true || table.missingReported === true || !isMissing(table)) continue;
    const answer = call(connection, 'reportMissingTable', { params: { id: table.id } });
    if (answer.ok || isUnknownToGateway(answer.code)) saveTable({ ...table, missingReported: true });
  }
}

const MAX_ROWS = 200;

interface KeyRows {
  /** Rows without values, as indexes in the body. */
  blank: Map<string, number[]>;
  filled: Set<string>;
  /** What the cells of rows without values are that are no keys. */
  notKeys: NotKey[];
}

function groupRows(table: TableRecord, location: TableLocation, body: BodyCells): KeyRows {
  const open = new Set(listRowsInScope(table, location, body, { rows: 'blank' }, listValuePaths(table)).rows);
  const rows: KeyRows = { blank: new Map(), filled: new Set(), notKeys: [] };
  for (const [row, line] of body.values.entries()) {
    const [key] = readRowKeys(table, line);
    if (key?.kind === 'invalid' && open.has(row)) rows.notKeys.push(key.is);
    if (key?.kind !== 'key') continue;
    if (open.has(row)) rows.blank.set(key.text, [...(rows.blank.get(key.text) ?? []), row]);
    else rows.filled.add(key.text);
  }
  return rows;
}

function readKeyRows(id: string): KeyRows {
  const { table, location } = relocateTable(id);
  return groupRows(table, location, readLookupBody(table, location));
}

const listKeys = ({ blank, filled }: KeyRows): Set<string> => new Set([...filled, ...blank.keys()]);

/** Lists the distinct keys of the present rows. @throws AddonError `gone` */
export const listPresentKeys = (id: string): string[] => [...listKeys(readKeyRows(id))];

/** Leaves the rows blank that are so now. A table that can't be found is not filled anyway. */
export function leaveRowsBlank(id: string): void {
  ignoreAddonErrors(() =>
    saveBlankKeys(id, new Set([...readKeyRows(id).blank.keys()].map((key) => fingerprint([key])))),
  );
}

/** Notes that the last fill of a table was undone: its rows stay blank. */
export function noteUndoneFill(id: string): void {
  const table = findTable(id);
  if (table?.lastFill !== undefined) saveTable({ ...table, lastFill: { ...table.lastFill, isUndone: true } });
  leaveRowsBlank(id);
}

/**
 * Counts the distinct keys and the rows without values. `newKeys`: those of waiting rows that no other row has.
 * @throws AddonError `gone`
 */
export function countRows(id: string) {
  const left = readBlankKeys(id);
  const rows = readKeyRows(id);
  const { blank, filled } = rows;
  const notKeys = countNotKeys(rows.notKeys);
  const counts = { keys: listKeys(rows).size, blank: 0, notKeys, waiting: 0, newKeys: 0 };
  for (const [key, { length }] of blank) {
    const isLeft = left.has(fingerprint([key]));
    counts[isLeft ? 'blank' : 'waiting'] += length;
    counts.newKeys += Number(!isLeft && !filled.has(key));
  }
  return counts;
}

/** Returns the last fill of a table: that of the open sheet, or a later run of the gateway. */
export function getLastFill({ lastFill }: TableRecord, { last }: Pick<Enrichment, 'last'>): LastFill | null {
  if (lastFill === undefined || lastFill.gatewayAt !== (last?.at ?? null)) return last;
  const { gatewayAt: _, ...fill } = lastFill;
  return { ...fill, changes: 0 };
}

interface Edit {
  sheetId: number;
  area: Area;
}

function touchesKeys({ columns }: TableRecord, location: TableLocation, { sheetId, area }: Edit): boolean {
  const key = location.columns[columns.findIndex(({ role }) => role === 'key')] ?? 0;
  const isInColumn = key >= area.column && key < area.column + area.columns;
  return location.sheet.getSheetId() === sheetId && isInColumn && area.row + area.rows - 1 > location.row;
}

const isFinal = ({ record, status, problem }: LookupRow): boolean =>
  record !== undefined || status === 'not_found' || problem === 'erased';

/** Looks up the keys of blank rows, and updates the list of keys whose rows stay blank. */
function lookUpBlankRows(
  table: TableRecord,
  { blank, filled }: KeyRows,
  connection: Connection,
): { rows: LookupRow[]; credits: number; gatewayAt: string | null } {
  const before = readBlankKeys(table.id);
  const isLeft = (key: string): boolean => before.has(fingerprint([key]));
  const wanted = [...blank.keys()].filter((key) => !isLeft(key)).slice(-MAX_ROWS);
  const duplicates = wanted.filter((key) => filled.has(key));
  const answer =
    wanted.length === 0
      ? undefined
      : unwrap(
          call(connection, 'fillKeys', { params: { id: table.id }, body: { keys: wanted, duplicates } }),
        );
  const { rows = [], enrichment } = answer ?? {};
  const answered = new Map(rows.map((row) => [row.key, row]));
  // Keys whose values were written before have no answer, and repeated ones none if the record is no longer cached.
  const staysBlank = (key: string): boolean => {
    const problem = answered.get(key)?.problem;
    return filled.has(key) ? problem === 'max_credits_reached' : !answered.has(key);
  };
  const known = enrichment?.state === 'on' ? wanted.filter(staysBlank) : [];
  const left = new Set([...[...blank.keys()].filter(isLeft), ...known].map((key) => fingerprint([key])));
  const isSame = left.size === before.size && [...left].every((key) => before.has(key));
  if (!isSame) saveBlankKeys(table.id, left);
  return {
    rows: rows.filter(isFinal),
    credits: rows.reduce((sum, { credits }) => sum + credits, 0),
    gatewayAt: enrichment?.last?.at ?? null,
  };
}

function fillTable(id: string, fill: Fill, connection: Connection, edit: Edit | undefined): void {
  const { table, location } = relocateTable(id);
  if (edit !== undefined && !touchesKeys(table, location, edit)) return;
  const readRows = (): KeyRows => groupRows(table, location, readLookupBody(table, location));
  const { rows, credits, gatewayAt } = lookUpBlankRows(table, readRows(), connection);
  if (rows.length === 0) return;
  const body = readLookupBody(table, location);
  const { blank } = groupRows(table, location, body);
  const fields = listValuePaths(table);
  const at = listWrittenColumns(table, fields).filter((column) => location.columns[column] !== undefined);
  const toEntry = createEntryConverter();
  const outcomes = new Map<number, RowOutcome>();
  let notFound = 0;
  for (const answer of rows) {
    for (const row of blank.get(answer.key) ?? []) {
      outcomes.set(row, buildOutcome(table, body.values[row] ?? [], answer, { isOurs: false, at, toEntry }));
      if (answer.record === undefined) notFound += 1;
    }
  }
  if (outcomes.size > 0 && fill.tables.length === 0) startUndoLog(fill.runId, '', undefined);
  if (outcomes.size > 0) {
    const written = openWrittenRows(table, location);
    writeOutcomes({ runId: fill.runId, table, location, body, written }, outcomes, at);
    fill.rows += outcomes.size;
    fill.notFound += notFound;
    fill.credits += credits;
    fill.tables.push({ id, title: table.title });
    recordFill(fill);
    const rows = outcomes.size - notFound;
    const lastFill = { at: new Date().toISOString(), rows, notFound, credits, gatewayAt };
    saveTable({ ...table, lastFill });
  }
  SpreadsheetApp.flush();
  unwrap(call(connection, 'addKnownKeys', { params: { id }, body: { keys: rows.map(({ key }) => key) } }));
}

/**
 * Fills the new rows of tables that are kept filled. The caller holds the document lock.
 * @param edit - limits it to tables whose keys the edit touches
 * @throws AddonError of the last table that failed; the others are filled
 */
export function fillNewRows(connection: Connection, edit?: Edit): void {
  const all = listTables().filter(isEnrichmentOn);
  // Counts are free.
  const kept = all.length === 0 || isSpendingOn() ? all : all.filter(({ kind }) => kind === 'count');
  if (kept.length === 0) return;
  const isMissing = createMissingSheetCheck();
  const fill: Fill = {
    runId: Utilities.getUuid(),
    at: new Date().toISOString(),
    rows: 0,
    notFound: 0,
    credits: 0,
    tables: [],
  };
  let failure: unknown;
  for (const table of kept) {
    try {
      if (!isMissing(table)) fillTable(table.id, fill, connection, edit);
      else if (table.missingReported !== true) {
        unwrap(call(connection, 'reportMissingEnrichment', { params: { id: table.id } }));
        saveTable({ ...table, missingReported: true });
      }
    } catch (error) {
      failure = error;
    }
  }
  if (failure !== undefined) throw failure;
}

/**
 * Fills new rows whose keys a person has edited or inserted. It never throws: errors go to the error log.
 * @param range - the edited cells; undefined if they are not known
 */
export function fillEditedRows(range?: GoogleAppsScript.Spreadsheet.Range): void {
  try {
    // A colleague has turned off the last table: these triggers belong to the current user.
    if (!listTables().some(isEnrichmentOn)) {
      updateFillTriggers();
      return;
    }
    const current = findConnection();
    if (current === undefined) return;
    const fill = (): void => {
      // A fill of the table that a run is writing would have to be undone before it. The next poll fills the rows.
      if (listUnfinishedRuns().some(({ state }) => state === 'running')) return;
      const edit = range && { sheetId: range.getSheet().getSheetId(), area: toArea(range) };
      fillNewRows(current.connection, edit);
    };
    withRecordedRun(() => withDocumentLock(fill));
  } catch (error) {
    logError(toFailure(error));
  }
}
