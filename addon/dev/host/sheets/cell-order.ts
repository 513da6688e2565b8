// The order in which Sheets sorts cells.
import type { CellValue } from './workbook.ts';

/** Sheets sorts numbers and dates before texts, then booleans; blank cells come last in both directions. */
export function compareCells(a: CellValue, b: CellValue, isAscending: boolean): number {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  const [[rank, value], [otherRank, otherValue]] = [toSortKey(a), toSortKey(b)];
  const order =
    rank - otherRank ||
    (typeof value === 'number' && typeof otherValue === 'number'
      ? value - otherValue
      : String(value).localeCompare(String(otherValue)));
  return isAscending ? order : -order;
}

function toSortKey(value: CellValue): readonly [rank: number, value: string | number] {
  if (typeof value === 'boolean') return [2, Number(value)];
  if (typeof value === 'string') return [1, value];
  return [0, Number(value)];
}
