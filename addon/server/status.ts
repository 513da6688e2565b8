// The state of the spreadsheet: connection, budget and the open tab.

import { HELP_PATH } from '../../shared/help-path.ts';
import { sidebarTabs } from '../../shared/limits.ts';
import { openCache } from '../client/cache.ts';
import { describeInvalidLink, findCompanyConnection } from '../client/company-connection.ts';
import {
  canConnectSheet,
  type FoundConnection,
  findConnection,
  registerCompanyFormulas,
  requireConnection,
} from '../client/connection.ts';
import { call } from '../client/gateway.ts';
import { type GatewayResult, unwrap } from '../client/http.ts';
import { connectIdentity } from '../client/identity-connection.ts';
import {
  isIdentityDisconnected,
  mayConnectIdentity,
  mustConfirmIdentity,
  usesIdentity,
} from '../client/identity-store.ts';
import { isSpendingOn } from '../client/spending.ts';
import { AddonError } from '../lib/addon-error.ts';
import { getReason } from '../lib/permissions.ts';
import { toArea } from '../sheet/area.ts';
import { listUnfinishedRuns } from '../tables/runs/run-store.ts';
import { listUndoableRuns, listUndoneRuns } from '../tables/runs/undo.ts';
import { getLanguage } from '../texts/texts.ts';
import type { Activity, Payload, Status, Tab } from './api/index.ts';
import { listErrors } from './error-log.ts';
import { alignUsage, listOthers, shareToday } from './today.ts';

const TAB = 'CDAPI_TAB_';
const DRAFT = 'CDAPI_DRAFT_';

/** The open tab is stored per user and sheet. */
const getTabKey = (): string =>
  `${TAB}${SpreadsheetApp.getActiveSpreadsheet().getId()}_${SpreadsheetApp.getActiveSheet().getSheetId()}`;

function readTab(): Tab {
  const name = PropertiesService.getUserProperties().getProperty(getTabKey());
  return sidebarTabs.find((tab) => tab === name) ?? sidebarTabs[0];
}

/** The search is stored per user and spreadsheet. */
const getDraftKey = (): string => `${DRAFT}${SpreadsheetApp.getActiveSpreadsheet().getId()}`;

function getActiveSelection(): Status['active'] {
  const sheet = SpreadsheetApp.getActiveSheet().getName();
  const range: GoogleAppsScript.Spreadsheet.Range | null = SpreadsheetApp.getActiveRange();
  return range === null
    ? { sheet, range: '', rows: 0 }
    : { sheet, range: range.getA1Notation(), rows: toArea(range).rows };
}

/** Finds the connection in use. A person without one is connected by the Google account, in releases that do so. */
function findOrConnect(): GatewayResult<FoundConnection | undefined> {
  const current = findConnection();
  if (current !== undefined || !mayConnectIdentity()) return { ok: true, body: current };
  const identity = connectIdentity();
  return identity.ok ? { ok: true, body: { connection: identity.body, for: 'identity' } } : identity;
}

/** Returns what the top of the sidebar shows. @param withTexts - with the texts of the person's language */
export function status({ withTexts = false }: Payload<'status'> = {}): Status {
  const found = findOrConnect();
  const company = usesIdentity() ? undefined : findCompanyConnection();
  const lastSearch = PropertiesService.getUserProperties().getProperty(getDraftKey());
  const gatewayUrl = found.ok ? found.body?.connection.url : CDAPI_GATEWAY;
  const sheetStatus = {
    ...(gatewayUrl === undefined ? {} : { helpUrl: `${gatewayUrl}${HELP_PATH}` }),
    sheetSpending: isSpendingOn(),
    canConnectSheet: canConnectSheet(),
    hasCompanyConnection: typeof company === 'object',
    ...(isIdentityDisconnected() ? { canConnectAccount: true as const } : {}),
    tab: readTab(),
    ...(lastSearch === null ? {} : { lastSearch }),
    active: getActiveSelection(),
    unfinished: listUnfinishedRuns().length,
    ...(withTexts ? { language: getLanguage() } : {}),
  };
  if (!found.ok) {
    return { connection: null, failure: { message: found.message, code: found.code }, ...sheetStatus };
  }
  const current = found.body;
  if (current === undefined) {
    const failure = company === 'invalid' ? { failure: { message: describeInvalidLink() } } : {};
    return { connection: null, ...failure, ...sheetStatus };
  }
  const answer = call(current.connection, 'getAccount');
  if (!answer.ok) {
    return { connection: null, failure: { message: answer.message, code: answer.code }, ...sheetStatus };
  }
  const { team, mode, budget, spent, saved, remaining, spending, scopes, stamp } = answer.body;
  const { confirm_above_credits: confirmAbove, assistant } = answer.body;
  // Counts of value lists are cached under it.
  openCache(current.connection).setStamp(stamp);
  const connection = {
    for: current.for,
    ...(current.for === 'identity' && mustConfirmIdentity() ? { isNew: true as const } : {}),
    team,
    mode,
    budget,
    spent,
    saved,
    remaining,
    spending,
    confirmAbove,
    scopes,
    ...(assistant ? { canAsk: true as const } : {}),
  };
  return {
    connection,
    ...sheetStatus,
    ...(registerCompanyFormulas() ? { mustAllowFormulas: true as const } : {}),
  };
}

export function setTab({ tab }: { tab: Tab }): void {
  PropertiesService.getUserProperties().setProperty(getTabKey(), tab);
}

export function saveDraft({ lastSearch }: { lastSearch: string }): void {
  PropertiesService.getUserProperties().setProperty(getDraftKey(), lastSearch);
}

/**
 * Changes the connection.
 * @throws AddonError `bad_call`, which the sidebar shows beside the form and the error log leaves out
 */
export function changeConnection(change: () => void): Status {
  try {
    change();
  } catch (error) {
    throw new AddonError('bad_call', getReason(error));
  }
  return status();
}

export function activity(): Activity {
  const connection = requireConnection();
  // First, so that the ledger, which is read later, has all that the report has.
  const report = call(connection, 'getUsage');
  const usage = report.ok ? report.body : undefined;
  const account = unwrap(call(connection, 'getAccount'));
  const { team, budget, spent, saved, remaining, reserved } = account;
  const total = spent.month + saved.month;
  const runs = unwrap(call(connection, 'listRuns')).runs;
  const today = usage === undefined ? [] : shareToday(usage, account, runs);
  return {
    team,
    budget,
    spent,
    saved,
    remaining,
    reserved,
    hitRate: total === 0 ? null : saved.month / total,
    ...(usage === undefined ? {} : { usage: alignUsage(usage, account, today) }),
    today,
    others: usage === undefined ? [] : listOthers(today, usage.to, runs),
    runs,
    undoable: listUndoableRuns().map(({ runId }) => runId),
    undone: listUndoneRuns(),
    errors: listErrors(),
  };
}
