// A spreadsheet that recalculates automatically: formulas start when they are written, and show loading until they end.
import type { Host } from '../../../addon/dev/host/host.ts';
import { parseA1 } from '../../../addon/dev/host/sheets/a1.ts';
import { getCellTexts, hasWrongSeparator } from '../../../addon/dev/host/sheets/locales.ts';
import { MutableWorkbook } from '../../../addon/dev/host/sheets/mutable-workbook.ts';
import type {
  Argument,
  CellValue,
  FormulaResult,
  Journal,
  SheetData,
  Workbook,
} from '../../../addon/dev/host/types.ts';
import { splitArguments } from '../grid.ts';

interface PlacedFormula {
  readonly sheet: SheetData;
  readonly row: number;
  readonly column: number;
  readonly formula: string;
}

const toKey = ({ sheet, row, column, formula }: PlacedFormula): string =>
  JSON.stringify([sheet.id, row, column, formula]);

const CALL = /^=(CDAPI_[A-Z]+)\((.*)\)$/;
/** IF with a constant condition: its first branch is a text. */
const CONSTANT_IF = /^=IF\(1[;,]"([^"]*)"[;,]/;

function listFormulas({ sheets }: Workbook): PlacedFormula[] {
  return sheets.flatMap((sheet) =>
    (sheet.formulas ?? []).flatMap((cells, row) =>
      cells.flatMap((formula, column) =>
        CALL.test(formula) || CONSTANT_IF.test(formula)
          ? [{ sheet, row: row + 1, column: column + 1, formula }]
          : [],
      ),
    ),
  );
}

export class CalculatingWorkbook {
  readonly #book: MutableWorkbook;
  readonly #evaluate: Host['evaluate'];
  /** Results of formulas by cell and text; undefined while they run. */
  readonly #results = new Map<string, FormulaResult | undefined>();

  constructor(workbook: Workbook, evaluate: Host['evaluate']) {
    this.#book = new MutableWorkbook(workbook, 'UTC');
    this.#evaluate = evaluate;
  }

  readonly options = {
    workbook: (): Workbook => this.workbook,
    onWrites: (journal: Journal): void => {
      this.#book.apply(journal);
      this.#calculate();
    },
  };

  /** The workbook with the results of formulas. */
  get workbook(): Workbook {
    const data = this.#book.data;
    const formulas = listFormulas(data);
    const sheets = data.sheets.map((sheet) => {
      const values = sheet.values.map((row) => [...row]);
      for (const placed of formulas) if (placed.sheet === sheet) this.#spill(values, placed);
      return { ...sheet, values };
    });
    return { ...data, sheets };
  }

  /** Returns the values of a sheet; no rows if there is none. */
  getRows(name: string): readonly (readonly CellValue[])[] {
    return this.workbook.sheets.find((sheet) => sheet.name === name)?.values ?? [];
  }

  /** Starts formulas that have no result, and forgets the results of formulas that are gone. */
  #calculate(): void {
    const formulas = new Map(listFormulas(this.#book.data).map((placed) => [toKey(placed), placed]));
    for (const key of [...this.#results.keys()]) if (!formulas.has(key)) this.#results.delete(key);
    for (const [key, placed] of formulas) {
      if (this.#results.has(key)) continue;
      this.#results.set(key, undefined);
      // A formula that still runs when the host is closed has no result.
      void this.#run(placed).then(
        (result) => this.#results.has(key) && this.#results.set(key, result),
        () => undefined,
      );
    }
  }

  async #run({ sheet, row, column, formula }: PlacedFormula): Promise<FormulaResult> {
    const { locale } = this.#book;
    const branch = CONSTANT_IF.exec(formula)?.[1];
    if (branch !== undefined) return { values: [[branch]] };
    const [, name = '', inside = ''] = CALL.exec(formula) ?? [];
    if (hasWrongSeparator(formula, locale)) return { error: 'Formula parse error.', tooltip: '' };
    const args = splitArguments(inside, locale).map((text) => this.#readArgument(sheet.id, text));
    return this.#evaluate(name, args, { sheet: sheet.name, row, column });
  }

  #readArgument(sheet: number, text: string): Argument {
    if (text === '') return '';
    if (text.startsWith('"')) return text.slice(1, -1).replaceAll('""', '"');
    if (/^\d+$/.test(text)) return Number(text);
    const area = parseA1(text, this.#book.sheet(sheet))?.area;
    if (area === undefined) throw new Error(`no argument: ${text}`);
    return this.#book.read('values', sheet, area, '');
  }

  #spill(values: CellValue[][], placed: PlacedFormula): void {
    const texts = getCellTexts(this.#book.locale);
    const result = this.#results.get(toKey(placed));
    const all =
      result === undefined ? [[texts.loading]] : 'error' in result ? [[texts.error]] : result.values;
    const { maxRows = 1000 } = placed.sheet;
    // Sheets adds no rows for a result.
    const shown = placed.row - 1 + all.length > maxRows ? [[texts.blocked]] : all;
    for (const [down, cells] of shown.entries()) {
      const row = placed.row - 1 + down;
      while (values.length <= row) values.push([]);
      const line = values[row] ?? [];
      while (line.length < placed.column - 1 + cells.length) line.push('');
      line.splice(placed.column - 1, cells.length, ...cells);
    }
  }
}
