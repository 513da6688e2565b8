// Applies what a script changed to the grid.
import {
  BooleanNumber,
  CellValueType,
  type CustomData,
  type ICellData,
  ICommandService,
  type IStyleData,
  type Nullable,
  WrapStrategy,
} from '@univerjs/core';
import { SetRangeValuesMutation } from '@univerjs/preset-sheets-core';
import type { CellValue, Journal, RichText, Write } from '../host/types.ts';
import { extras, linksOf, noteOf } from './cell-extras.ts';
import type { Grid } from './grid.ts';
import { setNumber, sheetOf } from './sheet-ids.ts';
import { serialFromDate } from './values.ts';

type Kind = Write['kind'];
type Of<K extends Kind> = Extract<Write, { kind: K }>;
/** Makes a cell of an item, and of what the cell holds beside its value. */
type CellOf<T> = (item: T, custom: Nullable<CustomData>) => ICellData;
type Sheet = NonNullable<
  ReturnType<NonNullable<ReturnType<Grid['api']['getActiveWorkbook']>>['getSheetBySheetId']>
>;

/** How a cell is emptied; its style and its note stay. */
const EMPTY: ICellData = { v: null, f: null, si: null, p: null };
const LINK: IStyleData = { cl: { rgb: '#1155cc' }, ul: { s: BooleanNumber.TRUE } };
/** Widths of columns that are fitted, in pixels. */
const LETTER_PX = 7;
const LEAST_PX = 60;
const MOST_PX = 320;

/** A text stays the text that it is: `t` says so, and nothing reads it again. */
function valueCell(value: CellValue): ICellData {
  if (value === '') return EMPTY;
  if (typeof value === 'boolean') return { ...EMPTY, v: Number(value), t: CellValueType.BOOLEAN };
  if (typeof value === 'number') return { ...EMPTY, v: value, t: CellValueType.NUMBER };
  if (typeof value === 'string') return { ...EMPTY, v: value, t: CellValueType.STRING };
  const serial = serialFromDate(value);
  const pattern = Number.isInteger(serial) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss';
  return { ...EMPTY, v: serial, t: CellValueType.NUMBER, s: { n: { pattern } } };
}

const formulaCell = (formula: string): ICellData => (formula === '' ? EMPTY : { ...EMPTY, f: formula });

/** Another content takes the links away and leaves the note. */
const withoutLinks =
  <T>(cellOf: (item: T) => ICellData): CellOf<T> =>
  (item, custom) => ({ ...cellOf(item), custom: extras(noteOf(custom), null) });

const textCell: CellOf<RichText> = ({ text, runs }, custom) => {
  const linked = runs.some(({ link }) => link !== null);
  return {
    ...valueCell(text),
    custom: extras(noteOf(custom), linked ? runs : null),
    ...(linked ? { s: LINK } : {}),
  };
};

const noteCell: CellOf<string> = (note, custom) => ({ custom: extras(note, linksOf(custom)) });

const HORIZONTAL: Readonly<Record<string, number>> = { left: 1, center: 2, right: 3 };
const VERTICAL: Readonly<Record<string, number>> = { top: 1, middle: 2, bottom: 3 };
const WRAPS: Readonly<Record<string, WrapStrategy>> = {
  true: WrapStrategy.WRAP,
  WRAP: WrapStrategy.WRAP,
  CLIP: WrapStrategy.CLIP,
};

/** What a look is called here. A missing value takes the look away. */
const LOOKS: Readonly<Record<string, (value: string) => IStyleData>> = {
  fontWeight: (value) => ({ bl: value === 'bold' ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
  fontStyle: (value) => ({ it: value === 'italic' ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
  fontLine: (value) => ({
    ul: { s: value === 'underline' ? BooleanNumber.TRUE : BooleanNumber.FALSE },
    st: { s: value === 'line-through' ? BooleanNumber.TRUE : BooleanNumber.FALSE },
  }),
  fontColor: (value) => ({ cl: value === '' ? null : { rgb: value } }),
  fontSize: (value) => ({ fs: value === '' ? 10 : Number(value) }),
  background: (value) => ({ bg: value === '' ? null : { rgb: value } }),
  horizontalAlignment: (value) => ({ ht: HORIZONTAL[value] ?? null }),
  verticalAlignment: (value) => ({ vt: VERTICAL[value] ?? null }),
  wrap: (value) => ({ tb: WRAPS[value] ?? null }),
  wrapStrategy: (value) => ({ tb: WRAPS[value] ?? null }),
};

const lookCell = (style: string, value: string): ICellData => ({ s: LOOKS[style]?.(value) ?? {} });

/** Applies journals to one grid. */
export class JournalWriter {
  readonly #grid: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** Applies changes in their order. Those of sheets that are gone meanwhile are left out. */
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
    const made = this.#grid.api.getActiveWorkbook()?.insertSheet(name, { index });
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
        this.#cells(sheet, write, write.formats, (pattern) => ({
          s: { n: pattern === '' ? null : { pattern } },
        }));
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
        this.#block(sheet, write, (_, custom) => noteCell('', custom));
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
        sheet.insertRowsBefore(write.row - 1, write.count);
        return;
      case 'deleteRows':
        sheet.deleteRows(write.row - 1, write.count);
        return;
      case 'insertColumns':
        sheet.insertColumnsBefore(write.column - 1, write.count);
        return;
      case 'deleteColumns':
        sheet.deleteColumns(write.column - 1, write.count);
        return;
      case 'columnWidth':
        sheet.setColumnWidths(write.column - 1, write.count, write.width);
        return;
      case 'fitColumns':
        this.#fit(sheet, write);
    }
  }

  #cells<T>(
    sheet: Sheet,
    { row, column }: { row: number; column: number },
    rows: readonly (readonly T[])[],
    cellOf: CellOf<T>,
  ): void {
    const inner = sheet.getSheet();
    const cellValue = Object.fromEntries(
      rows.map((items, down) => [
        row - 1 + down,
        Object.fromEntries(
          items.map((item, across) => {
            const old = inner.getCellRaw(row - 1 + down, column - 1 + across)?.custom;
            return [column - 1 + across, cellOf(item, old)];
          }),
        ),
      ]),
    );
    const { workbook, injector } = this.#grid;
    // A mutation: what a script did is taken back by its own Undo, not by the person's last step.
    injector.get(ICommandService).syncExecuteCommand(SetRangeValuesMutation.id, {
      unitId: workbook.getUnitId(),
      subUnitId: sheet.getSheetId(),
      cellValue,
    });
  }

  #block(
    sheet: Sheet,
    block: { row: number; column: number; rows: number; columns: number },
    cellOf: CellOf<null>,
  ): void {
    const rows = Array.from({ length: block.rows }, () => Array.from({ length: block.columns }, () => null));
    this.#cells(sheet, block, rows, cellOf);
  }

  /** As wide as the longest text of the column, within bounds. */
  #fit(sheet: Sheet, { column, count }: { column: number; count: number }): void {
    const matrix = sheet.getSheet().getCellMatrix();
    for (let at = column - 1; at < column - 1 + count; at += 1) {
      let longest = 0;
      matrix.forValue((_, across, cell) => {
        if (across === at) longest = Math.max(longest, String(cell?.v ?? '').length);
      });
      sheet.setColumnWidths(at, 1, Math.min(MOST_PX, Math.max(LEAST_PX, 24 + longest * LETTER_PX)));
    }
  }
}
