// How the spreadsheet stands: its connection, the budget, and what the sidebar remembers of it.
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

/** The open tab is a matter of who looks, and of the sheet in front. */
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

/** What the page shows at its top. */
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
  // A gateway of an earlier version does not say it.
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

/** Remembers the tab for the sheet in front. */
export function setTab({ tab }: { tab: Tab }): void {
  PropertiesService.getUserProperties().setProperty(getTabKey(), tab);
}

/**
 * Tries a link and keeps its connection.
 * @throws Refusal where it is not kept; that is said beside the link, and nothing that went wrong in the sheet
 */
export function connect(payload: { link: string; for: 'sheet' | 'me' }): Status {
  try {
    connectWithLink(payload.link, payload.for);
  } catch (error) {
    throw new AddonError('bad_call', error instanceof Error ? error.message : String(error));
  }
  return status();
}

/** Forgets a connection. */
export function disconnect(payload: { for: 'sheet' | 'me' }): Status {
  deleteConnection(payload.for);
  return status();
}

/** Switches spending on or off for this sheet. */
export function setSpending({ on }: { on: boolean }): Status {
  setSheetSpending(on);
  return status();
}

/** What was spent and saved, and what happened. */
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
