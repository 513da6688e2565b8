// What goes into a custom function and what its outcome leaves in the cells.
import { isCellValue } from '../calls.ts';
import type { Failure, Outcome } from '../threads/protocol.ts';
import { unpack } from '../threads/serializer.ts';
import type { Argument, CellValue, FormulaResult } from '../types.ts';

/**
 * An argument as a custom function gets it. Guide "Custom functions", arguments: a reference to one cell is its value,
 * a range a two-dimensional array, an empty cell an empty string. An argument that was left out is undefined.
 */
export function argumentOf(argument: Argument): CellValue | readonly (readonly CellValue[])[] | undefined {
  if (argument === null || argument === undefined) return undefined;
  if (isCellValue(argument)) return argument;
  const [row] = argument;
  const [only] = row ?? [];
  return argument.length === 1 && row?.length === 1 && only !== undefined ? only : argument;
}

/** The result of an outcome: the realm has already made cells of the value. */
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
