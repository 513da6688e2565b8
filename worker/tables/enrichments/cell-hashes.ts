// Hashes of the cells of a record: they tell whether a person has edited a cell, without storing its value.
import { hashText } from '../../../shared/lib/hash.ts';
import { type CellValue, normalizeCell, type TableCell } from '../../../shared/table/cells.ts';
import { shortenUrl } from '../../../shared/table/columns.ts';
import type { CellHashes } from '../../db/schema.ts';

/** Removes the differences that Sheets and the add-on make: rounding, line endings, short texts of links. */
function normalize(value: CellValue): string {
  const normal = normalizeCell(value);
  return typeof normal === 'string' ? shortenUrl(normal) : String(normal);
}

/**
 * Returns the hash of a cell.
 * @param salt - pseudonym of the key, so that equal cells of different records have different hashes
 */
export const hashCell = (salt: string, value: CellValue): string =>
  hashText(`${salt} ${normalize(value)}`).toString(36);

/** Hashes the cells of a record. @param entries - one for each column */
export const hashEntries = (
  salt: string,
  columns: readonly { path: string }[],
  entries: readonly TableCell[],
): CellHashes =>
  Object.fromEntries(columns.map(({ path }, at) => [path, hashCell(salt, entries[at]?.value ?? '')]));
