// CDAPI_STATUS: the connection, the team and the last error; CDAPI_CREDITS: the team's remaining credits.
import { HELP_PATH } from '../../shared/help-path.ts';
import { openCache } from '../client/cache.ts';
import {
  type FormulaConnectionSource,
  type FoundConnection,
  findFormulaConnection,
  requireFormulaConnection,
} from '../client/connection.ts';
import { call } from '../client/gateway.ts';
import { unwrap } from '../client/http.ts';
import { isSpendingOn, mayFormulaSpend } from '../client/spending.ts';
import { type Cell, formatAsOfNow, formatTime } from '../lib/dates.ts';
import { getReason } from '../lib/permissions.ts';
import { parseOptions, REFRESH_OPTIONS } from './arguments/options.ts';

const NO_LIMIT = 'no limit';

const SOURCES: Readonly<Record<FormulaConnectionSource, string>> = {
  sheet: 'this spreadsheet’s',
  company: 'your company’s',
};

/** Explains that spending is off and names who can switch it on. @param spending - of the team */
function describeSpendingOff(spending: boolean): string {
  if (!spending) return '; your admin switched spending off and can switch it on';
  if (!isSpendingOn())
    return '; spending is off for this spreadsheet: whoever can edit it can switch it on in the sidebar, under Activity';
  return mayFormulaSpend()
    ? ''
    : '; formulas of this sheet don’t spend: whoever can edit it can switch it on in the sidebar, under Tables → Formulas';
}

function listStatusRows({ connection, for: source }: FoundConnection<FormulaConnectionSource>): Cell[][] {
  const cache = openCache(connection);
  const error = cache.getLastError();
  const lastError =
    error === undefined
      ? 'none in the last six hours'
      : `${error.message} (${formatTime(new Date(error.at))})`;
  const help = ['Help', connection.url + HELP_PATH];
  const answer = call(connection, 'getAccount');
  if (!answer.ok) {
    return [['Gateway', connection.url], help, ['State', answer.message], ['Last error', lastError]];
  }
  const { team, remaining, spent, saved, spending, mode, stamp } = answer.body;
  cache.setStamp(stamp);
  return [
    ['Gateway', connection.url],
    help,
    ['Connection', SOURCES[source]],
    ['State', `connected${describeSpendingOff(spending)}`],
    ['Team', team],
    ['Credits left', remaining ?? NO_LIMIT],
    ['Credits spent today', spent.day],
    ['Reused today (credits)', saved.day],
    ['Records', mode === 'sandbox' ? 'of the sandbox: samples are fictional' : 'real'],
    ['Last error', lastError],
  ];
}

/**
 * Shows the state of the connection. It never throws: errors are part of the result.
 * @param _refresh - any change makes Sheets run the formula again
 * @param options - `refresh=1`
 * @returns a name and a value in each row
 */
export function CDAPI_STATUS(_refresh?: unknown, options?: unknown): Cell[][] {
  let rows: Cell[][];
  try {
    parseOptions(options, REFRESH_OPTIONS);
    rows = listStatusRows(findFormulaConnection());
  } catch (error) {
    rows = [['State', getReason(error)]];
  }
  return [...rows, ['As of', formatTime(new Date())]];
}

/**
 * Returns the team's remaining credits.
 * @param _refresh - any change makes Sheets run the formula again
 * @param options - `refresh=1`
 * @returns the credits, and the time
 * @throws Error if the account can't be read
 */
export function CDAPI_CREDITS(_refresh?: unknown, options?: unknown): Cell[][] {
  parseOptions(options, REFRESH_OPTIONS);
  const connection = requireFormulaConnection();
  const { remaining, stamp } = unwrap(call(connection, 'getAccount'));
  openCache(connection).setStamp(stamp);
  return [[remaining ?? NO_LIMIT, formatAsOfNow()]];
}
