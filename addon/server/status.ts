// The state of the spreadsheet: connection, budget and the open tab.
import { defaultConfirmAboveCredits, sidebarTabs } from '../../shared/limits.ts';
import { canConnectSheet, deleteConnection, findConnection } from '../client/connection.ts';
import { getAccount } from '../client/gateway.ts';
import { listRuns, requireConnection, unwrap } from '../client/gateway-history.ts';
import { isSpendingOn, setSheetSpending } from '../client/spending.ts';
import { AddonError } from '../lib/addon-error.ts';
import { connectWithLink } from '../menu/connect.ts';
import { toArea } from '../sheet/area.ts';
import { listUnfinishedRuns } from '../tables/runs/run-store.ts';
import type { Activity, Status, Tab } from './api/index.ts';
import { listErrors } from './error-log.ts';

const TAB = 'CDAPI_TAB_';

/** The open tab is stored per user and sheet. */
const getTabKey = (): string =>
  `${TAB}${SpreadsheetApp.getActiveSpreadsheet().getId()}_${SpreadsheetApp.getActiveSheet().getSheetId()}`;

function readTab(): Tab {
  const name = PropertiesService.getUserProperties().getProperty(getTabKey());
  return sidebarTabs.find((tab) => tab === name) ?? 'search';
}

function getActiveSelection(): Status['active'] {
  const sheet = SpreadsheetApp.getActiveSheet().getName();
  const range: GoogleAppsScript.Spreadsheet.Range | null = SpreadsheetApp.getActiveRange();
  return range === null
    ? { sheet, range: '', rows: 0 }
    : { sheet, range: range.getA1Notation(), rows: toArea(range).rows };
}

/** Returns what the top of the sidebar shows. */
export function status(): Status {
  const current = findConnection();
  const sheetStatus = {
    sheetSpending: isSpendingOn(),
    canConnectSheet: canConnectSheet(),
    tab: readTab(),
    active: getActiveSelection(),
    unfinished: listUnfinishedRuns().length,
  };
  if (current === undefined) return { connection: null, ...sheetStatus };
  const answer = getAccount(current.connection);
  if (!answer.ok) {
    return { connection: null, failure: { message: answer.message, code: answer.code }, ...sheetStatus };
  }
  const { team, mode, budget, spent, saved, remaining, spending, scopes } = answer.body;
  // Older gateways don't return it.
  const { confirm_above_credits: confirmAbove = defaultConfirmAboveCredits } = answer.body;
  const connection = {
    for: current.for,
    team,
    mode,
    budget,
    spent,
    saved,
    remaining,
    spending,
    confirmAbove,
    scopes,
  };
  return { connection, ...sheetStatus };
}

/** Stores the open tab of the active sheet. */
export function setTab({ tab }: { tab: Tab }): void {
  PropertiesService.getUserProperties().setProperty(getTabKey(), tab);
}

/**
 * Verifies a link and stores its connection.
 * @throws AddonError `bad_call`, which the sidebar shows beside the link and the error log leaves out
 */
export function connect(payload: { link: string; for: 'sheet' | 'me' }): Status {
  try {
    connectWithLink(payload.link, payload.for);
  } catch (error) {
    throw new AddonError('bad_call', error instanceof Error ? error.message : String(error));
  }
  return status();
}

/** Deletes a connection. */
export function disconnect(payload: { for: 'sheet' | 'me' }): Status {
  deleteConnection(payload.for);
  return status();
}

/** Switches spending on or off for this spreadsheet. */
export function setSpending({ on }: { on: boolean }): Status {
  setSheetSpending(on);
  return status();
}

/** Returns usage and history. */
export function activity(): Activity {
  const connection = requireConnection();
  const { team, budget, spent, saved, remaining } = unwrap(getAccount(connection));
  const total = spent.month + saved.month;
  return {
    team,
    budget,
    spent,
    saved,
    remaining,
    hitRate: total === 0 ? null : saved.month / total,
    runs: listRuns(connection),
    errors: listErrors(),
  };
}
