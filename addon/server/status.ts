// How the spreadsheet stands: its connection, the budget, and what the sidebar remembers of it.
import { defaultConfirmAboveCredits, sidebarTabs } from '../../shared/limits.ts';
import { canConnectSheet, findConnection, forgetConnection } from '../client/connection.ts';
import { me } from '../client/gateway.ts';
import { bodyOf, connected, runsOf } from '../client/gateway-history.ts';
import { setSheetSpending, sheetSpends } from '../client/spending.ts';
import { Refusal } from '../lib/addon-error.ts';
import { connectBy } from '../menu/connect.ts';
import { areaOf } from '../sheet/area.ts';
import { unfinishedRuns } from '../tables/runs/run-store.ts';
import type { Activity, Status, Tab } from './api/index.ts';
import { lastErrors } from './error-log.ts';

const TAB = 'CDAPI_TAB_';

/** The open tab is a matter of who looks, and of the sheet in front. */
const tabName = (): string =>
  `${TAB}${SpreadsheetApp.getActiveSpreadsheet().getId()}_${SpreadsheetApp.getActiveSheet().getSheetId()}`;

function rememberedTab(): Tab {
  const name = PropertiesService.getUserProperties().getProperty(tabName());
  return sidebarTabs.find((tab) => tab === name) ?? 'search';
}

function activeSelection(): Status['active'] {
  const sheet = SpreadsheetApp.getActiveSheet().getName();
  const range: GoogleAppsScript.Spreadsheet.Range | null = SpreadsheetApp.getActiveRange();
  return range === null
    ? { sheet, range: '', rows: 0 }
    : { sheet, range: range.getA1Notation(), rows: areaOf(range).rows };
}

/** What the page shows at its top. */
export function status(): Status {
  const found = findConnection();
  const here = {
    sheetSpending: sheetSpends(),
    canConnectSheet: canConnectSheet(),
    tab: rememberedTab(),
    active: activeSelection(),
    unfinished: unfinishedRuns().length,
  };
  if (found === undefined) return { connection: null, ...here };
  const answer = me(found.connection);
  if (!answer.ok) {
    return { connection: null, trouble: { message: answer.sentence, code: answer.code }, ...here };
  }
  const { team, mode, budget, spent, saved, remaining, spending, scopes } = answer.body;
  // A gateway of an earlier version does not say it.
  const { confirm_above_credits: confirmAbove = defaultConfirmAboveCredits } = answer.body;
  const connection = {
    for: found.for,
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
  return { connection, ...here };
}

/** Remembers the tab for the sheet in front. */
export function setTab({ tab }: { tab: Tab }): void {
  PropertiesService.getUserProperties().setProperty(tabName(), tab);
}

/**
 * Tries a link and keeps its connection.
 * @throws Refusal where it is not kept; that is said beside the link, and nothing that went wrong in the sheet
 */
export function connect(payload: { link: string; for: 'sheet' | 'me' }): Status {
  try {
    connectBy(payload.link, payload.for);
  } catch (error) {
    throw new Refusal('bad_call', error instanceof Error ? error.message : String(error));
  }
  return status();
}

/** Forgets a connection. */
export function disconnect(payload: { for: 'sheet' | 'me' }): Status {
  forgetConnection(payload.for);
  return status();
}

/** Switches spending on or off for this sheet. */
export function setSpending({ on }: { on: boolean }): Status {
  setSheetSpending(on);
  return status();
}

/** What was spent and saved, and what happened. */
export function activity(): Activity {
  const connection = connected();
  const { team, budget, spent, saved, remaining } = bodyOf(me(connection));
  const asked = spent.month + saved.month;
  return {
    team,
    budget,
    spent,
    saved,
    remaining,
    hitRate: asked === 0 ? null : saved.month / asked,
    runs: runsOf(connection),
    errors: lastErrors(),
  };
}
