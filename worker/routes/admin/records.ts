// /admin/v1/records: inspects a cached record, or buys it again.

import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-records.ts';
import { findRecordRows } from '../../data-requests/erasure.ts';
import { ADMIN_PAYER, findPayerNames } from '../../gateway/auth/identity/payer-names.ts';
import { findTeam, listTeamIds } from '../../gateway/auth/team-repository.ts';
import { type RecordKey, toCacheName } from '../../gateway/cache/cache-keys.ts';
import type { Envelope } from '../../gateway/cache/envelope.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { buildKeyCall } from '../../gateway/record-call.ts';
import { isErasedKey } from '../../gateway/refusal-list/erasure-list.ts';
import { listRecordKeys } from '../../gateway/refusal-list/named-subjects.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { fetchCalls } from '../../gateway/single-flight/client.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { findCachedRecord } from '../../privacy/key-finder.ts';
import { buildAuditInsert } from './audit-log.ts';
import { createErasureContext, parseKey } from './record-context.ts';
import { type RouteContext, requireFound, route } from './route.ts';

/** Deadline of a refresh, as for other calls. */
const WAIT_MS = 25_000;
/** Ledgers that one request reads: an invocation may make a thousand calls. */
const MAX_LEDGERS = 500;
/** Ledgers that are read at the same time; each response has at most a thousand lines. */
const CONCURRENCY = 20;

/** Lists the ledger lines about a record, team by team. @param after - the last team of the previous response */
async function listEntries(
  env: RouteContext['env'],
  key: RecordKey,
  after: string | undefined,
): Promise<Pick<api.RecordView, 'ledger_entries' | 'next'>> {
  const subject = await (await Pseudonyms.load(env)).forKey(key);
  const all = await listTeamIds(drizzle(env.DB));
  const teams = all.slice(after === undefined ? 0 : all.indexOf(after) + 1);
  const read = teams.slice(0, MAX_LEDGERS);
  const pages = await pMap(
    read,
    async (team) =>
      (await getLedger(env, team).listEntriesBySubject(subject)).map((entry) => ({
        team,
        token: entry.token ?? null,
        at: toIsoTime(entry.at),
        kind: entry.kind,
        operation: entry.operation ?? null,
        credits: entry.credits,
      })),
    { concurrency: CONCURRENCY },
  );
  const lines = pages.flat();
  const tokens = lines.map(({ token }) => token);
  const names = await findPayerNames(env, drizzle(env.DB), tokens);
  const entries = lines.map((line) => ({ ...line, token_name: names.get(line.token ?? '') ?? null }));
  return { ledger_entries: entries, next: teams.length > read.length ? (read.at(-1) ?? null) : null };
}

/** Lists the ids of a record in its family: rows are indexed by id. */
function listIdKeys(key: RecordKey, found: Envelope | undefined): RecordKey[] {
  if (key.kind === 'id') return [key];
  const keys = found?.content.kind === 'record' ? listRecordKeys(key.family, found.content.record.value) : [];
  return keys.flatMap(({ kind, value }) => (kind === 'id' ? [{ family: key.family, kind, value }] : []));
}

async function getRecordView(key: RecordKey, context: RouteContext, after?: string): Promise<api.RecordView> {
  const found = await findCachedRecord(key, await createErasureContext(context));
  return {
    family: key.family,
    key: { kind: key.kind, value: key.value },
    cached:
      found === undefined
        ? null
        : {
            found: found.content.kind === 'record',
            fetched_at: toIsoTime(found.fetchedAt),
            fresh_until: toIsoTime(found.freshUntil),
            keep_until: toIsoTime(found.keepUntil),
          },
    rows: (await findRecordRows(context.env, listIdKeys(key, found))).length,
    erased: await isErasedKey(context.env, key),
    ...(await listEntries(context.env, key, after)),
  };
}

const getRecordByPath = route(endpoints.getRecordByPath, {
  summary: 'Get the cached state of a record, and the calls for it',
  returns: 'The cached state of the record',
  handle: async ({ params: { family, key }, query }, context) =>
    getRecordView(parseKey(family, key), context, query.after),
});

const getRecord = route(endpoints.getRecord, {
  summary: 'Get the cached state of a record, and the calls for it, with the key in the body',
  returns: 'The cached state of the record',
  handle: async ({ body: { family, key, after } }, context) =>
    getRecordView(parseKey(family, key), context, after),
});

async function refresh(key: RecordKey, team: string, context: RouteContext): Promise<api.RecordView> {
  const { env, now, actor } = context;
  requireFound(await findTeam(drizzle(env.DB), team));
  const call = buildKeyCall(key, now);
  if (call === undefined) throw new ProblemError('invalid_key');
  const { identity } = await createErasureContext(context);
  await buildAuditInsert({ env, now, actor }, 'record.refresh', team, { family: key.family });
  const rows = await fetchCalls(env, {
    identity,
    calls: [call],
    payer: { team, token: ADMIN_PAYER },
    lane: 'formula',
    waitMs: WAIT_MS,
    background: false,
  });
  const row = rows.get(toCacheName(key));
  if (row?.outcome === 'failed') throw new ProblemError(row.problem);
  if (row === undefined || !('envelope' in row)) throw new ProblemError('rate_limited');
  return getRecordView(key, context);
}

const refreshRecordByPath = route(endpoints.refreshRecordByPath, {
  summary: 'Buy a record again from the budget of a team',
  returns: 'The cached state of the record',
  handle: ({ params: { family, key }, body: { team } }, context) =>
    refresh(parseKey(family, key), team, context),
});

const refreshRecord = route(endpoints.refreshRecord, {
  summary: 'Buy a record again from the budget of a team, with the key in the body',
  returns: 'The cached state of the record',
  handle: ({ body: { family, key, team } }, context) => refresh(parseKey(family, key), team, context),
});

export const recordRoutes = { getRecordByPath, getRecord, refreshRecordByPath, refreshRecord };
