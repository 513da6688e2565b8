// Hashes of the cells of a record: they tell whether a person has edited a cell, without storing its value.
import { shortenUrl } from '../../../shared/sheets/columns.ts';
import type { CellHashes } from '../../db/schema.ts';
import type { CellEntry } from '../push/cells.ts';
import type { CellValue } from '../push/sheets-client.ts';

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Removes the differences that Sheets and the add-on make: rounding, line endings, short texts of links. */
function normalize(value: CellValue): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(12)));
  return typeof value === 'string' ? shortenUrl(value.replace(/\r\n?/g, '\n')) : String(value);
}

/**
 * Returns the hash of a cell (FNV-1a, 32 bits).
 * @param salt - pseudonym of the key, so that equal cells of different records have different hashes
 */
export function hashCell(salt: string, value: CellValue): string {
  const text = `${salt} ${normalize(value)}`;
  let hash = OFFSET_BASIS;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME) >>> 0;
  return hash.toString(36);
}

/** Hashes the cells of a record. @param entries - one for each column */
export const hashEntries = (
  salt: string,
  columns: readonly { path: string }[],
  entries: readonly CellEntry[],
): CellHashes =>
  Object.fromEntries(columns.map(({ path }, at) => [path, hashCell(salt, entries[at]?.value ?? '')]));
