// Keeps records that a data request delivered as if they had been looked up: they go to KV, and an erasure finds them.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import { normaliseId } from '../../../shared/keys/index.ts';
import { keyCall } from '../context.ts';
import type { KeptAnswer } from './answers.ts';
import { keysOf, withoutErased } from './content-keys.ts';
import type { Outbox } from './outbox.ts';
import type { SingleFlightPlatform } from './platform.ts';
import { remembering } from './result.ts';
import type { FlightStore } from './store.ts';
import type { WantedCall } from './types.ts';

/** Records that a data request delivered. */
export interface DeliveredRecords {
  identity: string;
  family: Family;
  records: DataRecord[];
  /** Milliseconds since 1970. */
  fetchedAt: number;
}

/** What a flight keeps them with. */
interface DeliveryContext {
  store: FlightStore;
  outbox: Pick<Outbox, 'remember' | 'flush'>;
  platform: Pick<SingleFlightPlatform, 'pseudonyms' | 'erased' | 'lifetime'>;
  /** Answers callers that wait for a record of this name. */
  learn: (name: string, kept: KeptAnswer) => void;
}

/**
 * Makes the call that would have brought a record.
 * @returns undefined for a record without a usable id
 */
export function callOfRecord(family: Family, record: DataRecord): WantedCall | undefined {
  const id = normaliseId(String(record.id ?? ''));
  return id.ok ? keyCall({ family, kind: 'id', value: id.value }) : undefined;
}

/** Keeps the records of one shard until KV has them; a younger answer stays. */
export async function keepDelivered(
  { identity, family, records, fetchedAt }: DeliveredRecords,
  { store, outbox, platform, learn }: DeliveryContext,
): Promise<void> {
  await store.loadErased(platform.erased);
  const found = await Promise.all(
    records.map(async (record) => {
      const call = callOfRecord(family, record);
      const content = { kind: 'record' as const, record };
      return call && { call, content, keys: await keysOf(call, content, platform.pseudonyms) };
    }),
  );
  // From here on nothing waits: an erasure comes before or after.
  for (const one of found) {
    if (one === undefined) continue;
    const { call, content, keys } = one;
    const seen = withoutErased(content, keys, (pseudonyms) => store.isErased(pseudonyms));
    if (seen === undefined || (store.answers.find(call.name)?.fetchedAt ?? 0) > fetchedAt) continue;
    const { kept, names } = remembering(call, seen.content, seen.who, identity, fetchedAt, platform.lifetime);
    store.answers.keep(call.name, kept, kept.places);
    outbox.remember(call.name, kept, { identity, names });
    learn(call.name, kept);
  }
  outbox.flush();
}
