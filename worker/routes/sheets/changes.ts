// /sheets/v1/changes: what became ready since somebody asked last.

import * as z from 'zod';
import { type Change, changeList, changesQuery, maxChanges } from '../../../shared/api/tables.ts';
import { canUseFamily } from '../../gateway/auth/tokens.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { CHANGE_RETENTION_MS, type ChangeEntry, TableStore } from '../../tables/store.ts';
import { type Route, smallRoute } from './route.ts';

const CURSOR = /^([\da-z]{1,10})-[\da-f]{16}$/;
const SIGNATURE_LENGTH = 16;

/** A place in a team's changes, as only this deployment can write it. */
async function encodeCursor(seals: Pseudonyms, team: string, number: number): Promise<string> {
  const seal = await seals.create(`changes:${team}:${number}`);
  return `${number.toString(36)}-${seal.slice(0, SIGNATURE_LENGTH)}`;
}

/** @throws ProblemError where it is none that the team was given */
async function decodeCursor(seals: Pseudonyms, team: string, cursor: string): Promise<number> {
  const [, digits = ''] = CURSOR.exec(cursor) ?? [];
  const number = Number.parseInt(digits, 36);
  if (Number.isSafeInteger(number) && (await encodeCursor(seals, team, number)) === cursor) return number;
  throw new ProblemError(
    'invalid_request',
    'The cursor "since" is none that an earlier answer gave.',
    'Start again without "since".',
  );
}

function toView({ kind, subject: id, run, at: ms }: ChangeEntry): Change {
  const at = toIsoTime(ms);
  return kind === 'request' ? { kind, id, at } : { kind, id, run, at };
}

const list = smallRoute({
  method: 'GET',
  path: '/changes',
  summary: 'What became ready: bulk requests that have ended, rows that schedules brought',
  description: `At most ${maxChanges} an answer, of the last 30 days. Those of families that the token may not use are left out.`,
  problems: ['invalid_request'],
  request: z.object({ query: changesQuery }),
  success: { status: 200, description: 'What became ready', schema: changeList },
  handle: async ({ query: { since } }, { env, caller, now }) => {
    const { teamId } = caller;
    const seals = await Pseudonyms.load(env.DB);
    const start = since === undefined ? 0 : await decodeCursor(seals, teamId, since);
    const found = await new TableStore(env.DB).listChanges(
      teamId,
      start,
      now - CHANGE_RETENTION_MS,
      maxChanges + 1,
    );
    const page = found.slice(0, maxChanges);
    return {
      changes: page.filter(({ family }) => canUseFamily(caller, family)).map(toView),
      cursor: await encodeCursor(seals, teamId, page.at(-1)?.number ?? start),
      more: found.length > maxChanges,
    };
  },
});

export const changeRoutes: readonly Route[] = [list];
