// A person's own columns, of which a lookup fills only the empty cells.
import { AddonError } from '../../lib/addon-error.ts';
import type { EnrichOrder } from '../../server/api/index.ts';
import { getRange, groupConsecutive, type Sheet, toColumnLetters } from '../../sheet/area.ts';
import type { Entry } from '../../sheet/entries.ts';
import type { TableLocation } from '../locate.ts';
import type { NewColumn } from '../registry.ts';
import { writeRowGroups } from '../rows/write-rows.ts';

/**
 * Lists the own columns of an order with their places.
 * @param row - of the headings; 0 if there are none
 * @throws AddonError if a column has no heading, by which it is found again, or holds keys
 */
export function listOwnColumns(
  sheet: Sheet,
  row: number,
  { into = [], column: key, moreKeys = [] }: Pick<EnrichOrder, 'into' | 'column' | 'moreKeys'>,
): { column: NewColumn; place: number }[] {
  return into.map(({ path, column: place }) => {
    const letters = toColumnLetters(place);
    if (place === key || moreKeys.some(({ column }) => column === place))
      throw new AddonError(
        'bad_call',
        `Column ${letters} is looked up. Choose another column for the values.`,
      );
    const cell: unknown =
      row < 1 ? '' : getRange(sheet, { row, column: place, rows: 1, columns: 1 }).getValue();
    const heading = String(cell).trim();
    if (heading === '')
      throw new AddonError('bad_call', `Column ${letters} has no heading. Type one and try again.`);
    return { column: { role: 'value', path, heading, isOwn: true }, place };
  });
}

/**
 * Writes values into the empty cells of own columns. A cell with a formula is not empty, whatever it shows.
 * @param lines - entries in the order of the table's columns, by index of the row
 * @param at - indexes of the own columns
 */
export function fillOwnColumns(
  runId: string,
  location: TableLocation,
  lines: ReadonlyMap<number, readonly Entry[]>,
  at: readonly number[],
): void {
  const rows = [...lines.keys()].sort((a, b) => a - b);
  const [first = 0] = rows;
  const top = location.row + 1;
  for (const index of at) {
    const column = location.columns[index];
    if (column === undefined || rows.length === 0) continue;
    const count = (rows[rows.length - 1] ?? first) - first + 1;
    const range = getRange(location.sheet, { row: top + first, column, rows: count, columns: 1 });
    const layers: unknown[][][] = [range.getValues(), range.getFormulas()];
    const empty = rows.filter(
      (row) =>
        layers.every((cells) => cells[row - first]?.[0] === '') && lines.get(row)?.[index]?.cell !== '',
    );
    const groups = groupConsecutive(empty).map(({ from, count: size }) => ({
      row: top + from,
      entries: Array.from({ length: size }, (_, down) => lines.get(from + down) ?? []),
    }));
    writeRowGroups(runId, location, groups, [index]);
  }
}
