// Fake of the requests of the Sheets API that add, delete, extend and copy sheets; as strict as documented.
import * as z from 'zod';
import { type Cell, FakeSheet, RefusedError } from './fake-sheet.ts';

const gridRange = z.strictObject({
  sheetId: z.int(),
  startRowIndex: z.int().min(0),
  endRowIndex: z.int(),
  startColumnIndex: z.int().min(0),
  endColumnIndex: z.int(),
});
type GridRange = z.infer<typeof gridRange>;

const userEnteredValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ numberValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
]);

export const sheetStepSchemas = [
  z.strictObject({
    addSheet: z.strictObject({
      properties: z.strictObject({
        sheetId: z.int().min(0),
        title: z.string().min(1).max(100),
        gridProperties: z.strictObject({
          rowCount: z.int().positive(),
          columnCount: z.int().positive(),
          frozenRowCount: z.int().positive().exactOptional(),
        }),
      }),
    }),
  }),
  z.strictObject({ deleteSheet: z.strictObject({ sheetId: z.int() }) }),
  z.strictObject({
    appendCells: z.strictObject({
      sheetId: z.int(),
      rows: z.array(
        z.strictObject({
          values: z.array(
            z.strictObject({
              userEnteredValue,
              userEnteredFormat: z
                .strictObject({
                  numberFormat: z.strictObject({ type: z.enum(['DATE', 'DATE_TIME']), pattern: z.string() }),
                })
                .exactOptional(),
            }),
          ),
        }),
      ),
      fields: z.literal('userEnteredValue,userEnteredFormat.numberFormat'),
    }),
  }),
  z.strictObject({
    copyPaste: z.strictObject({
      source: gridRange,
      destination: gridRange,
      pasteType: z.enum(['PASTE_VALUES', 'PASTE_FORMAT']),
    }),
  }),
] as const;

function findSheet(sheets: readonly FakeSheet[], sheetId: number): FakeSheet {
  const sheet = sheets.find((each) => each.sheetId === sheetId);
  if (sheet === undefined) throw new RefusedError(`No grid with id: ${sheetId}`);
  return sheet;
}

function requireInside({ rows, columns }: FakeSheet, range: GridRange): void {
  if (range.endRowIndex > rows || range.endColumnIndex > columns)
    throw new RefusedError('exceeds grid limits');
}

function copyCells(
  source: FakeSheet,
  from: GridRange,
  target: FakeSheet,
  to: GridRange,
  isValues: boolean,
): void {
  for (let row = 1; row <= from.endRowIndex - from.startRowIndex; row += 1) {
    for (let column = 1; column <= from.endColumnIndex - from.startColumnIndex; column += 1) {
      const cell = source.cell(from.startRowIndex + row, from.startColumnIndex + column);
      const at = [to.startRowIndex + row, to.startColumnIndex + column] as const;
      const before: Cell = { value: '', ...target.cell(...at) };
      const { format, background } = cell ?? {};
      const formats = {
        ...(format === undefined ? {} : { format }),
        ...(background === undefined ? {} : { background }),
      };
      target.set(...at, isValues ? { ...before, value: cell?.value ?? '' } : { ...before, ...formats });
    }
  }
}

/**
 * Validates one request.
 * @param sheets - the sheets of the spreadsheet, which the returned function changes
 * @param draft - the sheets after the requests before this one
 * @returns a function that applies it; undefined for a request of another kind
 */
export function prepareSheetStep(
  sheets: FakeSheet[],
  draft: FakeSheet[],
  request: object,
): (() => void) | undefined {
  const parsed = z.union(sheetStepSchemas).safeParse(request);
  if (!parsed.success) return undefined;
  const step = parsed.data;
  if ('addSheet' in step) {
    const { sheetId, title, gridProperties } = step.addSheet.properties;
    const { rowCount, columnCount, frozenRowCount = 0 } = gridProperties;
    if (draft.some((sheet) => sheet.sheetId === sheetId)) throw new RefusedError('The sheet id is in use.');
    if (draft.some((sheet) => sheet.title.toLowerCase() === title.toLowerCase()))
      throw new RefusedError(`A sheet with the name "${title}" already exists.`);
    if (frozenRowCount >= rowCount) throw new RefusedError('You can’t freeze all visible rows on the sheet.');
    const added = new FakeSheet(sheetId, title, rowCount, columnCount);
    draft.push(added);
    return () => void sheets.push(added);
  }
  if ('deleteSheet' in step) {
    const sheet = findSheet(draft, step.deleteSheet.sheetId);
    if (draft.length === 1) throw new RefusedError('You can’t remove all the sheets in a document.');
    draft.splice(draft.indexOf(sheet), 1);
    return () => void sheets.splice(sheets.indexOf(sheet), 1);
  }
  if ('appendCells' in step) {
    const sheet = findSheet(draft, step.appendCells.sheetId);
    return () => {
      for (const { values } of step.appendCells.rows) {
        const row = sheet.values().length + 1;
        sheet.rows = Math.max(sheet.rows, row);
        for (const [at, { userEnteredValue: value, userEnteredFormat }] of values.entries()) {
          const [plain] = Object.values(value);
          const format = userEnteredFormat?.numberFormat.pattern;
          sheet.set(row, at + 1, { value: plain, ...(format === undefined ? {} : { format }) });
        }
      }
    };
  }
  const { source, destination, pasteType } = step.copyPaste;
  const [from, to] = [findSheet(draft, source.sheetId), findSheet(draft, destination.sheetId)];
  requireInside(from, source);
  requireInside(to, destination);
  return () => copyCells(from, source, to, destination, pasteType === 'PASTE_VALUES');
}
