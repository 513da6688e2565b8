// Columns of new tables: headings, notes with field paths, widths that fit the fields, and a filter.

import { formatHeadings } from '../../../shared/table/columns.ts';
import type { Provenance } from '../../server/api/index.ts';
import { getRange, type Sheet, setColumnWidths } from '../../sheet/area.ts';
import { dateTimeEntry, type Entry, textEntry } from '../../sheet/entries.ts';
import type { ColumnRole, NewColumn } from '../registry.ts';
import { recordStep } from '../runs/undo-log.ts';

/** Converts paths to columns with the labels of the fields as headings, without duplicates. */
export function toValueColumns(paths: readonly string[]): NewColumn[] {
  const distinct = [...new Set(paths)];
  const headings = formatHeadings(distinct);
  return distinct.map((path, at) => ({ role: 'value', path, heading: headings[at] ?? path }));
}

/** Widths by the name of the field, in pixels. */
const FIELD_WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/description|summary|headline|body/, 320],
  [/(?:^|[._])(?:created|date|updated|published)|_at$/, 150],
  [/url|website|network|logo/, 250],
  [/industry/, 230],
  [/^company$|name|title|address|location/, 200],
  [/(?:^|[._])size(?:_range)?$/, 170],
];
const ROLE_WIDTHS: Readonly<Partial<Record<ColumnRole, number>>> = {
  status: 260,
  retrieved: 150,
  source: 160,
};
const MIN_WIDTH = 100;
const MAX_HEADING_WIDTH = 260;
/** A bold character in the default font, and the space for the filter's button. */
const CHARACTER_WIDTH = 7.5;
const BUTTON_WIDTH = 36;

/** Chooses the width of a column: wide enough for the heading, and for usual values of the field. */
function chooseWidth({ role, path, heading }: NewColumn): number {
  const usual = FIELD_WIDTHS.find(([fields]) => fields.test(path))?.[1] ?? ROLE_WIDTHS[role] ?? MIN_WIDTH;
  const headingWidth = Math.ceil(heading.length * CHARACTER_WIDTH) + BUTTON_WIDTH;
  return Math.max(usual, Math.min(MAX_HEADING_WIDTH, headingWidth));
}

/** Returns the notes of headings: the paths of their fields. Other notes stay. */
export function listHeadingNotes(columns: readonly NewColumn[]): (string | undefined)[] {
  return columns.map(({ role, path }) => (role === 'value' && path !== '' ? path : undefined));
}

/** Columns of a sheet from left to right with the table columns that they show. */
export interface NewColumns {
  /** The first one. */
  from: number;
  columns: readonly NewColumn[];
}

/** Lays out a sheet that was made for a table: widths and a filter. */
export function layOutSheet(sheet: Sheet, { from, columns }: NewColumns): void {
  setColumnWidths(sheet, from, columns.map(chooseWidth));
  // The whole grid: a filter moves only its own columns when it sorts, and others may be added beside the table.
  getRange(sheet, {
    row: 1,
    column: 1,
    rows: sheet.getMaxRows(),
    columns: sheet.getMaxColumns(),
  }).createFilter();
}

/** Widens new columns beside other contents, unless parts of them are protected. Undo restores their widths. */
export function widenColumns(runId: string, sheet: Sheet, { from, columns }: NewColumns): void {
  if (columns.length === 0) return;
  const whole = { row: 1, column: from, rows: sheet.getMaxRows(), columns: columns.length };
  if (!getRange(sheet, whole).canEdit()) return;
  const had = columns.map((_, at) => sheet.getColumnWidth(from + at));
  const widths = columns.map((column, at) => Math.max(had[at] ?? 0, chooseWidth(column)));
  if (widths.every((width, at) => width === had[at])) return;
  recordStep(runId, { do: 'widths', sheet: sheet.getSheetId(), column: from, widths: had });
  setColumnWidths(sheet, from, widths);
}

export interface Origin {
  /** ISO 8601; undefined if unknown. */
  retrievedAt: string | undefined;
  source: string;
  credits: number;
}

export function listOriginColumns(provenance: Provenance): NewColumn[] {
  if (provenance !== 'columns') return [];
  return [
    { role: 'retrieved', path: '', heading: 'Retrieved at' },
    { role: 'source', path: '', heading: 'Source' },
    { role: 'credits', path: '', heading: 'Credits' },
  ];
}

/** Returns the origin entry of a column; undefined for other roles. */
export function toOriginEntry(role: ColumnRole, { retrievedAt, source, credits }: Origin): Entry | undefined {
  if (role === 'retrieved') {
    return retrievedAt === undefined ? textEntry('') : dateTimeEntry(new Date(retrievedAt));
  }
  if (role === 'source') return textEntry(source);
  return role === 'credits' ? { cell: credits, format: '' } : undefined;
}

export function formatOriginNote({ retrievedAt, source, credits }: Origin): string {
  const when =
    retrievedAt === undefined ? '' : `Retrieved ${retrievedAt.slice(0, 16).replace('T', ' ')} UTC, `;
  return `${when}${source}, ${credits} ${credits === 1 ? 'credit' : 'credits'}`;
}
