// /admin/v1/erasures: what an erasure would find, erasures with their proofs, and refused keys.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { page } from '../../../shared/api/admin.ts';
import * as api from '../../../shared/api/admin-erasures.ts';
import type { RecordKey } from '../../gateway/cache/cache-keys.ts';
import { isErasedKey } from '../../gateway/refusal-list/erasure-list.ts';
import {
  findErasure,
  listErasures,
  listRefusedKeys,
  type StoredErasure,
} from '../../gateway/refusal-list/erasure-repository.ts';
import { shards } from '../../gateway/single-flight/client.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { erase } from '../../privacy/erase.ts';
import { previewErasure } from '../../privacy/key-finder.ts';
import { buildAuditInsert } from './audit-log.ts';
import { createErasureContext, parseKey } from './record-context.ts';
import { notFound, type Route, type RouteContext, route } from './route.ts';

const toView = ({
  id,
  at,
  subject,
  goneEverywhereBy,
  removed,
  shardsLeft,
}: StoredErasure): api.ErasureView => ({
  id,
  subject,
  erased_at: toIsoTime(at),
  gone_everywhere_by: goneEverywhereBy === null ? null : toIsoTime(goneEverywhereBy),
  progress: shardsLeft === null ? null : { done: shards.length - shardsLeft, of: shards.length },
  removed,
});

async function eraseKey(key: RecordKey, context: RouteContext): Promise<api.ErasureView> {
  const erasure = await erase(key, await createErasureContext(context));
  await buildAuditInsert(drizzle(context.env.DB), {
    at: context.now,
    actor: context.actor,
    action: 'record.erase',
    target: erasure.id,
    detail: { ...erasure.removed },
  });
  return toView(erasure);
}

const success = {
  status: 200,
  description:
    'Number of removed copies, and the id of the proof. A large erasure continues in the background',
  schema: api.erasureView,
} as const;

const eraseByPath = route({
  method: 'DELETE',
  path: '/records/{family}/{key}',
  summary: 'Erase a person or company everywhere, and block future lookups',
  problems: ['invalid_key', 'not_found', 'not_configured'],
  request: z.object({ params: api.recordParams }),
  success,
  handle: ({ params: { family, key } }, context) => eraseKey(parseKey(family, key), context),
});

const eraseByBody = route({
  method: 'POST',
  path: '/erasures',
  summary: 'Erase a person or company everywhere, and block future lookups, with the key in the body',
  problems: ['invalid_key', 'not_configured', 'invalid_request', 'too_large'],
  request: z.object({ body: api.namedRecord }),
  success,
  handle: ({ body: { family, key } }, context) => eraseKey(parseKey(family, key), context),
});

const preview = route({
  method: 'POST',
  path: '/erasure-preview',
  summary: 'Count what an erasure would find, without changing anything',
  description: 'Free. Mentions in records of others are only found while erasing.',
  problems: ['invalid_key', 'not_configured', 'invalid_request', 'too_large'],
  request: z.object({ body: api.namedRecord }),
  success: { status: 200, description: 'Counts by place', schema: api.erasurePreview },
  handle: async ({ body: { family, key: text } }, context): Promise<api.ErasurePreview> => {
    const key = parseKey(family, text);
    const [found, erased] = await Promise.all([
      previewErasure(key, await createErasureContext(context)),
      isErasedKey(context.env, key),
    ]);
    return { family, key: { kind: key.kind, value: key.value }, erased, ...found };
  },
});

const list = route({
  method: 'GET',
  path: '/erasures',
  summary: 'List erasures, newest first',
  problems: ['invalid_request'],
  request: z.object({ query: page }),
  success: { status: 200, description: 'A page of erasures', schema: api.erasureList },
  handle: async ({ query: { after, limit } }, { env }): Promise<api.ErasureList> => {
    const start = after === undefined ? undefined : await findErasure(env.DB, after);
    if (after !== undefined && start === undefined)
      throw invalidRequest('after', 'is not the id of an erasure');
    const rows = await listErasures(env.DB, start, limit + 1);
    const shown = rows.slice(0, limit).map(toView);
    return { erasures: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  },
});

const get = route({
  method: 'GET',
  path: '/erasures/{id}',
  summary: 'Get the state or proof of an erasure',
  problems: ['not_found'],
  request: z.object({ params: api.erasureParams }),
  success: { status: 200, description: 'The erasure', schema: api.erasureView },
  handle: async ({ params: { id } }, { env }) => {
    const found = await findErasure(env.DB, id);
    if (found === undefined) throw notFound();
    return toView(found);
  },
});

const listRefused = route({
  method: 'GET',
  path: '/refused-keys',
  summary: 'List the pseudonyms of refused keys, by pseudonym',
  description: 'The keys themselves are not stored. `POST /record-lookup` says whether a key is refused.',
  problems: ['invalid_request'],
  request: z.object({ query: api.refusedKeyQuery }),
  success: { status: 200, description: 'A page of pseudonyms', schema: api.refusedKeyList },
  handle: async ({ query: { after, limit } }, { env }): Promise<api.RefusedKeyList> => {
    const { total, keys } = await listRefusedKeys(env.DB, after, limit + 1);
    const shown = keys.slice(0, limit);
    return {
      total,
      keys: shown.map(({ pseudonym, erasure, at }) => ({ pseudonym, erasure, refused_at: toIsoTime(at) })),
      next: keys.length > limit ? (shown.at(-1)?.pseudonym ?? null) : null,
    };
  },
});

export const erasureRoutes: readonly Route[] = [eraseByPath, eraseByBody, preview, list, get, listRefused];
