// Reads what a formula was given: a cell or a range, fields, options.
import { parseFieldPath } from '../../shared/field-paths.ts';
import { maxFieldPathLength, maxFields } from '../../shared/sheets-api.ts';

/** What was asked beside the keys. */
export interface Options {
  /** Put a row of headings first. */
  header: boolean;
  maxAgeS?: number;
}

const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_AGE = /^max_age\s*=\s*(\d{1,6})\s*([smhd])$/i;

/**
 * The rows of an argument: a cell is one row of one column.
 */
export function toRows(argument: unknown): unknown[][] {
  if (!Array.isArray(argument)) return [[argument]];
  return argument.map((row: unknown) => (Array.isArray(row) ? row : [row]));
}

/** Tells whether a cell is empty: Sheets hands over an empty text. */
export function isBlank(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/** A whole record, which other clients may ask for as `*`, has no place in a row of cells. */
function isField(path: string): boolean {
  return path.length <= maxFieldPathLength && !path.includes('*') && parseFieldPath(path) !== undefined;
}

/**
 * Reads the fields to show.
 * @param argument - a text with commas, a range of names, or nothing
 * @returns the paths in their order; undefined where none are named
 * @throws Error with one sentence, where one is no path
 */
export function readFields(argument: unknown): string[] | undefined {
  const paths = toRows(argument)
    .flat()
    .filter((cell) => !isBlank(cell))
    .flatMap((cell) => String(cell).split(','))
    .map((path) => path.trim())
    .filter((path) => path !== '');
  if (paths.length === 0) return undefined;
  if (paths.length > maxFields) throw new Error(`Name at most ${maxFields} fields.`);
  const wrong = paths.find((path) => !isField(path));
  if (wrong !== undefined) {
    throw new Error(
      `"${wrong.slice(0, 40)}" is not a field: write a name such as industry or updates[0].date.`,
    );
  }
  return paths;
}

/**
 * Reads the options.
 * @param argument - a text such as `header, max_age=7d`, or nothing
 * @throws Error with one sentence, where one is unknown
 */
export function readOptions(argument: unknown): Options {
  const options: Options = { header: false };
  if (isBlank(argument)) return options;
  for (const part of String(argument).split(',')) {
    const text = part.trim();
    const age = MAX_AGE.exec(text);
    if (age !== null) options.maxAgeS = Number(age[1]) * (UNIT_S[(age[2] ?? '').toLowerCase()] ?? 1);
    else if (text.toLowerCase() === 'header') options.header = true;
    else if (text !== '')
      throw new Error(`"${text.slice(0, 40)}" is not an option: use header, or max_age=7d.`);
  }
  return options;
}
