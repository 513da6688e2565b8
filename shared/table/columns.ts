// Columns of written tables: headings, number formats and link texts. Add-on and Worker write them alike.
import { maxTableTitleLength } from '../limits.ts';
import { formatEnglishFieldLabel } from '../query/field-labels.ts';

/** Formats the heading of a field: `funding_rounds[0].last_round_type` → `Funding rounds 1 › Last round type`. */
function formatHeading(path: string): string {
  return formatEnglishFieldLabel(path.replace(/\[(\d+)\]/g, (_, index: string) => ` ${Number(index) + 1}`));
}

/**
 * Formats the headings of columns. They are distinct, because they identify the columns: a repeated label is followed
 * by the field path.
 * @param paths - distinct field paths
 */
export function formatHeadings(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const label = formatHeading(path);
    const heading = (taken.has(label) ? `${label} (${path})` : label).slice(0, maxTableTitleLength);
    taken.add(heading);
    return heading;
  });
}

export const countFormat = '#,##0';

/** Fields that count something. Years and ids are numbers too, but take no thousands separators. */
const COUNT_FIELD = /(?:^|[._])(?:count|followers|connections|employees|reactions|comments)$/;

/** Tells whether the numbers of a field take thousands separators. */
export function isCountField(path: string): boolean {
  return COUNT_FIELD.test(path);
}

/** URLs whose short text Sheets surely keeps as text: the host starts with a letter and ends with a name. */
const SHORTENED = /^https?:\/\/(?:www\.)?([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/[^\s"<>?#=]*)?)$/i;

/** `IMAGE()` needs the whole URL. */
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp)$/i;

/**
 * Shortens a URL to the text of its link: without scheme, `www.` and slash at the end. The text is still a key for
 * lookups.
 * @returns the text itself if it is no URL, or one that stays whole
 */
export function shortenUrl(text: string): string {
  const [, short] = SHORTENED.exec(text) ?? [];
  return short === undefined || PICTURE.test(text) ? text : short.replace(/\/$/, '');
}

/** Converts a column number to letters: 1 → A, 27 → AA. */
export function toColumnLetters(column: number): string {
  let letters = '';
  for (let remaining = column; remaining > 0; remaining = Math.floor((remaining - 1) / 26)) {
    letters = String.fromCharCode(65 + ((remaining - 1) % 26)) + letters;
  }
  return letters;
}

/** Converts letters to a column number: A → 1, AA → 27; 0 for ''. */
export function toColumnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/** Formats an area in A1 notation: `B2`, `A1:C9`. */
export function toA1({
  row,
  column,
  rows,
  columns,
}: Readonly<Record<'row' | 'column' | 'rows' | 'columns', number>>): string {
  const first = `${toColumnLetters(column)}${row}`;
  const last = `${toColumnLetters(column + columns - 1)}${row + rows - 1}`;
  return first === last ? first : `${first}:${last}`;
}
