// Handlers of SpreadsheetApp calls that change cells.

import { type Args, Exception } from '../calls.ts';
import { isRecord } from '../threads/serializer.ts';
import { entered, shortEnough } from './cell-input.ts';
import type { Book } from './mutable-workbook.ts';
import { STYLES, type Style, styleName } from './styles.ts';
import {
  at,
  cellsAt,
  editable,
  type Look,
  type Looks,
  sized,
  texts,
  under,
  write,
  writeAll,
} from './view.ts';
import type { CellValue, Journal, RichText, Run, Write } from './workbook.ts';

const RANGE = 'SpreadsheetApp.Range';

/** Registers a handler for a one-cell method and its many-cell variant, which have the same arguments. */
function both(name: string, look: Look): Looks {
  return under([`${RANGE}.${name}`, `${RANGE}.${name}s`], look);
}

/** Setters of cell styles: one value for all cells, or one per cell. */
const STYLE_EDITS: Looks = Object.fromEntries(
  STYLES.flatMap((style): [string, Look][] => {
    const name = styleName(style);
    const one: Look = (view, args) => {
      const { rows, columns } = editable(view, args);
      write(view, {
        kind: 'style',
        ...at(args),
        rows,
        columns,
        style: name,
        value: word(style, args.text(5)),
      });
    };
    const many: Look = (view, args) => {
      editable(view, args);
      const styles = texts(view, args).map((row) => row.map((text) => word(style, text)));
      write(view, { kind: 'styles', ...at(args), style: name, styles });
    };
    return [
      [`${RANGE}.set${style.one}`, one],
      [`${RANGE}.set${style.many}`, many],
    ];
  }),
);

/** Writes that apply to a whole block. */
function blockWrite(...kinds: ('clear' | 'clearFormats' | 'clearNotes')[]): Look {
  return (view, args) => {
    const { rows, columns } = editable(view, args);
    write(view, ...kinds.map((kind) => ({ kind, ...at(args), rows, columns })));
  };
}

/** Handlers of calls that change cells. */
export const EDITS: Looks = {
  ...both('setValue', (view, args) => {
    editable(view, args);
    writeAll(view, enteredAt(view.book, args, cellsAt(view, args)));
  }),
  ...both('setFormula', (view, args) => {
    editable(view, args);
    const formulas = texts(view, args).map((row) =>
      row.map((text) => (text === '' || text.startsWith('=') ? text : `=${text}`)),
    );
    write(view, { kind: 'formulas', ...at(args), formulas });
  }),
  ...both('setNumberFormat', (view, args) => {
    editable(view, args);
    write(view, { kind: 'formats', ...at(args), formats: texts(view, args) });
  }),
  ...both('setNote', (view, args) => {
    editable(view, args);
    write(view, { kind: 'notes', ...at(args), notes: texts(view, args) });
  }),
  ...both('setRichTextValue', (view, args) => {
    const rich = args.rows(5).map((row) => row.map(richText));
    write(view, { kind: 'richText', ...at(args), texts: sized(editable(view, args), rich) });
  }),
  // Reference "clear": contents, formats and validation rules, not notes.
  [`${RANGE}.clear`]: blockWrite('clear', 'clearFormats'),
  [`${RANGE}.clearContent`]: blockWrite('clear'),
  [`${RANGE}.clearFormat`]: blockWrite('clearFormats'),
  [`${RANGE}.clearNote`]: blockWrite('clearNotes'),
  ...STYLE_EDITS,
};

function word(style: Style, text: string): string {
  if (text === '' || !style.words || style.words.includes(text)) return text;
  throw new Exception(`Invalid argument: ${text}`);
}

function richText(value: unknown): RichText {
  if (!isRecord(value) || typeof value.text !== 'string' || !Array.isArray(value.runs)) {
    throw new TypeError('a rich text that is none');
  }
  const runs = value.runs.map((run: unknown): Run => {
    const { start, end, link }: Record<string, unknown> = isRecord(run) ? run : {};
    return { start: Number(start), end: Number(end), link: typeof link === 'string' ? link : null };
  });
  return { text: shortEnough(value.text), runs };
}

/** Creates the writes for a block of values: all values, then the formulas by column. */
export function enteredAt(book: Book, args: Args, cells: readonly (readonly CellValue[])[]): Journal {
  const place = at(args);
  const columns = cells[0]?.length ?? 0;
  const area = { row: place.row, column: place.column, rows: cells.length, columns };
  const formats = book.read('formats', place.sheet, area, '');
  const entries = cells.map((row, r) =>
    row.map((value, c) => entered(value, formats[r]?.[c] ?? '', book.timeZone)),
  );
  const values = entries.map((row) => row.map((entry) => (entry.formula === undefined ? entry.value : '')));
  const formulas: Write[] = [];
  for (let column = 0; column < columns; column++) {
    let stretch: string[][] = [];
    for (const [row, line] of entries.entries()) {
      const formula = line[column]?.formula;
      if (formula === undefined) {
        stretch = [];
        continue;
      }
      if (stretch.length === 0) {
        const cell = { sheet: place.sheet, row: place.row + row, column: place.column + column };
        formulas.push({ kind: 'formulas', ...cell, formulas: stretch });
      }
      stretch.push([formula]);
    }
  }
  return [{ kind: 'values', ...place, values }, ...formulas];
}
