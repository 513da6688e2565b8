// Writes blocks into a sheet: one call for the values, and others only where needed.
import { isLink } from '../../../shared/table/cells.ts';
import { changedCellColour } from '../../../shared/table/plan.ts';
import { type Area, getRange, groupConsecutive, type Sheet } from '../../sheet/area.ts';
import {
  blankEntry,
  chooseFormat,
  differs,
  type Entry,
  fingerprint,
  setValues,
  toSheetValue,
} from '../../sheet/entries.ts';
import { growGrid, requireWritable, withSheetErrors } from '../../sheet/guard.ts';
import { type BlockSnapshot, mapLayers, readSnapshot, sliceLinks } from '../../sheet/snapshot.ts';
import { recordCells, recordStep } from '../runs/undo-log.ts';

const NO_COLOUR = '#ffffff';

/** Extends the grid and records that for undo. */
export function growSheet(runId: string, sheet: Sheet, area: Area): void {
  const { rows, columns } = growGrid(sheet, area);
  const id = sheet.getSheetId();
  if (rows > 0) recordStep(runId, { do: 'rows', sheet: id, row: sheet.getMaxRows() - rows + 1, count: rows });
  if (columns > 0) {
    recordStep(runId, {
      do: 'columns',
      sheet: id,
      column: sheet.getMaxColumns() - columns + 1,
      count: columns,
    });
  }
}

/**
 * Sets links, because Sheets does not link a text that was set as a value. Other cells are not written again: as rich
 * texts, Sheets may parse them.
 */
function setLinks(
  sheet: Sheet,
  area: Area,
  entries: readonly (readonly Entry[])[],
  { links }: BlockSnapshot,
): void {
  const linksByCell = new Map(links.map((each) => [`${each.row} ${each.column}`, each]));
  /** The link that a text had as a whole, if the same text is written again. */
  const findKeptLink = (row: number, column: number, text: string): string | undefined => {
    const had = linksByCell.get(`${row} ${column}`);
    const [link] = had?.text === text ? had.links : [];
    return link?.end === text.length ? link.url : undefined;
  };
  for (let at = 0; at < area.columns; at += 1) {
    const cells = entries.map((row, r) => {
      const { cell = '', link } = row[at] ?? {};
      const text = typeof cell === 'string' ? cell : '';
      return { text, url: link ?? (isLink(text) ? text : text && findKeptLink(r, at, text)) };
    });
    const rows = cells.flatMap(({ url }, row) => (url ? [row] : []));
    for (const { from, count } of groupConsecutive(rows)) {
      const texts = cells
        .slice(from, from + count)
        .map(({ text, url = '' }) => [
          SpreadsheetApp.newRichTextValue().setText(text).setLinkUrl(url).build(),
        ]);
      const part = { row: area.row + from, column: area.column + at, rows: count, columns: 1 };
      getRange(sheet, part).setRichTextValues(texts);
    }
  }
}

/** Rows to write into an area, and its previous contents. */
interface Block {
  area: Area;
  rows: readonly BlockRow[];
  snapshot: BlockSnapshot;
}

/** Cuts the snapshot of a block out of the snapshot of the whole span. */
const sliceSnapshot = (snapshot: BlockSnapshot, from: number, to: number): BlockSnapshot => ({
  ...mapLayers(snapshot, (layer) => layer.slice(from, to)),
  values: snapshot.values.slice(from, to),
  links: sliceLinks(snapshot.links, from, to),
});

/** Chooses the background of a cell with a mark, or of one that loses its mark. */
function chooseColour(colour: string, mark: boolean | undefined): string {
  if (mark === undefined) return colour;
  if (mark) return colour === NO_COLOUR ? changedCellColour : colour;
  return colour === changedCellColour ? NO_COLOUR : colour;
}

