// Values on their way between the grid's formula engine and the add-on.
import type { CustomData, Nullable } from '@univerjs/core';
import {
  ArrayValueObject,
  type BaseValueObject,
  BooleanValueObject,
  ErrorType,
  ErrorValueObject,
  NumberValueObject,
  StringValueObject,
} from '@univerjs/preset-sheets-core';
import type { CellValue } from '../../host/types.ts';

const MS_PER_DAY = 86_400_000;
/** Day 0 of a spreadsheet's dates. */
const EPOCH = [1899, 11, 30] as const;

/**
 * Reads one argument as a custom function gets it: a single cell as a value, a range as rows, a blank cell
 * as an empty text, and nothing where the argument was left out.
 */
export function fromEngine(argument: BaseValueObject): CellValue | CellValue[][] | undefined {
  if (argument.isNull()) return undefined;
  if (!(argument instanceof ArrayValueObject)) return cellFromEngine(argument);
  const rows = argument.getArrayValue().map((row) => row.map(cellFromEngine));
  const [first] = rows;
  return rows.length === 1 && first?.length === 1 ? (first[0] ?? '') : rows;
}

function cellFromEngine(value: Nullable<BaseValueObject>): CellValue {
  if (!value || value.isNull()) return '';
  if (value instanceof ErrorValueObject) return value.getErrorType();
  const plain = value.getValue();
  return typeof plain === 'number' && value.isDateFormat() ? dateFromSerial(plain) : plain;
}

/**
 * Turns the rows that a function gave into a value that spills. A text stays the text that it is,
 * whatever it starts with; ragged rows are filled with blanks.
 */
export function toEngine(rows: readonly (readonly CellValue[])[]): BaseValueObject {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const filled = rows.length === 0 ? [[]] : rows;
  return ArrayValueObject.create({
    calculateValueList: filled.map((row) =>
      Array.from({ length: columns }, (_, at) => cellToEngine(row[at])),
    ),
    rowCount: filled.length,
    columnCount: columns,
    unitId: '',
    sheetId: '',
    row: -1,
    column: -1,
  });
}

function cellToEngine(value: CellValue | undefined): BaseValueObject {
  if (value === undefined) return text('');
  if (typeof value === 'boolean') return BooleanValueObject.create(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? NumberValueObject.create(value) : text('#NUM!');
  if (value instanceof Date) return dateToEngine(value);
  return text(value);
}

/** A value that shows as this very text. */
export function text(value: string): BaseValueObject {
  return StringValueObject.create(value);
}

/** The value of a formula that failed: `#ERROR!` in the cell, with its sentence behind it. */
export function failure(sentence: string): BaseValueObject {
  return new ErrorValueObject(ErrorType.ERROR).withCustomData({ sentence });
}

/** The sentence behind a cell that shows `#ERROR!`, if it has one. */
export function sentenceOf(custom: CustomData): string | undefined {
  const sentence: unknown = custom?.sentence;
  return typeof sentence === 'string' ? sentence : undefined;
}

/**
 * A date is a number with a format. The format goes beside the value, not into the cell's style,
 * where it would stay when the formula gives something else next time.
 */
function dateToEngine(date: Date): BaseValueObject {
  if (Number.isNaN(date.getTime())) return text('#NUM!');
  const serial = serialFromDate(date);
  const format = Number.isInteger(serial) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss';
  return NumberValueObject.create(serial).withCustomData({ format, of: serial });
}

/** The number format of a value that a formula gave, if the cell still holds that value. */
export function formatOf(custom: CustomData, value: unknown): string | undefined {
  const format: unknown = custom?.format;
  return typeof format === 'string' && custom?.of === value ? format : undefined;
}

/** The number that a spreadsheet counts a moment as, in local time. */
export function serialFromDate(date: Date): number {
  const days = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(...EPOCH);
  const time =
    Date.UTC(1970, 0, 1, date.getHours(), date.getMinutes(), date.getSeconds()) + date.getMilliseconds();
  return (days + time) / MS_PER_DAY;
}

/** The moment that a spreadsheet counts as this number of days, in local time. */
export function dateFromSerial(serial: number): Date {
  const days = Math.floor(serial);
  const [year, month, day] = EPOCH;
  return new Date(year, month, day + days, 0, 0, 0, Math.round((serial - days) * MS_PER_DAY));
}
