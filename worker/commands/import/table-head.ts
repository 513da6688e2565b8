// Reads the head of a table: its separator and its headings.
import { open } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { type Heading, knownHeadings } from '../../sandbox/import/company-records.ts';
import { UserError } from '../user-error.ts';

/** Separators that are detected, the most usual first. Some locales write semicolons. */
const SEPARATORS = [',', ';', '\t'] as const;
/** Names the separator of a table, as Excel does. */
const SEPARATOR_LINE = /^\ufeff?"?sep=([^"\r\n])"?\r?(?:\n|$)/i;

/** The part of the file that decides, and its rows after the headings. */
const HEAD_BYTES = 1_000_000;
const SAMPLE_ROWS = 50;

const MAX_PRINTED = 100;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces characters of a file that would control the terminal, and cuts a long text. */
export function toPrintable(text: string, max = MAX_PRINTED): string {
  const printable = text.slice(0, max).replaceAll(UNPRINTABLE, '\ufffd');
  return text.length > max ? `${printable}…` : printable;
}

async function readHead(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Reads the first rows with a separator. */
function readSample(
  head: string,
  separator: string,
  fromLine: number,
  toHeading: (text: string) => Heading | undefined,
) {
  const rows: { cells: string[]; line: number }[] = [];
  try {
    parse(head, {
      bom: true,
      delimiter: separator,
      from_line: fromLine,
      to: SAMPLE_ROWS + 1,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines: line }) => {
        rows.push({ cells, line });
        return null;
      },
    });
  } catch (error) {
    // A quoted cell is open at the end of the head, or with a wrong separator.
    if (!(error instanceof CsvError)) throw error;
  }
  const [{ cells: headings, line } = { cells: [], line: fromLine }, ...others] = rows;
  const consistent = others.filter(({ cells }) => cells.length === headings.length);
  return {
    separator,
    headings,
    line,
    hasId: headings.some((text) => toHeading(text) === 'id'),
    /** Share of the rows that have as many cells as the headings. */
    consistency: others.length === 0 ? 1 : consistent.length / others.length,
  };
}

type Sample = ReturnType<typeof readSample>;

/** Compares two samples: the one with an id, then with more consistent rows, then with more columns is better. */
function isBetter(one: Sample, other: Sample): boolean {
  if (one.hasId !== other.hasId) return one.hasId;
  if (one.hasId && one.consistency !== other.consistency) return one.consistency > other.consistency;
  return one.headings.length > other.headings.length;
}

export const isKnown = (text: string): text is Heading => knownHeadings.some((heading) => heading === text);

const quote = (texts: readonly string[]): string => texts.map((text) => `"${toPrintable(text)}"`).join(', ');

/**
 * Reads the head of a table. The separator is the one that a first line such as `sep=;` names, or the one that yields the
 * heading `id` and rows with as many cells.
 * @param map - maps headings to known ones
 * @throws UserError if there is no id, or two columns map to the same heading; it quotes the headings
 */
export async function readTableHead(file: string, map: ReadonlyMap<string, Heading>) {
  const toHeading = (text: string): Heading | undefined => {
    const heading = map.get(text) ?? text.trim().toLowerCase();
    return isKnown(heading) ? heading : undefined;
  };
  const head = await readHead(file);
  const [, named] = SEPARATOR_LINE.exec(head) ?? [];
  const samples = (named === undefined ? SEPARATORS : [named]).map((separator) =>
    readSample(head, separator, named === undefined ? 1 : 2, toHeading),
  );
  const { separator, headings, line, hasId } = samples.reduce((best, other) =>
    isBetter(other, best) ? other : best,
  );
  if (headings.length === 0) throw new UserError(`${file} contains no records.`);
  if (!hasId) {
    throw new UserError(
      `${file} has no heading "id". Line ${line} was read as headings: ${quote(headings)}. Map one of them to id with --map file.json.`,
    );
  }
  const columns = headings.map(toHeading);
  const duplicate = columns.find((heading, at) => heading !== undefined && columns.indexOf(heading) !== at);
  if (duplicate !== undefined) {
    const repeated = headings.filter((_, at) => columns[at] === duplicate);
    throw new UserError(
      `${file} has several columns for "${duplicate}": ${quote(repeated)}. Keep one of them.`,
    );
  }
  return {
    separator,
    /** The known heading of each column; undefined for an ignored column. */
    columns,
    /** Headings as the table spells them. */
    used: columns.flatMap((heading, at) =>
      heading === undefined ? [] : [{ text: headings[at] ?? heading, heading }],
    ),
    ignored: headings.filter((_, at) => columns[at] === undefined),
    /** Last line of the headings, from 1. */
    line,
  };
}
export type TableHead = Awaited<ReturnType<typeof readTableHead>>;
