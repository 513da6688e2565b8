// Converts arguments and outcomes of custom functions.
import { isCellValue } from '../calls.ts';
import type { Failure, Outcome } from '../threads/protocol.ts';
import { unpack } from '../threads/serializer.ts';
import type { Argument, CellValue, FormulaResult } from '../types.ts';

/**
 * Converts an argument for a custom function. Guide "Custom functions", arguments: a single cell is its value, a range a
 * two-dimensional array, an empty cell ''. An omitted argument is undefined.
 */
export function argumentOf(argument: Argument): CellValue | readonly (readonly CellValue[])[] | undefined {
  if (argument === null || argument === undefined) return undefined;
  if (isCellValue(argument)) return argument;
  const [row] = argument;
  const [only] = row ?? [];
  return argument.length === 1 && row?.length === 1 && only !== undefined ? only : argument;
}

/** Converts an outcome; the realm has already converted the value to cells. */
export function resultOf(outcome: Outcome): FormulaResult {
  if (!outcome.done) return { error: outcome.failure.message, tooltip: tooltip(outcome.failure) };
  const rows = unpack(outcome.value);
  if (!Array.isArray(rows)) throw new TypeError('a formula whose outcome is no cells');
  const values = rows.map((row: unknown) => (Array.isArray(row) ? row.filter(isCellValue) : []));
  return { values };
}

function tooltip({ name, message, line }: Failure): string {
  const sentence = name === '' ? message : `${name}: ${message}`;
  return line === undefined ? sentence : `${sentence} (line ${line}).`;
}
