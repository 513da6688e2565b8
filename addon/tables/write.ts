// Writes a block into a sheet: one call for the values, others only for what needs them.
import { type Area, rangeOf, type Sheet } from './area.ts';
import { readBefore } from './before.ts';
import { type Entry, formatToSet, isLink, printOf, toSet } from './entries.ts';
import { checkPlace, growGrid, guarded } from './guard.ts';
import { keepCells, keepStep } from './undo.ts';

/** The background of a cell that an update changed. */
export const CHANGED_COLOUR = '#fff2cc';
const NO_COLOUR = '#ffffff';

/** What is put to cells beside their values; undefined leaves a cell's own. */
export interface Extras {
  notes?: (string | undefined)[][];
  /** true marks a cell as changed, false takes such a mark away. */
  marks?: (boolean | undefined)[][];
}

/** Makes the grid large enough, and remembers that for undo. */
export function makeRoom(runId: string, sheet: Sheet, area: Area): void {
  const { rows, columns } = growGrid(sheet, area);
  const id = sheet.getSheetId();
  if (rows > 0) keepStep(runId, { do: 'rows', sheet: id, row: sheet.getMaxRows() - rows + 1, count: rows });
  if (columns > 0) {
    keepStep(runId, {
      do: 'columns',
      sheet: id,
      column: sheet.getMaxColumns() - columns + 1,
      count: columns,
    });
  }
}

/** Links are set for columns of texts: an address alone may not become one by itself. */
function setLinks(sheet: Sheet, area: Area, entries: readonly (readonly Entry[])[]): void {
  for (let at = 0; at < area.columns; at += 1) {
    const cells = entries.map((row) => row[at]?.cell ?? '');
    if (!cells.some(isLink) || !cells.every((cell) => typeof cell === 'string')) continue;
    const texts = cells.map((cell) => {
      const rich = SpreadsheetApp.newRichTextValue().setText(String(cell));
      return [(isLink(cell) ? rich.setLinkUrl(cell) : rich).build()];
    });
    rangeOf(sheet, { ...area, column: area.column + at, columns: 1 }).setRichTextValues(texts);
  }
}

/**
 * Writes entries, and keeps what stood there.
 * @param area - within the grid, as large as the entries
 * @throws Refusal `sheet_refused`; nothing is changed then
 */
export function writeBlock(
  runId: string,
  sheet: Sheet,
  area: Area,
  entries: readonly (readonly Entry[])[],
  { notes, marks }: Extras = {},
): void {
  if (area.rows === 0 || area.columns === 0) return;
  checkPlace(sheet, area);
  const before = readBefore(sheet, area, { notes: notes !== undefined, backgrounds: marks !== undefined });
  const prints = entries.map((row) => printOf(row.map(({ cell }) => cell)));
  keepCells(runId, sheet, area, before, prints);
  const has = (r: number, c: number): string => before.formats[r]?.[c] ?? '';
  const formats = entries.map((row, r) => row.map((entry, c) => formatToSet(entry, has(r, c))));
  const range = rangeOf(sheet, area);
  guarded(sheet, () => {
    if (formats.some((row, r) => row.some((format, c) => format !== has(r, c))))
      range.setNumberFormats(formats);
    range.setValues(entries.map((row, r) => row.map((entry, c) => toSet(entry, formats[r]?.[c] ?? ''))));
    setLinks(sheet, area, entries);
    if (notes !== undefined) {
      range.setNotes(notes.map((row, r) => row.map((note, c) => note ?? before.notes?.[r]?.[c] ?? '')));
    }
    if (marks !== undefined) {
      range.setBackgrounds(
        marks.map((row, r) =>
          row.map((mark, c) => {
            const colour = before.backgrounds?.[r]?.[c] ?? NO_COLOUR;
            if (mark === undefined) return colour;
            if (mark) return colour === NO_COLOUR ? CHANGED_COLOUR : colour;
            return colour === CHANGED_COLOUR ? NO_COLOUR : colour;
          }),
        ),
      );
    }
  });
}
