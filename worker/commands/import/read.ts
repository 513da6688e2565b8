// Reads records from JSON Lines or CSV and reports the reason for every invalid line.
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { parse } from 'csv-parse';
import type { Family } from '../../../shared/families/index.ts';
import { parseExactly } from '../../lib/exact-json.ts';
import { buildCompanyRecords, type CompanyRow, type Heading } from '../../sandbox/import/company-records.ts';
import { parseRecord } from '../../sandbox/record-routes.ts';
import { UserError } from '../user-error.ts';
import { readTableHead, type TableHead } from './table-head.ts';

/** A record, or the reason why a line has none. Line numbers start at 1. */
export type ImportLine =
  | { line: number; family: Family; id: string; record: Record<string, unknown> }
  | { line: number; refused: string };

export interface ReadOptions {
  file: string;
  /** Family of JSON Lines; for CSV, the only family to create. */
  family?: Family | undefined;
  /** Maps a table's headings to known headings. */
  map: ReadonlyMap<string, Heading>;
  /** Receives the head of a CSV file. */
  onHead: (head: TableHead) => void;
}

/** Maximum length of a record: bytes in CSV, characters in JSON Lines. */
const MAX_RECORD = 2_000_000;

async function* readJsonLines(file: string, family: Family): AsyncGenerator<ImportLine> {
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
      candidate = parseExactly(text, BigInt);
    } catch {
      yield { line, refused: 'it is not JSON' };
      continue;
    }
    const result = parseRecord(candidate);
    yield result.ok
      ? { line, family, id: result.id, record: result.record }
      : { line, refused: result.reason };
  }
}

/** Families that a CSV row creates records of. */
const companyFamilies = ['company_clean', 'company_base'] as const;

const reasons: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'it has another number of columns than the headings',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'it has another number of columns than the headings',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is never closed; everything after it was not read',
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_RECORD} bytes; everything after it was not read`,
};

async function* readCsv(options: ReadOptions): AsyncGenerator<ImportLine> {
  const { file, family, map, onHead } = options;
  const head = await readTableHead(file, map);
  onHead(head);
  // The parser reads ahead of this loop, so line numbers are counted in its callbacks.
  const lines: ImportLine[] = [];
  let lastLine = head.line;
  const addRefusal = (error: { code: string; lines?: unknown }): void => {
    const lastLineOfRecord = typeof error.lines === 'number' ? error.lines : lastLine;
    // For an unclosed quote the parser reports the end of the file. The start of the record is more useful.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? lastLine + 1 : lastLineOfRecord;
    lines.push({ line, refused: reasons[error.code] ?? error.code });
    lastLine = lastLineOfRecord;
  };
  const parser = parse({
    bom: true,
    columns: head.columns,
    delimiter: head.separator,
    from_line: head.line + 1,
    max_record_size: MAX_RECORD,
    skip_empty_lines: true,
    // Keeps lines with a misplaced quote as text.
    relax_quotes: true,
    skip_records_with_error: true,
    on_record: (row: CompanyRow, info) => {
      lines.push(...toImportLines(row, lastLine + 1, family));
      lastLine = info.lines;
      // The value is unused: any record wakes the loop below.
      return row;
    },
    on_skip: (error) => {
      if (error !== undefined) addRefusal(error);
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
    addRefusal({ ...error, code: error.code });
  }
  yield* lines.splice(0);
}

function toImportLines(row: CompanyRow, line: number, family: Family | undefined): ImportLine[] {
  const records = buildCompanyRecords(row);
  if (!records.ok) return [{ line, refused: records.reason }];
  return companyFamilies
    .filter((variant) => family === undefined || family === variant)
    .map((variant) => ({ line, family: variant, id: records.value.id, record: records.value[variant] }));
}

/**
 * Reads the records of a file.
 * @throws UserError if its type is unknown, it is not UTF-8 or its headings are unusable
 */
export async function* readRecords(options: ReadOptions): AsyncGenerator<ImportLine> {
  const { file, family } = options;
  const kind = extname(file).toLowerCase();
  if (kind !== '.csv' && kind !== '.jsonl')
    throw new UserError(`${file}: the file name must end in .csv or .jsonl.`);
  if (kind === '.jsonl' && family === undefined)
    throw new UserError('Name the family of the records: --family company_clean');
  if (kind === '.csv' && family !== undefined && !companyFamilies.some((variant) => variant === family))
    throw new UserError(
      `A .csv file makes ${companyFamilies.join(' and ')}. Import records of ${family} from a .jsonl file.`,
    );
  await assertUtf8(file);
  if (kind === '.jsonl' && family !== undefined) yield* readJsonLines(file, family);
  else yield* readCsv(options);
}

/**
 * Reads a file line by line. Does not split at U+2028, which JSON texts may contain.
 * @param maxLength - maximum characters of a line
 * @returns each line without its line end; undefined for a line that is too long
 */
async function* readLines(file: string, maxLength: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  let remainder = '';
  let isTooLong = false;
  const finish = (text: string): string | undefined => {
    const line = isTooLong || text.length > maxLength ? undefined : text.replace(/\r$/, '');
    isTooLong = false;
    return line;
  };
  for await (const chunk of chunks) {
    const lines = (remainder + decoder.decode(chunk, { stream: true })).split('\n');
    remainder = lines.pop() ?? '';
    for (const line of lines) yield finish(line);
    if (remainder.length > maxLength) {
      isTooLong = true;
      remainder = '';
    }
  }
  remainder += decoder.decode();
  if (remainder !== '' || isTooLong) yield finish(remainder);
}

/** Checks that a file is UTF-8. @throws UserError that names the first invalid line */
async function assertUtf8(file: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  let line = 1;
  try {
    for await (const chunk of chunks) {
      for (let from = 0, to = 0; from < chunk.length; from = to) {
        const end = chunk.indexOf('\n', from);
        to = end < 0 ? chunk.length : end + 1;
        decoder.decode(chunk.subarray(from, to), { stream: true });
        if (end >= 0) line += 1;
      }
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UserError(`${file} is not UTF-8 (line ${line}): save it as UTF-8, then try again.`);
  }
}
