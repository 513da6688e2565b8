// Parses formula arguments: cells and ranges, fields, options, a family, a number.

import { type Family, familyNames, isFamily } from '../../../shared/families/index.ts';
import { parseDuration } from '../../../shared/lib/durations.ts';
import { findNearest } from '../../../shared/lib/nearest.ts';
import { maxFieldPathLength, maxFields } from '../../../shared/limits.ts';
import { parseFieldPath } from '../../../shared/query/field-paths.ts';

export interface Options {
  header: boolean;
  maxAgeS?: number;
  /** A family variant of the subject, in lower case. */
  variant?: string;
  /** Credits that one run of the formula may spend at most. */
  maxCredits?: number;
  /** Allow field names that are in no list. */
  anyFields: boolean;
  /** Minimum confidence of a match, 0 to 1. */
  threshold?: number;
  /** Do not buy preview pages to compare candidates. */
  noPreviews?: true;
}

const OPTIONS = {
  header: 'header',
  max_age: 'max_age=7d',
  variant: 'variant=base',
  max_credits: 'max_credits=100',
  any_fields: 'any_fields',
  refresh: 'refresh=1',
  threshold: 'threshold=0.9',
  no_previews: 'no_previews',
} as const;
type OptionName = keyof typeof OPTIONS;

export const RECORD_OPTIONS: readonly OptionName[] = [
  'header',
  'max_age',
  'variant',
  'max_credits',
  'any_fields',
  'refresh',
];
export const PREVIEW_OPTIONS: readonly OptionName[] = ['max_credits', 'any_fields', 'refresh'];
export const MATCH_OPTIONS: readonly OptionName[] = [
  'header',
  'variant',
  'max_credits',
  'threshold',
  'no_previews',
  'refresh',
];
export const QUERY_OPTIONS: readonly OptionName[] = ['any_fields', 'refresh'];
export const REFRESH_OPTIONS: readonly OptionName[] = ['refresh'];

const MAX_QUOTED = 40;

/** Quotes the text of a cell for an error message. */
export const quote = (text: string): string => `"${text.slice(0, MAX_QUOTED)}"`;

/** Converts an argument to rows; a single cell is one row with one column. */
export function toRows(argument: unknown): unknown[][] {
  if (!Array.isArray(argument)) return [[argument]];
  return argument.map((row: unknown) => (Array.isArray(row) ? row : [row]));
}

/** Tells whether a cell is empty. Sheets passes empty cells as an empty text. */
export function isBlank(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/** Wildcards are rejected: a whole record does not fit into a row of cells. */
function isField(path: string): boolean {
  return path.length <= maxFieldPathLength && !path.includes('*') && parseFieldPath(path) !== undefined;
}

/**
 * Parses the fields argument.
 * @param argument - a comma-separated text, a range of names, or nothing
 * @returns the paths in their order; undefined if none are given
 * @throws Error if one is not a valid path
 */
export function parseFields(argument: unknown): string[] | undefined {
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
    throw new Error(`${quote(wrong)} is not a field: write a name such as industry or updates[0].date.`);
  }
  return paths;
}

const WHOLE_NUMBER = /^\d{1,9}$/;

function parseOption(text: string, options: Options, allowed: readonly string[]): boolean {
  const [, typedName = '', value = ''] = /^([a-z_]+)\s*(?:=\s*(\S.*))?$/i.exec(text) ?? [];
  const name = typedName.toLowerCase();
  switch (allowed.includes(name) ? name : '') {
    case 'header':
      options.header = true;
      return value === '';
    case 'max_age': {
      const seconds = parseDuration(value);
      if (seconds !== undefined) options.maxAgeS = seconds;
      return seconds !== undefined;
    }
    case 'variant':
      options.variant = value.toLowerCase();
      return value !== '';
    case 'max_credits':
      if (WHOLE_NUMBER.test(value)) options.maxCredits = Number(value);
      return WHOLE_NUMBER.test(value);
    case 'any_fields':
      options.anyFields = true;
      return value === '';
    case 'threshold':
      options.threshold = Number(value);
      return /^(?:0?\.\d+|[01](?:\.0+)?)$/.test(value);
    case 'no_previews':
      options.noPreviews = true;
      return value === '';
    case 'refresh':
      // It only makes Sheets run the formula again.
      return /^\d+$/.test(value);
    default:
      return false;
  }
}

/** `a, b or c` */
function joinWithOr(words: readonly string[]): string {
  const [last = '', ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}

/**
 * Parses the options argument.
 * @param argument - a text such as `header, max_age=7d, variant=base`, a range of such texts, or nothing
 * @param allowed - the options of the formula
 * @throws Error if an option is unknown or malformed
 */
export function parseOptions(argument: unknown, allowed: readonly OptionName[]): Options {
  const options: Options = { header: false, anyFields: false };
  const parts = toRows(argument)
    .flat()
    .filter((cell) => !isBlank(cell))
    .flatMap((cell) => String(cell).split(','))
    .map((part) => part.trim());
  for (const part of parts) {
    if (part !== '' && !parseOption(part, options, allowed)) {
      const examples = allowed.map((name) => OPTIONS[name]);
      throw new Error(`${quote(part)} is not an option: use ${joinWithOr(examples)}.`);
    }
  }
  return options;
}

/**
 * Parses a family name. Case is ignored; spaces and hyphens count as underscores.
 * @param fallback - the family if the argument is empty
 * @throws Error that suggests the nearest known name
 */
export function parseFamily(argument: unknown, fallback?: Family): Family {
  if (isBlank(argument) && fallback !== undefined) return fallback;
  if (isBlank(argument)) throw new Error(`Name a family: ${familyNames.join(', ')}.`);
  const name = String(argument)
    .slice(0, maxFieldPathLength)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  if (isFamily(name)) return name;
  throw new Error(
    `${quote(String(argument))} is not a family: did you mean ${findNearest(name, familyNames)}?`,
  );
}

/**
 * Parses a count.
 * @param label - name of the argument in messages, such as `The limit`
 * @param max - maximum count
 * @param fallback - the count if the argument is empty
 * @throws Error if it is not a whole number from 1 to `max`
 */
export function parseCount(argument: unknown, label: string, max: number, fallback: number): number {
  if (isBlank(argument)) return fallback;
  const count = typeof argument === 'string' ? Number(argument) : argument;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new Error(`${label} is a whole number from 1 to ${max}.`);
}
