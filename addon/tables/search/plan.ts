// Plans and starts a search: into a new sheet, at the selected cell, or into an existing table.

import { accountColumn } from '../../../shared/accounts.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { Connection } from '../../../shared/connection.ts';
import { hasPreviewField, previewPageSize } from '../../../shared/families/previews.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { getPreviewPrice } from '../../../shared/operations.ts';
import { problems } from '../../../shared/problems.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError, createError } from '../../lib/addon-error.ts';
import type { SearchOrder, SearchPlan, Start } from '../../server/api/index.ts';
import { formatCount, t, translate } from '../../texts/texts.ts';
import { markAccounts, toStoredAccounts } from '../accounts/companies.ts';
import { type AccountsCount, countAccounts } from '../accounts/plan.ts';
import { createAccountsState } from '../accounts/step.ts';
import { findTable, type NewColumn, saveTable, type TableRecord } from '../registry.ts';
import { listOriginColumns, toValueColumns } from '../rows/layout.ts';
import { createPriceChangedError, digestPlan, requireConfirmation } from '../rows/overwrite.ts';
import { findIdColumn } from '../rows/write-rows.ts';
import { createRun, PAGE_WAIT_MS, type StartedRun, saveRun } from '../runs/run-store.ts';
import { startUndoLog } from '../runs/undo-log.ts';
import {
  checkPlacement,
  createTable,
  createTableRecord,
  type Placement,
  type TargetTable,
} from '../target.ts';
import { narrowQuery, warnAboutKnown } from './exclude-existing.ts';
import { describeTarget, findExistingTable } from './existing-table.ts';
import { priceRecords } from './full-records.ts';
import { SPENDING_OFF } from './step.ts';

/** An order. `maxAgeS`: maximum age of pages in seconds; absent: no limit. */
type PricedOrder = SearchOrder & { maxAgeS?: number };

function toColumns({ family, columns, mode, provenance = 'none', accounts }: SearchOrder): NewColumn[] {
  const paths = [...new Set(columns)];
  const wrong = accounts && paths.find((path) => !hasPreviewField(family, path));
  if (wrong !== undefined)
    throw createError('bad_call', '“{wrong}” is not a column of this preview.', { wrong });
  if (paths.length === 0) throw createError('bad_call', 'Choose at least one column.');
  if (mode === 'update' && !paths.includes('id')) {
    throw createError('bad_call', 'Rows are updated by id: add the column id, or choose replace or append.');
  }
  const first = accounts === undefined ? [] : [accountColumn];
  return [...toValueColumns([...first, ...paths]), ...listOriginColumns(provenance)];
}

function toPlacement(order: SearchOrder, rows: number): Placement {
  const { where, mode, title } = order;
  return {
    where,
    mode,
    title,
    rows,
    columns: toColumns(order),
    check: (table) => requireSearchTable(table, order),
  };
}

function requireSearchTable(table: TableRecord, { family, mode, accounts }: SearchOrder): void {
  const isSameKind = (table.accounts === undefined) === (accounts === undefined);
  if (table.kind !== 'search' || table.family !== family || !isSameKind) {
    throw createError('bad_call', 'This table shows other records. Write to a new sheet.');
  }
  if (table.frozen) throw createError('bad_call', 'This table is frozen. Write to a new sheet.');
  if (mode === 'update' && findIdColumn(table) < 0) {
    throw createError(
      'bad_call',
      'Rows are updated by id, and this table has no id column. Replace or append.',
    );
  }
}

function countPages(
  { family, query, pages: most, maxAgeS }: PricedOrder,
  connection: Connection,
): AccountsCount & { pages: number } {
  const answer = call(connection, 'estimatePreview', {
    body: {
      ...query,
      family,
      pages: most,
      explain_empty: true,
      wait_ms: PAGE_WAIT_MS,
      ...defined({ max_age_s: maxAgeS }),
    },
  });
  const { total, pages, credits, without = [] } = unwrap(answer);
  const rows = Math.min(total, pages * previewPageSize);
  return { total, without, pages, rows, credits, warnings: [], digest: '' };
}

/** Plans a search, and returns the query that its run sends. @throws AddonError */
function prepareSearch(
  order: PricedOrder,
  connection: Connection,
): { plan: SearchPlan; query: Query; target?: TargetTable } {
  const placement = toPlacement(order, 0);
  const { family, where, mode, accounts } = order;
  const { query, left } = narrowQuery(order);
  const { digest, ...count } =
    accounts === undefined
      ? countPages({ ...order, query }, connection)
      : { ...countAccounts(order, accounts, connection), pages: 1 };
  const { warnings, willOverwrite, target } = checkPlacement({ ...placement, rows: count.rows });
  const recordCredits = priceRecords({ order, query, ...count }, connection);
  const credits = count.credits + recordCredits;
  const plan: SearchPlan = {
    ...count,
    credits,
    ...(recordCredits === 0 ? {} : { recordCredits }),
    approval: {
      credits,
      digest: digestPlan([family, JSON.stringify([query, where, accounts]), mode, count.pages, digest]),
    },
    ...defined({ willOverwrite }),
    warnings: [...count.warnings, ...warnAboutKnown(left), ...warnings],
  };
  return { plan, query, ...defined({ target }) };
}

