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
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell goes on after its closing quote',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is never closed; everything after it was not read',
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_RECORD_BYTES} bytes; everything after it was not read`,
  INVALID_OPENING_QUOTE: 'a quote stands in the middle of a cell',
};

async function* readCsv({ file, family, map, onIgnored }: ReadOptions): AsyncGenerator<Line> {
  const skipped: Line[] = [];
  const refuse = (error: { code: string; lines?: unknown }): void => {
    const line = typeof error.lines === 'number' ? error.lines : 0;
    skipped.push({ line, refused: reasons[error.code] ?? error.code });
  };
  const parser = parse({
    bom: true,
    info: true,
    columns: (headings: string[]) => {
      const led = headings.map((heading) => map[heading] ?? heading.trim().toLowerCase());
      if (!led.includes('id'))
        throw new UserError(`${file} has no heading "id". Lead one to it with --map file.json.`);
      onIgnored(headings.filter((_, at) => !isHeading(led[at] ?? '')));
      return led;
    },
    max_record_size: MAX_RECORD_BYTES,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error !== undefined) refuse(error);
    },
  });
  createReadStream(file)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  let start = 2;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: CompanyRow;
      info: { lines: number };
    }>) {
      yield* skipped.splice(0);
      const line = start;
      start = info.lines + 1;
      const made = companyRecords(record);
      if (!made.ok) {
        yield { line, refused: made.reason };
        continue;
      }
      for (const variant of ['company_clean', 'company_base'] as const) {
        if (family === undefined || family === variant)
          yield { line, family: variant, record: made.value[variant] };
      }
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
    if (reasons[error.code] === undefined) throw error;
    refuse({ ...error, code: error.code });
  }
  yield* skipped.splice(0);
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
