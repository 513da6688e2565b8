// The other columns of a key column's sheet, and what fills them.
import { countField } from '../../../shared/accounts.ts';
import { toColumnLetters } from '../../../shared/table/columns.ts';
import type { BesideColumn, CandidateColumn } from '../../server/api/index.ts';
import type { CellPosition, Sheet } from '../../sheet/area.ts';
import {
  findAddonFormulas,
  findFormulas,
  formulaAt,
  getSpillCells,
  type SheetCells,
} from '../../sheet/formula-cells.ts';
import { parseLookupCall } from '../../sheet/lookup-calls.ts';
import type { TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';

type TableField = NonNullable<BesideColumn['field']> & { tableId: string; key: number | undefined };

/** What fills the columns of a sheet, by column number. */
export interface ColumnSources {
  /** Columns with a value. */
  used: ReadonlySet<number>;
  fields: ReadonlyMap<number, TableField>;
  /** The last row with a formula or its result. */
  formulas: ReadonlyMap<number, number>;
}

/** Finds the columns that tracked tables write. The columns of frozen tables are the person’s own again. */
function findFields(
  sheet: Sheet,
  tables: readonly TableRecord[],
  places: ReadonlyMap<string, TableLocation>,
): ColumnSources['fields'] {
  const fields = new Map<number, TableField>();
  for (const { id, family, columns, frozen } of tables) {
    const location = places.get(id);
    if (frozen || location?.sheet.getSheetId() !== sheet.getSheetId()) continue;
    columns.forEach(({ role, path, isOwn = false }, at) => {
      const column = location.columns[at];
      if (role !== 'key' && column !== undefined && !fields.has(column))
        fields.set(column, { tableId: id, family, path, isOwn, key: location.columns[0] });
    });
  }
  return fields;
}

/** Columns of CDAPI_MATCH: name, website, id, confidence and note. */
const MATCH_COLUMNS = 5;

/** Counts the columns of a formula’s result; unknown for others than matches, unless the fields are a text. */
function countResultColumns(formula: string): number {
  if (/^=\s*CDAPI_MATCH\s*\(/i.test(formula)) return MATCH_COLUMNS;
  const { fields = '' } = parseLookupCall(formula) ?? {};
  return fields.startsWith('"') ? fields.split(',').length : Number.POSITIVE_INFINITY;
}

/**
 * Finds the columns that formulas fill, results of the add-on’s formulas included. An empty column, and one that a table
 * writes, end a result.
 */
function findFormulaColumns(
  cells: SheetCells,
  { used, fields }: Pick<ColumnSources, 'used' | 'fields'>,
): ColumnSources['formulas'] {
  const spilled = findAddonFormulas(cells).flatMap((from) => {
    const end = from.column + countResultColumns(formulaAt(cells, from));
    const isFree = (place: CellPosition): boolean =>
      formulaAt(cells, place) === '' &&
      used.has(place.column) &&
      !fields.has(place.column) &&
      place.column < end;
    return getSpillCells(cells, from, isFree);
  });
  const rows = new Map<number, number>();
  for (const { row, column } of [...findFormulas(cells), ...spilled])
    rows.set(column, Math.max(row, rows.get(column) ?? 0));
  return rows;
}

const findUsedColumns = ({ values }: SheetCells): ColumnSources['used'] =>
  new Set(values.flatMap((line) => line.flatMap((cell, at) => (cell === '' ? [] : at + 1))));

export function findColumnSources(
  sheet: Sheet,
  cells: SheetCells,
  tables: readonly TableRecord[],
  places: ReadonlyMap<string, TableLocation>,
): ColumnSources {
  const used = findUsedColumns(cells);
  const fields = findFields(sheet, tables, places);
  return { used, fields, formulas: findFormulaColumns(cells, { used, fields }) };
}

const toField = (
  { tableId: _, key: tableKey, path, ...field }: TableField,
  key: number,
): NonNullable<BesideColumn['field']> => ({
  ...field,
  path: tableKey === key ? path : '',
});

/** Lists the other columns with a heading in the row of a key column’s heading. */
export function listBeside(
  { column: key, headingRow }: CandidateColumn,
  { values }: SheetCells,
  { fields, formulas, used }: ColumnSources,
): BesideColumn[] {
  const isFar = (column: number): boolean =>
    Array.from({ length: Math.abs(column - key) }, (_, at) => Math.min(column, key) + at).some(
      (at) => !used.has(at),
    );
  const headings = values[headingRow - 1]?.map((cell) => String(cell ?? '').trim()) ?? [];
  return headings.flatMap((heading, at): BesideColumn[] => {
    const column = at + 1;
    const written = fields.get(column);
    if (heading === '' || column === key) return [];
    return [
      {
        column,
        letter: toColumnLetters(column),
        heading,
        ...(isFar(column) ? { isFar: true } : {}),
        ...((formulas.get(column) ?? 0) > headingRow ? { hasFormulas: true } : {}),
        ...(written === undefined ? {} : { field: toField(written, key) }),
        ...(written?.path === countField ? { counts: written.tableId } : {}),
      },
    ];
  });
}
