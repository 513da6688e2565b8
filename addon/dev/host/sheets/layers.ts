// Layers of cells (possibly ragged rows) and the effect of inserting and deleting on them and on areas.
import type { Area, CellValue, Run, SheetData } from './workbook.ts';

/** Rows of cells from A1. */
export type Layer<Item> = Item[][];

export interface Layers {
  readonly values: Layer<CellValue>;
  readonly formulas: Layer<string>;
  readonly display: Layer<string>;
  readonly formats: Layer<string>;
  readonly notes: Layer<string>;
  readonly links: Layer<readonly Run[] | null>;
}

/** Copies a sheet's layers. */
export function copyLayers(sheet: SheetData): Layers {
  return {
    values: copyRows(sheet.values),
    formulas: copyRows(sheet.formulas),
    display: copyRows(sheet.display),
    formats: copyRows(sheet.formats),
    notes: copyRows(sheet.notes),
    links: copyRows(sheet.links),
  };
}

export function copyRows<Item>(rows: readonly (readonly Item[])[] = []): Layer<Item> {
  return rows.map((row) => [...row]);
}

/** Creates the rows of an area. The callback receives 0-based row and column. */
export function mapArea<Item>(area: Area, item: (row: number, column: number) => Item): Item[][] {
  return Array.from({ length: area.rows }, (_, row) =>
    Array.from({ length: area.columns }, (_, column) => item(area.row - 1 + row, area.column - 1 + column)),
  );
}

/** Visits rows of cells from a start cell. The callback receives 0-based row and column. */
export function forEachCell<Item>(
  at: { readonly row: number; readonly column: number },
  rows: readonly (readonly Item[])[],
  visit: (row: number, column: number, item: Item) => void,
): void {
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) visit(at.row - 1 + row, at.column - 1 + column, cell);
  }
}

/** Sets an item, filling a short layer with `empty`. */
export function setItem<Item>(
  layer: Layer<Item>,
  row: number,
  column: number,
  item: Item,
  empty: Item,
): void {
  while (layer.length <= row) layer.push([]);
  const cells = layer[row];
  if (!cells) return;
  while (cells.length < column) cells.push(empty);
  cells[column] = item;
}

/** Sets rows of items from a start cell, filling a short layer with `empty`. */
export function setItems<Item>(
  layer: Layer<Item>,
  at: { readonly row: number; readonly column: number },
  rows: readonly (readonly Item[])[],
  empty: Item,
): void {
  forEachCell(at, rows, (row, column, item) => setItem(layer, row, column, item, empty));
}

/** Reorders the rows of an area; `order` has the old position of each, from 0. */
export function reorderRows<Item>(
  layer: Layer<Item>,
  area: Area,
  order: readonly number[],
  empty: Item,
): void {
  const rows = mapArea(area, (row, column) => layer[row]?.[column] ?? empty);
  setItems(
    layer,
    area,
    order.map((from) => rows[from] ?? []),
    empty,
  );
}

/** Rows or columns inserted before, or deleted from, number `at`; or moved from there to before number `to`. */
export interface Shift {
  readonly axis: 'row' | 'column';
  readonly at: number;
  /** Negative for a deletion. */
  readonly count: number;
  /** In numbers before the move. */
  readonly to?: number;
}

/** Shifts a layer; inserted cells contain `empty`. */
export function shiftLayer<Item>(layer: Layer<Item>, shift: Shift, empty: Item): void {
  if (shift.axis === 'row') shiftList(layer, shift, () => []);
  else for (const cells of layer) shiftList(cells, shift, () => empty);
}

/** Pushes items one by one: there may be more than a call accepts as arguments. */
function shiftList<Item>(list: Item[], { at, count, to }: Shift, empty: () => Item): void {
  if (to === undefined) {
    if (list.length < at) return;
    const following = list.splice(at - 1).slice(Math.max(0, -count));
    for (let inserted = 0; inserted < count; inserted++) list.push(empty());
    for (const item of following) list.push(item);
    return;
  }
  while (list.length < Math.max(at + count, to) - 1) list.push(empty());
  const moved = list.splice(at - 1, count);
  const following = list.splice((to > at ? to - count : to) - 1);
  for (const item of [...moved, ...following]) list.push(item);
}

/** Returns a span after a shift; its length is 0 if all of it was deleted. */
export function shiftSpan(
  start: number,
  length: number,
  { axis, at, count, to }: Shift,
): { readonly start: number; readonly length: number } {
  const end = start + length - 1;
  if (to !== undefined) {
    const target = to > at ? to - count : to;
    if (start >= at && end < at + count) return { start: start - at + target, length };
    // The rest of a larger span closes up, and opens where the lines come in.
    const rest = shiftSpan(start, length, { axis, at, count: -count });
    return shiftSpan(rest.start, rest.length, { axis, at: target, count });
  }
  if (count > 0) {
    if (start >= at) return { start: start + count, length };
    return { start, length: end >= at ? length + count : length };
  }
  const last = at - count - 1;
  const deleted = Math.max(0, Math.min(end, last) - Math.max(start, at) + 1);
  const before = Math.max(0, Math.min(last, start - 1) - at + 1);
  return { start: start - before, length: length - deleted };
}

/** Returns the number of frozen rows after a shift. Rows inserted among frozen ones are frozen. */
export function shiftFrozen(frozen: number, { at, count, to }: Shift): number {
  if (to !== undefined) return frozen;
  if (count > 0) return at <= frozen ? frozen + count : frozen;
  return frozen - Math.max(0, Math.min(frozen, at - count - 1) - at + 1);
}

/** Returns areas after a shift, without deleted ones. */
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

/** Returns row or column numbers after a shift, without deleted ones. */
export function shiftNumbers(numbers: readonly number[], shift: Shift): number[] {
  return numbers.flatMap((number) => {
    const { start, length } = shiftSpan(number, 1, shift);
    return length > 0 ? [start] : [];
  });
}

export function overlaps(a: Area, b: Area): boolean {
  return (
    a.row < b.row + b.rows &&
    b.row < a.row + a.rows &&
    a.column < b.column + b.columns &&
    b.column < a.column + a.columns
  );
}

export function isSameArea(a: Area, b: Area): boolean {
  return a.row === b.row && a.column === b.column && a.rows === b.rows && a.columns === b.columns;
}
