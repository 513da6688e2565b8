// Undoes a run: restores what it replaced. Links in texts are restored, formats of single words are not.

import { defined } from '../../../shared/lib/defined.ts';
import { formatMark } from '../../../shared/table/locate.ts';
import { AddonError, createError, ignoreAddonErrors } from '../../lib/addon-error.ts';
import type { Fill, Undone } from '../../server/api/index.ts';
import { type Area, findSheet, getRange, type Sheet, setColumnWidths } from '../../sheet/area.ts';
import { fingerprint, isSurelyText, PLAIN_TEXT, setValues, toSheetValue } from '../../sheet/entries.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import { describeLookup, parseLookupCall } from '../../sheet/lookup-calls.ts';
import { mapLayers, sliceLinks } from '../../sheet/snapshot.ts';
import { t } from '../../texts/texts.ts';
import { clearMarkCache, companiesMark, removeMarks } from '../locate.ts';
import { deleteChoice } from '../lookup/name-choices.ts';
import { deleteTable, findTable, saveFingerprints, saveTable, type TableRecord } from '../registry.ts';
import {
  endUndoLog,
  expand,
  type FormulaStep,
  listUndoEntries,
  readUndoLog,
  readUndoSteps,
  type StoredBlock,
  type UndoEntry,
  type UndoStep,
} from './undo-log.ts';

const EXPIRED = 'The previous contents are no longer available: Google keeps them for six hours at most.';
const TOO_LARGE = 'This run replaced too much to undo. Restore the sheet under File → Version history.';
const SOMEONE_ELSE =
  'Only the person who started a run can undo it, for six hours and while it is one of the last 20.';
const UNDONE = 'This run was undone.';
const LATER_RUN = 'A later run has changed the same table. Undo that one first.';
/** @param where - the first changed row */
const formatChanged = (where?: string): string =>
  where === undefined
    ? t(
        'The sheet was changed since, and undo would lose those changes. Nothing was changed. You can restore the sheet under File → Version history.',
      )
    : t(
        'The sheet was changed since ({where}), and undo would lose those changes. Nothing was changed. You can restore the sheet under File → Version history.',
        { where },
      );

const listTableIds = ({ tableId, fill }: UndoEntry): string[] => [
  ...(tableId === '' ? [] : [tableId]),
  ...(fill?.tables ?? []).map(({ id }) => id),
];

/** Tells whether a run can be undone. Runs of the same table are undone in reverse order. */
export function getUndoState(
  runId: string,
  entries: readonly UndoEntry[] = listUndoEntries(),
): { possible: true } | { possible: false; why: string } {
  const at = entries.findIndex((entry) => entry.runId === runId);
  const entry = entries[at];
  if (entry === undefined) return { possible: false, why: t(SOMEONE_ELSE) };
  if (entry.isUndone) return { possible: false, why: t(UNDONE) };
  if (entry.isTooLarge) return { possible: false, why: t(TOO_LARGE) };
  const own = listTableIds(entry);
  const isLater = entries
    .slice(0, at)
    .some((later) => !later.isUndone && listTableIds(later).some((id) => own.includes(id)));
  return isLater ? { possible: false, why: t(LATER_RUN) } : { possible: true };
}

/** Finds the last fill that can be undone. @param tableId - of this table; default: of any */
export const findLastFill = (tableId?: string): Fill | undefined =>
  listUndoableRuns().find(
    ({ fill }) =>
      fill !== undefined && (tableId === undefined || fill.tables.some(({ id }) => id === tableId)),
  )?.fill;

export const listUndoneRuns = (): string[] =>
  listUndoEntries().flatMap(({ runId, isUndone }) => (isUndone ? runId : []));

/** Lists the runs that can be undone, the last one first. */
export function listUndoableRuns(): UndoEntry[] {
  const entries = listUndoEntries();
  return entries.filter(({ runId }) => getUndoState(runId, entries).possible);
}

/** Written rows of one sheet and the same columns, with the fingerprint of the last written values. */
interface WrittenRows {
  sheet: number;
  area: Area;
  fingerprints: Map<number, string>;
}

function listWrittenRows(steps: readonly UndoStep[]): WrittenRows[] {
  const latest = new Map<string, WrittenRows>();
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
  return [...latest.values()];
}

