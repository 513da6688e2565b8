// Finds what formulas fill: the cells of their results, and the headings or fields of these columns.
import { formatEnglishFieldLabel } from '../../shared/query/field-labels.ts';
import { isCellError, isLoading, isSheetsError } from '../lib/cell-errors.ts';
import type { Area, CellPosition } from './area.ts';
import { showResult } from './formula-calls.ts';
import { formulaAt, getSpillCells, type SheetCells, valueAt } from './formula-cells.ts';
import { type FormulaGroup, listCalls } from './formula-groups.ts';
import { listResultFields } from './formula-runs.ts';
import { type LookupCall, parseLookupCall } from './lookup-calls.ts';

/** Functions whose result takes one cell. */
const ONE_CELL: ReadonlySet<string> = new Set(['CDAPI_COUNT', 'CDAPI_COST', 'CDAPI_CREDITS', 'CDAPI_STATUS']);

/** The size of a result, and the fields of its columns if the formula names them. */
interface Result {
  rows: number;
  columns: number;
  fields: string[];
}

/** Parses a formula as a lookup of cells; undefined if it is another formula. */
export const readLookup = (cells: SheetCells, place: CellPosition): LookupCall | undefined =>
  parseLookupCall(showResult(formulaAt(cells, place)));

function measureResult(cells: SheetCells, place: CellPosition): Result {
  const lookup = readLookup(cells, place);
  const fields = lookup && listResultFields(lookup);
  if (lookup !== undefined && fields)
    return { rows: lookup.to - lookup.from + 1, columns: fields.length, fields };
  const [name = ''] = listCalls(formulaAt(cells, place));
  if (ONE_CELL.has(name)) return { rows: 1, columns: 1, fields: [] };
  const isFilled = (at: CellPosition): boolean => formulaAt(cells, at) === '' && valueAt(cells, at) !== '';
  const reached = [place, ...getSpillCells(cells, place, isFilled)];
  return {
    rows: Math.max(...reached.map(({ row }) => row)) - place.row + 1,
    columns: Math.max(...reached.map(({ column }) => column)) - place.column + 1,
    fields: [],
  };
}

function getEnds({ places, column }: FormulaGroup): { first: CellPosition; last: CellPosition } {
  const first = places[0] ?? { row: 1, column };
  return { first, last: places[places.length - 1] ?? first };
}

/** Returns the smallest range with the results of a group. */
export function findFilledArea(cells: SheetCells, group: FormulaGroup): Area {
  const { first, last } = getEnds(group);
  const { rows } = measureResult(cells, last);
  const { columns } = measureResult(cells, first);
  return { row: first.row, column: first.column, rows: last.row + rows - first.row, columns };
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  !isCellError(value) &&
  !isSheetsError(value) &&
  !isLoading(value);

/**
 * Finds the row with the heading of a cell: the nearest one in bold, because values may stand between them, else the
 * first one above without a gap.
 * @param isBold - tells whether a cell is bold
 * @returns 0 if there is none
 */
function findHeadingRow(
  cells: SheetCells,
  { row, column }: CellPosition,
  isBold: (place: CellPosition) => boolean,
): number {
  let top = 0;
  for (let above = row - 1; above >= 1; above -= 1) {
    const place = { row: above, column };
    if (valueAt(cells, place) === '') break;
    if (isBold(place)) return above;
    top = above;
  }
  return top;
}

/** Lists what the columns of a group hold: their headings if all have one, else the labels of their fields. */
export function listFilledColumns(
  cells: SheetCells,
  group: FormulaGroup,
  isBold: (place: CellPosition) => boolean,
): string[] {
  const { first } = getEnds(group);
  const { columns, fields } = measureResult(cells, first);
  const row = findHeadingRow(cells, first, isBold);
  const headings = Array.from({ length: columns }, (_, at) =>
    valueAt(cells, { row, column: first.column + at }),
  );
  return headings.every(isText)
    ? headings
    : fields.map((path) => formatEnglishFieldLabel(path.replace(/\[\d+\]/g, '')));
}
