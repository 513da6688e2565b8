// Converts values between the grid's formula engine and the add-on.
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
import { fromSerial, getDatePattern, toSerial } from './serial-dates.ts';

/**
 * Converts an argument for a custom function: a single cell to a value, a range to rows, a blank cell to '', an omitted
 * argument to undefined.
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
  return typeof plain === 'number' && value.isDateFormat() ? fromSerial(plain) : plain;
}

/** Converts a function's rows, which are of one length, to an array that spills. Texts are never parsed. */
export function toEngine(rows: readonly (readonly CellValue[])[]): BaseValueObject {
  return ArrayValueObject.create({
    calculateValueList: rows.map((row) => row.map(cellToEngine)),
    rowCount: rows.length,
    columnCount: rows[0]?.length ?? 0,
    unitId: '',
    sheetId: '',
    row: -1,
    column: -1,
  });
}

function cellToEngine(value: CellValue): BaseValueObject {
  if (typeof value === 'boolean') return BooleanValueObject.create(value);
  if (typeof value === 'number') return NumberValueObject.create(value);
  if (value instanceof Date) return createDate(value);
  return createText(value);
}

/** Creates a literal text. */
export function createText(value: string): BaseValueObject {
  return StringValueObject.create(value);
}

/** Creates `#ERROR!` with a sentence for the status line. */
export function createError(sentence: string): BaseValueObject {
  return new ErrorValueObject(ErrorType.ERROR).withCustomData({ sentence });
}

/** Returns the sentence of a cell that shows `#ERROR!`. */
export function getErrorSentence(custom: CustomData): string | undefined {
  const sentence: unknown = custom?.sentence;
  return typeof sentence === 'string' ? sentence : undefined;
}

/**
 * Converts a date to a number with a format. The format is custom data: in the cell's style it would outlive the value.
 */
function createDate(date: Date): BaseValueObject {
  const serial = toSerial(date);
  return NumberValueObject.create(serial).withCustomData({ format: getDatePattern(serial), of: serial });
}

/** Returns the number format of a formula's value while the cell still shows that value. */
export function getNumberFormat(custom: CustomData, value: unknown): string | undefined {
  const format: unknown = custom?.format;
  return typeof format === 'string' && custom?.of === value ? format : undefined;
}