/**
 * Plans a search. Free.
 * @throws AddonError
 */
export function planSearch(order: PricedOrder, connection: Connection): SearchPlan {
  const { plan: count, query, target } = prepareSearch(order, connection);
  // A refresh has its table.
  if (order.maxAgeS !== undefined) return count;
  const plan = { ...count, ...defined({ target: target && describeTarget(target) }) };
  const existing = findExistingTable(order);
  if (existing === undefined) return plan;
  const { recordCredits = 0, credits } = plan;
  const pages = credits - recordCredits;
  // The columns of the table decide which full records an update needs.
  const update = { ...order, where: { kind: 'table', tableId: existing.tableId } } as const;
  const records =
    order.where.kind === 'table'
      ? recordCredits
      : priceRecords({ order: update, query, ...plan }, connection);
  return {
    ...plan,
    existing: { ...existing, credits: pages + records, ...(records > 0 && { isMaximum: true }) },
  };
}

/**
 * Requires credits for the first page that has to be bought: without any, the run would leave an empty sheet.
 * @throws AddonError `over_budget`
 */
function requireCredits({ credits }: SearchPlan, { family }: SearchOrder, connection: Connection): void {
  if (credits === 0) return;
  const account = call(connection, 'getAccount');
  const remaining = account.ok ? account.body.remaining : null;
  if (remaining === null || remaining >= Math.min(credits, getPreviewPrice(family))) return;
  throw createError(
    'over_budget',
    'These rows cost {price}, and your team has {left} left. Nothing was written. Ask your admin to raise the budget.',
    { price: formatCount(credits, 'credit'), left: formatCount(remaining, 'credit') },
  );
}

/** Returns the companies and the conditions of an order as its table has them. */
const toStoredInput = ({ accounts, conditions }: SearchOrder) =>
  defined({ accounts: accounts && toStoredAccounts(accounts), conditions });

/** Applies an order to an existing table. Only `replace` changes its title and query. */
function applyOrder(table: TableRecord, order: SearchOrder): TableRecord {
  const { title, query, pages, mode } = order;
  if (mode === 'replace') {
    const { conditions: _, ...others } = table;
    return { ...others, title, query, pages, mode, ...toStoredInput(order) };
  }
  const isSame = JSON.stringify(query) === JSON.stringify(table.query);
  return {
    ...table,
    pages: isSame ? Math.max(pages, table.pages ?? 1) : (table.pages ?? 1),
    // A refresh must keep the rows of other orders.
    mode: findIdColumn(table) < 0 ? mode : 'update',
  };
}

/**
 * Starts a search; so far it writes only the headings of a new table.
 * @throws AddonError `price_changed` if pages or price differ from the approved plan, `confirm_first` if manual changes
 * would be replaced
 */
export function startSearch(wanted: PricedOrder, start: Start, connection: Connection): StartedRun {
  const { plan, query: narrowed, target } = prepareSearch(wanted, connection);
  if (!isSpendingOn()) {
    throw createError('spending_off', SPENDING_OFF);
  }
  if (plan.total === 0)
    throw new AddonError(
      'not_found',
      `${t('Nothing matches, and nothing was changed.')} ${translate(problems.not_found.fix)}`,
    );
  if (start.approval.digest !== plan.approval.digest || start.approval.credits < plan.credits)
    throw createPriceChangedError(plan);
  requireCredits(plan, wanted, connection);
  requireConfirmation(plan.willOverwrite, start);
  const keepsChanges = start.keepChanges === true && plan.willOverwrite !== undefined;
  // Rows with changes stay where they are, so the others are updated by id.
  const order: PricedOrder =
    keepsChanges && wanted.mode === 'replace' ? { ...wanted, mode: 'update' } : wanted;
  const placement = toPlacement(order, plan.rows);
  const { family, query, pages, provenance = 'none' } = order;
  const isNew = target === undefined;
  const made = { kind: 'search', family, query, pages, provenance, ...toStoredInput(order) } as const;
  const table = isNew ? createTableRecord(placement, made) : applyOrder(target.table, order);
  const mode = isNew ? 'replace' : order.mode;
  const run = createRun(table, isNew ? 'search' : 'refresh', plan.rows, start.approval.credits, {
    kind: 'search',
    mode,
    query: narrowed,
    page: 1,
    pages: plan.pages,
    base: mode === 'append' ? (target?.rows ?? 0) : 0,
    written: 0,
    cleared: isNew || mode !== 'replace',
    ...(keepsChanges ? { keepsChanges } : {}),
    ...defined({ maxAgeS: order.maxAgeS, accounts: order.accounts && createAccountsState(order.accounts) }),
  });
  if (order.accounts !== undefined) run.perCompany = plan.rows < plan.total ? order.accounts.perCompany : 0;
  startUndoLog(run.id, table.id, findTable(table.id));
  if (isNew) table.place = createTable(placement, table, run.id);
  if (order.accounts !== undefined) markAccounts(table.id, order.accounts);
  SpreadsheetApp.flush();
  saveTable(table);
  saveRun(run);
  return { run, table };
}
