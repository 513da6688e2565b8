// Notes and backgrounds of cells as the Sheets API reads and changes them.
import * as z from 'zod';
import { type Cell, type CellFormats, type FakeSheet, parseRange, RefusedError } from './fake-sheet.ts';

const part = z.number().min(0).max(1);
const rgb = z.strictObject({ red: part, green: part, blue: part });
const BACKGROUND = 'userEnteredFormat.backgroundColorStyle';
/** What a read of looks asks for. */
export const FORMAT_FIELDS = `sheets.data(startRow,startColumn,rowData.values(note,${BACKGROUND}))`;
/** A change of cells, as far as pushes make any. */
export const updateCellsSchema = z.strictObject({
  start: z.strictObject({ sheetId: z.int(), rowIndex: z.int().min(0), columnIndex: z.int().min(0) }),
  rows: z.array(
    z.strictObject({
      values: z.array(
        z.strictObject({
          note: z.string().min(1).exactOptional(),
          userEnteredFormat: z
            .strictObject({ backgroundColorStyle: z.strictObject({ rgbColor: rgb }) })
            .exactOptional(),
        }),
      ),
    }),
  ),
  fields: z.enum(['note', `note,${BACKGROUND}`]),
});

/** `#rrggbb` of a colour as the API has it. */
function toHex({ red, green, blue }: z.infer<typeof rgb>): string {
  const parts = [red, green, blue].map((own) => Math.round(own * 255));
  return `#${parts.map((own) => own.toString(16).padStart(2, '0')).join('')}`;
}

/** A cell's looks as the API tells them: parts of a colour that are 0 are left out. */
function toFormat({ note, background = '' }: Partial<Cell>): object {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(background) ?? [];
  const rgbColor = Object.fromEntries(
    ['red', 'green', 'blue'].flatMap((name, at) => {
      // As a 32-bit float, like Google's.
      const own = Math.fround(Number.parseInt(parts[at] ?? '0', 16) / 255);
      return own === 0 ? [] : [[name, own]];
    }),
  );
  const style = parts.length > 0 ? { rgbColor } : { themeColor: background };
  return {
    ...(note === undefined ? {} : { note }),
    ...(background === '' ? {} : { userEnteredFormat: { backgroundColorStyle: style } }),
  };
}

/** Notes and backgrounds; what has neither at the end of a row or a block is left out, and so is a 0. */
export function readFormats(grids: readonly FakeSheet[], ranges: readonly string[]): Response {
  if (ranges.length === 0) throw new Error('asks for whole sheets');
  const blocks = ranges.map((name) => parseRange(grids, name));
  const sheets = grids.flatMap((grid) => {
    const own = blocks.filter((block) => block.sheet === grid);
    const data = own.map(({ row, lastRow, column, lastColumn }) => {
      const rowData = Array.from({ length: lastRow - row + 1 }, (_, r) => {
        const values = Array.from({ length: lastColumn - column + 1 }, (_, c) =>
          toFormat(grid.cell(row + r, column + c) ?? {}),
        );
        const last = values.findLastIndex((value) => Object.keys(value).length > 0);
        return last < 0 ? {} : { values: values.slice(0, last + 1) };
      });
      const used = rowData.findLastIndex((line) => Object.keys(line).length > 0) + 1;
      return {
        ...(row === 1 ? {} : { startRow: row - 1 }),
        ...(column === 1 ? {} : { startColumn: column - 1 }),
        ...(used === 0 ? {} : { rowData: rowData.slice(0, used) }),
      };
    });
    return data.length === 0 ? [] : [{ data }];
  });
  return Response.json({ sheets });
}

/** Checks a change of looks. @returns what does it */
export function prepareFormatUpdate(
  grid: FakeSheet,
  { start, rows, fields }: z.infer<typeof updateCellsSchema>,
): () => void {
  if (grid.isProtected) throw new RefusedError('You are trying to edit a protected cell or object.');
  const inputs = rows.flatMap(({ values }, r) =>
    values.map((value, c) => {
      const [row, column] = [start.rowIndex + 1 + r, start.columnIndex + 1 + c];
      if (row > grid.rows || column > grid.columns) throw new RefusedError('exceeds grid limits');
      const { note = '', userEnteredFormat: own } = value;
      if (own !== undefined && fields === 'note') throw new Error('a background that no field names');
      const background = own === undefined ? '' : toHex(own.backgroundColorStyle.rgbColor);
      const looks: CellFormats = fields === 'note' ? { note } : { note, background };
      return { row, column, looks };
    }),
  );
  return () => {
    for (const { row, column, looks } of inputs) grid.setFormat(row, column, looks);
  };
}
