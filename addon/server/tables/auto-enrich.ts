// Keeps looked-up columns filled: new rows of the open sheet are filled here, those of a closed one by the gateway.
import type { EnrichmentBody } from '../../../shared/api/lists.ts';
import type { Connection } from '../../../shared/connection.ts';
import { maxLookupKeys, maxTableTitleLength } from '../../../shared/limits.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { findConnection } from '../../client/connection.ts';
import { listRegisteredTables } from '../../client/gateway-data-requests.ts';
import { isUnknownToGateway, unwrap } from '../../client/gateway-history.ts';
import {
  addKnownKeys,
  deleteEnrichment,
  fillNewKeys,
  listEnrichments,
  putEnrichment,
  reportMissingEnrichment,
} from '../../client/gateway-lists.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError, toFailure } from '../../lib/addon-error.ts';
import { withDocumentLock } from '../../lib/lock.ts';
import { type Area, groupConsecutive, toArea } from '../../sheet/area.ts';
import { createEntryConverter, type Entry } from '../../sheet/entries.ts';
import type { TableLocation } from '../../tables/locate.ts';
import { relocateTable, requireTable, requireTracked, withPlace } from '../../tables/located-table.ts';
import { hasNames, listKeyColumns, readRowKeys } from '../../tables/lookup/keys.ts';
import {
  buildOutcome,
  hasOwnColumns,
  listRowsInScope,
  listWrittenColumns,
  readLookupBody,
} from '../../tables/lookup/rows.ts';
import {
  getKeySpelling,
  isKeptFilled,
  listTables,
  saveTable,
  type TableRecord,
} from '../../tables/registry.ts';
import { writeRows } from '../../tables/rows/write-rows.ts';
import { listUnfinishedRuns } from '../../tables/runs/run-store.ts';
import { findLastFill, recordFill, startUndoLog } from '../../tables/runs/undo.ts';
import type { AutoEnrich, Fill, Payload } from '../api/index.ts';
import { logError } from '../error-log.ts';
import { updateFillTriggers } from '../triggers.ts';
import { createMissingSheetCheck } from './missing-sheets.ts';

/** Rows that one poll fills. */
const MAX_ROWS = 200;

function findObstacle(table: TableRecord): string | undefined {
  if (table.frozen) return 'This table is frozen, so it can’t be filled.';
  if (hasNames(table)) return 'Company names are matched by hand. Enrich by website to keep a column filled.';
  if (hasOwnColumns(table))
    return 'This table fills columns of your own. Enrich into new columns to keep them filled.';
  if (listKeyColumns(table).length > 1)
    return 'This table tries several columns. Enrich by one column to keep it filled.';
  return undefined;
}

/** Reads the key of a row of a table without an obstacle; undefined if it has none. */
function readKey(table: TableRecord, line: readonly unknown[] = []): string | undefined {
  const [key] = readRowKeys(table, line, new Map());
  return key?.kind === 'key' ? key.text : undefined;
}

const listValueFields = ({ columns }: TableRecord): string[] =>
  columns.flatMap(({ role, path }) => (role === 'value' ? [path] : []));

function toBody(
  table: TableRecord,
  settings: NonNullable<Payload<'setAutoEnrich'>['settings']>,
): EnrichmentBody {
  const by = getKeySpelling(table);
  const key = table.columns.find(({ role }) => role === 'key');
  if (by === 'name' || key === undefined) throw new AddonError('bad_call', findObstacle(table) ?? '');
  return {
    title: table.title.slice(0, maxTableTitleLength),
    family: table.family,
    by,
    spreadsheet: {
      id: SpreadsheetApp.getActiveSpreadsheet().getId(),
      sheet_id: table.place.sheetId,
      row: table.place.row,
    },
    key: key.heading,
    columns: table.columns.flatMap(({ role, path, heading }) =>
      role === 'value' ? [{ path, heading }] : [],
    ),
    ...settings,
  };
}

