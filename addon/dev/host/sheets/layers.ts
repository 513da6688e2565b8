// Layers of cells: rows that may be ragged, and what inserting and deleting does to them and to areas.
import type { Area, CellValue, Run, SheetData } from './workbook.ts';

/** Rows of cells from A1. */
export type Layer<Item> = Item[][];

/** The layers of a sheet. */
export interface Layers {
  readonly values: Layer<CellValue>;
  readonly formulas: Layer<string>;
  readonly display: Layer<string>;
  readonly formats: Layer<string>;
  readonly notes: Layer<string>;
  readonly links: Layer<readonly Run[] | null>;
}

/** Copies of a sheet's layers. */
export function layersOf(sheet: SheetData): Layers {
  return {
    values: copyOf(sheet.values),
    formulas: copyOf(sheet.formulas),
    display: copyOf(sheet.display),
    formats: copyOf(sheet.formats),
    notes: copyOf(sheet.notes),
    links: copyOf(sheet.links),
  };
}

/** Rows that can be changed. */
export function copyOf<Item>(rows: readonly (readonly Item[])[] = []): Layer<Item> {
  return rows.map((row) => [...row]);
}

/** Makes rows of an area; `item` gets row and column counted from 0. */
export function block<Item>(area: Area, item: (row: number, column: number) => Item): Item[][] {
  return Array.from({ length: area.rows }, (_, row) =>
    Array.from({ length: area.columns }, (_, column) => item(area.row - 1 + row, area.column - 1 + column)),
  );
}

/** Visits rows of cells that start at a cell; `visit` gets row and column counted from 0. */
export function each<Item>(
  at: { readonly row: number; readonly column: number },
  rows: readonly (readonly Item[])[],
  visit: (row: number, column: number, item: Item) => void,
): void {
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) visit(at.row - 1 + row, at.column - 1 + column, cell);
  }
}

/** Puts an item into a layer, which grows with `empty` where it is too short. */
export function put<Item>(layer: Layer<Item>, row: number, column: number, item: Item, empty: Item): void {
  while (layer.length <= row) layer.push([]);
  const cells = layer[row];
  if (!cells) return;
  while (cells.length < column) cells.push(empty);
  cells[column] = item;
}

/** Rows or columns that are put in before number `at`, or taken out from number `at` on. */
export interface Shift {
  readonly axis: 'row' | 'column';
  readonly at: number;
  /** Below 0 where they are taken out. */
  readonly count: number;
}

/** Shifts a layer; what is put in holds `empty`. */
export function shiftLayer<Item>(layer: Layer<Item>, { axis, at, count }: Shift, empty: Item): void {
  if (axis === 'row') shiftList(layer, at, count, () => []);
  else for (const cells of layer) shiftList(cells, at, count, () => empty);
}

/** Item by item, since there may be more of them than a call takes arguments. */
function shiftList<Item>(list: Item[], at: number, count: number, empty: () => Item): void {
  if (list.length < at) return;
  const after = list.splice(at - 1).slice(Math.max(0, -count));
  for (let made = 0; made < count; made++) list.push(empty());
  for (const item of after) list.push(item);
}

/** Where the stretch `start`…`start + length - 1` is after a shift; its length is 0 where all of it was taken out. */
export function shiftSpan(start: number, length: number, { at, count }: Shift) {
  const end = start + length - 1;
  if (count > 0) {
    if (start >= at) return { start: start + count, length };
    return { start, length: end >= at ? length + count : length };
  }
  const last = at - count - 1;
  const gone = Math.max(0, Math.min(end, last) - Math.max(start, at) + 1);
  const before = Math.max(0, Math.min(last, start - 1) - at + 1);
  return { start: start - before, length: length - gone };
}

/** How many rows or columns are frozen after a shift: what is put in among them is frozen too. */
export function shiftFrozen(frozen: number, { at, count }: Shift): number {
  if (count > 0) return at <= frozen ? frozen + count : frozen;
  return frozen - Math.max(0, Math.min(frozen, at - count - 1) - at + 1);
}

/** Areas after a shift, without those that are gone. */
export function shiftAreas(areas: readonly Area[], shift: Shift): Area[] {
  return areas.flatMap((area) => {
    const rows = shift.axis === 'row' ? shiftSpan(area.row, area.rows, shift) : null;
    const columns = shift.axis === 'column' ? shiftSpan(area.column, area.columns, shift) : null;
    const moved: Area = {
      row: rows?.start ?? area.row,
      rows: rows?.length ?? area.rows,
      column: columns?.start ?? area.column,
      columns: columns?.length ?? area.columns,
    };
    return moved.rows > 0 && moved.columns > 0 ? [moved] : [];
  });
}

/** Numbers of rows or columns after a shift, without those that are gone. */
export function shiftNumbers(numbers: readonly number[], shift: Shift): number[] {
  return numbers.flatMap((number) => {
    const { start, length } = shiftSpan(number, 1, shift);
    return length > 0 ? [start] : [];
  });
}

/** Whether two areas share a cell. */
export function overlap(one: Area, other: Area): boolean {
  return (
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows &&
    one.column < other.column + other.columns &&
    other.column < one.column + one.columns
  );
}

/** Whether an area lies wholly in another. */
export function within(inner: Area, outer: Area): boolean {
  return (
    inner.row >= outer.row &&
    inner.column >= outer.column &&
    inner.row + inner.rows <= outer.row + outer.rows &&
    inner.column + inner.columns <= outer.column + outer.columns
  );
}