/** Lists the rows of a block that were changed since. @throws AddonError `gone` if rows were moved or removed */
function listChangedRows({ sheet: id, area, fingerprints }: WrittenRows): number[] {
  const sheet = findSheet(id);
  const rows = [...fingerprints.keys()];
  const row = Math.min(...rows);
  const last = Math.max(...rows);
  const length = sheet?.getMaxRows() ?? 0;
  if (sheet === undefined || length < last) throw new AddonError('gone', formatChanged());
  // With the row below.
  const values = getRange(sheet, { ...area, row, rows: Math.min(last + 1, length) - row + 1 }).getValues();
  const read = (at: number): string => fingerprint(values[at - row] ?? []);
  const changed = rows.filter((at) => read(at) !== fingerprints.get(at));
  // Where rows were moved, inserted or deleted, the others would be restored to the wrong place.
  const expected = new Set(changed.map((at) => fingerprints.get(at)));
  const blank = fingerprint((values[0] ?? []).map(() => ''));
  // Where rows are equal, a deleted one shows only at their end.
  const before = fingerprints.get(Math.max(...rows.filter((at) => at !== last)));
  const isMoved = (at: number): boolean =>
    expected.has(read(at)) ||
    (read(last + 1) === fingerprints.get(last) && read(last + 1) !== blank) ||
    (before !== undefined &&
      changed.includes(last) &&
      (read(last) === blank || before === fingerprints.get(last)));
  const moved = changed.find(isMoved);
  if (moved !== undefined)
    throw new AddonError(
      'gone',
      formatChanged(t('“{sheet}”, row {row}', { sheet: sheet.getName(), row: String(moved) })),
    );
  return changed;
}

/** Rows that Undo leaves, by the id of their sheet. */
type LeftRows = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Finds the rows that were changed since the run: Undo leaves them.
 * @param isStrict - the cells of the run belong together: one changed row prevents Undo
 * @throws AddonError `gone` if every row was changed, or rows were moved or removed
 */
function findLeftRows(steps: readonly UndoStep[], isStrict: boolean): LeftRows {
  for (const step of steps) {
    if (step.do === 'formulas' && !isUnchangedMerge(findSheet(step.sheet), step))
      throw new AddonError('gone', formatChanged());
  }
  const left = new Map<number, Set<number>>();
  const written = listWrittenRows(steps);
  let unchanged = written.length === 0 ? 1 : 0;
  for (const block of written) {
    const changed = listChangedRows(block);
    const rows = left.get(block.sheet) ?? new Set();
    for (const row of changed) rows.add(row);
    if (rows.size > 0) left.set(block.sheet, rows);
    unchanged +=
      isStrict && changed.length > 0 ? Number.NEGATIVE_INFINITY : block.fingerprints.size - changed.length;
  }
  const [first] = left;
  if (unchanged > 0 || first === undefined) return left;
  const [id, [row]] = first;
  throw new AddonError(
    'gone',
    formatChanged(t('“{sheet}”, row {row}', { sheet: findSheet(id)?.getName() ?? '', row: String(row) })),
  );
}

