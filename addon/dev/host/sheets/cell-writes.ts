// Handlers of SpreadsheetApp calls that change cells.

import { type Args, Exception } from '../calls.ts';
import { isRecord } from '../threads/protocol.ts';
import { checkCellLength, parseEntry } from './cell-input.ts';
import type { MutableWorkbook } from './mutable-workbook.ts';
import { checkValidations } from './obstacles.ts';
import { STYLES, type Style, styleKey } from './styles.ts';
import {
  checkSize,
  readCells,
  readEditableRange,
  readFirstCell,
  readTexts,
  type SheetHandler,
  type SheetHandlers,
  write,
  writeAll,
} from './view.ts';
import type { Area, CellValue, Journal, RichText, Run, Write } from './workbook.ts';

const RANGE = 'SpreadsheetApp.Range';

/** Registers a handler for a one-cell method and its many-cell variant, which have the same arguments. */
const forOneAndMany = (name: string, handler: SheetHandler): SheetHandlers => ({
  [`${RANGE}.${name}`]: handler,
  [`${RANGE}.${name}s`]: handler,
});

/** Registers setters of texts, for which `create` creates the write. */
const setTexts = (
  name: string,
  create: (at: ReturnType<typeof readFirstCell>, texts: string[][]) => Write,
): SheetHandlers =>
  forOneAndMany(name, (view, args) => {
    readEditableRange(view, args);
    write(view, create(readFirstCell(args), readTexts(view, args)));
  });

/** Writes that apply to a whole block. */
function blockWrite(...kinds: ('clear' | 'clearFormats')[]): SheetHandler {
  return (view, args) => {
    const { sheet, area } = readEditableRange(view, args);
    write(view, ...kinds.map((kind) => ({ kind, sheet: sheet.id, ...area })));
  };
}

export const CELL_WRITES: SheetHandlers = {
  ...forOneAndMany('setValue', (view, args) => {
    readEditableRange(view, args);
    const cells = readCells(view, args);
    checkValidations(view, args, cells);
    writeAll(view, toWrites(view.book, args, cells));
  }),
  ...setTexts('setFormula', (at, texts) => {
    const toFormula = (text: string) => (text === '' || text.startsWith('=') ? text : `=${text}`);
    return { kind: 'formulas', ...at, formulas: texts.map((row) => row.map(toFormula)) };
  }),
  ...setTexts('setNumberFormat', (at, formats) => ({ kind: 'formats', ...at, formats })),
  ...setTexts('setNote', (at, notes) => ({ kind: 'notes', ...at, notes })),
  ...Object.assign(
    {},
    ...STYLES.map((style) =>
      setTexts(`set${style.name}`, (at, texts) => {
        const styles = texts.map((row) => row.map((text) => validateStyleValue(style, text)));
        return { kind: 'styles', ...at, style: styleKey(style), styles };
      }),
    ),
  ),
  ...forOneAndMany('setRichTextValue', (view, args) => {
    const { area } = readEditableRange(view, args);
    const texts = checkSize(
      area,
      args.rows(5).map((row) => row.map(parseRichText)),
    );
    checkValidations(
      view,
      args,
      texts.map((line) => line.map(({ text }) => text)),
    );
    write(
      view,
      { kind: 'richText', ...readFirstCell(args), texts },
      ...parseTexts(view.book, args, area, texts),
    );
  }),
  // Reference "clear": contents, formats and validation rules, not notes.
  [`${RANGE}.clear`]: blockWrite('clear', 'clearFormats'),
  [`${RANGE}.clearContent`]: blockWrite('clear'),
};

function validateStyleValue(style: Style, text: string): string {
  if (text === '' || !style.allowedValues || style.allowedValues.includes(text)) return text;
  throw new Exception(`Invalid argument: ${text}`);
}

/**
 * Creates the writes of rich texts that look like formulas, numbers or dates. Google does not document whether they stay
 * texts, so they don't, unless the cell has the format '@'.
 */
function parseTexts(
  book: MutableWorkbook,
  args: Args,
  area: Area,
  texts: readonly (readonly RichText[])[],
): Journal {
  const { sheet, row, column } = readFirstCell(args);
  const formats = book.read('formats', sheet, area, '');
  return texts.flatMap((cells, r) =>
    cells.flatMap(({ text }, c): Write[] => {
      const entry = formats[r]?.[c] === '@' ? { value: text } : parseEntry(text, '', book);
      const cell = { sheet, row: row + r, column: column + c };
      if (entry.formula !== undefined) return [{ kind: 'formulas', ...cell, formulas: [[entry.formula]] }];
      return entry.value === text ? [] : [{ kind: 'values', ...cell, values: [[entry.value]] }];
    }),
  );
}

function parseRichText(value: unknown): RichText {
  if (!isRecord(value) || typeof value.text !== 'string' || !Array.isArray(value.runs)) {
    throw new TypeError('invalid rich text');
  }
  const runs = value.runs.map((run: unknown): Run => {
    const { start, end, link }: Record<string, unknown> = isRecord(run) ? run : {};
    return { start: Number(start), end: Number(end), link: typeof link === 'string' ? link : null };
  });
  return { text: checkCellLength(value.text), runs };
}

/** Creates the writes for a block of values: all values, then the formulas by column. */
function toWrites(book: MutableWorkbook, args: Args, cells: readonly (readonly CellValue[])[]): Journal {
  const place = readFirstCell(args);
  const columns = cells[0]?.length ?? 0;
  const area = { row: place.row, column: place.column, rows: cells.length, columns };
  const formats = book.read('formats', place.sheet, area, '');
  const entries = cells.map((row, r) =>
    row.map((value, c) => parseEntry(value, formats[r]?.[c] ?? '', book)),
  );
  const values = entries.map((row) => row.map((entry) => (entry.formula === undefined ? entry.value : '')));
  const formulas: Write[] = [];
  for (let column = 0; column < columns; column++) {
    let consecutive: string[][] = [];
    for (const [row, rowEntries] of entries.entries()) {
      const formula = rowEntries[column]?.formula;
      if (formula === undefined) {
        consecutive = [];
        continue;
      }
      if (consecutive.length === 0) {
        const cell = { sheet: place.sheet, row: place.row + row, column: place.column + column };
        formulas.push({ kind: 'formulas', ...cell, formulas: consecutive });
      }
      consecutive.push([formula]);
    }
  }
  return [{ kind: 'values', ...place, values }, ...formulas];
}
