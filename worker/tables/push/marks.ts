// Marks changed cells with a note that quotes the previous value and a light background. An unchanged cell loses its
// mark from the next day on, so that a resumed push keeps the marks that it has made.
import { type CellValue, formatSerialDay } from '../../../shared/table/cells.ts';
import { changedCellColour, formatChangeNote, isChangeNote } from '../../../shared/table/change-notes.ts';
import { type CellFormat, parseHexColour, type SheetRequest } from './sheets-client.ts';

/** The mark to set on a cell, or to remove; row and column from 1. */
export interface CellMark {
  row: number;
  column: number;
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
export function buildChangeMark(
  { row, column }: Pick<CellMark, 'row' | 'column'>,
  previous: CellValue,
  format: CellFormat | undefined,
  day: string,
): CellMark {
  const note = formatChangeNote(formatPrevious(previous, format), day);
  // Keeps a colour that a person chose.
  return DEFAULT_COLOURS.has(format?.background ?? '')
    ? { row, column, note, background: changedCellColour }
    : { row, column, note };
}

/** Builds the removal of a mark from an earlier day; undefined when the cell has none. */
export function buildMarkRemoval(
  { row, column }: Pick<CellMark, 'row' | 'column'>,
  format: CellFormat | undefined,
  day: string,
): CellMark | undefined {
  if (format === undefined || !isChangeNote(format.note, day)) return undefined;
  return { row, column, note: '', ...(format.background === changedCellColour ? { background: '' } : {}) };
}

function toCellData({ note, background }: CellMark): Record<string, unknown> {
  return {
    ...(note === '' ? {} : { note }),
    ...(background
      ? { userEnteredFormat: { backgroundColorStyle: { rgbColor: parseHexColour(background) } } }
      : {}),
  };
}

export function buildMarkRequests(sheetId: number, marks: readonly CellMark[]): SheetRequest[] {
  const sorted = marks.toSorted((a, b) => a.row - b.row || a.column - b.column);
  const runs: CellMark[][] = [];
  for (const mark of sorted) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isAdjacent =
      last?.row === mark.row &&
      last.column + 1 === mark.column &&
      (last.background === undefined) === (mark.background === undefined);
    if (isAdjacent) run?.push(mark);
    else runs.push([mark]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first === undefined) return [];
    const { row, column, background } = first;
    return [
      {
        updateCells: {
          start: { sheetId, rowIndex: row - 1, columnIndex: column - 1 },
          rows: [{ values: run.map(toCellData) }],
          fields: background === undefined ? 'note' : `note,${COLOUR}`,
        },
      },
    ];
  });
}
