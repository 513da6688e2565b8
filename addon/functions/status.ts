// CDAPI_STATUS: the connection, the team, and the last error.
import type { Connection } from '../../shared/connection.ts';
import { memoryOf } from '../client/cache.ts';
import { readConnection } from '../client/connection.ts';
import { me } from '../client/gateway.ts';
import type { Cell } from '../lib/cells.ts';
import { writeTime } from '../lib/dates.ts';
import { NO_LIMIT } from './credits.ts';

function connectedRows(connection: Connection): Cell[][] {
  const memory = memoryOf(connection);
  const error = memory.lastError();
  const lastError =
    error === undefined
      ? 'none in the last six hours'
      : `${error.sentence} (${writeTime(new Date(error.at))})`;
  const answer = me(connection);
  if (!answer.ok) {
    return [
      ['Gateway', connection.url],
      ['State', answer.sentence],
      ['Last error', lastError],
    ];
  }
  const { team, remaining, spent, saved, spending, mode, stamp } = answer.body;
  memory.learn(stamp);
  return [
    ['Gateway', connection.url],
    ['State', spending ? 'connected' : 'connected; spending is switched off by your admin'],
    ['Team', team],
    ['Credits left', remaining ?? NO_LIMIT],
    ['Credits spent today', spent.day],
    ['Credits saved today', saved.day],
    ['Records', mode === 'embedded' ? 'fictional, for trying out' : 'real'],
    ['Last error', lastError],
  ];
}

/**
 * Tells how this spreadsheet stands. It never fails: what is wrong is what it tells.
 * @param _refresh - when it changes, Sheets asks again
 * @returns a name and a value in each row
 */
export function CDAPI_STATUS(_refresh?: unknown): Cell[][] {
  let rows: Cell[][];
  try {
    rows = connectedRows(readConnection());
  } catch (error) {
    rows = [['State', error instanceof Error ? error.message : String(error)]];
  }
  return [...rows, ['As of', writeTime(new Date())]];
}
