// Reads a file of records: JSON Lines as they are, CSV by heading. Every line that is no record is named with its reason.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import type { Family } from '../../../shared/families.ts';
import {
  type CompanyRow,
  companyRecords,
  type Heading,
  knownHeadings,
} from '../../provider/import/company.ts';
import { UserError } from '../user-error.ts';

/** A record for a family, or a line that is none. Lines count from 1. */
export type Line =
  | { line: number; family: Family; record: Record<string, unknown> }
  | { line: number; refused: string };

/** What a file is read as. */
export interface ReadOptions {
  file: string;
  /** JSON Lines: their family. CSV: only this one. */
  family?: Family;
  /** A table's own headings, led to the known ones. */
  map: Readonly<Record<string, string>>;
  /** Told which headings lead nowhere. */
  onIgnored: (headings: string[]) => void;
}

/** Longer lines are no records. */
const MAX_RECORD_BYTES = 2_000_000;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function* readJsonLines(file: string, family: Family): AsyncGenerator<Line> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch {
      yield { line, refused: 'it is not JSON' };
      continue;
    }
    yield isRecord(record) ? { line, family, record } : { line, refused: 'it is not an object' };
  }
}

const isHeading = (text: string): text is Heading => knownHeadings.some((heading) => heading === text);

const reasons: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'it has another number of columns than the headings',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'it has another number of columns than the headings',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is never closed; everything after it was not read',
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_RECORD_BYTES} bytes; everything after it was not read`,
};

async function* readCsv({ file, family, map, onIgnored }: ReadOptions): AsyncGenerator<Line> {
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
    columns: (headings: string[]) => {
      const led = headings.map((heading) => map[heading] ?? heading.trim().toLowerCase());
      if (!led.includes('id'))
        throw new UserError(`${file} has no heading "id". Lead one to it with --map file.json.`);
      onIgnored(headings.filter((_, at) => !isHeading(led[at] ?? '')));
      return led;
    },
    max_record_size: MAX_RECORD_BYTES,
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
  const made = companyRecords(row);
  if (!made.ok) return [{ line, refused: made.reason }];
  return (['company_clean', 'company_base'] as const)
    .filter((variant) => family === undefined || family === variant)
    .map((variant) => ({ line, family: variant, record: made.value[variant] }));
}

/**
 * Reads a file, record by record.
 * @throws UserError where its kind is not known or its headings are no use
 */
export function readRecords(options: ReadOptions): AsyncGenerator<Line> {
  const { file, family } = options;
  if (file.endsWith('.csv')) return readCsv(options);
  if (!file.endsWith('.jsonl')) throw new UserError(`${file}: a file of records ends in .csv or .jsonl.`);
  if (family === undefined) throw new UserError('Say which records these are: --family company_clean');
  return readJsonLines(file, family);
}
