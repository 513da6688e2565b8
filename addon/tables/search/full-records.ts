// Columns of a search that previews lack: the full record of each row is looked up by its id.
import type { PreviewResponse } from '../../../shared/api/search.ts';
import type { Connection } from '../../../shared/connection.ts';
import { type Family, getSubject } from '../../../shared/families/index.ts';
import { hasPreviewField } from '../../../shared/families/previews.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { getCellError, problems } from '../../../shared/problems.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import { toIdText } from '../../../shared/sheets/upsert.ts';
import { estimateAll, lookupAll } from '../../client/gateway.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { SearchOrder } from '../../server/api/index.ts';
import { findTable, type TableColumn, type TableRecord } from '../registry.ts';
import {
  buildLimits,
  buildMaxAge,
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
}): string[] =>
  listRecordPaths(
    family,
    columns.flatMap(({ role, path }) => (role === 'value' ? [path] : [])),
  );

/**
 * Returns the highest price of the full records of a search. The columns of an existing table decide. Free.
 * @throws AddonError if the gateway knows no such column
 */
export function priceRecords(
  { family, columns, where, accounts }: SearchOrder,
  rows: number,
  connection: Connection,
): number {
  if (accounts !== undefined) return 0;
  const table = where.kind === 'table' ? findTable(where.tableId) : undefined;
  const fields = table === undefined ? listRecordPaths(family, columns) : listRecordColumns(table);
  if (fields.length === 0) return 0;
  const [answer] = estimateAll(connection, [{ family, by: 'id', keys: [], fields }]);
  if (answer?.ok === false) throw new AddonError(answer.code, answer.message);
  return rows * getRecordPrice(family);
}

/** A refresh of outdated pages buys only records that are outdated as well. */
function buildRecordAge(run: RunRecord, { maxAgeS }: SearchState): { max_age_s?: number } {
  return buildMaxAge(
    run,
    maxAgeS === undefined || maxAgeS === 0 ? maxAgeS : getSubject(run.family).freshForS,
  );
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
  const [answer] = lookupAll(connection, [
    {
      family: table.family,
      by: 'id',
      keys: page.rows.map((row) => toIdText(row[at])),
      fields,
      ...buildRecordAge(run, state),
      ...buildLimits(run),
      wait_ms: STEP_WAIT_MS,
    },
  ]);
  if (answer === undefined) return page;
  if (!answer.ok) throw new AddonError(answer.code, answer.message);
  const { rows: records, credits } = answer.body;
  run.credits += credits.spent;
  run.saved += credits.saved;
  if (records.some(({ status }) => status === 'pending')) {
    state.waits = (state.waits ?? 0) + 1;
    if (state.waits % MAX_WAITS > 0) return undefined;
    throw new AddonError('pending', `${problems.pending.title} ${problems.pending.fix}`);
  }
  delete state.waits;
  const refused = records.find(({ status }) => status === 'failed' || status === 'over_budget')?.problem;
  if (refused !== undefined && records.every(({ record }) => record === undefined))
    throw new AddonError(refused, `${problems[refused].title} ${problems[refused].fix}`);
  const steps = fields.map((path) => parseFieldPath(path) ?? []);
  return {
    columns: [...page.columns, ...fields.map((name) => ({ name, type: 'text' as const }))],
    rows: page.rows.map((row, line) => {
      const { record, problem = 'not_found' } = records[line] ?? {};
      if (record !== undefined) return [...row, ...steps.map((path) => getValueAt(record, path) ?? null)];
      const word = getCellError(problem) ?? '';
      run.failed[word] = (run.failed[word] ?? 0) + 1;
      return [...row, ...steps.map((_, column) => (column === 0 ? word : null))];
    }),
    credits: { ...page.credits, spent: page.credits.spent + credits.spent },
  };
}
