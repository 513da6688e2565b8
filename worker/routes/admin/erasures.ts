// /admin/v1/erasures: what an erasure would find, erasures with their proofs, and refused keys.

import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-erasures.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { Env } from '../../env.ts';
import type { RecordKey } from '../../gateway/cache/cache-keys.ts';
import { isErasedKey } from '../../gateway/refusal-list/erasure-list.ts';
import * as repository from '../../gateway/refusal-list/erasure-repository.ts';
import { shards } from '../../gateway/single-flight/client.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { decryptReason, type ErasureReason, endRefusals, erase } from '../../privacy/erase.ts';
import { journalAllowed } from '../../privacy/erasure-journal.ts';
import { findCopies, findName } from '../../privacy/find-copies.ts';
import { cutPage, findStart } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { createErasureContext, parseKey } from './record-context.ts';
import { type RouteContext, requireFound, route } from './route.ts';

export async function toErasureView(env: Env, erasure: repository.StoredErasure): Promise<api.ErasureView> {
  const { id, at, subject, completeAt, allowedAt, removed, shardsLeft } = erasure;
  const { reference, requester } = await decryptReason(env, erasure);
  return {
    id,
    subject,
    reference: reference || null,
    requester: requester || null,
    erased_at: toIsoTime(at),
    complete_at: completeAt === null ? null : toIsoTime(completeAt),
    allowed_at: allowedAt === null ? null : toIsoTime(allowedAt),
    progress: shardsLeft === null ? null : { done: shards.length - shardsLeft, total: shards.length },
    removed,
  };
}

async function eraseKey(
  key: RecordKey,
  context: RouteContext,
  reason: ErasureReason = {},
): Promise<api.ErasureView> {
  const erasure = await erase(key, await createErasureContext(context), reason);
  await buildAuditInsert(context, 'record.erase', erasure.id, { ...erasure.removed });
  return toErasureView(context.env, erasure);
}

const eraseByPath = route(endpoints.eraseByPath, {
  summary: 'Erase a person or company everywhere, and block future lookups',
  returns: 'Number of removed copies, and the id of the proof. A large erasure continues in the background',
  handle: ({ params: { family, key } }, context) => eraseKey(parseKey(family, key), context),
});

const eraseByBody = route(endpoints.erase, {
  summary: 'Erase a person or company everywhere, and block future lookups, with the key in the body',
  returns: 'Number of removed copies, and the id of the proof. A large erasure continues in the background',
  handle: ({ body: { family, key, ...reason } }, context) => eraseKey(parseKey(family, key), context, reason),
});

const previewErasure = route(endpoints.previewErasure, {
  summary: 'Count what an erasure would find, without changing anything',
  description: 'Free. Mentions in records of others are only found while erasing.',
  returns: 'The name, and counts by family and place',
  handle: async ({ body: { family, key: text } }, context): Promise<api.ErasurePreview> => {
    const key = parseKey(family, text);
    const [found, erased] = await Promise.all([
      findCopies(key, await createErasureContext(context)),
      isErasedKey(context.env, key),
    ]);
    const { keys, cached, rows, texts, more } = found;
    const count = (items: readonly { family: Family }[], name: Family) =>
      items.filter((item) => item.family === name).length;
    const cachedKeys = cached.map((copy) => copy.key);
    const names = new Set([...cachedKeys, ...rows].map((item) => item.family));
    return {
      family,
      key: { kind: key.kind, value: key.value },
      erased,
      name: findName(found),
      records: [...names].map((name) => ({
        family: name,
        cached: count(cachedKeys, name),
        rows: count(rows, name),
      })),
      texts,
      keys: Math.max(1, keys.length),
      cached: cached.length,
      rows: rows.length,
      more,
    };
  },
});

const listErasures = route(endpoints.listErasures, {
  summary: 'List erasures, newest first',
  returns: 'A page of erasures',
  handle: async ({ query: { after, limit } }, { env }): Promise<api.ErasureList> => {
    const start = await findStart(after, (start) => repository.findErasure(env.DB, start), 'an erasure');
    const rows = await repository.listErasures(env.DB, start, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    return {
      erasures: await Promise.all(shown.map((row) => toErasureView(env, row))),
      next: last?.id ?? null,
    };
  },
});

const getErasure = route(endpoints.getErasure, {
  summary: 'Get the state or proof of an erasure',
  returns: 'The erasure',
  handle: async ({ params: { id } }, { env }) => {
    const found = requireFound(await repository.findErasure(env.DB, id));
    return toErasureView(env, found);
  },
});

const allowErased = route(endpoints.allowErased, {
  summary: 'Allow an erased company again',
  description:
    'Ends the refusal of all keys of the erasure. What was erased does not come back: the next look-up buys it. People stay refused. A repeated call completes an interrupted one.',
  returns: 'The erasure',
  handle: async ({ params: { id } }, context) => {
    const { env, orm, now, getProvider } = context;
    const erasure = requireFound(await repository.findErasure(env.DB, id));
    if (erasure.subject !== 'company')
      throw new ProblemError(
        'invalid_request',
        'Only an erased company can be allowed again: people, their posts and jobs stay refused.',
        'Choose the erasure of a company.',
      );
    if (erasure.completeAt === null || erasure.completeAt > now)
      throw new ProblemError(
        'invalid_request',
        'The erasure is not complete yet.',
        'Wait until complete_at has passed, then try again.',
      );
    const { identity } = await getProvider();
    if (erasure.allowedAt === null) {
      await journalAllowed(env, id, now);
      await orm.batch([
        ...repository.markAllowed(orm, id, now),
        buildAuditInsert(context, 'record.allow', id),
      ]);
    }
    await endRefusals(env, identity);
    return toErasureView(env, { ...erasure, allowedAt: erasure.allowedAt ?? now });
  },
});

const listRefusedKeys = route(endpoints.listRefusedKeys, {
  summary: 'List the pseudonyms of refused keys, by pseudonym',
  description: 'The keys themselves are not stored. `POST /record-lookup` says whether a key is refused.',
  returns: 'A page of pseudonyms',
  handle: async ({ query: { after, limit } }, { env }): Promise<api.RefusedKeyList> => {
    const { total, keys } = await repository.listRefusedKeys(env.DB, after, limit + 1);
    const { shown, last } = cutPage(keys, limit);
    return {
      total,
      keys: shown.map(({ at, ...key }) => ({ ...key, refused_at: toIsoTime(at) })),
      next: last?.pseudonym ?? null,
    };
  },
});

export const erasureRoutes = {
  eraseByPath,
  erase: eraseByBody,
  previewErasure,
  listErasures,
  getErasure,
  allowErased,
  listRefusedKeys,
};
