// The example bulk order: its sheet, and its order when a person asks for it; the add-on writes the rows.

import type {
  DataRequestState,
  DataRequestView,
  NewDataRequest,
} from '../../../../shared/api/data-requests.ts';
import { formatCount } from '../../../../shared/lib/format-count.ts';
import { isObject } from '../../../../shared/lib/is-object.ts';
import { getRecordPrice } from '../../../../shared/operations.ts';
import { toAddress } from '../grid/cells.ts';
import type { Grid } from '../grid/grid.ts';
import { callGateway } from '../network.ts';
import type { Session } from '../session.ts';
import type { Sample } from './sample.ts';
import { buildSheet, setCells } from './sheet.ts';

export const BULK_SHEET = { id: 'bulk', name: 'Bulk order' } as const;

/** 0-based rows of the progress text and of the headings. */
const PROGRESS_ROW = 1;
export const HEADING_ROW = 2;

/** Ordered columns; the id comes first. */
const BULK_COLUMNS = [
  { path: 'name', width: 200 },
  { path: 'industry', width: 230 },
  { path: 'size_range', width: 150 },
  { path: 'location_hq_country', width: 160 },
  { path: 'founded', width: 80 },
  { path: 'websites_main', width: 280 },
] as const;
const ID_COLUMN = { width: 90 };

const ABOUT =
  'A bulk order delivers up to 10,000 full records. To place one, use Search and then Bulk in the sidebar. You see the price before you order.';

/** The sheet before the order. */
export const bulkSheet = buildSheet(BULK_SHEET, [ID_COLUMN, ...BULK_COLUMNS], HEADING_ROW, {
  0: { 0: { v: ABOUT, s: 'hint' } },
});

const formatCompanies = (number: number): string => formatCount(number, 'company', 'companies');

/** Texts for the states before the end. */
const STATES: Readonly<Partial<Record<DataRequestState, string>>> = {
  reserved: 'The gateway sends it in a moment',
  submitted: 'The provider has the order',
  running: 'The provider is collecting the records',
  ingesting: 'The gateway is reading the records',
};

const NO_RECORDS = 'The order delivered no records.';

/** Describes an order's progress in one line. */
function describeOrder({ state, requested, rows, credits, ended_at, problem }: DataRequestView): string {
  if (ended_at === null) {
    const maxCredits = formatCount(credits.reserved, 'credit');
    return `Order of ${formatCompanies(requested)} for up to ${maxCredits} of the sandbox. ${STATES[state] ?? state} …`;
  }
  if (rows > 0) {
    const charged = formatCount(credits.charged ?? 0, 'credit');
    return `${formatCompanies(rows)} for ${charged} of the sandbox. You placed the playground’s example order. Opening this sheet again is free.`;
  }
  return problem === undefined ? NO_RECORDS : `${NO_RECORDS} ${problem.detail} ${problem.fix}`;
}

const MAX_RECORDS = 30;
const EXAMPLE_ORDER: NewDataRequest = {
  family: 'company_clean',
  kind: 'es_dsl',
  es_dsl: { query: { match_all: {} } },
  limit: MAX_RECORDS,
  columns: BULK_COLUMNS.map(({ path }) => path),
};

const CELLS_NOT_EMPTY =
  'The cells below hold something, so the rows are not written. In the sidebar, use Bulk to write them elsewhere for free.';
const TITLE = 'Companies in bulk';

/** Shorter than the 30 days during which rows are free: the idempotency key changes with this period. */
const ORDER_KEY_PERIOD_MS = 28 * 86_400_000;
const POLL_INTERVAL_MS = 500;
/** Orders take seconds in the sandbox. */
const MAX_POLLS = 240;
const TAKES_LONG = 'The order takes longer than expected. In the sidebar, Bulk shows its progress.';

/** Calls the sidebar's script with JSON; returns JSON. */
export type CallScript = (request: string) => Promise<unknown>;

const readText = (value: unknown, name: string): string => {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : '';
};

