// The registry of tracked tables: how each was made, and where it was last.
import type { DataRequestView } from '../../shared/api/data-requests.ts';
import type { KeyFormat } from '../../shared/families/index.ts';
import { createColumnIds } from '../../shared/table/locate.ts';
import {
  deleteStored,
  listStoredNames,
  readStored,
  readStoredText,
  writeStoredJson,
  writeStoredText,
} from '../lib/document-store.ts';
import { createGuard } from '../lib/json.ts';
import type {
  AccountsSource,
  ColumnKeyKind,
  KeyContent,
  LastRun,
  Provenance,
  Table,
  WriteMode,
} from '../server/api/index.ts';

const TABLES = 'CDAPI_TABLE_';
const FINGERPRINTS = 'CDAPI_ROWS_';
const BLANK_KEYS = 'CDAPI_BLANK_';

/** Characters of a fingerprint. */
export const FINGERPRINT_LENGTH = 4;

/**
 * The content of a column: `key` is looked up and may be typed by hand, `value` is a field of the record, `status` is
 * the outcome of the row; `retrieved`, `source` and `credits` are its origin.
 */
export type ColumnRole = 'key' | 'value' | 'status' | 'retrieved' | 'source' | 'credits';

export interface TableColumn {
  /** Never changes, and is never used for another column of the table. Its developer metadata carry it. */
  id: string;
  role: ColumnRole;
  /** The field path; '' if the column shows none. */
  path: string;
  /** The last known text of the heading, which people may change. */
  heading: string;
  /** For a key column after the first one: what it holds. */
  holds?: KeyContent;
  /** A column of the person’s own: only its empty cells are filled. */
  isOwn?: true;
}

/** Companies in a column. `sheet` and `column` are where it was; developer metadata say where it is. */
export interface StoredAccounts extends AccountsSource {
  sheetId: number;
}

/** A data request whose rows went into a table before those of the current one. */
export interface EarlierRequest {
  id: string;
  /** Its rows were written. */
  written: boolean;
}

export interface TableRecord
  extends Pick<
    Table,
    'id' | 'title' | 'kind' | 'family' | 'query' | 'conditions' | 'pages' | 'limit' | 'mode' | 'frozen'
  > {
  /** The companies of a search at companies. */
  accounts?: StoredAccounts;
  /** The kind of keys of other tables. */
  by?: ColumnKeyKind;
  maxAgeDays?: number;
  columns: TableColumn[];
  provenance: Provenance;
  /** Where it was made. Developer metadata count only there. `sheet`: the last known name. */
  place: { spreadsheetId: string; sheetId: number; sheet: string };
  /** `scheduleRun`: the scheduled run whose rows it wrote. Its credits are those of the schedule. */
  lastRun: LastRun & { scheduleRun?: string };
  /** Credits of manual runs and bulk orders. The gateway counts what its schedule spends. */
  credits: number;
  /** The last data request whose cost is included in `credits`. */
  countedRequestId?: string;
  /** The last data request whose rows go into this table. */
  requestId?: string;
  /** How the rows of `requestId` will be written; absent if no delivery is expected. */
  pendingMode?: WriteMode;
  /** Cells that were changed by hand stay when the rows of `requestId` are written. */
  keepsChanges?: true;
  /** What was made for the expected rows of `requestId`: the run that made it, and whether it is a separate sheet. */
  placeholder?: { runId: string; sheet: boolean };
  isFilled?: boolean;
  /** The data requests before `requestId`, latest first. */
  earlierRequests?: EarlierRequest[];
  /** The table contains everything new until this time (ISO 8601, UTC); defaults to the last write. */
  asOf?: string;
  /** The gateway may know the table, so it must be told when the table is no longer tracked. */
  registered?: boolean;
  /** The gateway knows that the sheet was deleted, and has stopped the schedule. */
  missingReported?: boolean;
  /** New rows of its looked-up columns are filled as they appear. */
  hasEnrichment?: boolean;
  /** The last fill of the open sheet; `gatewayAt` is the time of the last run that the gateway knows with it, or null. */
  lastFill?: {
    at: string;
    rows: number;
    notFound: number;
    credits: number;
    gatewayAt: string | null;
    isUndone?: true;
  };
  /** The gateway writes into the spreadsheet itself. */
  push?: boolean;
  /** Runs of its schedule don't bring back rows that a person has deleted. */
  skipDeleted?: true;
}

