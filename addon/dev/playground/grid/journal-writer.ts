// Applies a script's changes to the grid.
import {
  CellValueType,
  type CustomData,
  Direction,
  type ICellData,
  ICommandService,
  type Nullable,
} from '@univerjs/core';
import {
  InsertRowByRangeCommand,
  SetRangeValuesMutation,
  SetStyleCommand,
} from '@univerjs/preset-sheets-core';
import type { CellValue, Journal, RichText, Write } from '../../host/types.ts';
import { SHEET_LOOKS } from '../workbook/workbook.ts';
import { LOOKS } from './calculation.ts';
import { isAutomatic, styleFor } from './cell-styles.ts';
import { serialFromDate } from './engine-values.ts';
import type { Grid } from './grid.ts';
import { extras, linksOf, noteOf } from './notes-and-links.ts';
import { setNumber, sheetOf } from './sheet-ids.ts';

type Kind = Write['kind'];
type Of<K extends Kind> = Extract<Write, { kind: K }>;
/** A cell's state before a write. */
interface Before {
  value: Nullable<ICellData['v']>;
  custom: Nullable<CustomData>;
  pattern: string;
}
/** Creates a cell from an item and the previous state. */
type CellOf<T> = (item: T, before: Before) => ICellData;
type Sheet = NonNullable<
  ReturnType<NonNullable<ReturnType<Grid['api']['getActiveWorkbook']>>['getSheetBySheetId']>
>;

/** Empties a cell; its style and note stay. */
const EMPTY: ICellData = { v: null, f: null, si: null, p: null };

