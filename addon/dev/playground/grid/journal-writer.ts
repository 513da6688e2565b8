// Applies a script's changes to the grid.
import { CellValueType, type CustomData, Direction, type ICellData, type Nullable } from '@univerjs/core';
import {
  FormulaCalculationSessionService,
  InsertRowByRangeCommand,
  SetRangeValuesMutation,
  SetStyleCommand,
  SheetsSelectionsService,
} from '@univerjs/preset-sheets-core';
import type { CellValue, Journal, RichText, Write } from '../../host/types.ts';
import { SHEET_DEFAULTS } from '../workbook/sheet.ts';
import { isAutomatic, toGridStyle } from './cell-styles.ts';
import { findSheetId, setSheetNumber, toGridRange } from './cells.ts';
import { runCommand } from './commands.ts';
import { dropSheetMetadata, putMetadata, removeMetadata } from './developer-metadata.ts';
import { setFilter } from './filter.ts';
import type { Grid } from './grid.ts';
import { getLinks, getNote, toCustomData } from './notes-and-links.ts';
import { getDatePattern, toSerial } from './serial-dates.ts';
import { sortRows } from './sort.ts';

type Kind = Write['kind'];
type WriteOf<K extends Kind> = Extract<Write, { kind: K }>;
/** A cell's state before a write. */
interface PreviousCell {
  value: Nullable<ICellData['v']>;
  type: Nullable<ICellData['t']>;
  custom: Nullable<CustomData>;
  pattern: string;
}
type CellBuilder<T> = (item: T, previous: PreviousCell) => ICellData;
type GridSheet = NonNullable<
  ReturnType<NonNullable<ReturnType<Grid['api']['getActiveWorkbook']>>['getSheetBySheetId']>
>;

/** Empties a cell; its style and note stay. */
const EMPTY: ICellData = { v: null, f: null, si: null, p: null };

/** `t` keeps a text from being parsed. A date uses the cell's number format. */
function buildValueCell(value: CellValue, pattern: string): ICellData {
  if (value === '') return EMPTY;
  if (typeof value === 'boolean') return { ...EMPTY, v: Number(value), t: CellValueType.BOOLEAN };
  if (typeof value === 'number') return { ...EMPTY, v: value, t: CellValueType.NUMBER };
  if (typeof value === 'string') return { ...EMPTY, v: value, t: CellValueType.STRING };
  const serial = toSerial(value);
  const cell = { ...EMPTY, v: serial, t: CellValueType.NUMBER };
  if (!isAutomatic(pattern)) return cell;
  return { ...cell, s: { n: { pattern: getDatePattern(serial) } } };
}

const buildFormulaCell = (formula: string): ICellData => (formula === '' ? EMPTY : { ...EMPTY, f: formula });

/** New content removes links but not the note. */
const removeLinks =
  <T>(buildCell: (item: T, pattern: string) => ICellData): CellBuilder<T> =>
  (item, { custom, pattern }) => ({
    ...buildCell(item, pattern),
    custom: toCustomData(getNote(custom), null),
  });

const buildTextCell: CellBuilder<RichText> = ({ text, runs }, { custom, pattern }) => {
  const hasLinks = runs.some(({ link }) => link !== null);
  return {
    ...buildValueCell(text, pattern),
    custom: toCustomData(getNote(custom), hasLinks ? { text, runs } : null),
  };
};

const buildNoteCell: CellBuilder<string> = (note, { value, type, custom }) => {
  const runs = getLinks(custom, value);
  return {
    custom: toCustomData(note, runs === null ? null : { text: String(value ?? ''), runs }),
    // Without it, the grid would parse a text such as "2001" again.
    ...(type == null ? {} : { t: type }),
  };
};

const buildFormatCell = (pattern: string): ICellData => ({
  s: { n: isAutomatic(pattern) ? null : { pattern } },
});

