// Writes blocks into a sheet: one call for the values, and others only where needed.
import { changedCellColour } from '../../../shared/table/change-notes.ts';
import { type Area, getRange, groupConsecutive, type Sheet } from '../../sheet/area.ts';
import {
  chooseFormat,
  differs,
  type Entry,
  fingerprint,
  isLink,
  setValues,
  toSheetValue,
} from '../../sheet/entries.ts';
import { growGrid, requireWritable, withSheetErrors } from '../../sheet/guard.ts';
import { type BlockSnapshot, readSnapshot } from '../../sheet/snapshot.ts';
import { recordCells, recordStep } from '../runs/undo-log.ts';

const NO_COLOUR = '#ffffff';

/** What is set besides values; undefined keeps the existing. */
export interface CellExtras {
  notes?: (string | undefined)[][];
  /** True marks a cell as changed; false removes the mark. */
  marks?: (boolean | undefined)[][];
  /** Bold font for all cells. */
  bold?: boolean;
}

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
      return { text, url: link ?? (isLink(cell) ? cell : text && findKeptLink(r, at, text)) };
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

/** A block to write. */
export interface Block {
  /** Within the grid, as large as the entries. */
  area: Area;
  entries: readonly (readonly Entry[])[];
  extras?: CellExtras;
}

const sliceRows = <T>(layer: readonly T[], from: number, { rows }: Area): T[] =>
  layer.slice(from, from + rows);

/** Cuts the snapshot of a block out of the snapshot of the whole span. */
function sliceSnapshot(snapshot: BlockSnapshot, from: number, { area, extras = {} }: Block): BlockSnapshot {
  const { values, formulas, formats, notes, backgrounds, weights, links } = snapshot;
  return {
    values: sliceRows(values, from, area),
    formulas: sliceRows(formulas, from, area),
    formats: sliceRows(formats, from, area),
    ...(extras.notes === undefined ? {} : { notes: sliceRows(notes ?? [], from, area) }),
    ...(extras.marks === undefined ? {} : { backgrounds: sliceRows(backgrounds ?? [], from, area) }),
    ...(extras.bold === true ? { weights: sliceRows(weights ?? [], from, area) } : {}),
    links: links.flatMap((link) =>
      link.row < from || link.row >= from + area.rows ? [] : [{ ...link, row: link.row - from }],
    ),
  };
}

/** Chooses the background of a cell with a mark, or of one that loses its mark. */
function chooseColour(colour: string, mark: boolean | undefined): string {
  if (mark === undefined) return colour;
  if (mark) return colour === NO_COLOUR ? changedCellColour : colour;
  return colour === changedCellColour ? NO_COLOUR : colour;
}

function writeBlock(sheet: Sheet, { area, entries, extras = {} }: Block, snapshot: BlockSnapshot): void {
  const { notes, marks, bold = false } = extras;
  const range = getRange(sheet, area);
  const formats = entries.map((row, r) =>
    row.map((entry, c) => chooseFormat(entry, snapshot.formats[r]?.[c] ?? '')),
  );
  const values = entries.map((row, r) => row.map((entry, c) => toSheetValue(entry, formats[r]?.[c] ?? '')));
  setValues(range, values, formats, snapshot.formats);
  setLinks(sheet, area, entries, snapshot);
  if (notes !== undefined) {
    range.setNotes(notes.map((row, r) => row.map((note, c) => note ?? snapshot.notes?.[r]?.[c] ?? '')));
  }
  if (bold) range.setFontWeight('bold');
  if (marks !== undefined) {
    const had = snapshot.backgrounds ?? [];
    const colours = marks.map((row, r) => row.map((mark, c) => chooseColour(had[r]?.[c] ?? NO_COLOUR, mark)));
    if (differs(colours, had)) range.setBackgrounds(colours);
  }
}

/**
 * Writes blocks of the same columns and records their previous contents. All reads come first, because a read after a
 * write waits for the write.
 * @param parts - from top to bottom
 * @throws AddonError `sheet_refused`; nothing is changed then
 */
export function writeBlocks(runId: string, sheet: Sheet, parts: readonly Block[]): void {
  const full = parts.filter(({ area }) => area.rows > 0 && area.columns > 0);
  const first = full[0]?.area;
  const last = full[full.length - 1]?.area;
  if (first === undefined || last === undefined) return;
  const span = { ...first, rows: last.row + last.rows - first.row };
  requireWritable(sheet, span);
  const all = readSnapshot(sheet, span, {
    notes: full.some(({ extras }) => extras?.notes !== undefined),
    backgrounds: full.some(({ extras }) => extras?.marks !== undefined),
    weights: full.some(({ extras }) => extras?.bold === true),
  });
  const snapshots = full.map((part) => sliceSnapshot(all, part.area.row - span.row, part));
  recordCells(
    runId,
    sheet,
    full.map(({ area, entries }, at) => ({
      area,
      snapshot: snapshots[at] ?? all,
      fingerprints: entries.map((row) => fingerprint(row.map(({ cell }) => cell))),
    })),
  );
  withSheetErrors(sheet, () => {
    for (const [at, part] of full.entries()) writeBlock(sheet, part, snapshots[at] ?? all);
  });
}