const isRequestView = (value: unknown): value is DataRequestView =>
  isObject(value) && 'id' in value && 'requested' in value && 'credits' in value;

const sleep = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

/** @throws Error with the gateway's message */
async function requestOrder(session: Session, path: string, init?: RequestInit): Promise<DataRequestView> {
  const { status, body } = await callGateway(session, path, init);
  if (isRequestView(body)) return body;
  const message = `${readText(body, 'detail') || readText(body, 'title')} ${readText(body, 'fix')}`.trim();
  throw new Error(message || `The gateway answered with status ${status}.`);
}

/** Places the order; the idempotency key returns an earlier one. */
function placeOrder(session: Session): Promise<DataRequestView> {
  const key = `playground-${Math.floor(Date.now() / ORDER_KEY_PERIOD_MS)}`;
  return requestOrder(session, 'requests', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify(EXAMPLE_ORDER),
  });
}

/** @throws Error with the script's message */
async function callScript(script: CallScript, method: string, payload: object): Promise<object> {
  const answer = await script(JSON.stringify({ method, payload }));
  const reply: unknown = typeof answer === 'string' ? JSON.parse(answer) : undefined;
  if (isObject(reply) && 'value' in reply && isObject(reply.value)) return reply.value;
  throw new Error(
    readText(reply, 'code') === 'confirm_first'
      ? CELLS_NOT_EMPTY
      : readText(reply, 'message') || 'The add-on didn’t answer. Reload the page.',
  );
}

/** Writes the rows at the active cell, step by step, as the sidebar does. */
async function writeRows(script: CallScript, { id }: DataRequestView): Promise<void> {
  const where = { kind: 'cursor' };
  let run = await callScript(script, 'writeBulk', { id, where, mode: 'append', title: TITLE });
  const runId = readText(run, 'runId');
  while (readText(run, 'state') === 'running') run = await callScript(script, 'step', { runId });
  if (readText(run, 'state') === 'done') return;
  throw new Error(
    readText('trouble' in run ? run.trouble : undefined, 'message') ||
      'The add-on didn’t write all rows. In the sidebar, use Bulk to write them again.',
  );
}

/**
 * Creates the sample that places the order, shows its progress and writes its rows.
 * @param session - of an instance with free records
 * @param script - runs as a user whose active cell is the heading cell
 * @param onCredits - called when the order has reserved or spent credits
 */
export function createOrderSample(
  grid: Grid,
  session: Session,
  script: CallScript,
  onCredits: () => void,
): Sample {
  const showProgress = (v: string): void =>
    setCells(grid, BULK_SHEET.id, { [PROGRESS_ROW]: { 0: { v, s: 'hint' } } });
  const fill = async (): Promise<void> => {
    showProgress('Placing the example order …');
    let request = await placeOrder(session);
    onCredits();
    for (let polls = 0; request.ended_at === null && polls < MAX_POLLS; polls += 1) {
      showProgress(describeOrder(request));
      await sleep(POLL_INTERVAL_MS);
      request = await requestOrder(session, `requests/${request.id}`);
    }
    onCredits();
    if (request.ended_at === null) return showProgress(TAKES_LONG);
    if (request.rows > 0) await writeRows(script, request);
    showProgress(describeOrder(request));
  };
  return {
    sheetId: BULK_SHEET.id,
    sentence: `This sheet has a bulk order of ${MAX_RECORDS} companies.`,
    subject: 'Placing it',
    action: 'Place order',
    credits: MAX_RECORDS * getRecordPrice(EXAMPLE_ORDER.family),
    isDone: () => Boolean(grid.workbook.getSheetBySheetId(BULK_SHEET.id)?.getCellRaw(HEADING_ROW, 0)?.v),
    run: async () => {
      const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(BULK_SHEET.id);
      sheet?.getRange(toAddress(HEADING_ROW, 0)).activate();
      await fill().catch((error: unknown) =>
        showProgress(error instanceof Error ? error.message : String(error)),
      );
    },
  };
}
