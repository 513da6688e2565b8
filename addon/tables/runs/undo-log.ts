// The undo logs of the last runs. The replaced contents are in the user's cache for six hours at most: document properties are
// too small, and a hidden sheet would run copied formulas.

import { createGuard, parseAs, parseJson } from '../../lib/json.ts';
import type { Fill } from '../../server/api/index.ts';
import { type Area, getRange, type Sheet } from '../../sheet/area.ts';
import { fingerprint } from '../../sheet/entries.ts';
import { formulaAt, mapBlock, type SheetCells, toBlocks, valueAt } from '../../sheet/formula-cells.ts';
import type { FreezePlan } from '../../sheet/freeze-plan.ts';
import { type BlockSnapshot, type Layers, mapLayers } from '../../sheet/snapshot.ts';
import type { UncertainName } from '../lookup/name-choices.ts';
import { readFingerprints, type TableRecord } from '../registry.ts';

/** CacheService keeps 100 KB per value for six hours. Texts are stored in ASCII. */
const KEPT_S = 21_600;
const CHUNK_CHARACTERS = 90_000;
/** Chunks of a run, those of all earlier runs, and runs: more would evict other cached values. CacheService keeps 1,000. */
const MAX_CHUNKS = 60;
const MAX_EARLIER_CHUNKS = 300;
const MAX_RUNS = 20;

type StoredValue = string | number | boolean | { d: number };

export interface StoredBlock extends Layers<Layer> {
  area: Area;
  values: StoredValue[][];
  links: BlockSnapshot['links'];
  fingerprints: string[];
}

/** Formulas of consecutive rows, or empty cells, that one formula has replaced. */
export interface FormulaStep {
  do: 'formulas';
  sheet: number;
  row: number;
  column: number;
  formulas: string[];
  merged: string;
}

export type UndoStep =
  | { do: 'cells'; sheet: number; blocks: StoredBlock[] }
  | { do: 'rows'; sheet: number; row: number; count: number }
  | { do: 'columns'; sheet: number; column: number; count: number }
  | { do: 'sheet'; sheet: number }
  | { do: 'widths'; sheet: number; column: number; widths: number[] }
  | { do: 'choice'; sheet: number; name: UncertainName }
  /** What was known of the table's rows as written. */
  | { do: 'fingerprints'; sheet: number; text: string }
  | FormulaStep;

/** A run in the index. */
export interface UndoEntry {
  runId: string;
  /** '' for a change without a table. */
  tableId: string;
  /** It has replaced too much to undo. */
  isTooLarge?: true;
  /** New rows of tables that are kept filled. */
  fill?: Fill;
  /** The run that wrote the headings, when the rows were ordered. It is undone together with this one. */
  headings?: string;
  isUndone?: true;
}

/** The log of a run without its steps. */
interface UndoLog {
  /** The table as it was before; null if the run created it. */
  table: TableRecord | null;
  steps: number[];
}

const INDEX = 'runs';

function cacheKey(part: string): string {
  return `cdapi_undo_${SpreadsheetApp.getActiveSpreadsheet().getId()}_${part}`;
}

const chunkKeys = (runId: string, { steps }: UndoLog): string[][] =>
  steps.map((count, step) => Array.from({ length: count }, (_, at) => cacheKey(`${runId}_${step}_${at}`)));

const isUndoEntry = createGuard<UndoEntry>({ runId: 'string', tableId: 'string' });
// The table may be null, which is an object, too.
const isUndoLog = createGuard<UndoLog>({ steps: 'list', table: 'object' });
const isUndoStep = createGuard<UndoStep>({ do: 'string', sheet: 'number' });

const toAscii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

function put(part: string, value: unknown): void {
  CacheService.getUserCache().put(cacheKey(part), toAscii(JSON.stringify(value)), KEPT_S);
}

/** Lists the runs of the user that have an undo log, the last one first. */
export function listUndoEntries(): UndoEntry[] {
  const index = parseJson(CacheService.getUserCache().get(cacheKey(INDEX)));
  return Array.isArray(index) ? index.filter(isUndoEntry) : [];
}

function changeEntry(runId: string, change: Partial<UndoEntry>): void {
  put(
    INDEX,
    listUndoEntries().map((entry) => (entry.runId === runId ? { ...entry, ...change } : entry)),
  );
}

/** Reads the log of a run; undefined if the cache has lost it. */
export const readUndoLog = (runId: string): UndoLog | undefined =>
  parseAs(CacheService.getUserCache().get(cacheKey(runId)), isUndoLog);

function removeLogs(runIds: readonly string[]): void {
  const names = runIds.flatMap((runId) => {
    const log = readUndoLog(runId);
    return log === undefined ? [] : [cacheKey(runId), ...chunkKeys(runId, log).flat()];
  });
  if (names.length > 0) CacheService.getUserCache().removeAll(names);
}

/** Drops the log of a run that has replaced too much: its later changes are not recorded. */
function dropLog(runId: string): void {
  changeEntry(runId, { isTooLarge: true });
  removeLogs([runId]);
}

function writeUndoLog(runId: string, log: UndoLog): void {
  if (toAscii(JSON.stringify(log)).length > CHUNK_CHARACTERS) dropLog(runId);
  else put(runId, log);
}

export function endUndoLog(runId: string): void {
  removeLogs([runId]);
  changeEntry(runId, { isUndone: true });
}

