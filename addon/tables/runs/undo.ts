// Undoes the last run. The replaced contents are in the user's cache for six hours at most: document properties are too
// small, and a hidden sheet would run copied formulas. Links in texts are restored, formats of single words are not.

import { AddonError } from '../../lib/addon-error.ts';
import { parseJson } from '../../lib/json.ts';
import type { Fill } from '../../server/api/index.ts';
import { type Area, findSheet, getRange, type Sheet, setColumnWidths } from '../../sheet/area.ts';
import { fingerprint, isSurelyText, PLAIN_TEXT, setValues, toSheetValue } from '../../sheet/entries.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import type { BlockSnapshot } from '../../sheet/snapshot.ts';
import { deleteChoice, type UncertainName } from '../lookup/name-choices.ts';
import {
  deleteTable,
  findTable,
  readFingerprints,
  saveFingerprints,
  saveTable,
  type TableRecord,
} from '../registry.ts';
import { compress, expand, type Layer } from './layers.ts';
import { type FormulaStep, isUnchangedMerge, restoreMerged } from './undo-formulas.ts';

/** CacheService keeps 100 KB per value for six hours. Texts are stored in ASCII. */
const KEPT_S = 21_600;
const CHUNK_CHARACTERS = 90_000;
/** More chunks would evict other cached values. */
const MAX_CHUNKS = 60;

const EXPIRED = 'The previous contents are no longer available: Google keeps them for six hours at most.';
const TOO_LARGE = 'This run replaced too much to undo. Restore the sheet under File → Version history.';
const SOMEONE_ELSE = 'Only the person who started the last run here can undo it, for six hours.';
const CHANGED =
  'The sheet was changed since, and undo would lose those changes. Nothing was changed. You can restore the sheet under File → Version history.';

type StoredValue = string | number | boolean | { d: number };

/** The previous contents of a block. */
interface StoredBlock {
  area: Area;
  values: StoredValue[][];
  formulas: Layer;
  formats: Layer;
  notes?: Layer;
  backgrounds?: Layer;
  weights?: Layer;
  links: BlockSnapshot['links'];
  fingerprints: string[];
}

/** A change that can be undone. */
type UndoStep =
  | { do: 'cells'; sheet: number; blocks: StoredBlock[] }
  | { do: 'rows'; sheet: number; row: number; count: number }
  | { do: 'columns'; sheet: number; column: number; count: number }
  | { do: 'sheet'; sheet: number }
  | { do: 'widths'; sheet: number; column: number; widths: number[] }
  | { do: 'choice'; sheet: number; name: UncertainName }
  | FormulaStep;

/** The log of a run without its steps. */
interface UndoLog {
  runId: string;
  tableId: string;
  /** The table as it was before; null if the run created it. */
  table: TableRecord | null;
  fingerprints: string;
  /** Number of chunks of each step. */
  steps: number[];
  isTooLarge: boolean;
  /** New rows of tables that are kept filled. */
  fill?: Fill;
}

function cacheKey(part: string): string {
  return `cdapi_undo_${SpreadsheetApp.getActiveSpreadsheet().getId()}_${part}`;
}

function isUndoLog(value: unknown): value is UndoLog {
  return typeof value === 'object' && value !== null && 'runId' in value && 'steps' in value;
}

function isUndoStep(value: unknown): value is UndoStep {
  const isObject = typeof value === 'object' && value !== null && 'do' in value && 'sheet' in value;
  return isObject && (value.do !== 'cells' || 'blocks' in value);
}

const toAscii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

function readUndoLog(): UndoLog | undefined {
  const log = parseJson(CacheService.getUserCache().get(cacheKey('log')) ?? '');
  return isUndoLog(log) ? log : undefined;
}

function writeUndoLog(log: UndoLog): void {
  const text = toAscii(JSON.stringify(log));
  const isSmall = text.length <= CHUNK_CHARACTERS;
  const stored = isSmall
    ? text
    : JSON.stringify({ ...log, table: null, fingerprints: '', steps: [], isTooLarge: true });
  CacheService.getUserCache().put(cacheKey('log'), stored, KEPT_S);
}

/**
 * Starts the undo log of a run and drops the previous one.
 * @param tableId - '' for a change without a table
 * @param table - the tracked table before the run, if it exists
 */
export function startUndoLog(runId: string, tableId: string, table: TableRecord | undefined): void {
  const fingerprints = table === undefined ? '' : [...readFingerprints(tableId)].join('');
  writeUndoLog({
    runId,
    tableId,
    table: table ?? null,
    fingerprints,
    steps: [],
    isTooLarge: false,
  });
}

/** Starts the undo log of a run that changes this table, unless it has one. */
export function ensureUndoLog(runId: string, table: TableRecord): void {
  if (readUndoLog()?.runId !== runId) startUndoLog(runId, table.id, table);
}