export class JournalWriter {
  readonly #grid: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** Applies changes in order; skips those of deleted sheets and of the locale, of which the grid has one. */
  apply(journal: Journal): void {
    for (const write of journal) {
      if (write.kind === 'insertSheet') this.#insertSheet(write);
      else if (write.kind === 'putMetadata') putMetadata(this.#grid, write.entry);
      else if (write.kind === 'removeMetadata') removeMetadata(this.#grid, write.id);
      else if (write.kind !== 'locale') {
        const sheet = this.#sheet(write.sheet);
        if (sheet !== undefined) this.#write(sheet, write);
      }
    }
  }

  #sheet(number: number): GridSheet | undefined {
    const id = findSheetId(this.#grid.workbook, number) ?? '';
    return this.#grid.api.getActiveWorkbook()?.getSheetBySheetId(id) ?? undefined;
  }

  #insertSheet({ sheet, name, index }: WriteOf<'insertSheet'>): void {
    const inserted = this.#grid.api.getActiveWorkbook()?.insertSheet(name, { index, sheet: SHEET_DEFAULTS });
    if (inserted !== undefined) setSheetNumber(inserted.getSheetId(), sheet);
  }

  /** The journal sets the metadata of the copy. */
  #copySheet(sheet: GridSheet, { copy: number, name, index }: WriteOf<'copySheet'>): void {
    const workbook = this.#grid.api.getActiveWorkbook();
    const copy = workbook?.duplicateSheet(sheet);
    if (!workbook || !copy) return;
    setSheetNumber(copy.getSheetId(), number);
    dropSheetMetadata(this.#grid, number);
    copy.setName(name);
    workbook.moveSheet(copy, index);
  }

  #write(sheet: GridSheet, write: Extract<Write, { sheet: number }>): void {
    switch (write.kind) {
      case 'values':
        this.#setCells(sheet, write, write.values, removeLinks(buildValueCell));
        return;
      case 'formulas':
        this.#setCells(sheet, write, write.formulas, removeLinks(buildFormulaCell));
        return;
      case 'richText':
        this.#setCells(sheet, write, write.texts, buildTextCell);
        return;
      case 'formats':
        this.#setCells(sheet, write, write.formats, buildFormatCell);
        return;
      case 'notes':
        this.#setCells(sheet, write, write.notes, buildNoteCell);
        return;
      case 'styles':
        this.#setCells(sheet, write, write.styles, (value) => ({ s: toGridStyle(write.style, value) }));
        return;
      case 'clear':
        this.#setBlock(
          sheet,
          write,
          removeLinks(() => EMPTY),
        );
        return;
      case 'clearFormats':
        this.#setBlock(sheet, write, () => ({ s: null }));
        return;
      case 'select':
        this.#grid.api.getActiveWorkbook()?.setActiveSheet(sheet);
        sheet.getRange(write.row - 1, write.column - 1, write.rows, write.columns).activate();
        return;
      case 'renameSheet':
        sheet.setName(write.name);
        return;
      case 'deleteSheet':
        this.#grid.api.getActiveWorkbook()?.deleteSheet(sheet);
        return;
      case 'freeze':
        sheet.setFrozenRows(write.rows);
        return;
      case 'columnWidths':
        sheet.setColumnWidths(write.column - 1, write.count, write.width);
        return;
      case 'filter':
        setFilter(this.#grid, sheet.getSheetId(), write.area);
        return;
      case 'copySheet':
        this.#copySheet(sheet, write);
        return;
      case 'sort':
        sortRows(this.#grid, sheet.getSheetId(), write.area, write.order);
        return;
      case 'moveColumns':
        sheet.moveColumns(sheet.getRange(0, write.column - 1, sheet.getMaxRows(), write.count), write.to - 1);
        return;
      case 'obstacles':
        // The grid has no rules, and only the check of Google's behaviour sets obstacles.
        return;
      case 'insertRows':
        this.#insertRows(sheet, write);
        return;
      case 'deleteRows':
        sheet.deleteRows(write.row - 1, write.count);
        this.#keepSelectionInside(sheet);
        return;
      case 'insertColumns':
        this.#insertColumns(sheet, write);
        return;
      case 'deleteColumns':
        sheet.deleteColumns(write.column - 1, write.count);
        this.#keepSelectionInside(sheet);
    }
  }

  /** Selects the first cell if the selected ones were deleted at the end: the grid could not read the selection. */
  #keepSelectionInside(sheet: GridSheet): void {
    if (this.#grid.workbook.getActiveSheet().getSheetId() !== sheet.getSheetId()) return;
    const range = this.#grid.injector.get(SheetsSelectionsService).getCurrentLastSelection()?.range;
    if (range === undefined) return;
    if (range.endRow >= sheet.getMaxRows() || range.endColumn >= sheet.getMaxColumns())
      sheet.getRange(0, 0).activate();
  }

  #setCells<T>(
    sheet: GridSheet,
    { kind, row, column }: { kind: Kind; row: number; column: number },
    rows: readonly (readonly T[])[],
    buildCell: CellBuilder<T>,
  ): void {
    const worksheet = sheet.getSheet();
    const styles = this.#grid.workbook.getStyles();
    const readPrevious = (down: number, across: number): PreviousCell => {
      const cell = worksheet.getCellRaw(down, across);
      return {
        value: cell?.v,
        type: cell?.t,
        custom: cell?.custom,
        pattern: styles.getStyleByCell(cell)?.n?.pattern ?? '',
      };
    };
    const cellValue = Object.fromEntries(
      rows.map((items, down) => [
        row - 1 + down,
        Object.fromEntries(
          items.map((item, across) => {
            const cell = buildCell(item, readPrevious(row - 1 + down, column - 1 + across));
            return [column - 1 + across, cell];
          }),
        ),
      ]),
    );
    // A mutation: the add-on has its own Undo.
    runCommand(this.#grid, SetRangeValuesMutation, sheet.getSheetId(), {
      cellValue,
      // Without this trigger, a style change would remove the cell's formula.
      ...(STYLE_WRITES.has(kind) ? { trigger: SetStyleCommand.id } : {}),
    });
  }

  #setBlock(
    sheet: GridSheet,
    block: { kind: Kind; row: number; column: number; rows: number; columns: number },
    buildCell: CellBuilder<null>,
  ): void {
    const rows = Array.from({ length: block.rows }, () => Array.from({ length: block.columns }, () => null));
    this.#setCells(sheet, block, rows, buildCell);
  }

  /** Univer cannot insert after the last row, so the sheet grows instead. The journal sets the new rows' styles. */
  #insertRows(sheet: GridSheet, { row, count }: { row: number; count: number }): void {
    const rowCount = sheet.getMaxRows();
    if (row > rowCount) {
      sheet.setRowCount(rowCount + count);
      return;
    }
    runCommand(this.#grid, InsertRowByRangeCommand, sheet.getSheetId(), {
      direction: Direction.UP,
      range: toGridRange({ row, rows: count, column: 1, columns: sheet.getMaxColumns() }),
    });
  }

  #insertColumns(sheet: GridSheet, { column, count }: { column: number; count: number }): void {
    const columnCount = sheet.getMaxColumns();
    if (column > columnCount) sheet.setColumnCount(columnCount + count);
    else sheet.insertColumnsBefore(column - 1, count);
  }
}

