// Formulas that are one lookup of a cell, or of cells in a column, and the formula of a range that replaces several.
import { isRecordFormula, type RecordFormulaName } from '../functions/record-formulas.ts';
import { CALL, splitArguments } from './formula-calls.ts';
import { maskQuoted } from './formula-cells.ts';

export interface CellColumn {
  /** The sheet as in the formula, with its `!`; '' for the formula's own sheet. */
  sheet: string;
  /** The column in letters, with `$` if it is absolute. */
  column: string;
  /** First and last row. */
  from: number;
  to: number;
}

export interface LookupCall extends CellColumn {
  name: RecordFormulaName;
  /** The arguments as in the formula; '' if omitted. `options` is without `refresh`. */
  fields: string;
  options: string;
  separator: string;
}

const SHEET = String.raw`(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\d_.]*)!`;
const REFERENCE = new RegExp(
  String.raw`^(${SHEET})?(\$?[A-Z]{1,3})([1-9]\d{0,6})(?::(\$?[A-Z]{1,3})([1-9]\d{0,6}))?$`,
  'iu',
);
const LITERAL = /^"[^"]*"$/;
/** Fields may come from other cells, but not from an expression, whose result may depend on its row. */
const FIELDS = new RegExp(
  String.raw`^(?:"[^"]*"|(?:${SHEET})?\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?)?$`,
  'iu',
);

/** Removes the option `refresh`, which changes no result; undefined if a formula with these options can't be merged. */
function normalizeOptions(argument: string): string | undefined {
  if (argument === '') return '';
  if (!LITERAL.test(argument)) return undefined;
  const options = argument
    .slice(1, -1)
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '' && !/^refresh\s*=/i.test(option));
  // A heading row, and a credit limit for each formula, would not be the same for a range.
  if (options.some((option) => /^(?:header|max_credits)\b/i.test(option))) return undefined;
  return options.length === 0 ? '' : `"${options.join(', ')}"`;
}

/** Parses a reference to a cell, or to cells in a column; undefined for others, and if it does not follow the row, as A$2. */
export function parseCellColumn(text: string): CellColumn | undefined {
  const [, sheet = '', column = '', from = '', last = column, to = from] = REFERENCE.exec(text) ?? [];
  if (column === '' || last.toUpperCase() !== column.toUpperCase()) return undefined;
  return { sheet, column: column.toUpperCase(), from: Number(from), to: Number(to) };
}

/**
 * Parses a formula that consists of one lookup.
 * @returns undefined for other formulas, and for keys that do not follow the row, as in A$2
 */
export function parseLookupCall(formula: string): LookupCall | undefined {
  const masked = maskQuoted(formula);
  const [call] = masked.matchAll(CALL);
  const name = (call?.[1] ?? '').toUpperCase();
  if (call === undefined || !isRecordFormula(name) || !/^=\s*$/.test(formula.slice(0, call.index))) return;
  const parsed = splitArguments(formula, masked, (call.index ?? 0) + call[0].length);
  if (parsed === undefined || formula.slice(parsed.end + 1).trim() !== '') return;
  const [key = '', fields = '', optionsArgument = '', ...more] = parsed.texts;
  const cells = parseCellColumn(key);
  const options = normalizeOptions(optionsArgument);
  if (cells === undefined || more.length > 0 || options === undefined || !FIELDS.test(fields)) return;
  return { ...cells, name, fields, options, separator: parsed.separator };
}

export function formatLookupCall(call: LookupCall): string {
  const { name, sheet, column, from, to, fields, options, separator } = call;
  const args = [`${sheet}${column}${from}:${column}${to}`, fields, options];
  while (args[args.length - 1] === '') args.pop();
  return `=${name}(${args.join(`${separator} `)})`;
}

export const toSheetName = (sheet: string): string =>
  sheet
    .slice(0, -1)
    .replace(/^'(.*)'$/, '$1')
    .replace(/''/g, "'");

/** Describes what a lookup shows, apart from the rows of its keys. */
export const describeLookup = ({ name, sheet, column, fields, options }: LookupCall): string =>
  [name, sheet, column, fields, options].join('\u0000');
