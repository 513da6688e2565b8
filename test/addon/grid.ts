// A calculating spreadsheet: formulas run, spill and are cached like in Sheets.

import type { Host } from '../../addon/dev/host/host.ts';
import { parseA1 } from '../../addon/dev/host/sheets/a1.ts';
import {
  getCellTexts,
  hasDecimalComma,
  hasWrongSeparator,
  toSheetFormula,
} from '../../addon/dev/host/sheets/locales.ts';
import { MutableWorkbook } from '../../addon/dev/host/sheets/mutable-workbook.ts';
import type { Area, Argument, CellValue, Journal, SheetData, Workbook } from '../../addon/dev/host/types.ts';

/** Evaluates a formula that is not the add-on's. */
export type ForeignFormula = (read: (row: number, column: number) => CellValue) => CellValue[][];

/** A formula whose result is a text. */
const HIDDEN = /^=IF\(1[,;] "([^"]*)"[,;] .*\)$/;

type Cells = (string | number | boolean | Date)[][];

interface PlacedFormula {
  row: number;
  column: number;
  formula: string;
}

const toKey = ({ row, column, formula }: PlacedFormula): string => `${row}:${column}:${formula}`;

/** Splits the arguments of a call; an omitted one is ''. */
export function splitArguments(text: string, locale: string): string[] {
  const separator = hasDecimalComma(locale) ? ';' : ',';
  const parts = text.match(new RegExp(`(?:"[^"]*"|\\([^)]*\\)|[^${separator}"(])+|${separator}`, 'g')) ?? [];
  const given = [''];
  for (const part of parts) {
    if (part === separator) given.push('');
    else given[given.length - 1] = part.trim();
  }
  return text === '' ? [] : given;
}

function parseArea(a1: string, { maxRows = 1000, maxColumns = 26 }: Partial<SheetData> = {}): Area {
  const area = parseA1(a1, { maxRows, maxColumns })?.area;
  if (area === undefined) throw new Error(`no range: ${a1}`);
  return area;
}

/** One sheet, `Sheet1`, with the id 1. */
export class Grid {
  readonly #book: MutableWorkbook;
  readonly locale: string;
  readonly #foreignFormulas: Readonly<Record<string, ForeignFormula>>;
  /** Results of the add-on's formulas by cell and text, kept as long as the formula. */
  readonly #results = new Map<string, CellValue[][]>();
  /** Number of writes before the execution dies; later ones are lost. */
  writesLeft = Number.POSITIVE_INFINITY;
  /** Throws for writes that Sheets refuses. */
  refuse: (journal: Journal) => void = () => undefined;

  /**
   * @param cells - rows; text that starts with = is a formula
   * @param foreignFormulas - evaluators of other formulas
   * @param locale - the spreadsheet's
   */
  constructor(
    cells: Cells,
    foreignFormulas: Readonly<Record<string, ForeignFormula>> = {},
    locale = 'en_US',
  ) {
    this.locale = locale;
    const isFormula = (cell: CellValue): cell is string => typeof cell === 'string' && cell.startsWith('=');
    const values = cells.map((row) => row.map((cell) => (isFormula(cell) ? '' : cell)));
    const formulas = cells.map((row) => row.map((cell) => (isFormula(cell) ? this.typed(cell) : '')));
    const sheets: SheetData[] = [{ id: 1, name: 'Sheet1', values, formulas }];
    this.#book = new MutableWorkbook({ id: 'workbook', name: 'Workbook', locale, sheets }, 'UTC');
    this.#foreignFormulas = foreignFormulas;
  }

  readonly options = {
    workbook: (): Workbook => this.workbook,
    onWrites: (journal: Journal): void => this.#apply(journal),
  };

  /** The workbook with the results of formulas. */
  get workbook(): Workbook {
    const data = this.#book.data;
    const values = this.#evaluateCells();
    return { ...data, sheets: data.sheets.map((sheet) => ({ ...sheet, values })) };
  }

  /** Returns a formula as the sheet keeps it. */
  typed(formula: string): string {
    return toSheetFormula(formula, this.locale);
  }

  /** Returns the shown values of a block. */
  values(a1: string): CellValue[][] {
    return this.#cutBlock(a1, this.#evaluateCells());
  }

  /** Returns the formulas of a block; '' for none. */
  formulas(a1: string): string[][] {
    return this.#book.read('formulas', 1, parseArea(a1), '');
  }

  /** Types a value into a cell. */
  type(a1: string, value: CellValue): void {
    const { row, column } = parseArea(a1);
    this.#book.apply([{ kind: 'values', sheet: 1, row, column, values: [[value]] }]);
  }

  /** Sets the number format of a block. */
  format(a1: string, format: string): void {
    const { row, column, rows, columns } = parseArea(a1);
    const formats = Array.from({ length: rows }, () => Array.from({ length: columns }, () => format));
    this.#book.apply([{ kind: 'formats', sheet: 1, row, column, formats }]);
  }

  /** Returns the number formats of a block; '' for the default. */
  formats(a1: string): string[][] {
    return this.#book.read('formats', 1, parseArea(a1), '');
  }

