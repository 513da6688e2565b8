// Converts values of records to cells of the open spreadsheet, where dates are moments in its time zone.
import { fromSerial, type TableCell, toCell } from '../../shared/table/cells.ts';
import { createMomentConverter } from './dates.ts';

/** A value that a cell can hold. */
export type Cell = string | number | boolean | Date;

/** Creates a converter to a value for `setValues`. Use one for many cells: it caches lookups of the time zone. */
export function createSheetValueConverter(): (cell: TableCell) => Cell {
  const toMoment = createMomentConverter();
  return ({ value, format }) =>
    typeof value === 'number' && (format === 'date' || format === 'dateTime')
      ? toMoment(fromSerial(value))
      : value;
}

/** Creates a converter from JSON values to results of formulas. Use one for all cells of a formula. */
export function createCellConverter(): (value: unknown) => Cell {
  const toSheetValue = createSheetValueConverter();
  return (value) => {
    const cell = toCell(value);
    return cell.link ?? toSheetValue(cell);
  };
}
