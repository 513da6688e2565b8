// Columns of a search that previews lack: the full record of each row is looked up by its id.

import type { Query } from '../../../shared/api/query.ts';
import type { PreviewResponse } from '../../../shared/api/search.ts';
import type { Connection } from '../../../shared/connection.ts';
import { type Family, getSubject } from '../../../shared/families/index.ts';
import { hasPreviewField, recordNames } from '../../../shared/families/previews.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { getCellError } from '../../../shared/problems.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import { toIdText } from '../../../shared/table/cells.ts';
import { call, setSource } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { Payload, SearchOrder } from '../../server/api/index.ts';
import { translateProblem } from '../../texts/problems.ts';
import { findTable, listValuePaths, type TableColumn, type TableRecord } from '../registry.ts';
import {
  buildLimits,
  buildMaxAge,
  PAGE_WAIT_MS,
  type RunRecord,
  type SearchState,
  STEP_WAIT_MS,
} from '../runs/run-store.ts';

/** After so many steps without every record, the run pauses. */
const MAX_WAITS = 20;

/** Rows to write, and what they cost. */
export type FetchedRows = Pick<PreviewResponse, 'columns' | 'rows' | 'credits'>;

const listRecordPaths = (family: Family, paths: readonly string[]): string[] =>
  paths.filter((path) => !hasPreviewField(family, path));

/** Lists the columns of a table that its previews lack. */
export const listRecordColumns = ({
  family,
  columns,
}: {
  family: Family;
  columns: TableColumn[];
}): string[] => listRecordPaths(family, listValuePaths({ columns }));

/** The maximum age of records, in seconds. A refresh of outdated pages buys only records that are outdated as well. */
const toRecordAge = (family: Family, maxAgeS: number | undefined): number | undefined =>
  maxAgeS === undefined || maxAgeS === 0 ? maxAgeS : getSubject(family).freshForS;

interface PricedSearch {
  order: SearchOrder & { maxAgeS?: number };
  /** The query that the run sends. */
  query: Query;
  total: number;
  rows: number;
}

/**
 * Lists the ids of all matches, which include those of the rows. Pages are ranked differently, so the first ids may be
 * other ones. Free.
 * @returns undefined if more records match than one estimate accepts
 */
function listMatches({ order, query, total }: PricedSearch, connection: Connection): string[] | undefined {
  if (total === 0 || total > maxLookupKeys) return undefined;
  const answer = call(connection, 'search', {
    body: {
      ...query,
      family: order.family,
      items_per_page: maxLookupKeys,
      wait_ms: PAGE_WAIT_MS,
    },
  });
  return answer.ok && answer.body.ids.length >= total ? answer.body.ids : undefined;
}

/**
 * Returns the highest price of the full records of a search, without those that the team already bought if one call
 * lists all matches. The columns of an existing table decide. Free.
 * @throws AddonError if the gateway knows no such column
 */
export function priceRecords(priced: PricedSearch, connection: Connection): number {
  const { order, rows } = priced;
  const { family, columns, where, accounts } = order;
  if (accounts !== undefined) return 0;
  const table = where.kind === 'table' ? findTable(where.tableId) : undefined;
  const fields = table === undefined ? listRecordPaths(family, columns) : listRecordColumns(table);
  if (fields.length === 0) return 0;
  const maxAgeS = toRecordAge(family, order.maxAgeS);
  const ids = maxAgeS === 0 ? undefined : listMatches(priced, connection);
  const body = { family, by: 'id', keys: ids ?? [], fields, ...defined({ max_age_s: maxAgeS }) } as const;
  const { credits } = unwrap(call(connection, 'estimate', { body }));
  const highest = rows * getRecordPrice(family);
  return ids === undefined ? highest : Math.min(highest, credits);
}

/**
 * Adds the columns of full records to the rows of a page. Modifies the run.
 * @returns undefined while records are pending: the next step fetches the page and the bought records from the cache
 * @throws AddonError if the gateway refuses, or no record could be bought
 */
export function addFullRecords(
  run: RunRecord,
  table: TableRecord,
  state: SearchState,
  page: FetchedRows,
  connection: Connection,
): FetchedRows | undefined {
  const fields = listRecordColumns(table);
  if (fields.length === 0 || page.rows.length === 0) return page;
  const at = page.columns.findIndex(({ name }) => name === 'id');
  const answer = call(connection, 'lookup', {
    body: {
      family: table.family,
      by: 'id',
      keys: page.rows.map((row) => toIdText(row[at])),
      fields,
      ...buildMaxAge(run, toRecordAge(table.family, state.maxAgeS)),
      ...buildLimits(run),
      wait_ms: STEP_WAIT_MS,
    },
  });
  const { rows: records, credits } = unwrap(answer);
  run.credits += credits.spent;
  run.saved += credits.saved;
  if (records.some(({ status }) => status === 'pending')) {
    state.waits = (state.waits ?? 0) + 1;
    if (state.waits % MAX_WAITS > 0) return undefined;
    throw new AddonError('pending', translateProblem({ code: 'pending' }));
  }
  delete state.waits;
  const refused = records.find(({ status }) => status === 'failed' || status === 'over_budget')?.problem;
  if (refused !== undefined && records.every(({ record }) => record === undefined))
    throw new AddonError(refused, translateProblem({ code: refused }));
  const steps = fields.map((path) => parseFieldPath(path) ?? []);
  return {
    columns: [...page.columns, ...fields.map((name) => ({ name, type: 'text' as const }))],
    rows: page.rows.map((row, line) => {
      const { record, problem = 'not_found' } = records[line] ?? {};
      if (record !== undefined) return [...row, ...steps.map((path) => getValueAt(record, path) ?? null)];
      const word = getCellError(problem);
      run.failed[word] = (run.failed[word] ?? 0) + 1;
      return [...row, ...steps.map((_, column) => (column === 0 ? word : null))];
    }),
    credits: { ...page.credits, spent: page.credits.spent + credits.spent },
  };
}

/** Matches among which bought records are looked for, and the number of rows. */
const SEARCHED = 100;
const ROWS = 3;

/**
 * Lists the values of up to three of the first matches.
 * @throws AddonError if the gateway refuses
 */
export function listSampleRows(
  { family, query, columns }: Payload<'sampleRows'>,
  connection: Connection,
): string[][] {
  setSource('sample');
  const { ids } = unwrap(
    call(connection, 'search', { body: { ...query, family, items_per_page: SEARCHED } }),
  );
  if (ids.length === 0) return [];
  const fields = columns.map((path) => recordNames[path] ?? path);
  // Previews have fields that records lack.
  const body = { family, by: 'id', keys: ids, fields, any_fields: true, max_credits: 0 } as const;
  const paths = fields.map((path) => parseFieldPath(path) ?? []);
  return unwrap(call(connection, 'lookup', { body }))
    .rows.flatMap(({ record }) => (record === undefined ? [] : [record]))
    .slice(0, ROWS)
    .map((record) => paths.map((path) => [getValueAt(record, path) ?? ''].flat().join('; ')));
}
