// Formulas that look up records: one gateway call per range, one row per key, errors in their own rows.
import type { LookupRequest, LookupResponse, LookupRow } from '../../shared/api/lookup.ts';
import type { Connection } from '../../shared/connection.ts';
import { families } from '../../shared/families/index.ts';
import { defined } from '../../shared/lib/defined.ts';
import { formatCount } from '../../shared/lib/format-count.ts';
import { getRecordPrice } from '../../shared/operations.ts';
import { getCellError, type ProblemCode } from '../../shared/problems.ts';
import { getValueAt, parseFieldPath } from '../../shared/query/field-paths.ts';
import { openCache, type SpreadsheetCache } from '../client/cache.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { call, callAll } from '../client/gateway.ts';
import type { GatewayResult } from '../client/http.ts';
import { type Cell, createCellConverter } from '../lib/dates.ts';
import { chunkKeys, listDistinctKeys, parseKeys } from './arguments/keys.ts';
import { parseFields, parseOptions, RECORD_OPTIONS } from './arguments/options.ts';
import { fetchWithinLimit, getRemainingMs, isLate, toLimitProblem } from './fetching.ts';
import { type RecordFormulaName, recordFormulas, resolveVariant } from './record-formulas.ts';

/** A row of the response, or the problem of its call. */
type RowResult = LookupRow | ProblemCode;

/** Sends the chunks one after the other, each with the credits that the previous ones left. */
function lookUpWithinBudget(
  maxCredits: number,
  connection: Connection,
  request: Omit<LookupRequest, 'keys'>,
  chunks: readonly string[][],
): GatewayResult<LookupResponse>[] {
  const price = getRecordPrice(request.family);
  let left = maxCredits;
  return chunks.map((keys) => {
    const body = { ...request, keys, max_credits: left, wait_ms: getRemainingMs() };
    const answer = call(connection, 'lookup', { body });
    const pending = answer.ok ? answer.body.rows.filter(({ status }) => status === 'pending').length : 0;
    // The cost of a failed call is unknown, so nothing is left.
    left = answer.ok ? Math.max(0, left - answer.body.credits.spent - pending * price) : 0;
    return answer;
  });
}

function cacheRows(
  cache: SpreadsheetCache,
  set: readonly unknown[],
  bodies: readonly LookupResponse[],
): void {
  const stamps = new Set(bodies.map(({ stamp }) => stamp));
  if (bodies.length > 0) cache.setStamp(stamps.size === 1 ? bodies[0]?.stamp : undefined);
  cache.putRows(
    set,
    bodies.flatMap((body) => body.rows),
  );
}

const needsConfirmation = (row: RowResult): boolean =>
  typeof row === 'object' && row.problem === 'confirm_price';

/** Gives rows above the limit the problem that a person can confirm. */
function applyLimit(answer: GatewayResult<LookupResponse>, isAsking: boolean): GatewayResult<LookupResponse> {
  if (!answer.ok) return answer;
  const rows = answer.body.rows.map((row) => ({
    ...row,
    ...defined({ problem: toLimitProblem(row.problem, isAsking) }),
  }));
  return { ...answer, body: { ...answer.body, rows } };
}

/** Returns the cache's name for the rows of a lookup. */
export function buildRowSet(
  { family, by, any_fields: anyFields = false }: Omit<LookupRequest, 'keys'>,
  fields: readonly string[],
): unknown[] {
  // Cache by whole paths: the gateway must still see, and reject, unknown ones.
  const paths = [...new Set(fields.map((path) => path.replace(/\[\d+\]/g, '')))].sort();
  return ['rows', family, by, anyFields, paths];
}

