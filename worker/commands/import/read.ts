// Reads a file of records: JSON Lines as they are, CSV by heading. Every line that is no record is named with its reason.
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { parse } from 'csv-parse';
import type { Family } from '../../../shared/families/index.ts';
import {
  buildCompanyRecords,
  type CompanyRow,
  type Heading,
  knownHeadings,
} from '../../sandbox/import/company-records.ts';
import { parseRecord } from '../../sandbox/import/parse-record.ts';
import { UserError } from '../user-error.ts';
import { readLines, requireUtf8 } from './lines.ts';

/** A record for a family, or a line that is none. Lines count from 1. */
export type Line =
  | { line: number; family: Family; id: string; record: Record<string, unknown> }
  | { line: number; refused: string };

/** What a file is read as. */
export interface ReadOptions {
  file: string;
  /** JSON Lines: their family. CSV: only this one. */
  family?: Family;
  /** A table's own headings, led to the known ones. */
  map: ReadonlyMap<string, Heading>;
  /** Told which headings lead nowhere. */
  onIgnored: (headings: string[]) => void;
}

/** Longer lines are no records: bytes of a table's, characters of others. */
const MAX_RECORD = 2_000_000;

const SEPARATORS = [',', ';', '\t'] as const;

async function* readJsonLines(file: string, family: Family): AsyncGenerator<Line> {
  let line = 0;
  for await (const text of readLines(file, MAX_RECORD)) {
    line += 1;
    if (text === undefined) {
      yield { line, refused: `it is longer than ${MAX_RECORD} characters` };
      continue;
    }
    if (text.trim() === '') continue;
    let candidate: unknown;
    try {
      candidate = JSON.parse(text);
    } catch {
      yield { line, refused: 'it is not JSON' };
      continue;
    }
    const read = parseRecord(candidate);
    yield read.ok ? { line, family, id: read.id, record: read.record } : { line, refused: read.reason };
  }
}

/** The separator that makes the most columns of the headings; spreadsheets of some countries write semicolons. */
async function separatorOf(file: string): Promise<string> {
  for await (const text of readLines(file, MAX_RECORD)) {
    if (text?.trim() === '') continue;
    const outsideQuotes = (text ?? '').replace(/"[^"]*"/g, '');
    const columns = (separator: string): number => outsideQuotes.split(separator).length;
    return SEPARATORS.reduce((best, other) => (columns(other) > columns(best) ? other : best));
  }
  return SEPARATORS[0];
}

/** What a row of a table makes a record of. */
const variants = ['company_clean', 'company_base'] as const;

const isHeading = (text: string): text is Heading => knownHeadings.some((heading) => heading === text);

/**
 * Leads a table's headings to the known ones.
 * @returns for each column its heading, undefined for one that is not read
 * @throws UserError where there is no id, or where two columns are led to one heading
 */
function leadHeadings(
  headings: readonly string[],
  { file, map, onIgnored }: ReadOptions,
): (Heading | undefined)[] {
  const led = headings.map((text) => {
    const heading = map.get(text) ?? text.trim().toLowerCase();
    return isHeading(heading) ? heading : undefined;
  });
  if (!led.includes('id'))
    throw new UserError(`${file} has no heading "id". Lead one to it with --map file.json.`);
  const twice = led.find((heading, at) => heading !== undefined && led.indexOf(heading) !== at);
  if (twice !== undefined) {
    const named = headings.filter((_, at) => led[at] === twice).map((text) => `"${text}"`);
    throw new UserError(`${file} has several columns for "${twice}": ${named.join(', ')}. Keep one of them.`);
  }
  onIgnored(headings.filter((_, at) => led[at] === undefined));
  return led;
}

const reasons: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'it has another number of columns than the headings',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'it has another number of columns than the headings',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is never closed; everything after it was not read',
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_RECORD} bytes; everything after it was not read`,
};

async function* readCsv(options: ReadOptions): AsyncGenerator<Line> {
  const { file, family } = options;
  // The parser works ahead of this loop, so each line is counted where the parser is.
  const lines: Line[] = [];
  let lastLine = 1;
  const refuse = (error: { code: string; lines?: unknown }): void => {
    const ended = typeof error.lines === 'number' ? error.lines : lastLine;
    // Of a cell that is never closed the parser knows where the file ends; where it begins is of more use.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? lastLine + 1 : ended;
    lines.push({ line, refused: reasons[error.code] ?? error.code });
    lastLine = ended;
  };
  const parser = parse({
    bom: true,
    columns: (headings: string[]) => leadHeadings(headings, options),
    delimiter: await separatorOf(file),
    max_record_size: MAX_RECORD,
    skip_empty_lines: true,
    // A quote in the wrong place is part of the text, and the line is kept.
    relax_quotes: true,
    skip_records_with_error: true,
    on_record: (row: CompanyRow, info) => {
      lines.push(...recordLines(row, lastLine + 1, family));
      lastLine = info.lines;
      // Any record will do: it only tells the loop below that there are lines to hand on.
      return row;
    },
    on_skip: (error) => {
      if (error !== undefined) refuse(error);
    },
  });
  createReadStream(file)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  try {
    for await (const _ of parser) yield* lines.splice(0);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
    if (reasons[error.code] === undefined) throw error;
    refuse({ ...error, code: error.code });
  }
  yield* lines.splice(0);
}

function recordLines(row: CompanyRow, line: number, family: Family | undefined): Line[] {
  const made = buildCompanyRecords(row);
  if (!made.ok) return [{ line, refused: made.reason }];
  return variants
    .filter((variant) => family === undefined || family === variant)
    .map((variant) => ({ line, family: variant, id: made.value.id, record: made.value[variant] }));
}

/**
 * Reads a file, record by record.
 * @throws UserError where its kind is not known, it is not UTF-8 or its headings are no use
 */
export async function* readRecords(options: ReadOptions): AsyncGenerator<Line> {
  const { file, family } = options;
  const kind = extname(file).toLowerCase();
  if (kind !== '.csv' && kind !== '.jsonl')
    throw new UserError(`${file}: a file of records ends in .csv or .jsonl.`);
  if (kind === '.jsonl' && family === undefined)
    throw new UserError('Say which records these are: --family company_clean');
  if (kind === '.csv' && family !== undefined && !variants.some((variant) => variant === family))
    throw new UserError(
      `A .csv file makes ${variants.join(' and ')}. Records of ${family} come as .jsonl, one a line.`,
    );
  await requireUtf8(file);
  if (kind === '.jsonl' && family !== undefined) yield* readJsonLines(file, family);
  else yield* readCsv(options);
}
