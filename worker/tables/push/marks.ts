// Marks of cells that a push changes: a note with what they held, and a light background. A cell that stays as it is loses its
// mark from the next day on: a push that broke off and is run again finds its own marks.
import { changedCellColour, formatChangeNote, isChangeNote } from '../../../shared/sheets/change-notes.ts';
import { type CellEntry, formatSerialDay } from './cells.ts';
import { type CellFormat, type CellValue, parseHexColour, type SheetRequest } from './sheets-client.ts';

/** What becomes of the looks of a cell; row and column from 1. */
export interface CellMark {
  row: number;
  column: number;
  /** '' takes it away. */
  note: string;
  /** '' takes it away; absent leaves it as it is. */
  background?: string;
}

/** White is what a cell has where nobody chose a colour. */
const UNCOLOURED: ReadonlySet<string> = new Set(['', '#ffffff']);
const COLOUR = 'userEnteredFormat.backgroundColorStyle';

/** What a cell held, as people read it. */
function formatPrevious(held: CellValue, { format }: CellEntry): string {
  return typeof held === 'number' && format !== undefined ? formatSerialDay(held) : String(held);
}

/**
 * The mark of a cell that changes.
 * @param held - what it holds before
 * @param day - on which it changes: `2026-11-22`
 */
export function buildChangeMark(
  { row, column }: Pick<CellMark, 'row' | 'column'>,
  held: CellValue,
  entry: CellEntry,
  look: CellFormat | undefined,
  day: string,
): CellMark {
  const note = formatChangeNote(formatPrevious(held, entry), day);
  // A colour that somebody chose stays.
  return UNCOLOURED.has(look?.background ?? '')
    ? { row, column, note, background: changedCellColour }
    : { row, column, note };
}

/** What takes the mark of an earlier day away; undefined where there is none. */
export function buildMarkRemoval(
  { row, column }: Pick<CellMark, 'row' | 'column'>,
  look: CellFormat | undefined,
  day: string,
): CellMark | undefined {
  if (look === undefined || !isChangeNote(look.note, day)) return undefined;
  return { row, column, note: '', ...(look.background === changedCellColour ? { background: '' } : {}) };
}

function toCellData({ note, background }: CellMark): Record<string, unknown> {
  return {
    ...(note === '' ? {} : { note }),
    ...(background
      ? { userEnteredFormat: { backgroundColorStyle: { rgbColor: parseHexColour(background) } } }
      : {}),
  };
}

/** One change for each stretch of cells beside each other of which the same is changed. */
export function buildMarkRequests(sheetId: number, marks: readonly CellMark[]): SheetRequest[] {
  const sorted = marks.toSorted((one, other) => one.row - other.row || one.column - other.column);
  const stretches: CellMark[][] = [];
  for (const mark of sorted) {
    const stretch = stretches.at(-1);
    const last = stretch?.at(-1);
    const joins =
      last?.row === mark.row &&
      last.column + 1 === mark.column &&
      (last.background === undefined) === (mark.background === undefined);
    if (joins) stretch?.push(mark);
    else stretches.push([mark]);
  }
  return stretches.flatMap((stretch) => {
    const [first] = stretch;
    if (first === undefined) return [];
    const { row, column, background } = first;
    return [
      {
        updateCells: {
          start: { sheetId, rowIndex: row - 1, columnIndex: column - 1 },
          rows: [{ values: stretch.map(toCellData) }],
          fields: background === undefined ? 'note' : `note,${COLOUR}`,
        },
      },
    ];
  });
}