function writeBlock(sheet: Sheet, { area, rows, snapshot }: Block, isBold: boolean): void {
  const range = getRange(sheet, area);
  const entries = rows.map((row) => row.entries);
  const formats = entries.map((row, r) =>
    row.map((entry, c) => chooseFormat(entry, snapshot.formats[r]?.[c] ?? '')),
  );
  const values = entries.map((row, r) => row.map((entry, c) => toSheetValue(entry, formats[r]?.[c] ?? '')));
  setValues(range, values, formats, snapshot.formats);
  setLinks(sheet, area, entries, snapshot);
  if (rows.some(({ notes }) => notes !== undefined)) {
    const had = snapshot.notes ?? [];
    range.setNotes(
      rows.map(({ notes }, r) => entries[r]?.map((_, c) => notes?.[c] ?? had[r]?.[c] ?? '') ?? []),
    );
  }
  if (isBold) range.setFontWeight('bold');
  if (rows.some(({ marks }) => marks !== undefined)) {
    const had = snapshot.backgrounds ?? [];
    const colours = rows.map(({ entries: cells, marks }, r) =>
      cells.map((_, c) => chooseColour(had[r]?.[c] ?? NO_COLOUR, marks?.[c])),
    );
    if (differs(colours, had)) range.setBackgrounds(colours);
  }
}

export interface BlockRow {
  row: number;
  entries: readonly Entry[];
  /** Undefined keeps a note. */
  notes?: readonly (string | undefined)[] | undefined;
  /** True marks a cell as changed; false removes the mark. */
  marks?: readonly (boolean | undefined)[] | undefined;
}

/** More blocks are joined where only blank cells stand between them: each takes several calls. */
const MAX_BLOCKS = 5;

/** Adds the blank rows between rows of many blocks. */
function addBlankRows(
  rows: readonly BlockRow[],
  top: number,
  { values, formulas }: BlockSnapshot,
): readonly BlockRow[] {
  if (groupConsecutive(rows.map(({ row }) => row)).length <= MAX_BLOCKS) return rows;
  const byRow = new Map(rows.map((row) => [row.row, row]));
  const isBlank = (line: number): boolean =>
    [values[line], formulas[line]].every((cells) => cells?.every((cell) => cell === ''));
  return values.flatMap((cells, line): BlockRow[] => {
    const given = byRow.get(top + line);
    if (given !== undefined) return [given];
    return isBlank(line) ? [{ row: top + line, entries: cells.map(() => blankEntry) }] : [];
  });
}

/**
 * Writes cells of adjacent columns and records their previous contents. All reads come first, because a read after a write
 * waits for the write.
 * @param rows - from top to bottom, within the grid
 * @throws AddonError `sheet_refused`; nothing is changed then
 */
export function writeBlocks(
  runId: string,
  sheet: Sheet,
  { column, columns }: Pick<Area, 'column' | 'columns'>,
  rows: readonly BlockRow[],
  isBold = false,
): void {
  const [first] = rows;
  const last = rows[rows.length - 1];
  if (first === undefined || last === undefined || columns === 0) return;
  const span = { row: first.row, rows: last.row + 1 - first.row, column, columns };
  requireWritable(sheet, span);
  const hasNotes = rows.some(({ notes }) => notes !== undefined);
  const hasMarks = rows.some(({ marks }) => marks !== undefined);
  const all = readSnapshot(sheet, span, { notes: hasNotes, backgrounds: hasMarks, weights: isBold });
  const filled = addBlankRows(rows, span.row, all);
  let start = 0;
  const blocks = groupConsecutive(filled.map(({ row }) => row)).map(({ from, count }): Block => {
    start += count;
    const area = { row: from, rows: count, column, columns };
    return {
      area,
      rows: filled.slice(start - count, start),
      snapshot: sliceSnapshot(all, from - span.row, from - span.row + count),
    };
  });
  recordCells(
    runId,
    sheet,
    blocks.map(({ area, rows: lines, snapshot }) => ({
      area,
      snapshot,
      fingerprints: lines.map(({ entries }) => fingerprint(entries.map(({ cell }) => cell))),
    })),
  );
  withSheetErrors(sheet, () => {
    for (const block of blocks) writeBlock(sheet, block, isBold);
  });
}