/** Records what a run has filled. */
export function recordFill(fill: Fill): void {
  const log = readUndoLog();
  if (log?.runId === fill.runId) writeUndoLog({ ...log, fill });
}

/** Returns the last run if it filled new rows by itself and can be undone. */
export function findLastFill(): Fill | undefined {
  const log = readUndoLog();
  return log?.isTooLarge === false ? log.fill : undefined;
}

/** Returns the last run and its table if it can be undone. */
export function findUndoableRun(): Pick<UndoLog, 'runId' | 'tableId'> | undefined {
  const log = readUndoLog();
  return log?.isTooLarge === false ? log : undefined;
}

/** Records a change of a run. */
export function recordStep(runId: string, step: UndoStep): void {
  const log = readUndoLog();
  if (log === undefined || log.runId !== runId || log.isTooLarge) return;
  const text = toAscii(JSON.stringify(step));
  const chunks = Math.ceil(text.length / CHUNK_CHARACTERS);
  if (chunks + log.steps.reduce((sum, count) => sum + count, 0) > MAX_CHUNKS) {
    writeUndoLog({ ...log, isTooLarge: true });
    return;
  }
  const values: Record<string, string> = {};
  for (let at = 0; at < chunks; at += 1) {
    const part = text.slice(at * CHUNK_CHARACTERS, (at + 1) * CHUNK_CHARACTERS);
    values[cacheKey(`${log.steps.length}_${at}`)] = part;
  }
  CacheService.getUserCache().putAll(values, KEPT_S);
  writeUndoLog({ ...log, steps: [...log.steps, chunks] });
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

function toStoredBlock({ area, snapshot, fingerprints }: ReplacedBlock): StoredBlock {
  const { values, formulas, formats, notes, backgrounds, weights, links } = snapshot;
  return {
    area,
    values: values.map((row) => row.map(toStoredValue)),
    formulas: compress(formulas),
    formats: compress(formats),
    ...(notes === undefined ? {} : { notes: compress(notes) }),
    ...(backgrounds === undefined ? {} : { backgrounds: compress(backgrounds) }),
    ...(weights === undefined ? {} : { weights: compress(weights) }),
    links,
    fingerprints: [...fingerprints],
  };
}

/** Records the previous contents of blocks before they are written. */
export function recordCells(runId: string, sheet: Sheet, replaced: readonly ReplacedBlock[]): void {
  recordStep(runId, { do: 'cells', sheet: sheet.getSheetId(), blocks: replaced.map(toStoredBlock) });
}

function readUndoSteps(log: UndoLog): UndoStep[] {
  const names = log.steps.map((count, step) =>
    Array.from({ length: count }, (_, at) => cacheKey(`${step}_${at}`)),
  );
  const cached = CacheService.getUserCache().getAll(names.flat());
  return names.map((parts) => {
    const step = parseJson(parts.map((name) => cached[name] ?? '').join(''));
    if (!isUndoStep(step)) throw new AddonError('gone', EXPIRED);
    return step;
  });
}

/** Tells whether a run can be undone. */
export function getUndoState(runId: string): { possible: true } | { possible: false; why: string } {
  const log = readUndoLog();
  if (log === undefined || log.runId !== runId) return { possible: false, why: SOMEONE_ELSE };
  return log.isTooLarge ? { possible: false, why: TOO_LARGE } : { possible: true };
}

/** Requires that the cells that the run wrote are unchanged. */
function requireUnchanged(steps: readonly UndoStep[]): void {
  for (const step of steps) {
    if (step.do === 'formulas' && !isUnchangedMerge(findSheet(step.sheet), step))
      throw new AddonError('gone', CHANGED);
  }
  const latest = new Map<string, { sheet: number; area: Area; fingerprints: Map<number, string> }>();
  for (const step of steps) {
    if (step.do !== 'cells') continue;
    const { sheet, blocks } = step;
    for (const { area, fingerprints } of blocks) {
      const key = `${sheet}:${area.column}:${area.columns}`;
      const block = latest.get(key) ?? { sheet, area, fingerprints: new Map<number, string>() };
      for (const [at, expected] of fingerprints.entries()) block.fingerprints.set(area.row + at, expected);
      latest.set(key, block);
    }
  }
  for (const { sheet: id, area, fingerprints } of latest.values()) {
    const sheet = findSheet(id);
    const rows = [...fingerprints.keys()];
    const row = Math.min(...rows);
    const end = Math.max(...rows) + 1;
    if (sheet === undefined || sheet.getMaxRows() < end - 1) throw new AddonError('gone', CHANGED);
    const values = getRange(sheet, { ...area, row, rows: end - row }).getValues();
    for (const [at, expected] of fingerprints) {
      if (fingerprint(values[at - row] ?? []) !== expected) throw new AddonError('gone', CHANGED);
    }
  }
}

function restoreBlock(sheet: Sheet, block: StoredBlock): void {
  const { area, values, notes, backgrounds, weights, links } = block;
  const formulas = expand(block.formulas, area);
  const formats = expand(block.formats, area);
  const range = getRange(sheet, area);
  const restored = values.map((row, r) =>
    row.map((kept, c) => {
      const formula = formulas[r]?.[c] ?? '';
      if (formula !== '') return formula;
      const cell = typeof kept === 'object' ? new Date(kept.d) : kept;
      return toSheetValue({ cell }, formats[r]?.[c] ?? '');
    }),
  );
  setValues(range, restored, formats, []);
  for (const { row, column, text, links: runs } of links) {
    const rich = SpreadsheetApp.newRichTextValue().setText(text);
    for (const { start, end, url } of runs) rich.setLinkUrl(start, end, url);
    const cell = range.getCell(row + 1, column + 1);
    if (!isSurelyText(text)) cell.setNumberFormat(PLAIN_TEXT);
    cell.setRichTextValue(rich.build());
  }
  if (notes !== undefined) range.setNotes(expand(notes, area));
  if (backgrounds !== undefined) range.setBackgrounds(expand(backgrounds, area));
  if (weights !== undefined) {
    const had = expand(weights, area);
    range.setFontWeights(had.map((row) => row.map((weight) => (weight === 'bold' ? weight : 'normal'))));
  }
}

/** Counts the written cells; cells that were written twice count once. */
function countCells(steps: readonly UndoStep[]): number {
  const rows = new Map<string, Set<number>>();
  for (const step of steps) {
    for (const { area } of step.do === 'cells' ? step.blocks : []) {
      for (let column = area.column; column < area.column + area.columns; column += 1) {
        const key = `${step.sheet}:${column}`;
        const known = rows.get(key) ?? new Set<number>();
        for (let row = area.row; row < area.row + area.rows; row += 1) known.add(row);
        rows.set(key, known);
      }
    }
  }
  const formulas = steps.reduce((sum, step) => sum + (step.do === 'formulas' ? step.formulas.length : 0), 0);
  return [...rows.values()].reduce((sum, { size }) => sum + size, formulas);
}

function undoStep(step: UndoStep): void {
  const sheet = findSheet(step.sheet);
  if (sheet === undefined) throw new AddonError('gone', CHANGED);
  withSheetErrors(sheet, () => {
    if (step.do === 'cells') for (const block of step.blocks) restoreBlock(sheet, block);
    else if (step.do === 'choice') deleteChoice(step.name, step.name.candidates);
    else if (step.do === 'formulas') restoreMerged(sheet, step);
    else if (step.do === 'rows') sheet.deleteRows(step.row, step.count);
    else if (step.do === 'columns') sheet.deleteColumns(step.column, step.count);
    else if (step.do === 'widths') setColumnWidths(sheet, step.column, step.widths);
    // The cells of the run are restored by then, so any contents were typed by hand.
    else if (sheet.getLastRow() === 0) SpreadsheetApp.getActiveSpreadsheet().deleteSheet(sheet);
  });
}

/** Notes another title of the table of the last run, which Undo keeps. */
export function recordTitle(tableId: string, title: string): void {
  const log = readUndoLog();
  if (log?.tableId === tableId && log.table !== null)
    writeUndoLog({ ...log, table: { ...log.table, title } });
}

/** Restores a tracked table. What the gateway does for it now stays known: it goes on. */
function restoreTable({ tableId, table, fingerprints }: UndoLog & { table: TableRecord }): void {
  const { registered: _, push: __, keptFilled: ___, ...restored } = table;
  const { registered, push, keptFilled } = findTable(tableId) ?? {};
  saveTable({
    ...restored,
    ...(registered === undefined ? {} : { registered }),
    ...(push === undefined ? {} : { push }),
    ...(keptFilled === undefined ? {} : { keptFilled }),
  });
  saveFingerprints(tableId, new Set(fingerprints.match(/.{4}/g) ?? []));
}

/**
 * Undoes a run: restores values, formulas, formats, notes, links and the tracked table.
 * @param endTable - ends what the gateway does for a table that the run created; throws if it can't
 * @returns the number of restored cells
 * @throws AddonError if it can't be undone; nothing is changed then
 */
export function undoRun(runId: string, endTable: (tableId: string) => void = () => {}): number {
  const state = getUndoState(runId);
  const log = readUndoLog();
  if (!state.possible || log === undefined) {
    throw new AddonError('gone', state.possible ? EXPIRED : state.why);
  }
  const steps = readUndoSteps(log);
  requireUnchanged(steps);
  const isCreated = log.table === null && log.tableId !== '';
  if (isCreated) endTable(log.tableId);
  const cells = countCells(steps);
  for (const step of steps.reverse()) undoStep(step);
  SpreadsheetApp.flush();
  if (log.table !== null) restoreTable({ ...log, table: log.table });
  else if (isCreated) deleteTable(log.tableId);
  CacheService.getUserCache().remove(cacheKey('log'));
  return cells;
}