  /** Selects blocks; the last one is active. */
  select(...blocks: string[]): void {
    const areas = blocks.map((block) => parseArea(block));
    const last = areas.at(-1);
    if (last === undefined) throw new Error('nothing to select');
    this.#book.active = { sheet: 'Sheet1', ...last };
    this.#book.selected = areas;
  }

  /** Runs the add-on's formulas without a result. */
  async calculate(host: Host): Promise<void> {
    for (const { row, column, formula } of this.#listAddonFormulas()) {
      const key = toKey({ row, column, formula });
      if (this.#results.has(key)) continue;
      const [, name = '', inside = ''] = /^=(CDAPI_[A-Z]+)\((.*)\)$/.exec(formula) ?? [];
      const texts = getCellTexts(this.locale);
      if (hasWrongSeparator(formula, this.locale)) {
        this.#results.set(key, [[texts.error]]);
        continue;
      }
      const args = splitArguments(inside, this.locale).map((text) => this.#argument(text));
      const result = await host.evaluate(name, args, { sheet: 'Sheet1', row, column });
      const values = 'error' in result ? [[texts.error]] : result.values.map((cells) => [...cells]);
      this.#results.set(key, values);
    }
  }

  #argument(text: string): Argument {
    if (text === '') return '';
    if (text.startsWith('"')) return text.slice(1, -1);
    if (/^\d+$/.test(text)) return Number(text);
    const joined = /^TEXTJOIN\(", "[,;] TRUE[,;] (.+)\)$/.exec(text)?.[1];
    if (joined !== undefined) {
      return splitArguments(joined, this.locale)
        .flatMap((each) => [this.#argument(each)].flat(2))
        .filter((each) => each !== '')
        .join(', ');
    }
    const typed = this.#cutBlock(text, this.#book.data.sheets[0]?.values ?? []);
    // Results never cover a typed value, so that evaluating the sheet for each formula would change nothing.
    const isTyped = typed.every((cells) => cells.every((cell) => cell !== ''));
    const block = isTyped ? typed : this.#cutBlock(text, this.#evaluateCells());
    return text.includes(':') ? block : (block[0]?.[0] ?? '');
  }

  #apply(journal: Journal): void {
    this.refuse(journal);
    const done = journal.slice(0, this.writesLeft);
    this.writesLeft -= done.length;
    this.#book.apply(done);
    const there = new Set(this.#listAddonFormulas().map(toKey));
    for (const key of [...this.#results.keys()]) if (!there.has(key)) this.#results.delete(key);
    if (done.length < journal.length) throw new Error('Exceeded maximum execution time');
  }

  #listAddonFormulas(): PlacedFormula[] {
    return this.#listFormulas().filter(({ formula }) => formula.startsWith('=CDAPI_'));
  }

  #listFormulas(): PlacedFormula[] {
    return (this.#book.data.sheets[0]?.formulas ?? []).flatMap((cells, row) =>
      cells.flatMap((formula, column) => (formula ? [{ row: row + 1, column: column + 1, formula }] : [])),
    );
  }

  #evaluateCells(): CellValue[][] {
    const sheet = this.#book.data.sheets[0];
    const texts = getCellTexts(this.locale);
    const shown = (sheet?.values ?? []).map((row) => [...row]);
    const read = (row: number, column: number): CellValue => shown[row - 1]?.[column - 1] ?? '';
    const put = (row: number, column: number, value: CellValue): void => {
      while (shown.length < row) shown.push([]);
      const cells = shown[row - 1] ?? [];
      while (cells.length < column) cells.push('');
      cells[column - 1] = value;
    };
    const formulaAt = new Set(this.#listFormulas().map(({ row, column }) => `${row}:${column}`));
    const spill = (row: number, column: number, values: readonly (readonly CellValue[])[]): void => {
      const cells = values.flatMap((line, down) =>
        line.map((value, right) => ({ row: row + down, column: column + right, value })),
      );
      // Sheets adds no rows for a result.
      const isOutside = cells.some(
        (at) => at.row > (sheet?.maxRows ?? 1000) || at.column > (sheet?.maxColumns ?? 26),
      );
      const isTaken = cells
        .slice(1)
        .some((at) => read(at.row, at.column) !== '' || formulaAt.has(`${at.row}:${at.column}`));
      if (isTaken || isOutside) put(row, column, texts.blocked);
      else for (const at of cells) put(at.row, at.column, at.value);
    };
    for (const { row, column, formula } of this.#listAddonFormulas()) {
      spill(row, column, this.#results.get(toKey({ row, column, formula })) ?? [[texts.loading]]);
    }
    for (const { row, column, formula } of this.#listFormulas()) {
      if (formula.startsWith('=CDAPI_')) continue;
      const [, shown] = HIDDEN.exec(formula) ?? [];
      spill(
        row,
        column,
        shown === undefined ? (this.#foreignFormulas[formula]?.(read) ?? [['?']]) : [[shown]],
      );
    }
    return shown;
  }

  #cutBlock(a1: string, cells: readonly (readonly CellValue[])[]): CellValue[][] {
    const area = parseArea(a1, this.#book.data.sheets[0]);
    return Array.from({ length: area.rows }, (_, row) =>
      Array.from(
        { length: area.columns },
        (_, column) => cells[area.row - 1 + row]?.[area.column - 1 + column] ?? '',
      ),
    );
  }
}
