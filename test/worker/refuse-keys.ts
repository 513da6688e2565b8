// Adds keys to the erasure list without erasing anything.
import { env } from 'cloudflare:workers';
import type { RecordKey } from '../../worker/gateway/cache/cache-keys.ts';
import { addErasedKeys } from '../../worker/gateway/refusal-list/erasure-list.ts';
import {
  beginErasure,
  completeErasure,
  noCounts,
} from '../../worker/gateway/refusal-list/erasure-repository.ts';
import { Pseudonyms } from '../../worker/gateway/refusal-list/pseudonyms.ts';

/** Records a completed erasure without keys. */
export async function addErasure(id: string = crypto.randomUUID(), completeAt = 0): Promise<string> {
  const work = {
    keys: [],
    pseudonyms: [],
    shards: null,
    rowsAfter: null,
    removed: noCounts,
  };
  await beginErasure(env.DB, { id, at: 0, subject: 'company', request: null, work });
  await completeErasure(env.DB, id, noCounts, completeAt);
  return id;
}

/** Refuses keys as an erasure does. */
export async function refuseKeys(...keys: RecordKey[]): Promise<void> {
  const pseudonyms = await Pseudonyms.load(env);
  const id = await addErasure();
  await addErasedKeys(env.DB, id, await Promise.all(keys.map((key) => pseudonyms.forKey(key))));
}
