// /sheets/v1/changes: the feed of finished bulk orders and scheduled rows.

import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { type Change, maxChanges } from '../../../shared/api/tables.ts';
import { canUse } from '../../gateway/auth/tokens.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { CHANGE_RETENTION_MS, type ChangeEntry, TableStore } from '../../tables/store.ts';
import { smallRoute } from './route.ts';

const CURSOR = /^([\da-z]{1,10})-[\da-f]{16}$/;
const SIGNATURE_LENGTH = 16;

/** Encodes a position in a team's changes as a signed cursor. */
async function encodeCursor(pseudonyms: Pseudonyms, team: string, number: number): Promise<string> {
  const signature = await pseudonyms.create(`changes:${team}:${number}`);
  return `${number.toString(36)}-${signature.slice(0, SIGNATURE_LENGTH)}`;
}

/**
 * Decodes a cursor and verifies its signature.
 * @throws ProblemError `invalid_request` for cursors of other teams or deployments
 */
async function decodeCursor(pseudonyms: Pseudonyms, team: string, cursor: string): Promise<number> {
  const [, digits = ''] = CURSOR.exec(cursor) ?? [];
  const number = Number.parseInt(digits, 36);
  if (Number.isSafeInteger(number) && (await encodeCursor(pseudonyms, team, number)) === cursor)
    return number;
  throw new ProblemError(
    'invalid_request',
    'The cursor "since" is not from an earlier response.',
    'Send the request again without "since".',
  );
}

function toView({ kind, subject: id, run, at: ms }: ChangeEntry): Change {
  const at = toIsoTime(ms);
  return kind === 'request' ? { kind, id, at } : { kind, id, run, at };
}

export const listChanges = smallRoute(endpoints.listChanges, {
  summary: 'List finished bulk orders and rows from schedules',
  description: `At most ${maxChanges} changes of the last 30 days. Families and operations outside the token’s scopes are left out.`,
  returns: 'The changes',
  handle: async ({ query: { since } }, { env, caller, now }) => {
    const { teamId } = caller;
    const pseudonyms = await Pseudonyms.load(env);
    const start = since === undefined ? 0 : await decodeCursor(pseudonyms, teamId, since);
    const found = await new TableStore(env.DB).listChanges(
      teamId,
      start,
      now - CHANGE_RETENTION_MS,
      maxChanges + 1,
    );
    const page = found.slice(0, maxChanges);
    const visible = page.filter(({ family, operation }) => canUse(caller, family, operation));
    const more = found.length > maxChanges;
    // Connections of a spreadsheet share the cursor: it stays before changes that another one may see.
    const last = more ? page.at(-1) : visible.at(-1);
    return {
      changes: visible.map(toView),
      cursor: await encodeCursor(pseudonyms, teamId, last?.number ?? start),
      more,
    };
  },
});