/** The grid collects changes for 100 ms before it calculates. */
const START_DELAY_MS = 120;
/** How long to watch for the start of the next calculation: after one has started, or while a busy page is late. */
const START_TIMEOUT_MS = { started: 20, late: 1000 } as const;

/** Writes that no formula depends on. */
const STYLE_WRITES: ReadonlySet<Write['kind']> = new Set([
  'formats',
  'notes',
  'styles',
  'clearFormats',
  'select',
  'freeze',
  'putMetadata',
  'removeMetadata',
]);

/** Resolves when no calculation is running: its results would replace values that are written meanwhile. */
export async function waitForIdle({ injector }: Grid): Promise<void> {
  const calculations = injector.get(FormulaCalculationSessionService);
  const { started, completed, resultApplied } = calculations.state;
  if (started && !(completed && resultApplied)) await calculations.waitForLatestApplied();
}

/**
 * Resolves when cells show the results of these changes. Add-on formulas may still show "Loading…".
 * @param journal - changes applied in the same turn
 */
export async function waitForCalculation({ injector }: Grid, journal: Journal): Promise<void> {
  if (journal.every(({ kind }) => STYLE_WRITES.has(kind))) return;
  const calculations = injector.get(FormulaCalculationSessionService);
  const { id } = calculations.state;
  await new Promise((resolve) => setTimeout(resolve, START_DELAY_MS));
  const watch = calculations.state.id === id ? START_TIMEOUT_MS.late : START_TIMEOUT_MS.started;
  await calculations.waitForLatestApplied(undefined, watch);
}
