// Fake of the Sheets API for notes, backgrounds and number formats of cells.
import * as z from 'zod';
import { type Cell, type CellFormats, type FakeSheet, parseRange, RefusedError } from './fake-sheet.ts';

const channel = z.number().min(0).max(1);
const rgb = z.strictObject({ red: channel, green: channel, blue: channel });
const BACKGROUND = 'userEnteredFormat.backgroundColorStyle';
const FORMAT_TYPE = 'userEnteredFormat.numberFormat.type';
export const FORMAT_FIELDS = `sheets.data(startRow,startColumn,rowData.values(note,${BACKGROUND},${FORMAT_TYPE}))`;
const start = z.strictObject({
  sheetId: z.int(),
  rowIndex: z.int().min(0),
  columnIndex: z.int().min(0),
});
/** Sets texts with links. */
export const linkCellsSchema = z.strictObject({
  start,
  rows: z.array(
    z.strictObject({
      values: z.array(
        z.strictObject({
          userEnteredValue: z.strictObject({ stringValue: z.string().min(1) }),
          userEnteredFormat: z.strictObject({
            textFormat: z.strictObject({ link: z.strictObject({ uri: z.url() }) }),
          }),
        }),
      ),
    }),
  ),
  fields: z.literal('userEnteredValue,userEnteredFormat.textFormat.link'),
});
export const updateCellsSchema = z.strictObject({
  start,
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

/** Converts a colour of the API to `#rrggbb`. */
function toHex({ red, green, blue }: z.infer<typeof rgb>): string {
  const bytes = [red, green, blue].map((value) => Math.round(value * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Formats a cell like the API, which omits colour channels of 0. */
function toFormat({ note, background = '', format = '' }: Partial<Cell>): object {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(background) ?? [];
  const rgbColor = Object.fromEntries(
    ['red', 'green', 'blue'].flatMap((name, at) => {
      // Google returns 32-bit floats.
      const value = Math.fround(Number.parseInt(parts[at] ?? '0', 16) / 255);
      return value === 0 ? [] : [[name, value]];
    }),
  );
  const style = parts.length > 0 ? { rgbColor } : { themeColor: background };
  const type = /h/.test(format) ? 'DATE_TIME' : /y/.test(format) ? 'DATE' : 'NUMBER';
  const userEnteredFormat = {
    ...(background === '' ? {} : { backgroundColorStyle: style }),
    ...(format === '' ? {} : { numberFormat: { type } }),
  };
  return {
    ...(note === undefined ? {} : { note }),
    ...(Object.keys(userEnteredFormat).length === 0 ? {} : { userEnteredFormat }),
  };
}

/** Returns notes and backgrounds; omits trailing cells and rows without either. */
export function readFormats(grids: readonly FakeSheet[], ranges: readonly string[]): Response {
  if (ranges.length === 0) throw new Error('no ranges');
  const blocks = ranges.map((name) => parseRange(grids, name));
  const sheets = grids.flatMap((grid) => {
    const data = blocks
      .filter((block) => block.sheet === grid)
      .map(({ row, lastRow, column, lastColumn }) => {
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

/** Validates texts with links. @returns a function that sets them */
function prepareLinks(
  grid: FakeSheet,
  { start: { rowIndex, columnIndex }, rows }: z.infer<typeof linkCellsSchema>,
): () => void {
  const cells = rows.flatMap(({ values }, r) =>
    values.map(({ userEnteredValue, userEnteredFormat }, c) => {
      const [row, column] = [rowIndex + 1 + r, columnIndex + 1 + c];
      if (row > grid.rows || column > grid.columns) throw new RefusedError('exceeds grid limits');
      const { uri } = userEnteredFormat.textFormat.link;
      return { row, column, value: userEnteredValue.stringValue, link: uri };
    }),
  );
  return () => {
    for (const { row, column, ...cell } of cells)
      grid.set(row, column, { ...grid.cell(row, column), ...cell });
  };
}

/** Validates a format update. @returns a function that applies it */
export function prepareFormatUpdate(
  grid: FakeSheet,
  update: z.infer<typeof updateCellsSchema> | z.infer<typeof linkCellsSchema>,
): () => void {
  if (grid.isProtected) throw new RefusedError('You are trying to edit a protected cell or object.');
  if (update.fields === 'userEnteredValue,userEnteredFormat.textFormat.link')
    return prepareLinks(grid, update);
  const { start, rows, fields } = update;
  const inputs = rows.flatMap(({ values }, r) =>
    values.map((value, c) => {
      const [row, column] = [start.rowIndex + 1 + r, start.columnIndex + 1 + c];
      if (row > grid.rows || column > grid.columns) throw new RefusedError('exceeds grid limits');
      const { note = '', userEnteredFormat: format } = value;
      if (format !== undefined && fields === 'note') throw new Error('background missing in fields');
      const background = format === undefined ? '' : toHex(format.backgroundColorStyle.rgbColor);
      const formats: CellFormats = fields === 'note' ? { note } : { note, background };
      return { row, column, formats };
    }),
  );
  return () => {
    for (const { row, column, formats } of inputs) grid.setFormat(row, column, formats);
  };
}
