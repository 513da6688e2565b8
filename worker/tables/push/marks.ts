// Marks changed cells with a note that quotes the previous value and a light background. An unchanged cell loses its
// mark from the next day on, so that a resumed push keeps the marks that it has made.
import { type CellValue, formatSerialDay } from '../../../shared/table/cells.ts';
import { changedCellColour, formatChangeNote, isChangeNote } from '../../../shared/table/plan.ts';
import { type CellItem, groupCells } from './apply-writes.ts';
import { type CellFormat, parseHexColour, type SheetRequest } from './sheets-client.ts';

/** The mark to set on a cell, or to remove. */
export interface CellMark {
  /** '' removes the note. */
  note: string;
  /** '' removes the background; absent keeps it. */
  background?: string;
}

/** White is the default of a cell. */
const DEFAULT_COLOURS: ReadonlySet<string> = new Set(['', '#ffffff']);
const COLOUR = 'userEnteredFormat.backgroundColorStyle';

const formatPrevious = (value: CellValue, format: CellFormat | undefined): string =>
  typeof value === 'number' && format?.isDate === true ? formatSerialDay(value) : String(value);

/**
 * Builds the mark of a changed cell.
 * @param previous - value before the change
 * @param day - day of the change: `2026-11-22`
 */
export function buildChangeMark(previous: CellValue, format: CellFormat | undefined, day: string): CellMark {
  const note = formatChangeNote(formatPrevious(previous, format), day);
  // Keeps a colour that a person chose.
  return DEFAULT_COLOURS.has(format?.background ?? '') ? { note, background: changedCellColour } : { note };
}

/** Builds the removal of a mark from an earlier day; undefined when the cell has none. */
export function buildMarkRemoval(format: CellFormat | undefined, day: string): CellMark | undefined {
  if (format === undefined || !isChangeNote(format.note, day)) return undefined;
  return { note: '', ...(format.background === changedCellColour ? { background: '' } : {}) };
}

function toCellData({ note, background }: CellMark): Record<string, unknown> {
  return {
    ...(note === '' ? {} : { note }),
    ...(background
      ? { userEnteredFormat: { backgroundColorStyle: { rgbColor: parseHexColour(background) } } }
      : {}),
  };
}

/** Builds one request for adjacent cells of a column whose marks set the same fields. */
export const buildMarkRequests = (sheetId: number, marks: readonly CellItem<CellMark>[]): SheetRequest[] =>
  groupCells(marks, (a, b) => (a.background === undefined) === (b.background === undefined)).map(
    ({ row, column, items }) => ({
      updateCells: {
        start: { sheetId, rowIndex: row - 1, columnIndex: column - 1 },
        rows: items.map((mark) => ({ values: [toCellData(mark)] })),
        fields: items[0].background === undefined ? 'note' : `note,${COLOUR}`,
      },
    }),
  );
