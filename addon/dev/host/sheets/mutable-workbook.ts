// An in-memory workbook: reads blocks and applies writes.
import { Exception } from '../calls.ts';
import { formatDate } from '../dates.ts';
import { dropSheetMetadata, putMetadata, shiftMetadata } from './developer-metadata.ts';
import { offsetFormula, renameInFormula, shiftFormula } from './formula-references.ts';
import {
  forEachCell,
  type Layers,
  mapArea,
  reorderRows,
  type Shift,
  setItem,
  setItems,
  shiftAreas,
  shiftFrozen,
  shiftLayer,
  shiftNumbers,
} from './layers.ts';
import { getCellTexts, hasWrongSeparator, toSheetFormula, translateFormula } from './locales.ts';
import { createSheet, type Sheet, toSheetData } from './mutable-sheet.ts';
import type {
  Area,
  CellValue,
  Journal,
  MetadataEntry,
  Place,
  ProtectionData,
  Workbook,
  Write,
} from './workbook.ts';

export class MutableWorkbook {
  readonly id: string;
  readonly name: string;
  locale: string;
  readonly timeZone: string;
  readonly sheets: Sheet[];
  active: Place | undefined;
  selected: readonly Area[];
  metadata: readonly MetadataEntry[];

  constructor(workbook: Workbook, timeZone: string) {
    this.id = workbook.id;
    this.name = workbook.name;
    this.locale = workbook.locale ?? 'en_US';
    this.timeZone = workbook.timeZone ?? timeZone;
    this.sheets = workbook.sheets.map(createSheet);
    this.active = workbook.active;
    this.selected = workbook.selected ?? [];
    this.metadata = workbook.metadata ?? [];
  }

  get data(): Workbook {
    const { id, name, locale, timeZone, active, selected, metadata } = this;
    const sheets = this.sheets.map(toSheetData);
    return { id, name, locale, timeZone, sheets, metadata, ...(active ? { active, selected } : {}) };
  }

  /** Returns a sheet; throws if it was deleted. */
  sheet(id: number): Sheet {
    const sheet = this.sheets.find((item) => item.id === id);
    if (!sheet) throw new Exception(`Sheet ${id} not found`);
    return sheet;
  }

  /** Reads a block of a layer; missing cells are `empty`. */
  read<Name extends keyof Layers>(
    layer: Name,
    id: number,
    area: Area,
    empty: Layers[Name][number][number],
  ): Layers[Name][number][number][][] {
    const rows = this.sheet(id)[layer];
    return mapArea(area, (row, column) => rows[row]?.[column] ?? empty);
  }

  /** Reads one style of a block; cells without it are `empty`. */
  style(style: string, id: number, area: Area, empty: string): string[][] {
    const rows = this.sheet(id).styles.get(style);
    return mapArea(area, (row, column) => rows?.[row]?.[column] || empty);
  }

  /** Returns the displayed texts: provided, or formatted from the values. */
  display(id: number, area: Area): string[][] {
    const { display, values } = this.sheet(id);
    return mapArea(
      area,
      (row, column) => display[row]?.[column] ?? this.#formatValue(values[row]?.[column] ?? ''),
    );
  }