/** Splits a block into parts without the rows that Undo leaves. */
function leaveRows(block: StoredBlock, left: ReadonlySet<number> | undefined): StoredBlock[] {
  const { area } = block;
  const edges = [-1, ...block.values.flatMap((_, at) => (left?.has(area.row + at) ? at : [])), area.rows];
  if (edges.length === 2) return [block];
  return edges.slice(1).flatMap((to, at) => {
    const from = (edges[at] ?? 0) + 1;
    if (from === to) return [];
    return {
      area: { ...area, row: area.row + from, rows: to - from },
      // A layer is one text if all cells are equal.
      ...mapLayers(block, (layer) => (Array.isArray(layer) ? layer.slice(from, to) : layer)),
      values: block.values.slice(from, to),
      links: sliceLinks(block.links, from, to),
      fingerprints: block.fingerprints.slice(from, to),
    };
  });
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

/** The cells of the run are restored by then, so any contents are of another run or typed by hand: these stay. */
function deleteBlankRows(sheet: Sheet, { row, count }: { row: number; count: number }): void {
  if (sheet.getRange(row, 1, count, sheet.getMaxColumns()).isBlank()) sheet.deleteRows(row, count);
}

function deleteBlankColumns(sheet: Sheet, { column, count }: { column: number; count: number }): void {
  if (sheet.getRange(1, column, sheet.getMaxRows(), count).isBlank()) sheet.deleteColumns(column, count);
}

function undoStep(step: UndoStep): void {
  if (step.do === 'fingerprints') return;
  const sheet = findSheet(step.sheet);
  if (sheet === undefined) throw new AddonError('gone', formatChanged());
  withSheetErrors(sheet, () => {
    if (step.do === 'cells') for (const block of step.blocks) restoreBlock(sheet, block);
    else if (step.do === 'choice') deleteChoice(step.name, step.name.candidates);
    else if (step.do === 'formulas') restoreMerged(sheet, step);
    else if (step.do === 'rows') deleteBlankRows(sheet, step);
    else if (step.do === 'columns') deleteBlankColumns(sheet, step);
    else if (step.do === 'widths') setColumnWidths(sheet, step.column, step.widths);
    else if (sheet.getLastRow() === 0) SpreadsheetApp.getActiveSpreadsheet().deleteSheet(sheet);
  });
}

/** Restores a tracked table. What it has cost, and what the gateway does for it now, stays known. */
function restoreTable(tableId: string, table: TableRecord, fingerprints: string): void {
  const { registered: _, push: __, hasEnrichment: ___, ...restored } = table;
  const {
    registered,
    push,
    hasEnrichment,
    credits = table.credits,
    countedRequestId,
  } = findTable(tableId) ?? {};
  saveTable({
    ...restored,
    credits,
    ...defined({ countedRequestId, registered, push, hasEnrichment }),
  });
  saveFingerprints(tableId, fingerprints);
  const ids = [...table.columns.map(({ id }) => id), companiesMark];
  const columns = new Set(ids.map((id) => formatMark(tableId, id)));
  removeMarks(tableId, ({ value }) => value === tableId || columns.has(value));
}

/** Counts the rows that Undo leaves, and lists the first: `6`; `Sheet1!6` if they are in several sheets. */
function describeLeft(left: LeftRows): NonNullable<Undone['left']> {
  const places = [...left].flatMap(([id, rows]) =>
    [...rows].map((row) => (left.size === 1 ? String(row) : `${findSheet(id)?.getName()}!${row}`)),
  );
  return { rows: places.length, first: places.slice(0, 3) };
}

/**
 * Undoes a run: restores values, formulas, formats, notes, links and the tracked table.
 * @param endTable - ends what the gateway does for a table that the run created; throws if it can't
 * @returns the number of restored cells, the rows that were changed since and stay, the run before, and the undone fill
 * @throws AddonError if it can't be undone; nothing is changed then
 */
export function undoRun(
  runId: string,
  endTable: (tableId: string) => void = () => {},
): Undone & { fill?: Fill } {
  const entries = listUndoEntries();
  const state = getUndoState(runId, entries);
  if (!state.possible) throw new AddonError('gone', state.why);
  const log = readUndoLog(runId);
  const steps = log && readUndoSteps(runId, log);
  if (log === undefined || steps === undefined) throw createError('gone', EXPIRED);
  const { tableId = '', fill, headings } = entries.find((entry) => entry.runId === runId) ?? {};
  // A frozen formula and the cells that it had filled belong together.
  const left = findLeftRows(steps, tableId === '' && fill === undefined);
  const kept = steps.map(
    (step): UndoStep =>
      step.do === 'cells'
        ? { ...step, blocks: step.blocks.flatMap((block) => leaveRows(block, left.get(step.sheet))) }
        : step,
  );
  const { table } = log;
  const fingerprints = steps.flatMap((step) => (step.do === 'fingerprints' ? step.text : [])).join('');
  const isCreated = table === null && tableId !== '';
  if (isCreated) endTable(tableId);
  const cells = countCells(kept);
  const first = steps.find((step) => step.do !== 'fingerprints');
  const name = first && findSheet(first.sheet)?.getName();
  for (const step of kept.reverse()) undoStep(step);
  clearMarkCache();
  SpreadsheetApp.flush();
  if (table !== null) restoreTable(tableId, table, fingerprints);
  else if (isCreated) {
    deleteTable(tableId);
    removeMarks(tableId);
  }
  endUndoLog(runId);
  // Headings that somebody has changed stay.
  const others = headings === undefined ? undefined : ignoreAddonErrors(() => undoRun(headings, endTable));
  // Undo of a freeze restores no cells: a further Undo is not expected then.
  const isRun = tableId !== '' && cells > 0;
  const before = isRun ? listUndoableRuns().find((run) => run.tableId === tableId) : undefined;
  return {
    cells: cells + (others?.cells ?? 0),
    ...(left.size === 0 ? {} : { left: describeLeft(left) }),
    ...defined({
      sheet: name,
      fill,
      // The restored table knows the run before.
      before: before && { runId: before.runId, isPaid: table?.lastRun.credits !== 0 },
    }),
  };
}

/** Returns the cells of formulas that one formula replaces. */
export const getMergedArea = ({
  row,
  column,
  formulas,
}: Omit<FormulaStep, 'do' | 'sheet' | 'merged'>): Area => ({
  row,
  column,
  rows: formulas.length,
  columns: 1,
});

/** Describes a formula. Separators, and the option `refresh` of a lookup, may have changed. */
function describeMerged(formula: string): string {
  const call = parseLookupCall(formula);
  return call === undefined
    ? formula.replace(/[;,]\s*/g, ';')
    : `${call.from} ${call.to} ${describeLookup(call)}`;
}

/** Tells whether the cells have the merged formula, or still the previous ones. */
function isUnchangedMerge(sheet: Sheet | undefined, step: FormulaStep): boolean {
  if (sheet === undefined || sheet.getMaxRows() < step.row + step.formulas.length - 1) return false;
  const [first = '', ...others] = getRange(sheet, getMergedArea(step)).getFormulas().flat();
  if (first === step.formulas[0]) return others.every((formula, at) => formula === step.formulas[at + 1]);
  const expected = describeMerged(step.merged);
  return describeMerged(first) === expected && others.every((formula) => formula === '');
}

function restoreMerged(sheet: Sheet, step: FormulaStep): void {
  getRange(sheet, getMergedArea(step)).setFormulas(step.formulas.map((formula) => [formula]));
}
