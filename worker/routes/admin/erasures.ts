// /admin/v1/erasures: what an erasure would find, erasures with their proofs, and refused keys.

import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-erasures.ts';
import type { RecordKey } from '../../gateway/cache/cache-keys.ts';
import { isErasedKey } from '../../gateway/refusal-list/erasure-list.ts';
import {
  findErasure,
  listErasures,
  listRefusedKeys,
  type StoredErasure,
} from '../../gateway/refusal-list/erasure-repository.ts';
import { shards } from '../../gateway/single-flight/client.ts';
import { toIsoTime } from '../../lib/format.ts';
import { erase } from '../../privacy/erase.ts';
import { previewErasure } from '../../privacy/key-finder.ts';
import { cutPage, findStart } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { createErasureContext, parseKey } from './record-context.ts';
import { type Route, type RouteContext, requireFound, route } from './route.ts';

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
  await buildAuditInsert(context, 'record.erase', erasure.id, { ...erasure.removed });
  return toView(erasure);
}

const eraseByPath = route(endpoints.eraseByPath, {
  summary: 'Erase a person or company everywhere, and block future lookups',
  returns: 'Number of removed copies, and the id of the proof. A large erasure continues in the background',
  handle: ({ params: { family, key } }, context) => eraseKey(parseKey(family, key), context),
});

const eraseByBody = route(endpoints.erase, {
  summary: 'Erase a person or company everywhere, and block future lookups, with the key in the body',
  returns: 'Number of removed copies, and the id of the proof. A large erasure continues in the background',
  handle: ({ body: { family, key } }, context) => eraseKey(parseKey(family, key), context),
});

const preview = route(endpoints.previewErasure, {
  summary: 'Count what an erasure would find, without changing anything',
  description: 'Free. Mentions in records of others are only found while erasing.',
  returns: 'Counts by place',
  handle: async ({ body: { family, key: text } }, context): Promise<api.ErasurePreview> => {
    const key = parseKey(family, text);
    const [found, erased] = await Promise.all([
      previewErasure(key, await createErasureContext(context)),
      isErasedKey(context.env, key),
    ]);
    return { family, key: { kind: key.kind, value: key.value }, erased, ...found };
  },
});

const list = route(endpoints.listErasures, {
  summary: 'List erasures, newest first',
  returns: 'A page of erasures',
  handle: async ({ query: { after, limit } }, { env }): Promise<api.ErasureList> => {
    const start = await findStart(after, (start) => findErasure(env.DB, start), 'an erasure');
    const rows = await listErasures(env.DB, start, limit + 1);
    const { shown, last } = cutPage(rows.map(toView), limit);
    return { erasures: shown, next: last?.id ?? null };
  },
});

const get = route(endpoints.getErasure, {
  summary: 'Get the state or proof of an erasure',
  returns: 'The erasure',
  handle: async ({ params: { id } }, { env }) => {
    const found = requireFound(await findErasure(env.DB, id));
    return toView(found);
  },
});

const listRefused = route(endpoints.listRefusedKeys, {
  summary: 'List the pseudonyms of refused keys, by pseudonym',
  description: 'The keys themselves are not stored. `POST /record-lookup` says whether a key is refused.',
  returns: 'A page of pseudonyms',
  handle: async ({ query: { after, limit } }, { env }): Promise<api.RefusedKeyList> => {
    const { total, keys } = await listRefusedKeys(env.DB, after, limit + 1);
    const { shown, last } = cutPage(keys, limit);
    return {
      total,
      keys: shown.map(({ pseudonym, erasure, at }) => ({ pseudonym, erasure, refused_at: toIsoTime(at) })),
      next: last?.pseudonym ?? null,
    };
  },
});

export const erasureRoutes: readonly Route[] = [eraseByPath, eraseByBody, preview, list, get, listRefused];
