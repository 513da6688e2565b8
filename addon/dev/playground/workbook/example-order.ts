// Places the example bulk order when its sheet is first opened; the add-on writes the rows.
import type { DataRequestView, NewDataRequest } from '../../../../shared/api/data-requests.ts';
import { isObject } from '../../../../shared/lib/is-object.ts';
import { address } from '../grid/cells.ts';
import type { Grid } from '../grid/grid.ts';
import type { Session } from '../session.ts';
import { BULK_COLUMNS, BULK_SHEET, HEADING_ROW, standing, TOLD_ROW } from './bulk-sheet.ts';
import { onFirstOpening, setCells } from './first-opening.ts';

const ORDER: NewDataRequest = {
  family: 'company_clean',
  kind: 'es_dsl',
  es_dsl: { query: { match_all: {} } },
  limit: 30,
  columns: BULK_COLUMNS.map(({ path }) => path),
};

const TYPED =
  'The cells below hold something, so the rows are not written. In the sidebar, use Bulk to write them elsewhere for free.';
const TITLE = 'Companies in bulk';

/** Shorter than the 30 days during which rows are free: the idempotency key changes with this period. */
const SAME_ORDER_MS = 28 * 86_400_000;
const LOOK_EVERY_MS = 500;
/** Orders take seconds in the sandbox. */
const MOST_LOOKS = 240;
const LATE = 'The order takes longer than expected. In the sidebar, Bulk shows its progress.';

/** Calls the sidebar's script with JSON; returns JSON. */
export type AskScript = (request: string) => Promise<unknown>;

const textAt = (value: unknown, name: string): string => {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : '';
};

const isView = (value: unknown): value is DataRequestView =>
  isObject(value) && 'id' in value && 'asked' in value && 'credits' in value;

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

/** @throws Error with the instance's message */
async function ask({ url, team_token }: Session, path: string, init: RequestInit): Promise<DataRequestView> {
  const response = await fetch(`${url}/sheets/v1/${path}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${team_token}`, 'content-type': 'application/json' },
    cache: 'no-store',
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && isView(body)) return body;
  const said = `${textAt(body, 'detail') || textAt(body, 'title')} ${textAt(body, 'fix')}`.trim();
  throw new Error(said || `The gateway answered with status ${response.status}.`);
}

/** Places the order; the idempotency key returns an earlier one. */
function order(session: Session): Promise<DataRequestView> {
  const key = `playground-${Math.floor(Date.now() / SAME_ORDER_MS)}`;
  return ask(session, 'requests', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify(ORDER),
  });
}

/** @throws Error with the script's message */
async function call(script: AskScript, method: string, payload: object): Promise<object> {
  const answer = await script(JSON.stringify({ method, payload }));
  const reply: unknown = typeof answer === 'string' ? JSON.parse(answer) : undefined;
  if (isObject(reply) && 'value' in reply && isObject(reply.value)) return reply.value;
  throw new Error(
    textAt(reply, 'code') === 'confirm_first'
      ? TYPED
      : textAt(reply, 'message') || 'The add-on didn’t answer. Reload the page.',
  );
}

/** Writes the rows at the active cell, step by step, as the sidebar does. */
async function write(script: AskScript, { id }: DataRequestView): Promise<void> {
  const where = { kind: 'cursor' };
  let run = await call(script, 'writeBulk', { id, where, mode: 'append', title: TITLE });
  const runId = textAt(run, 'runId');
  while (textAt(run, 'state') === 'running') run = await call(script, 'step', { runId });
  if (textAt(run, 'state') === 'done') return;
  throw new Error(
    textAt('trouble' in run ? run.trouble : undefined, 'message') ||
      'The add-on didn’t write all rows. In the sidebar, use Bulk to write them again.',
  );
}

/**
 * On first opening, places the order, shows its progress and writes its rows.
 * @param session - of an instance with free records
 * @param script - runs as a user whose active cell is the heading cell
 */
export function readyBulk(grid: Grid, session: Session, script: AskScript): void {
  const say = (v: string): void => setCells(grid, BULK_SHEET.id, { [TOLD_ROW]: { 0: { v, s: 'hint' } } });
  const fill = async (): Promise<void> => {
    say('Placing the example order …');
    let request = await order(session);
    for (let looks = 0; request.ended_at === null && looks < MOST_LOOKS; looks += 1) {
      say(standing(request));
      await pause(LOOK_EVERY_MS);
      request = await ask(session, `requests/${request.id}`, {});
    }
    if (request.ended_at === null) return say(LATE);
    if (request.rows > 0) await write(script, request);
    say(standing(request));
  };
  onFirstOpening(grid, BULK_SHEET.id, () => {
    const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(BULK_SHEET.id);
    sheet?.getRange(address(HEADING_ROW, 0)).activate();
    fill().catch((cause: unknown) => say(cause instanceof Error ? cause.message : String(cause)));
  });
}
