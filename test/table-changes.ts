// Changes that people make in a sheet between two writes of a table, in open and in closed sheets.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Write } from '../addon/dev/host/types.ts';

/** A change that a person makes; numbers choose among the present rows and columns. */
export const tableChange = fc.oneof(
  fc.record({
    kind: fc.constantFrom('insertRows', 'deleteRows', 'insertColumns', 'deleteColumns'),
    at: fc.nat(),
  }),
  fc.record({
    kind: fc.constantFrom('moveRows', 'moveColumns', 'sort', 'rename', 'copySheet', 'forge'),
    at: fc.nat(),
  }),
);
export type TableChange = typeof tableChange extends fc.Arbitrary<infer T> ? T : never;

/** Converts a change to a write; undefined for one of other cells than those of the sheet. @param top - row of the headings */
export function toWrite(
  { kind, at }: TableChange,
  sheet: number,
  grid: { rows: number; columns: number; top: number },
): Write | undefined {
  const rows = Math.max(2, grid.rows);
  const columns = Math.max(2, grid.columns);
  const row = 1 + (at % rows);
  const column = 1 + (at % columns);
  // Rows above the headings would be rows of something else.
  const to = Math.min(rows, grid.top + 1 + (at % rows));
  const order = Array.from({ length: rows - 1 }, (_, nth) => (nth + at) % (rows - 1));
  const writes: Partial<Record<TableChange['kind'], Write>> = {
    insertRows: { kind: 'insertRows', sheet, row, count: 1 },
    deleteRows: { kind: 'deleteRows', sheet, row, count: 1 },
    insertColumns: { kind: 'insertColumns', sheet, column, count: 1 },
    deleteColumns: { kind: 'deleteColumns', sheet, column, count: 1 },
    moveRows: { kind: 'moveRows', sheet, row: rows, count: 1, to },
    moveColumns: { kind: 'moveColumns', sheet, column: columns, count: 1, to: 1 + (at % (columns - 1)) },
    sort: { kind: 'sort', sheet, area: { row: 2, column: 1, rows: rows - 1, columns }, order },
  };
  return writes[kind];
}

/**
 * Checks that no key is in two rows, and that a name stands beside its key.
 * @param names - by key
 * @returns the number of keys
 */
export function checkNames(
  rows: readonly (readonly unknown[])[],
  names: ReadonlyMap<unknown, unknown>,
): number {
  const labels = new Set(names.values());
  const seen = new Set<unknown>();
  for (const row of rows) {
    const key = row.find((cell) => names.has(cell));
    const label = row.find((cell) => labels.has(cell));
    if (key === undefined) continue;
    expect(seen.has(key)).toBe(false);
    seen.add(key);
    if (label !== undefined) expect(label).toBe(names.get(key));
  }
  return seen.size;
}
