// Developer metadata of a spreadsheet: keys and values that move with a row, a column or a sheet. Source, unless named
// otherwise: guide "Read and write metadata" and reference "DeveloperMetadata" of the Sheets API.
import type { Shift } from './layers.ts';
import { isSameArea, shiftNumbers } from './layers.ts';
import type { Sheet } from './mutable-sheet.ts';
import type { Area, MetadataEntry, MetadataLocation } from './workbook.ts';

/** Guide "Metadata storage limits": characters of keys and values, for the spreadsheet and for each sheet. */
const METADATA_CHARACTERS = 30_000;

/** Message of Google for a range that is neither one row nor one column. */
export const NOT_A_LINE =
  'Adding developer metadata to arbitrary ranges is not currently supported. Developer metadata may only be added to the top-level spreadsheet, an individual sheet, or an entire row or column.';

/** Checks whether a project sees the entry. */
export const isVisible = ({ isForeign, visibility }: MetadataEntry): boolean =>
  isForeign !== true || visibility !== 'PROJECT';

export function isSameLocation(a: MetadataLocation, b: MetadataLocation): boolean {
  if (a.type !== b.type) return false;
  if (a.type === 'SPREADSHEET' || b.type === 'SPREADSHEET') return true;
  if (a.sheet !== b.sheet) return false;
  return a.type === 'SHEET' || b.type === 'SHEET' || a.at === b.at;
}

/** Returns the sheet of a location; null for the spreadsheet. */
export function getMetadataSheet(location: MetadataLocation): number | null {
  return location.type === 'SPREADSHEET' ? null : location.sheet;
}

/** Returns the cells of a row or column in a grid of this size. */
export function getLineArea(
  { type, at }: { readonly type: 'ROW' | 'COLUMN'; readonly at: number },
  { maxRows, maxColumns }: { readonly maxRows: number; readonly maxColumns: number },
): Area {
  return type === 'ROW'
    ? { row: at, rows: 1, column: 1, columns: maxColumns }
    : { row: 1, rows: maxRows, column: at, columns: 1 };
}

/** Returns the row or column that an area consists of; null if it is no single whole one. */
export function toLine(area: Area, sheet: Sheet): MetadataLocation | null {
  for (const line of [{ type: 'ROW', at: area.row } as const, { type: 'COLUMN', at: area.column } as const]) {
    if (isSameArea(getLineArea(line, sheet), area)) return { ...line, sheet: sheet.id };
  }
  return null;
}

/**
 * Returns why an entry can't be stored; null if it can.
 * @param others - the entries of the spreadsheet, also those of other projects: whether those count is unverified
 */
export function findMetadataProblem(entry: MetadataEntry, others: readonly MetadataEntry[]): string | null {
  if (entry.key === '') return 'Developer metadata must have a key.';
  const sheet = getMetadataSheet(entry.location);
  const characters = [entry, ...others.filter(({ id }) => id !== entry.id)]
    .filter(({ location }) => getMetadataSheet(location) === sheet)
    .reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);
  if (characters <= METADATA_CHARACTERS) return null;
  return `This would exceed the limit of ${METADATA_CHARACTERS} characters of developer metadata.`;
}

/** Returns the entries with one added, or replaced if its id exists. */
export function putMetadata(entries: readonly MetadataEntry[], entry: MetadataEntry): MetadataEntry[] {
  return entries.some(({ id }) => id === entry.id)
    ? entries.map((other) => (other.id === entry.id ? entry : other))
    : [...entries, entry];
}

/** Returns the entries after rows or columns were inserted or deleted. */
export function shiftMetadata(
  entries: readonly MetadataEntry[],
  sheet: number,
  shift: Shift,
): MetadataEntry[] {
  return mapLines(entries, sheet, shift.axis, (at) => shiftNumbers([at], shift)[0] ?? null);
}

/**
 * Returns the entries after the rows or columns of a sheet got other numbers.
 * @param renumber - returns a line's new number; null if it was deleted
 */
export function mapLines(
  entries: readonly MetadataEntry[],
  sheet: number,
  axis: Shift['axis'],
  renumber: (at: number) => number | null,
): MetadataEntry[] {
  const type = axis === 'row' ? 'ROW' : 'COLUMN';
  return entries.flatMap((entry) => {
    const { location } = entry;
    if (location.type !== type || location.sheet !== sheet) return [entry];
    const at = renumber(location.at);
    return at === null ? [] : [{ ...entry, location: { ...location, at } }];
  });
}

/** Returns the entries without those of a deleted sheet. */
export function dropSheetMetadata(entries: readonly MetadataEntry[], sheet: number): MetadataEntry[] {
  return entries.filter(({ location }) => getMetadataSheet(location) !== sheet);
}

/**
 * Returns an id for the `count`-th entry. Google's ids are random; these are in no order either, but repeatable: the modulus
 * is prime, so no id occurs twice, and the multiplier is the golden part of it, so that neighbours are far apart.
 */
export function createMetadataId(count: number): number {
  return Number((BigInt(count) * 1_327_217_884n) % 2_147_483_647n);
}