export type NewColumn = Omit<TableColumn, 'id'>;

/** Gives ids to new columns. @param existing - the columns of the table before */
export function addColumnIds(
  columns: readonly NewColumn[],
  existing: readonly TableColumn[] = [],
): TableColumn[] {
  const ids = createColumnIds(existing, columns.length);
  return columns.map((column, at) => ({ id: ids[at] ?? '', ...column }));
}

export const listValuePaths = ({ columns }: Pick<TableRecord, 'columns'>): string[] =>
  columns.flatMap(({ role, path }) => (role === 'value' ? [path] : []));

export function getKeySpelling({ by }: TableRecord): KeyFormat | 'name' {
  return by ?? 'id';
}

const isTable = createGuard<TableRecord>({ columns: 'list', place: 'object' });

export const isEnrichmentOn = ({ hasEnrichment, frozen }: TableRecord): boolean =>
  hasEnrichment === true && !frozen;

/** Finds a table by id; undefined if it is not tracked. */
export const findTable = (id: string): TableRecord | undefined => readStored(TABLES + id, isTable);

/** Lists the tracked tables, latest run first. */
export function listTables(): TableRecord[] {
  return listStoredNames(TABLES)
    .flatMap((id) => findTable(id) ?? [])
    .sort((a, b) => b.lastRun.at.localeCompare(a.lastRun.at));
}

/** Adds the cost of a data request to a table: once, and only when it is known. */
export function addRequestCost(
  table: TableRecord,
  { id, credits }: Pick<DataRequestView, 'id' | 'credits'>,
): TableRecord {
  const { charged } = credits;
  if (charged === null || table.countedRequestId === id) return table;
  return { ...table, credits: table.credits + charged, countedRequestId: id };
}

/** Lists the data requests of a table, latest first. */
export const listRequests = ({
  requestId,
  isFilled = false,
  earlierRequests = [],
}: TableRecord): EarlierRequest[] =>
  requestId === undefined ? earlierRequests : [{ id: requestId, written: isFilled }, ...earlierRequests];

/** @throws AddonError if the store is full or missing */
export function saveTable(table: TableRecord): void {
  writeStoredJson(TABLES + table.id, table);
}

/** Deletes a table from the registry. Its cells stay. */
export function deleteTable(id: string): void {
  deleteStored(TABLES + id);
  deleteStored(FINGERPRINTS + id);
  deleteStored(BLANK_KEYS + id);
}

function save(name: string, text: string): void {
  try {
    writeStoredText(name, text);
  } catch {
    deleteStored(name);
  }
}

/** Reads the fingerprints of written rows; '' if there are none. */
export const readFingerprints = (id: string): string => readStoredText(FINGERPRINTS + id) ?? '';

/** Saves the fingerprints of written rows. If the store is full none are kept, so that people are asked before rows are replaced. */
export const saveFingerprints = (id: string, fingerprints: string): void =>
  save(FINGERPRINTS + id, fingerprints);

/** Keys beyond this number are not stored. */
const MAX_BLANK_KEYS = 20_000;

/** Reads the fingerprints of keys whose rows stay blank in a table that is kept filled. */
export function readBlankKeys(id: string): Set<string> {
  const text = readStoredText(BLANK_KEYS + id) ?? '';
  const count = Math.floor(text.length / FINGERPRINT_LENGTH);
  return new Set(
    Array.from({ length: count }, (_, at) =>
      text.slice(at * FINGERPRINT_LENGTH, (at + 1) * FINGERPRINT_LENGTH),
    ),
  );
}

/** Saves the fingerprints of keys whose rows stay blank. */
export const saveBlankKeys = (id: string, fingerprints: ReadonlySet<string>): void =>
  save(BLANK_KEYS + id, [...fingerprints].slice(0, MAX_BLANK_KEYS).join(''));