/** Lists the distinct keys of the present rows. @throws AddonError `gone` */
function listPresentKeys(id: string): string[] {
  const { table, location, others } = requireTable(id);
  const { values } = readLookupBody(table, location, others);
  return [...new Set(values.flatMap((line) => readKey(table, line) ?? []))];
}

/** Counts the keys of a table and prices their records; none if the table can't be found. */
function countKeys({ id, family }: TableRecord): AutoEnrich['keys'] {
  try {
    const count = listPresentKeys(id).length;
    return { count, credits: count * getRecordPrice(family) };
  } catch (error) {
    if (error instanceof AddonError) return { count: 0, credits: 0 };
    throw error;
  }
}

/** Returns how a looked-up table is kept filled. */
export function getAutoEnrich({ tableId }: Payload<'autoEnrich'>, connection: Connection): AutoEnrich {
  const table = requireTracked(tableId);
  const obstacle = findObstacle(table);
  const { push_account: pushAccount = null } = unwrap(listRegisteredTables(connection));
  const { enrichments } = unwrap(listEnrichments(connection));
  const undo = findLastFill();
  return {
    enrichment: enrichments.find(({ id }) => id === tableId) ?? null,
    pushAccount,
    keys: obstacle === undefined ? countKeys(table) : { count: 0, credits: 0 },
    ...(undo?.tables.some(({ id }) => id === tableId) ? { undo } : {}),
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

/** Sends the keys of all present rows, which are never bought as new ones. */
function addPresentKeys(id: string, connection: Connection): void {
  const all = listPresentKeys(id);
  for (let at = 0; at < all.length; at += maxLookupKeys)
    unwrap(addKnownKeys(connection, id, all.slice(at, at + maxLookupKeys)));
}

/**
 * Keeps the columns of a looked-up table filled, changes how, or ends it.
 * @throws AddonError if the table can't be filled, or the gateway refuses
 */
export function setAutoEnrich(payload: Payload<'setAutoEnrich'>, connection: Connection): AutoEnrich {
  const { tableId, settings } = payload;
  const stored = requireTracked(tableId);
  if (settings === null) {
    const answer = deleteEnrichment(connection, tableId);
    if (!answer.ok && !isUnknownToGateway(answer.code)) unwrap(answer);
    const { keptFilled: _, ...rest } = stored;
    saveTable(rest);
  } else {
    const obstacle = findObstacle(stored);
    if (obstacle !== undefined) throw new AddonError('bad_call', obstacle);
    const { table, location } = requireTable(tableId);
    const placed = withPlace(table, location);
    saveTable({ ...placed, keptFilled: true });
    // The gateway may not have it any more: its database was restored, or the spreadsheet has another team’s connection.
    const isKnown = (): boolean =>
      unwrap(listEnrichments(connection)).enrichments.some(({ id }) => id === tableId);
    if (stored.keptFilled !== true || !isKnown()) {
      // Paused until the present keys are known: only rows that appear from now on are bought.
      unwrap(putEnrichment(connection, tableId, toBody(placed, { ...settings, paused: true })));
      addPresentKeys(tableId, connection);
    }
    unwrap(putEnrichment(connection, tableId, toBody(placed, settings)));
  }
  updateFillTriggers();
  return getAutoEnrich({ tableId }, connection);
}

/** Cells that a person has edited. */
interface Edit {
  sheetId: number;
  area: Area;
}

/** Tells whether an edit touches the keys of a table. */
function touchesKeys({ columns }: TableRecord, location: TableLocation, { sheetId, area }: Edit): boolean {
  const key = location.columns[columns.findIndex(({ role }) => role === 'key')] ?? 0;
  const isInColumn = key >= area.column && key < area.column + area.columns;
  return location.sheet.getSheetId() === sheetId && isInColumn && area.row + area.rows - 1 > location.row;
}

/** Fills the new rows of one table. */
function fillTable(id: string, fill: Fill, connection: Connection, edit: Edit | undefined): void {
  const { table, location, others } = relocateTable(id);
  if (edit !== undefined && !touchesKeys(table, location, edit)) return;
  const fields = listValueFields(table);
  const listKeys = (): Map<string, number[]> => {
    const body = readLookupBody(table, location, others);
    const open = listRowsInScope(table, location, body, { rows: 'blank' }, fields).rows;
    const keys = new Map<string, number[]>();
    for (const row of open) {
      const key = readKey(table, body.values[row]);
      if (key !== undefined) keys.set(key, [...(keys.get(key) ?? []), row]);
    }
    return keys;
  };
  const wanted = [...listKeys().keys()].slice(-MAX_ROWS);
  if (wanted.length === 0) return;
  const { rows } = unwrap(fillNewKeys(connection, id, wanted));
  const answers = new Map(rows.map((row) => [row.key, row]));
  const present = answers.size === 0 ? new Map<string, number[]>() : listKeys();
  const at = listWrittenColumns(table, fields).filter((column) => location.columns[column] !== undefined);
  const body = readLookupBody(table, location, others);
  const toEntry = createEntryConverter();
  const written: string[] = [];
  const outcomes = new Map<number, Entry[]>();
  let notFound = 0;
  for (const [key, answer] of answers) {
    const isFinal =
      answer.record !== undefined || answer.status === 'not_found' || answer.problem === 'erased';
    if (!isFinal) continue;
    for (const row of present.get(key) ?? []) {
      const { entries } = buildOutcome(table, body.values[row] ?? [], answer, { isOurs: false, at, toEntry });
      outcomes.set(row, entries);
      if (answer.record === undefined) notFound += 1;
    }
    written.push(key);
  }
  // The fill replaces the undo log of the last run only if it writes.
  if (outcomes.size > 0 && fill.tables.length === 0) startUndoLog(fill.runId, '', undefined);
  for (const { from, count } of groupConsecutive([...outcomes.keys()].sort((a, b) => a - b))) {
    const entries = Array.from({ length: count }, (_, down) => outcomes.get(from + down) ?? []);
    writeRows(fill.runId, location, location.row + 1 + from, entries, at);
  }
  if (outcomes.size > 0) {
    fill.rows += outcomes.size;
    fill.notFound = (fill.notFound ?? 0) + notFound;
    fill.credits = rows.reduce((sum, { credits }) => sum + credits, fill.credits ?? 0);
    fill.tables.push({ id, title: table.title });
    recordFill(fill);
  }
  SpreadsheetApp.flush();
  if (written.length > 0) unwrap(addKnownKeys(connection, id, written));
}

/**
 * Fills the new rows of tables that are kept filled. The caller holds the document lock.
 * @param edit - limits it to tables whose keys the edit touches
 * @throws AddonError of the last table that failed; the others are filled
 */
export function fillNewRows(connection: Connection, edit?: Edit): void {
  const kept = listTables().filter(isKeptFilled);
  if (kept.length === 0 || !isSpendingOn()) return;
  const isMissing = createMissingSheetCheck();
  const fill: Fill = { runId: Utilities.getUuid(), at: new Date().toISOString(), rows: 0, tables: [] };
  let failure: unknown;
  for (const table of kept) {
    try {
      if (!isMissing(table)) fillTable(table.id, fill, connection, edit);
      else if (table.missingReported !== true) {
        unwrap(reportMissingEnrichment(connection, table.id));
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
    if (!listTables().some(isKeptFilled)) {
      updateFillTriggers();
      return;
    }
    const current = findConnection();
    if (current === undefined) return;
    withDocumentLock(() => {
      // A fill would replace the undo log of a run that is writing. The next poll fills the rows.
      if (listUnfinishedRuns().some(({ state }) => state === 'running')) return;
      const edit = range && { sheetId: range.getSheet().getSheetId(), area: toArea(range) };
      fillNewRows(current.connection, edit);
    });
  } catch (error) {
    logError(toFailure(error));
  }
}
