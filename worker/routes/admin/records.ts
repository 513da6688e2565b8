// /admin/v1/records: inspects a cached record, buys it again, or erases it everywhere.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin-records.ts';
import type { Family } from '../../../shared/families/index.ts';
import { resolveKey } from '../../../shared/keys/index.ts';
import { createRowErasure } from '../../data-requests/erasure.ts';
import { findTeam, listTeamIds } from '../../gateway/auth/team-repository.ts';
import { type RecordKey, toCacheName } from '../../gateway/cache/cache-keys.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { systemPlatform } from '../../gateway/platform.ts';
import { buildKeyCall } from '../../gateway/record-call.ts';
import { isErasedKey } from '../../gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { fetchCalls } from '../../gateway/single-flight/client.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { type ErasureContext, erase, findCachedRecord } from '../../privacy/erase.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, type RouteContext, route } from './route.ts';

/** Deadline of a refresh, as for other calls. */
const WAIT_MS = 25_000;
/** Token id of purchases by the admin. No real token has this id. */
const ADMIN = 'admin';

async function createErasureContext({
  env,
  getProvider,
  evictAnswers,
  now,
}: RouteContext): Promise<ErasureContext> {
  const { identity } = await getProvider();
  const { sleep } = systemPlatform;
  return {
    env,
    identity,
    now: () => now,
    sleep,
    newId: () => crypto.randomUUID(),
    evict: (names) => evictAnswers(identity, names),
    rows: createRowErasure(env),
  };
}

/** @throws ProblemError `invalid_key` */
function parseKey(family: Family, text: string): RecordKey {
  const key = resolveKey(family, 'auto', text);
  if (!key.ok) throw new ProblemError('invalid_key', key.reason);
  return { family, kind: key.kind, value: key.value };
}

async function listRequests(env: RouteContext['env'], key: RecordKey): Promise<api.RecordView['asked']> {
  const subject = await (await Pseudonyms.load(env.DB)).forKey(key);
  const all = await listTeamIds(drizzle(env.DB));
  const requests: api.RecordView['asked'] = [];
  for (const id of all) {
    for (const entry of await getLedger(env, id).listEntriesBySubject(subject)) {
      requests.push({
        team: id,
        token: entry.token ?? null,
        at: toIsoTime(entry.at),
        kind: entry.kind,
        operation: entry.operation ?? null,
        credits: entry.credits,
      });
    }
  }
  return requests;
}

async function getRecordView(key: RecordKey, context: RouteContext): Promise<api.RecordView> {
  const found = await findCachedRecord(key, await createErasureContext(context));
  return {
    family: key.family,
    key: { kind: key.kind, value: key.value },
    remembered:
      found === undefined
        ? null
        : {
            found: found.content.kind === 'record',
            fetched_at: toIsoTime(found.fetchedAt),
            fresh_until: toIsoTime(found.freshUntil),
            keep_until: toIsoTime(found.keepUntil),
          },
    erased: await isErasedKey(context.env.DB, key),
    asked: await listRequests(context.env, key),
  };
}

const get = route({
  method: 'GET',
  path: '/records/{family}/{key}',
  summary: 'Get the cached state of a record, and the calls for it',
  problems: ['invalid_key', 'not_found', 'not_configured'],
  request: z.object({ params: api.recordParams }),
  success: { status: 200, description: 'The cached state of the record', schema: api.recordView },
  handle: async ({ params: { family, key } }, context) => getRecordView(parseKey(family, key), context),
});

const refresh = route({
  method: 'POST',
  path: '/records/{family}/{key}/refresh',
  summary: 'Buy a record again from the budget of a team',
  problems: [
    'invalid_key',
    'invalid_request',
    'too_large',
    'not_found',
    'not_configured',
    'over_budget',
    'spending_off',
    'provider_out_of_credits',
    'provider_unavailable',
    'provider_unclear',
    'provider_refused',
    'erased',
  ],
  request: z.object({ params: api.recordParams, body: api.refreshRecord }),
  success: { status: 200, description: 'The new cached state of the record', schema: api.recordView },
  handle: async ({ params: { family, key: text }, body: { team } }, context) => {
    const { env, now } = context;
    if ((await findTeam(drizzle(env.DB), team)) === undefined) throw notFound();
    const key = parseKey(family, text);
    const call = buildKeyCall(key, now);
    if (call === undefined) throw new ProblemError('invalid_key');
    const { identity } = await createErasureContext(context);
    const rows = await fetchCalls(env, {
      identity,
      calls: [call],
      payer: { team, token: ADMIN },
      lane: 'formula',
      waitMs: WAIT_MS,
      background: false,
    });
    const row = rows.get(toCacheName(key));
    if (row?.outcome === 'failed') throw new ProblemError(row.problem);
    if (row === undefined || !('envelope' in row)) throw new ProblemError('rate_limited');
    return getRecordView(key, context);
  },
});

const erasure = route({
  method: 'DELETE',
  path: '/records/{family}/{key}',
  summary: 'Erase a person or company everywhere, and block future lookups',
  problems: ['invalid_key', 'not_found', 'not_configured'],
  request: z.object({ params: api.recordParams }),
  success: {
    status: 200,
    description: 'Number of removed copies, and the id of the proof',
    schema: api.erasureView,
  },
  handle: async ({ params: { family, key } }, context): Promise<api.ErasureView> => {
    const erasure = await erase(parseKey(family, key), await createErasureContext(context));
    await buildAuditInsert(drizzle(context.env.DB), {
      at: context.now,
      action: 'record.erase',
      target: erasure.id,
      detail: { ...erasure.removed },
    });
    return {
      id: erasure.id,
      erased_at: toIsoTime(erasure.at),
      gone_everywhere_by: toIsoTime(erasure.goneEverywhereBy),
      removed: { rows: 0, ...erasure.removed },
    };
  },
});

export const recordRoutes: readonly Route[] = [get, refresh, erasure];