/** Returns the earlier runs whose logs are kept, the last one first. */
function listKept(entries: readonly UndoEntry[]): UndoEntry[] {
  const keys = entries.map(({ runId }) => cacheKey(runId));
  const logs = keys.length === 0 ? {} : CacheService.getUserCache().getAll(keys);
  let chunks = 0;
  return entries.slice(0, MAX_RUNS - 1).filter((_, at) => {
    const log = parseAs(logs[keys[at] ?? ''], isUndoLog);
    chunks += log?.steps.reduce((sum, count) => sum + count, 0) ?? 0;
    return chunks <= MAX_EARLIER_CHUNKS;
  });
}

/**
 * Starts the undo log of a run. The oldest ones are dropped.
 * @param tableId - '' for a change without a table
 * @param table - the tracked table before the run, if it exists
 * @param headings - the run that wrote its headings, if this one is undone together with it
 */
export function startUndoLog(
  runId: string,
  tableId: string,
  table: TableRecord | undefined,
  headings?: string,
): void {
  const entries = listUndoEntries();
  const kept = listKept(entries);
  removeLogs(entries.flatMap((entry) => (kept.includes(entry) ? [] : entry.runId)));
  put(INDEX, [{ runId, tableId, ...(headings !== undefined && { headings }) }, ...kept]);
  writeUndoLog(runId, { table: table ?? null, steps: [] });
  const text = table === undefined ? '' : readFingerprints(tableId);
  if (table !== undefined && text !== '')
    recordStep(runId, { do: 'fingerprints', sheet: table.place.sheetId, text });
}

/** Starts the undo log of a run that changes this table, unless it has one. */
export function ensureUndoLog(runId: string, table: TableRecord): void {
  const hasLog = listUndoEntries().some((entry) => entry.runId === runId);
  if (!hasLog) startUndoLog(runId, table.id, table);
}

export const recordFill = (fill: Fill): void => changeEntry(fill.runId, { fill });

/** Notes another title of a table, which Undo keeps. */
export function recordTitle(tableId: string, title: string): void {
  for (const { runId } of listUndoEntries().filter((entry) => entry.tableId === tableId)) {
    const log = readUndoLog(runId);
    if (log !== undefined && log.table !== null)
      writeUndoLog(runId, { ...log, table: { ...log.table, title } });
  }
}

export function recordStep(runId: string, step: UndoStep): void {
  const log = readUndoLog(runId);
  if (log === undefined) return;
  const text = toAscii(JSON.stringify(step));
  const chunks = Math.ceil(text.length / CHUNK_CHARACTERS);
  if (chunks + log.steps.reduce((sum, count) => sum + count, 0) > MAX_CHUNKS) {
    dropLog(runId);
    return;
  }
  const values: Record<string, string> = {};
  for (let at = 0; at < chunks; at += 1) {
    const part = text.slice(at * CHUNK_CHARACTERS, (at + 1) * CHUNK_CHARACTERS);
    values[cacheKey(`${runId}_${log.steps.length}_${at}`)] = part;
  }
  CacheService.getUserCache().putAll(values, KEPT_S);
  writeUndoLog(runId, { ...log, steps: [...log.steps, chunks] });
}

/** Reads the steps of a run, oldest first; undefined if the cache has lost one. */
export function readUndoSteps(runId: string, log: UndoLog): UndoStep[] | undefined {
  const names = chunkKeys(runId, log);
  const cached = CacheService.getUserCache().getAll(names.flat());
  const steps = names.map((parts) => parseJson(parts.map((name) => cached[name] ?? '').join('')));
  return steps.every(isUndoStep) ? steps : undefined;
}

const toStoredValue = (value: unknown): StoredValue => {
  if (value instanceof Date) return { d: value.getTime() };
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? '');
};

/** The previous contents of a block, and the fingerprints of its new rows. */
export interface ReplacedBlock {
  area: Area;
  snapshot: BlockSnapshot;
  fingerprints: readonly string[];
}

const toStoredBlock = ({ area, snapshot, fingerprints }: ReplacedBlock): StoredBlock => ({
  area,
  ...mapLayers(snapshot, compress),
  values: snapshot.values.map((row) => row.map(toStoredValue)),
  links: snapshot.links,
  fingerprints: [...fingerprints],
});

/** Records the previous contents of blocks before they are written. */
export function recordCells(runId: string, sheet: Sheet, replaced: readonly ReplacedBlock[]): void {
  recordStep(runId, { do: 'cells', sheet: sheet.getSheetId(), blocks: replaced.map(toStoredBlock) });
}

/** Texts of a block's cells; a single text if all are equal. */
export type Layer = string | string[][];

/** Compresses a layer of equal texts to one. */
function compress(rows: string[][]): Layer {
  const first = rows[0]?.[0] ?? '';
  return rows.every((row) => row.every((text) => text === first)) ? first : rows;
}

/** Returns the texts of each cell. */
export function expand(layer: Layer, { rows, columns }: Area): string[][] {
  if (typeof layer !== 'string') return layer;
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => layer));
}

/** Creates a recorder for a run. Undo sets the formulas again and empties the cells of their results. */
export const createFreezeRecorder =
  (runId: string, sheet: Sheet) =>
  (before: SheetCells, groups: FreezePlan['groups']): void => {
    const places = groups.flatMap(({ formulas, filled }) => [...formulas, ...filled]);
    const blocks = toBlocks(places).map((area) => ({
      area,
      snapshot: {
        values: mapBlock(area, () => ''),
        formulas: mapBlock(area, (place) => formulaAt(before, place)),
        formats: getRange(sheet, area).getNumberFormats(),
        links: [],
      },
      fingerprints: mapBlock(area, (place) => valueAt(before, place)).map(fingerprint),
    }));
    if (blocks.length > 0) recordCells(runId, sheet, blocks);
  };
