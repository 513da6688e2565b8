// Converts arguments and outcomes of custom functions.
import { isCellValue } from '../calls.ts';
import type { Failure, Outcome } from '../threads/protocol.ts';
import { unpack } from '../threads/serializer.ts';
import type { Argument, CellValue, FormulaResult } from '../types.ts';

/**
 * Converts an argument for a custom function. Guide "Custom functions", arguments: a single cell is its value, a range a
 * two-dimensional array, an empty cell ''. An omitted argument is undefined.
 */
export function toFunctionArgument(
  argument: Argument,
): CellValue | readonly (readonly CellValue[])[] | undefined {
  if (argument === null || argument === undefined) return undefined;
  if (isCellValue(argument)) return argument;
  const [row] = argument;
  const [value] = row ?? [];
  return argument.length === 1 && row?.length === 1 && value !== undefined ? value : argument;
}

/** Converts an outcome; the realm has already converted the value to cells. */
export function toFormulaResult(outcome: Outcome): FormulaResult {
  if (!outcome.done) return { error: outcome.failure.message, tooltip: formatTooltip(outcome.failure) };
  const rows = unpack(outcome.value);
  if (!Array.isArray(rows)) throw new TypeError('the outcome of a formula is not a list of cells');
  const values = rows.map((row: unknown) => (Array.isArray(row) ? row.filter(isCellValue) : []));
  return { values };
}

function formatTooltip({ name, message, line }: Failure): string {
  const sentence = name === '' ? message : `${name}: ${message}`;
  return line === undefined ? sentence : `${sentence} (line ${line}).`;
}
