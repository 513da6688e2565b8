// The tables of a spreadsheet as they are remembered: where each came from and what it was made of.
import type { RequestView } from '../../shared/api/data-requests.ts';
import type { Query } from '../../shared/api/query.ts';
import type { Family, KeySpelling } from '../../shared/families/index.ts';
import {
  deleteStored,
  listStoredNames,
  readStoredJson,
  readStoredText,
  writeStoredJson,
  writeStoredText,
} from '../lib/document-store.ts';
import type { KeySort, Provenance, WriteMode } from '../server/api/index.ts';

const TABLES = 'CDAPI_TABLE_';
const FINGERPRINTS = 'CDAPI_ROWS_';

/**
 * What a column shows: `key` what its rows are looked up by, which may have been typed by a person, `value` something of
 * the record; `status` how a row came about; `retrieved`, `source` and `credits` where it comes from.
 */
export type ColumnRole = 'key' | 'value' | 'status' | 'retrieved' | 'source' | 'credits';

/** A column of a table. */
export interface TableColumn {
  role: ColumnRole;
  /** The path of the value; '' where the column shows none. */
  path: string;
  /** What stands in the heading row. */
  heading: string;
}

/** A table as it is remembered. */
export interface TableRecord {
  id: string;
  title: string;
  kind: 'search' | 'enrich' | 'records' | 'bulk';
  family: Family;
  /** Of a search; of a bulk request where a search named its records. */
  query?: Query;
  pages?: number;
  /** Of the others: how the keys are spelt. */
  by?: KeySort;
  maxAgeDays?: number;
  columns: TableColumn[];
  mode: WriteMode;
  provenance: Provenance;
  /** Where its heading row and each of its columns were seen last. */
  place: { sheetId: number; sheet: string; row: number; columns: number[] };
  lastRun: { at: string; rows: number; credits: number; saved: number };
  /** Credits that people's runs and bulk requests have cost; what its schedule spends is known to the Worker. */
  credits: number;
  /** Of a bulk request: the last one whose cost is in `credits`. */
  countedRequestId?: string;
  frozen: boolean;
  /** Of a bulk request: the last one whose rows go here. */
  requestId?: string;
  /** How the rows of `requestId` are to meet what is there; absent where none are to come by themselves. */
  pendingMode?: WriteMode;
  /** What was made for rows of `requestId` that are not there yet: by which run, and whether it is a sheet of its own. */
  placeholder?: { runId: string; sheet: boolean };
  /** The rows of `requestId` are in it. */
  isFilled?: boolean;
  /** ISO 8601, UTC: until then what is new is in it; where absent, that is when it was written last. */
  asOf?: string;
  /** The Worker may know it, so that rows come by themselves: then it has to hear where that ends. */
  registered?: boolean;
  /** The Worker was told that its sheet was deleted, and has stopped its schedule. */
  missingReported?: boolean;
  /** The Worker writes into the spreadsheet itself. */
  push?: boolean;
}

/** How a lookup names the spelling of a table's keys. */
export function getKeySpelling({ by }: TableRecord): KeySpelling {
  return by ?? 'id';
}

function isTable(value: unknown): value is TableRecord {
  return typeof value === 'object' && value !== null && 'columns' in value && 'place' in value;
}

/** A table by its id; undefined where it is not remembered. */
export function findTable(id: string): TableRecord | undefined {
  const value = readStoredJson(TABLES + id);
  return isTable(value) ? value : undefined;
}

/** All tables that are remembered here, the latest first. */
export function listTables(): TableRecord[] {
  return listStoredNames(TABLES)
    .flatMap((id) => findTable(id) ?? [])
    .sort((one, other) => other.lastRun.at.localeCompare(one.lastRun.at));
}

/** A table with the cost of a bulk request among its credits, once, and not before it is known. */
export function addRequestCost(
  table: TableRecord,
  { id, credits }: Pick<RequestView, 'id' | 'credits'>,
): TableRecord {
  const { charged } = credits;
  if (charged === null || table.countedRequestId === id) return table;
  return { ...table, credits: table.credits + charged, countedRequestId: id };
}

/** @throws AddonError where there is no room or nowhere to keep it */
export function saveTable(table: TableRecord): void {
  writeStoredJson(TABLES + table.id, table);
}

/** Forgets a table; what it wrote stays. */
export function deleteTable(id: string): void {
  deleteStored(TABLES + id);
  deleteStored(FINGERPRINTS + id);
}

/** Characters of a row's print. */
export const FINGERPRINT_LENGTH = 4;

/** More rows are not remembered: whatever stands in a table beyond may have been typed by hand. */
const MAX_FINGERPRINTS = 20_000;

/** The prints of the rows as they were written (fingerprints.ts): a row with another one was changed by hand. */
export function readFingerprints(id: string): Set<string> {
  const text = readStoredText(FINGERPRINTS + id) ?? '';
  const fingerprints = new Set<string>();
  for (let at = 0; at < text.length; at += FINGERPRINT_LENGTH)
    fingerprints.add(text.slice(at, at + FINGERPRINT_LENGTH));
  return fingerprints;
}

/** Remembers the prints. Where there is no room for them none are kept, so that people are asked rather than passed over. */
export function saveFingerprints(id: string, fingerprints: ReadonlySet<string>): void {
  try {
    writeStoredText(FINGERPRINTS + id, [...fingerprints].slice(0, MAX_FINGERPRINTS).join(''));
  } catch {
    deleteStored(FINGERPRINTS + id);
  }
}
