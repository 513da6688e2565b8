// A spreadsheet that calculates as Sheets does: the add-on's formulas run, spill, and are run again only by its rules.

import type { Host } from '../../addon/dev/host/host.ts';
import { parseA1 } from '../../addon/dev/host/sheets/a1.ts';
import { MutableWorkbook } from '../../addon/dev/host/sheets/mutable-workbook.ts';
import type { Area, Argument, CellValue, Journal, SheetData, Workbook } from '../../addon/dev/host/types.ts';

/** What Sheets shows while a function runs. */
const LOADING = 'Loading...';
const ROWS = 1000;
const COLUMNS = 26;

/** A formula that is not the add-on's: what it gives, from what the cells hold. */
export type Stranger = (read: (row: number, column: number) => CellValue) => CellValue[][];

type Cells = (string | number | boolean | Date)[][];

function areaOf(a1: string): Area {
  const area = parseA1(a1, { maxRows: ROWS, maxColumns: COLUMNS })?.area;
  if (area === undefined) throw new Error(`no range: ${a1}`);
  return area;
}

/** One sheet with the id 1, called Sheet1. */
export class Grid {
  readonly #book: MutableWorkbook;
  readonly #strangers: Readonly<Record<string, Stranger>>;
  /** What a formula of the add-on gave, by its cell. It stays while the formula does. */
  readonly #results = new Map<string, CellValue[][]>();
  /** Writes that Sheets refuses, as for a protected cell. */
  refuse: (journal: Journal) => void = () => undefined;

  /**
   * @param cells - rows of cells; a text that starts with = is a formula
   * @param strangers - what other formulas give
   */
  constructor(cells: Cells, strangers: Readonly<Record<string, Stranger>> = {}) {
    const isFormula = (cell: CellValue): cell is string => typeof cell === 'string' && cell.startsWith('=');
    const values = cells.map((row) => row.map((cell) => (isFormula(cell) ? '' : cell)));
    const formulas = cells.map((row) => row.map((cell) => (isFormula(cell) ? cell : '')));
    const sheets: SheetData[] = [{ id: 1, name: 'Sheet1', values, formulas }];
    this.#book = new MutableWorkbook({ id: 'workbook', name: 'Workbook', sheets }, 'UTC');
    this.#strangers = strangers;
  }

  /** What the host is given. */
  readonly options = {
    workbook: (): Workbook => this.workbook,
    onWrites: (journal: Journal): void => this.#apply(journal),
  };

  /** The cells with what formulas show in them. */
  get workbook(): Workbook {
    const data = this.#book.data;
    const values = this.#shown();
    return { ...data, sheets: data.sheets.map((sheet) => ({ ...sheet, values })) };
  }

  /** What a block shows. */
  values(a1: string): CellValue[][] {
    return this.#block(a1, this.#shown());
  }

  /** Formulas of a block, '' where a cell holds none. */
  formulas(a1: string): string[][] {
    return this.#book.read('formulas', 1, areaOf(a1), '');
  }

  /** Selects blocks; what is done in the sheet is done in the last of them. */
  select(...blocks: string[]): void {
    const areas = blocks.map(areaOf);
    const last = areas.at(-1);
    if (last === undefined) throw new Error('nothing to select');
    this.#book.active = { sheet: 'Sheet1', ...last };
    this.#book.selected = areas;
  }

  /** Runs every formula of the add-on that has not run since it was entered. */
  async calculate(host: Host): Promise<void> {
    for (const { row, column, formula } of this.#ours()) {
      const key = `${row}:${column}`;
      if (this.#results.has(key)) continue;
      const [, name = '', inside = ''] = /^=(CDAPI_[A-Z]+)\((.*)\)$/.exec(formula) ?? [];
      const args = (inside.match(/"[^"]*"|[^,\s]+/g) ?? []).map((text) => this.#argument(text));
      // Entered anew, so that Sheets does not answer it from what it remembers.
      host.clearResults(name, args);
      const result = await host.evaluate(name, args, { sheet: 'Sheet1', row, column });
      const values = 'error' in result ? [['#ERROR!']] : result.values.map((cells) => [...cells]);
      this.#results.set(key, values);
    }
  }

  #argument(text: string): Argument {
    if (text.startsWith('"')) return text.slice(1, -1);
    const block = this.#block(text, this.#shown());
    return text.includes(':') ? block : (block[0]?.[0] ?? '');
  }

  #apply(journal: Journal): void {
    this.refuse(journal);
    this.#book.apply(journal);
    // A formula that was gone when this was flushed runs again when it comes back; one that was only overwritten by
    // itself does not.
    const there = new Set(this.#ours().map(({ row, column }) => `${row}:${column}`));
    for (const key of [...this.#results.keys()]) if (!there.has(key)) this.#results.delete(key);
  }

  #ours(): { row: number; column: number; formula: string }[] {
    return this.#all().filter(({ formula }) => formula.startsWith('=CDAPI_'));
  }

  #all(): { row: number; column: number; formula: string }[] {
    return (this.#book.data.sheets[0]?.formulas ?? []).flatMap((cells, row) =>
      cells.flatMap((formula, column) => (formula ? [{ row: row + 1, column: column + 1, formula }] : [])),
    );
  }

  #shown(): CellValue[][] {
    const sheet = this.#book.data.sheets[0];
    const shown = (sheet?.values ?? []).map((row) => [...row]);
    const read = (row: number, column: number): CellValue => shown[row - 1]?.[column - 1] ?? '';
    const put = (row: number, column: number, value: CellValue): void => {
      while (shown.length < row) shown.push([]);
      const cells = shown[row - 1] ?? [];
      while (cells.length < column) cells.push('');
      cells[column - 1] = value;
    };
    const formulaAt = new Set(this.#all().map(({ row, column }) => `${row}:${column}`));
    const spill = (row: number, column: number, values: readonly (readonly CellValue[])[]): void => {
      const cells = values.flatMap((line, down) =>
        line.map((value, right) => ({ row: row + down, column: column + right, value })),
      );
      const isTaken = cells
        .slice(1)
        .some((at) => read(at.row, at.column) !== '' || formulaAt.has(`${at.row}:${at.column}`));
      if (isTaken) put(row, column, '#REF!');
      else for (const at of cells) put(at.row, at.column, at.value);
    };
    for (const { row, column } of this.#ours()) {
      spill(row, column, this.#results.get(`${row}:${column}`) ?? [[LOADING]]);
    }
    for (const { row, column, formula } of this.#all()) {
      if (formula.startsWith('=CDAPI_')) continue;
      spill(row, column, this.#strangers[formula]?.(read) ?? [['?']]);
    }
    return shown;
  }

  #block(a1: string, cells: readonly (readonly CellValue[])[]): CellValue[][] {
    const area = areaOf(a1);
    return Array.from({ length: area.rows }, (_, row) =>
      Array.from(
        { length: area.columns },
        (_, column) => cells[area.row - 1 + row]?.[area.column - 1 + column] ?? '',
      ),
    );
  }
}
