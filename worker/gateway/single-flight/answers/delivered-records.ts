// Keeps records that a data request delivered as if they had been looked up: they go to KV, and an erasure finds them.
import type { DataRecord } from '../../../../shared/api/common.ts';
import type { Family } from '../../../../shared/families/index.ts';
import { normaliseId } from '../../../../shared/keys/index.ts';
import { buildKeyCall } from '../../record-call.ts';
import type { Outbox } from '../outbox.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import type { DeliveredRecords } from '../service.ts';
import type { StoredAnswer } from '../storage/answer-repository.ts';
import type { SingleFlightStore } from '../storage/store.ts';
import type { CallRequest } from '../types.ts';
import { buildAnswer } from './build-answer.ts';
import { getContentKeys, removeErased } from './content-keys.ts';

/** What a flight keeps them with. */
interface DeliveryContext {
  store: SingleFlightStore;
  outbox: Pick<Outbox, 'addAnswer' | 'flush'>;
  platform: Pick<SingleFlightPlatform, 'getPseudonyms' | 'listErasedKeys' | 'lifetime'>;
  /** Answers callers that wait for a record of this name. */
  acceptAnswer: (name: string, kept: StoredAnswer) => void;
}

/**
 * Makes the call that would have brought a record.
 * @returns undefined for a record without a usable id
 */
export function buildIdCall(family: Family, record: DataRecord): CallRequest | undefined {
  const id = normaliseId(String(record.id ?? ''));
  return id.ok ? buildKeyCall({ family, kind: 'id', value: id.value }) : undefined;
}

/** Keeps the records of one shard until KV has them; a younger answer stays. */
export async function storeDeliveredRecords(
  { identity, family, records, fetchedAt }: DeliveredRecords,
  { store, outbox, platform, acceptAnswer }: DeliveryContext,
): Promise<void> {
  await store.loadErased(platform.listErasedKeys);
  const found = await Promise.all(
    records.map(async (record) => {
      const call = buildIdCall(family, record);
      const content = { kind: 'record' as const, record };
      return call && { call, content, keys: await getContentKeys(call, content, platform.getPseudonyms) };
    }),
  );
  // From here on nothing waits: an erasure comes before or after.
  for (const one of found) {
    if (one === undefined) continue;
    const { call, content, keys } = one;
    const seen = removeErased(content, keys, (pseudonyms) => store.isErased(pseudonyms));
    if (seen === undefined || (store.answers.find(call.name)?.fetchedAt ?? 0) > fetchedAt) continue;
    const { stored, peerNames } = buildAnswer(
      call,
      seen.content,
      seen.who,
      identity,
      fetchedAt,
      platform.lifetime,
    );
    store.answers.put(call.name, stored, stored.places);
    outbox.addAnswer(call.name, stored, { identity, names: peerNames });
    acceptAnswer(call.name, stored);
  }
  outbox.flush();
}