/** Looks up distinct keys in the cache, then at the gateway. Throws if no row could be read. */
function fetchRows(
  request: Omit<LookupRequest, 'keys'>,
  keys: readonly string[],
  fields: readonly string[],
  maxCredits: number | undefined,
): Map<string, RowResult> {
  if (keys.length === 0) return new Map();
  const connection = requireFormulaConnection();
  const cache = openCache(connection);
  const set = buildRowSet(request, fields);
  const rows = new Map<string, RowResult>(cache.getRows(set, keys, request.max_age_s));
  const missing = keys.filter((key) => !rows.has(key));
  if (missing.length > 0) {
    const chunks = chunkKeys(missing);
    const send = (limit: number | undefined): GatewayResult<LookupResponse>[] =>
      limit === undefined || limit === 0
        ? callAll(
            connection,
            'lookup',
            chunks.map((keys) => ({
              ...request,
              wait_ms: getRemainingMs(),
              ...defined({ max_credits: limit }),
              keys,
            })),
          )
        : lookUpWithinBudget(limit, connection, request, chunks);
    const answers = fetchWithinLimit(
      connection,
      maxCredits,
      chunks.length,
      (limit, isAsking) => send(limit).map((answer) => applyLimit(answer, isAsking)),
      (sent) => sent.some((answer) => answer.ok && answer.body.rows.some(needsConfirmation)),
    );
    const [first] = answers;
    if (first !== undefined && !first.ok) {
      const hasNoRows = rows.size === 0 && answers.every(({ ok }) => !ok);
      if (hasNoRows || first.code === 'unknown_field') throw new Error(first.message);
    }
    const bodies = answers.flatMap((answer) => (answer.ok ? [answer.body] : []));
    if (!isLate()) cacheRows(cache, set, bodies);
    answers.forEach((answer, at) => {
      if (answer.ok) for (const row of answer.body.rows) rows.set(row.key, row);
      else for (const key of chunks[at] ?? []) rows.set(key, answer.code);
    });
  }
  return rows;
}

function toCells(
  row: RowResult | undefined,
  fields: readonly string[],
  toCell: (value: unknown) => Cell,
): Cell[] {
  if (typeof row === 'object' && row.record !== undefined) {
    const { record } = row;
    return fields.map((path) => toCell(getValueAt(record, parseFieldPath(path) ?? [])));
  }
  const code = typeof row === 'object' ? row.problem : row;
  // The gateway answers every key: a row without record and problem, or none, is its fault.
  return toErrorRow(getCellError(code ?? 'internal'), fields);
}

const toErrorRow = (word: string, fields: readonly string[]): Cell[] =>
  fields.map((_, at) => (at === 0 ? word : ''));

const formatPrice = (credits: number): string =>
  `Costs up to ${formatCount(credits, 'credit')}: confirm it in the sidebar, under Tables → Formulas.`;

/**
 * Creates a formula that looks up records. Its arguments:
 * - `keys`: a cell, or a range with one column
 * - `fieldsArgument`: the fields to show; defaults to a short list for the family
 * - `optionsArgument`: `header`, `max_age=7d`, `variant=base`, `max_credits=100`, `any_fields`, `refresh=1`
 *
 * It returns one row per key; a single value for one key and one field. It throws an Error if the whole call failed, or a
 * field is unknown; the message says what to do.
 */
const createRecordFormula =
  (name: RecordFormulaName) =>
  (keys: unknown, fieldsArgument?: unknown, optionsArgument?: unknown): Cell[][] | Cell => {
    const options = parseOptions(optionsArgument, RECORD_OPTIONS);
    const { by } = recordFormulas[name];
    const family = resolveVariant(recordFormulas[name], options.variant);
    const rowKeys = parseKeys(keys, family, by);
    const fields = parseFields(fieldsArgument) ?? families[family].defaultFields;
    const request = {
      family,
      by,
      fields: [...new Set(fields)],
      ...(options.maxAgeS === undefined ? {} : { max_age_s: options.maxAgeS }),
      ...(options.anyFields ? { any_fields: true } : {}),
    };
    const results = fetchRows(request, listDistinctKeys(rowKeys), fields, options.maxCredits);
    const toCell = createCellConverter();
    const asked = [...results.values()].filter(needsConfirmation).length;
    let hint = asked === 0 ? '' : formatPrice(asked * getRecordPrice(family));
    const rows = rowKeys.map((key) => {
      if (key.kind === 'blank') return fields.map(() => '');
      if (key.kind === 'word') return toErrorRow(key.word, fields);
      const cells = toCells(results.get(key.text), fields, toCell);
      // Beside the first of these rows stands the price of all.
      if (hint !== '' && cells.length > 1 && cells[0] === getCellError('confirm_price'))
        [cells[1], hint] = [hint, ''];
      return cells;
    });
    const [single] = rows[0] ?? [];
    if (!Array.isArray(keys) && fields.length === 1 && !options.header && single !== undefined) return single;
    return options.header ? [[...fields], ...rows] : rows;
  };

export const CDAPI_ENRICH = createRecordFormula('CDAPI_ENRICH');
export const CDAPI_COMPANY = createRecordFormula('CDAPI_COMPANY');
export const CDAPI_EMPLOYEE = createRecordFormula('CDAPI_EMPLOYEE');
export const CDAPI_JOB = createRecordFormula('CDAPI_JOB');
export const CDAPI_POST = createRecordFormula('CDAPI_POST');