/** `t` keeps a text from being parsed. A date uses the cell's number format. */
function valueCell(value: CellValue, pattern: string): ICellData {
  if (value === '') return EMPTY;
  if (typeof value === 'boolean') return { ...EMPTY, v: Number(value), t: CellValueType.BOOLEAN };
  if (typeof value === 'number') return { ...EMPTY, v: value, t: CellValueType.NUMBER };
  if (typeof value === 'string') return { ...EMPTY, v: value, t: CellValueType.STRING };
  const serial = serialFromDate(value);
  const cell = { ...EMPTY, v: serial, t: CellValueType.NUMBER };
  if (!isAutomatic(pattern)) return cell;
  return { ...cell, s: { n: { pattern: Number.isInteger(serial) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' } } };
}

const formulaCell = (formula: string): ICellData => (formula === '' ? EMPTY : { ...EMPTY, f: formula });

/** New content removes links but not the note. */
const withoutLinks =
  <T>(cellOf: (item: T, pattern: string) => ICellData): CellOf<T> =>
  (item, { custom, pattern }) => ({ ...cellOf(item, pattern), custom: extras(noteOf(custom), null) });

const textCell: CellOf<RichText> = ({ text, runs }, { custom, pattern }) => {
  const linked = runs.some(({ link }) => link !== null);
  return { ...valueCell(text, pattern), custom: extras(noteOf(custom), linked ? { text, runs } : null) };
};

const noteCell: CellOf<string> = (note, { value, custom }) => {
  const runs = linksOf(custom, value);
  return { custom: extras(note, runs === null ? null : { text: String(value ?? ''), runs }) };
};

const formatCell = (pattern: string): ICellData => ({
  s: { n: isAutomatic(pattern) ? null : { pattern } },
});

const lookCell = (style: string, value: string): ICellData => ({ s: styleFor(style, value) });

export class JournalWriter {
  readonly #grid: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** Applies changes in order; skips those of deleted sheets. */
  apply(journal: Journal): void {
    for (const write of journal) {
      if (write.kind === 'insertSheet') this.#insertSheet(write);
      else {
        const sheet = this.#sheet(write.sheet);
        if (sheet !== undefined) this.#write(sheet, write);
      }
    }
  }

  #sheet(number: number): Sheet | undefined {
    const id = sheetOf(this.#grid.workbook, number);
    return id === undefined
      ? undefined
      : (this.#grid.api.getActiveWorkbook()?.getSheetBySheetId(id) ?? undefined);
  }

  #insertSheet({ sheet, name, index }: Of<'insertSheet'>): void {
    const made = this.#grid.api.getActiveWorkbook()?.insertSheet(name, { index, sheet: SHEET_LOOKS });
    if (made !== undefined) setNumber(made.getSheetId(), sheet);
  }

  #write(sheet: Sheet, write: Exclude<Write, Of<'insertSheet'>>): void {
    switch (write.kind) {
      case 'values':
        this.#cells(sheet, write, write.values, withoutLinks(valueCell));
        return;
      case 'formulas':
        this.#cells(sheet, write, write.formulas, withoutLinks(formulaCell));
        return;
      case 'richText':
        this.#cells(sheet, write, write.texts, textCell);
        return;
      case 'formats':
        this.#cells(sheet, write, write.formats, formatCell);
        return;
      case 'notes':
        this.#cells(sheet, write, write.notes, noteCell);
        return;
      case 'styles':
        this.#cells(sheet, write, write.styles, (value) => lookCell(write.style, value));
        return;
      case 'style':
        this.#block(sheet, write, () => lookCell(write.style, write.value));
        return;
      case 'clear':
        this.#block(
          sheet,
          write,
          withoutLinks(() => EMPTY),
        );
        return;
      case 'clearFormats':
        this.#block(sheet, write, () => ({ s: null }));
        return;
      case 'clearNotes':
        this.#block(sheet, write, (_, before) => noteCell('', before));
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
      case 'freezeColumns':
        sheet.setFrozenColumns(write.columns);
        return;
      case 'insertRows':
        this.#insertRows(sheet, write);
        return;
      case 'deleteRows':
        sheet.deleteRows(write.row - 1, write.count);
        return;
      case 'insertColumns':
        this.#insertColumns(sheet, write);
        return;
      case 'deleteColumns':
        sheet.deleteColumns(write.column - 1, write.count);
    }
  }

  #cells<T>(
    sheet: Sheet,
    { kind, row, column }: { kind: Kind; row: number; column: number },
    rows: readonly (readonly T[])[],
    cellOf: CellOf<T>,
  ): void {
    const { workbook, injector } = this.#grid;
    const inner = sheet.getSheet();
    const styles = workbook.getStyles();
    const before = (down: number, across: number): Before => {
      const cell = inner.getCellRaw(down, across);
      return {
        value: cell?.v,
        custom: cell?.custom,
        pattern: styles.getStyleByCell(cell)?.n?.pattern ?? '',
      };
    };
    const cellValue = Object.fromEntries(
      rows.map((items, down) => [
        row - 1 + down,
        Object.fromEntries(
          items.map((item, across) => {
            const cell = cellOf(item, before(row - 1 + down, column - 1 + across));
            return [column - 1 + across, cell];
          }),
        ),
      ]),
    );
    // A mutation bypasses the user's undo history: the add-on has its own Undo.
    injector.get(ICommandService).syncExecuteCommand(SetRangeValuesMutation.id, {
      unitId: workbook.getUnitId(),
      subUnitId: sheet.getSheetId(),
      cellValue,
      // Without this trigger, a style change would remove the cell's formula.
      ...(LOOKS.has(kind) ? { trigger: SetStyleCommand.id } : {}),
    });
  }

  #block(
    sheet: Sheet,
    block: { kind: Kind; row: number; column: number; rows: number; columns: number },
    cellOf: CellOf<null>,
  ): void {
    const rows = Array.from({ length: block.rows }, () => Array.from({ length: block.columns }, () => null));
    this.#cells(sheet, block, rows, cellOf);
  }

  /** Univer cannot insert after the last row, so the sheet grows instead. The journal sets the new rows' styles. */
  #insertRows(sheet: Sheet, { row, count }: { row: number; count: number }): void {
    const { workbook, injector } = this.#grid;
    const inner = sheet.getSheet();
    const has = inner.getRowCount();
    if (row > has) {
      sheet.setRowCount(has + count);
      return;
    }
    injector.get(ICommandService).syncExecuteCommand(InsertRowByRangeCommand.id, {
      unitId: workbook.getUnitId(),
      subUnitId: sheet.getSheetId(),
      direction: Direction.UP,
      range: {
        startRow: row - 1,
        endRow: row - 2 + count,
        startColumn: 0,
        endColumn: inner.getColumnCount() - 1,
      },
    });
  }

  #insertColumns(sheet: Sheet, { column, count }: { column: number; count: number }): void {
    const has = sheet.getSheet().getColumnCount();
    if (column > has) sheet.setColumnCount(has + count);
    else sheet.insertColumnsBefore(column - 1, count);
  }
}
