// What every formula that shows records does: one call for a range, a row for each key, failures in their own row.
import { type Family, families, type KeySpelling } from '../../shared/families.ts';
import { parseFieldPath, valueAt } from '../../shared/field-paths.ts';
import { resolveKey } from '../../shared/keys/index.ts';
import { cellWord, type ProblemCode } from '../../shared/problems.ts';
import { type LookupRow, maxLookupKeys } from '../../shared/sheets-api.ts';
import { type Cell, cellMaker } from '../cells.ts';
import { readConnection } from '../connection.ts';
import { lookupAll } from '../gateway.ts';
import { isBlank, readFields, readOptions, toRows } from './arguments.ts';

/** A formula may take 30 s; what is not there by now is left to the gateway. */
const WAIT_MS = 24_000;

const NOTHING_ASKED = 'There is nothing to look up: name a cell, or a column of cells such as A2:A100.';

type Key = { kind: 'blank' } | { kind: 'invalid' } | { kind: 'key'; text: string };

/** A row of the range is a key if it is one cell wide. */
function readKey(row: readonly unknown[], family: Family, by: KeySpelling): Key {
  if (row.every(isBlank)) return { kind: 'blank' };
  const [cell] = row;
  if (row.length !== 1 || (typeof cell !== 'string' && typeof cell !== 'number')) return { kind: 'invalid' };
  const key = resolveKey(family, by, String(cell));
  return key.ok ? { kind: 'key', text: key.value } : { kind: 'invalid' };
}

/** Looks distinct keys up, at most 1,000 a call. Throws where every call failed. */
function fetchRows(
  family: Family,
  by: KeySpelling,
  keys: readonly string[],
  fields: readonly string[],
  maxAgeS: number | undefined,
): Map<string, LookupRow | ProblemCode> {
  const chunks: string[][] = [];
  for (let at = 0; at < keys.length; at += maxLookupKeys) chunks.push(keys.slice(at, at + maxLookupKeys));
  const rows = new Map<string, LookupRow | ProblemCode>();
  if (chunks.length === 0) return rows;
  const connection = readConnection();
  const asked = {
    family,
    by,
    fields: [...new Set(fields)],
    wait_ms: WAIT_MS,
    ...(maxAgeS === undefined ? {} : { max_age_s: maxAgeS }),
  };
  const answers = lookupAll(
    connection,
    chunks.map((chunk) => ({ ...asked, keys: chunk })),
  );
  const [first] = answers;
  if (first !== undefined && !first.ok && answers.every(({ ok }) => !ok)) throw new Error(first.sentence);
  answers.forEach((answer, at) => {
    if (answer.ok) {
      for (const row of answer.body.rows) rows.set(row.key, row);
    } else {
      for (const key of chunks[at] ?? []) rows.set(key, answer.code);
    }
  });
  return rows;
}

function toCells(
  row: LookupRow | ProblemCode | undefined,
  fields: readonly string[],
  toCell: (value: unknown) => Cell,
): Cell[] {
  if (typeof row === 'object' && row.record !== undefined) {
    const { record } = row;
    return fields.map((path) => toCell(valueAt(record, parseFieldPath(path) ?? [])));
  }
  const code = typeof row === 'object' ? row.problem : row;
  return failedRow(cellWord(code ?? 'provider_unavailable'), fields);
}

const failedRow = (word: string, fields: readonly string[]): Cell[] =>
  fields.map((_, at) => (at === 0 ? word : ''));

/**
 * Answers a formula that shows records.
 * @param keys - the formula's first argument: a cell or a range of one column
 * @param fieldsArgument - the fields to show, or nothing for the family's short default
 * @param optionsArgument - `header`, `max_age=7d`
 * @returns a row for each key; a single value where one key and one field were asked
 * @throws Error with one sentence that says what to do, where the whole call failed
 */
export function showRecords(
  family: Family,
  by: KeySpelling,
  keys: unknown,
  fieldsArgument: unknown,
  optionsArgument: unknown,
): Cell[][] | Cell {
  if (keys === undefined || keys === null) throw new Error(NOTHING_ASKED);
  const fields = readFields(fieldsArgument) ?? families[family].defaultFields;
  const options = readOptions(optionsArgument);
  const wanted = toRows(keys).map((row) => readKey(row, family, by));
  const distinct = [...new Set(wanted.flatMap((key) => (key.kind === 'key' ? [key.text] : [])))];
  const found = fetchRows(family, by, distinct, fields, options.maxAgeS);
  const toCell = cellMaker();
  const rows = wanted.map((key) => {
    if (key.kind === 'blank') return fields.map(() => '');
    if (key.kind === 'invalid') return failedRow(cellWord('invalid_key'), fields);
    return toCells(found.get(key.text), fields, toCell);
  });
  const [single] = rows[0] ?? [];
  if (!Array.isArray(keys) && fields.length === 1 && !options.header && single !== undefined) return single;
  return options.header ? [[...fields], ...rows] : rows;
}
