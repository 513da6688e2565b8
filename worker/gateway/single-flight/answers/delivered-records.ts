// Caches records that a data request delivered as if they had been looked up, so that KV gets them and erasures find them.
import type { DataRecord } from '../../../../shared/api/common.ts';
import type { Family } from '../../../../shared/families/index.ts';
import { normaliseId } from '../../../../shared/keys/index.ts';
import { toRecord } from '../../cache/content.ts';
import { buildKeyCall } from '../../record-call.ts';
import type { Outbox } from '../outbox.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import type { DeliveredRecords } from '../service.ts';
import type { StoredAnswer } from '../storage/answer-repository.ts';
import type { SingleFlightStore } from '../storage/store.ts';
import type { CallRequest } from '../types.ts';
import { buildAnswer } from './build-answer.ts';
import { getContentKeys, removeErased } from './content-keys.ts';

/** The parts of a single-flight object that a delivery uses. */
interface DeliveryContext {
  store: SingleFlightStore;
  outbox: Pick<Outbox, 'addAnswer' | 'flush'>;
  platform: Pick<SingleFlightPlatform, 'getPseudonyms' | 'listErasedKeys' | 'lifetime'>;
  /** Answers callers that wait for a record of this name. */
  acceptAnswer: (name: string, answer: StoredAnswer) => void;
}

/** Builds the call that would have fetched a record. @returns undefined if the record has no usable id */
export function buildIdCall(family: Family, record: DataRecord): CallRequest | undefined {
  const id = normaliseId(String(record.id ?? ''));
  return id.ok ? buildKeyCall({ family, kind: 'id', value: id.value }) : undefined;
}

/** Stores the records of one shard until KV has them. Younger answers stay. */
export async function storeDeliveredRecords(
  { identity, family, records, fetchedAt }: DeliveredRecords,
  { store, outbox, platform, acceptAnswer }: DeliveryContext,
): Promise<void> {
  await store.loadErased(platform.listErasedKeys);
  const deliveries = await Promise.all(
    records.map(async (record) => {
      const call = buildIdCall(family, record);
      const content = toRecord(record);
      return (
        call && { call, content, keys: await getContentKeys(call, content, platform.getPseudonyms, true) }
      );
    }),
  );
  // No await from here on: an erasure comes before or after.
  for (const delivery of deliveries) {
    if (delivery === undefined) continue;
    const { call, content, keys } = delivery;
    const allowed = removeErased(call, content, keys, (pseudonyms) => store.findErased(pseudonyms));
    if (allowed === undefined || (store.answers.find(call.name)?.fetchedAt ?? 0) > fetchedAt) continue;
    const { stored, peerNames } = buildAnswer(call, allowed, identity, fetchedAt, platform.lifetime);
    store.answers.put(call.name, stored);
    outbox.addAnswer(call.name, stored, { identity, names: peerNames });
    acceptAnswer(call.name, stored);
  }
  outbox.flush();
}
