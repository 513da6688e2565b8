// The steps after D1 was restored to an earlier time. Each is repeatable and does a bounded part of its work per call.
import { drizzle } from 'drizzle-orm/d1';
import {
  deleteUnknownObjects,
  endNotifications,
  filterRequestIds,
  freezeOpenRequests,
  listStoredIds,
  settleEnded,
} from '../../data-requests/restore.ts';
import { parseSentMark, restoreSentRequest } from '../../data-requests/sent-marks.ts';
import type { Env } from '../../env.ts';
import { replacePersonTokenValues } from '../../gateway/auth/identity/people-repository.ts';
import { deleteOAuthEntries } from '../../gateway/auth/oauth-store.ts';
import { parseRevocation } from '../../gateway/auth/revocation-journal.ts';
import { insertLostTeam, listTeamIds, toCapColumns, updateTeam } from '../../gateway/auth/team-repository.ts';
import { type JournalKind, listJournal, readJournalEntry, WRITE_INTERVAL_MS } from '../../gateway/journal.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { toDay } from '../../gateway/ledger/periods.ts';
import { countLateErasures } from '../../gateway/refusal-list/erasure-repository.ts';
import { continueErasure, endRefusals } from '../../privacy/erase.ts';
import { replayErasure } from '../../privacy/erasure-journal.ts';
import { endWorkInProgress, filterRunIds, silenceAlerts, skipChangeNumbers } from '../../tables/restore.ts';
import { OperatorAlertStore } from '../alert-store.ts';
import { endAllSessions } from '../console-sessions.ts';
import { recordCronRun } from '../cron-runs.ts';
import { repeatRevocation } from '../revocations.ts';

/** Entries of the journal in one call; each takes at most ten calls of bindings. */
const ENTRIES_PER_CALL = 50;
/** Teams in one call; each takes a few calls. */
const TEAMS_PER_CALL = 100;

export interface RestoreContext {
  env: Env;
  identity: string;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** Entries of the journal since this time may be missing in D1: milliseconds since 1970. */
  since: number;
}

export interface StepOutcome {
  /** Cursor of the next call; null if the step is complete. */
  after: string | null;
  /** Adds to the counts of the restore. */
  counts?: Readonly<Record<string, number>>;
}

/** A step. @param after - cursor of the previous call; null for the first */
type Step = (context: RestoreContext, after: string | null) => Promise<StepOutcome>;

/** Builds a step that handles the entries of a kind one after the other. @returns the count that an entry adds */
function forEachEntry(
  kind: JournalKind,
  name: string,
  handle: (context: RestoreContext, body: unknown) => Promise<boolean>,
): Step {
  return async (context, after) => {
    const { env, since } = context;
    const page = await listJournal(env, kind, { since, after, limit: ENTRIES_PER_CALL });
    let count = 0;
    for (const key of page.keys) {
      const body = await readJournalEntry(env, key);
      if (body !== undefined && (await handle(context, body))) count += 1;
    }
    return { after: page.after, counts: { [name]: count } };
  };
}

const repeatRevocations = forEachEntry('revocations', 'revocations', async ({ env, since }, body) => {
  const entry = parseRevocation(body);
  // Entries of a whole day are listed since its begin.
  if (entry.at < since - WRITE_INTERVAL_MS) return false;
  await repeatRevocation(env, entry);
  return true;
});

const insertSentRequests = forEachEntry('sent', 'orders_recovered', async ({ env, now }, body) => {
  const mark = parseSentMark(body);
  await insertLostTeam(drizzle(env.DB), mark.team, now());
  return restoreSentRequest(env, mark);
});

const freezeRequests: Step = async ({ env, now }) => {
  const frozen = await freezeOpenRequests(env, now());
  return { after: frozen === 0 ? null : 'more', counts: { orders_unclear: frozen } };
};

const settleEndedOrders: Step = async ({ env }, after) => ({ after: await settleEnded(env, after ?? '') });

/** Adapts the ledgers, and marks alerts about budgets as sent. All data requests must be frozen or settled before. */
const adaptLedgers: Step = async ({ env, since, now }, after) => {
  const orm = drizzle(env.DB);
  const teams = await listTeamIds(orm);
  const start = after === null ? 0 : Number(after);
  const page = teams.slice(start, start + TEAMS_PER_CALL);
  let released = 0;
  for (const team of page) {
    const ledger = getLedger(env, team);
    released += await ledger.recoverFromRestore(toDay(since));
    await updateTeam(orm, team, toCapColumns((await ledger.getBudget()).caps));
  }
  await silenceAlerts(env, page, now());
  const next = start + page.length;
  return { after: next < teams.length ? String(next) : null, counts: { orders_released: released } };
};

const endWork: Step = async ({ env, now }) => {
  await endWorkInProgress(env.DB, now());
  await new OperatorAlertStore(env.DB).dropPending();
  return { after: null };
};

const deleteUnknown: Step = async ({ env }, after) => {
  const page = await listStoredIds(env, after ?? '');
  const known = new Set([
    ...(await filterRequestIds(env.DB, page.ids)),
    ...(await filterRunIds(env.DB, page.ids)),
  ]);
  await deleteUnknownObjects(
    env,
    page.ids.filter((id) => !known.has(id)),
  );
  return { after: page.after };
};

const replayErasures = forEachEntry('erasures', 'erasure_entries', async ({ env }, body) => {
  await replayErasure(env, body);
  return true;
});

/** Runs one erasure after the other until all are complete. */
const completeErasures: Step = async (context) => {
  const { env, now } = context;
  await continueErasure(context);
  return { after: (await countLateErasures(env.DB, now())) === 0 ? null : 'more' };
};

/** After the erasures, which refuse also the companies that were allowed again later. */
const allowCompanies: Step = async ({ env, identity }) => {
  await endRefusals(env, identity);
  return { after: null };
};

/** After the erasures, because it reads rows. */
const completeEnded: Step = async ({ env }) => ({ after: (await endNotifications(env)) ? null : 'more' });

const finish: Step = async ({ env, now }) => {
  const orm = drizzle(env.DB);
  await replacePersonTokenValues(orm);
  await deleteOAuthEntries(orm);
  // Some were signed out since the restored time.
  await endAllSessions(env, now());
  const [team] = await listTeamIds(orm);
  if (team !== undefined) await skipChangeNumbers(env.DB, team, now());
  // The last run that D1 knows is as old as the restored time.
  await recordCronRun(env.DB, [], now());
  return { after: null };
};

/** All steps, in order. */
export const steps: ReadonlyMap<string, Step> = new Map([
  ['revocations', repeatRevocations],
  ['sent_orders', insertSentRequests],
  ['open_orders', freezeRequests],
  ['settlements', settleEndedOrders],
  ['ledgers', adaptLedgers],
  ['work_in_progress', endWork],
  ['unknown_rows', deleteUnknown],
  ['erasure_journal', replayErasures],
  ['erasures', completeErasures],
  ['allowed_companies', allowCompanies],
  ['ended_orders', completeEnded],
  ['finish', finish],
]);