  #formatValue(value: CellValue): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
    if (typeof value === 'number') return String(value);
    return formatDate(value, this.timeZone, 'M/d/yyyy');
  }

  /** Returns the last row and column with content; 0 if the sheet is empty. */
  extent(id: number): { rows: number; columns: number } {
    const sheet = this.sheet(id);
    let rows = 0;
    let columns = 0;
    for (const layer of [sheet.values, sheet.formulas]) {
      for (const [row, cells] of layer.entries()) {
        for (const [column, cell] of (cells ?? []).entries()) {
          if (cell === undefined || cell === '') continue;
          rows = Math.max(rows, row + 1);
          columns = Math.max(columns, column + 1);
        }
      }
    }
    return { rows, columns };
  }

  apply(journal: Journal): void {
    for (const write of journal) this.#write(write);
  }

  #write(write: Write): void {
    if (write.kind === 'locale') {
      this.#mapFormulas((formula) => translateFormula(formula, this.locale, write.locale));
      this.locale = write.locale;
      return;
    }
    if (write.kind === 'putMetadata') {
      this.metadata = putMetadata(this.metadata, write.entry);
      return;
    }
    if (write.kind === 'removeMetadata') {
      this.metadata = this.metadata.filter(({ id }) => id !== write.id);
      return;
    }
    if (write.kind === 'insertSheet') {
      const { sheet: id, name } = write;
      this.sheets.splice(write.index, 0, createSheet({ id, name, values: [] }));
      return;
    }
    const sheet = this.sheet(write.sheet);
    switch (write.kind) {
      case 'values':
        forEachCell(write, write.values, (row, column, value) =>
          this.#setCell(sheet, row, column, value, ''),
        );
        break;
      case 'formulas':
        forEachCell(write, write.formulas, (row, column, formula) =>
          this.#setFormula(sheet, row, column, formula),
        );
        break;
      case 'richText':
        forEachCell(write, write.texts, (row, column, { text, runs }) => {
          this.#setCell(sheet, row, column, text, '');
          setItem(sheet.links, row, column, runs, null);
        });
        break;
      case 'formats':
        setItems(sheet.formats, write, write.formats, '');
        break;
      case 'notes':
        setItems(sheet.notes, write, write.notes, '');
        break;
      case 'styles': {
        const layer = sheet.styles.get(write.style) ?? [];
        sheet.styles.set(write.style, layer);
        setItems(layer, write, write.styles, '');
        break;
      }
      case 'clear':
        mapArea(write, (row, column) => this.#setCell(sheet, row, column, '', ''));
        break;
      case 'clearFormats':
        for (const layer of [sheet.formats, ...sheet.styles.values()])
          mapArea(write, (row, column) => setItem(layer, row, column, '', ''));
        break;
      case 'select': {
        const { row, column, rows, columns } = write;
        this.active = { sheet: sheet.name, row, column, rows, columns };
        this.selected = [];
        break;
      }
      case 'renameSheet':
        this.#mapFormulas((formula) => renameInFormula(formula, sheet.name, write.name));
        if (this.active?.sheet === sheet.name) this.active = { ...this.active, sheet: write.name };
        sheet.name = write.name;
        break;
      case 'deleteSheet':
        this.sheets.splice(this.sheets.indexOf(sheet), 1);
        this.metadata = dropSheetMetadata(this.metadata, sheet.id);
        this.#mapFormulas((formula) => renameInFormula(formula, sheet.name, null));
        if (this.active?.sheet === sheet.name) this.active = undefined;
        break;
      case 'freeze':
        sheet.frozenRows = write.rows;
        break;
      case 'columnWidths': {
        const widths = { ...sheet.columnWidths };
        for (let at = 0; at < write.count; at += 1) widths[write.column + at] = write.width;
        sheet.columnWidths = widths;
        break;
      }
      case 'filter':
        sheet.filter = write.area;
        if (write.area === null) sheet.filteredColumns = [];
        break;
      case 'obstacles': {
        const { kind: _, sheet: __, ...changed } = write;
        Object.assign(sheet, changed);
        break;
      }
      case 'insertRows':
        this.#shift(sheet, { axis: 'row', at: write.row, count: write.count });
        break;
      case 'deleteRows':
        this.#shift(sheet, { axis: 'row', at: write.row, count: -write.count });
        break;
      case 'insertColumns':
        this.#shift(sheet, { axis: 'column', at: write.column, count: write.count });
        break;
      case 'deleteColumns':
        this.#shift(sheet, { axis: 'column', at: write.column, count: -write.count });
        break;
      case 'moveRows':
        this.#shift(sheet, { axis: 'row', at: write.row, count: write.count, to: write.to });
        break;
      case 'moveColumns':
        this.#shift(sheet, { axis: 'column', at: write.column, count: write.count, to: write.to });
        break;
      case 'copySheet': {
        const { copy, name, index } = write;
        // That a copy has no protections is unverified.
        const data = { ...toSheetData(sheet), id: copy, name, protections: [] };
        this.sheets.splice(index, 0, createSheet(data));
        break;
      }
      case 'sort':
        this.#sort(sheet, write.area, write.order);
        break;
    }
  }

  /** Sets a cell. Its displayed text is then formatted from the value. */
  #setCell(sheet: Sheet, row: number, column: number, value: CellValue, formula: string): void {
    setItem(sheet.values, row, column, value, '');
    setItem(sheet.formulas, row, column, formula, '');
    if (sheet.links[row]?.[column]) setItem(sheet.links, row, column, null, null);
    const displayRow = sheet.display[row];
    if (displayRow && column < displayRow.length) displayRow[column] = this.#formatValue(value);
  }

  /** Sets a formula as Sheets keeps it. A formula that can't be parsed shows an error. */
  #setFormula(sheet: Sheet, row: number, column: number, formula: string): void {
    const isWrong = hasWrongSeparator(formula, this.locale);
    const value = isWrong ? getCellTexts(this.locale).error : '';
    this.#setCell(sheet, row, column, value, toSheetFormula(formula, this.locale));
  }

  /** Transforms every formula; `change` receives the formula's sheet. */
  #mapFormulas(change: (formula: string, sheet: Sheet) => string): void {
    for (const sheet of this.sheets) {
      for (const cells of sheet.formulas) {
        for (const [column, formula] of cells.entries()) {
          if (formula) cells[column] = change(formula, sheet);
        }
      }
    }
  }

  /** Reorders rows of cells. Relative references move with their row. */
  #sort(sheet: Sheet, area: Area, order: readonly number[]): void {
    const { values, formulas, display, formats, notes, links, styles } = sheet;
    for (const layer of [formulas, formats, notes, ...styles.values()]) reorderRows(layer, area, order, '');
    reorderRows(values, area, order, '');
    reorderRows(links, area, order, null);
    if (display.length > 0) reorderRows(display, area, order, '');
    forEachCell(
      area,
      mapArea(area, (row, column) => formulas[row]?.[column] ?? ''),
      (row, column, formula) => {
        const from = order[row - area.row + 1] ?? 0;
        if (formula) setItem(formulas, row, column, offsetFormula(formula, row - (area.row - 1 + from)), '');
      },
    );
  }

  #shift(sheet: Sheet, shift: Shift): void {
    const { values, formulas, display, formats, notes, links, styles } = sheet;
    shiftLayer(values, shift, '');
    for (const layer of [formulas, display, formats, notes, ...styles.values()]) shiftLayer(layer, shift, '');
    shiftLayer(links, shift, null);
    this.#mapFormulas((formula, formulaSheet) =>
      shiftFormula(formula, formulaSheet === sheet, sheet.name, shift),
    );
    this.metadata = shiftMetadata(this.metadata, sheet.id, shift);
    sheet.merges = shiftAreas(sheet.merges, shift);
    sheet.filter = sheet.filter && (shiftAreas([sheet.filter], shift)[0] ?? null);
    sheet.validations = sheet.validations.flatMap((rule) =>
      shiftAreas([rule.area], shift).map((area) => ({ ...rule, area })),
    );
    sheet.protections = sheet.protections.flatMap((protection) => shiftProtection(protection, shift));
    const added = shift.to === undefined ? shift.count : 0;
    if (shift.axis === 'row') {
      sheet.maxRows += added;
      sheet.frozenRows = shiftFrozen(sheet.frozenRows, shift);
    } else {
      sheet.maxColumns += added;
      sheet.filteredColumns = shiftNumbers(sheet.filteredColumns, shift);
      sheet.columnWidths = shiftWidths(sheet.columnWidths, shift);
    }
  }
}

function shiftWidths(
  widths: Readonly<Record<number, number>>,
  shift: Shift,
): Readonly<Record<number, number>> {
  return Object.fromEntries(
    Object.entries(widths).flatMap(([column, width]) =>
      shiftNumbers([Number(column)], shift).map((shifted) => [shifted, width]),
    ),
  );
}

function shiftProtection(protection: ProtectionData, shift: Shift): ProtectionData[] {
  if (!protection.area) return [protection];
  return shiftAreas([protection.area], shift).map((area) => ({ ...protection, area }));
}
