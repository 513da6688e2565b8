// Reads values of KV in batches.
import pMap from 'p-map';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';

/** The most keys that KV reads at once. */
export const KV_BATCH = 100;

/** Values by KV key; null: KV has no value. */
export type KvTexts = ReadonlyMap<string, string | null>;

/** Reads at most {@link KV_BATCH} values. */
export async function readKvBatch(kv: KVNamespace, kvKeys: string[]): Promise<KvTexts> {
  const [kvKey, ...others] = kvKeys;
  if (kvKey === undefined) return new Map();
  if (others.length > 0) return kv.get(kvKeys, 'text');
  // KV is faster with a single key than with a batch of one.
  return new Map([[kvKey, await kv.get(kvKey, 'text')]]);
}

/** Reads values, in batches and `concurrency` of them at once. @returns the KV keys that could not be read, and the errors */
export async function readKvTexts(
  kv: KVNamespace,
  kvKeys: readonly string[],
  concurrency: number,
  onText: (kvKey: string, text: string) => void,
): Promise<{ unreadable: string[]; errors: unknown[] }> {
  const unreadable: string[] = [];
  const errors: unknown[] = [];
  const tryRead = (batch: string[]): Promise<KvTexts | undefined> =>
    readKvBatch(kv, batch).catch((error: unknown) => {
      errors.push(error);
      return undefined;
    });
  const readBatch = async (batch: string[]): Promise<void> => {
    const values = await tryRead(batch);
    if (values === undefined) {
      // KV refuses results of more than 25 MB, so try halves, unless not even a single key can be read.
      const half = Math.ceil(batch.length / 2);
      const [first = ''] = batch;
      if (batch.length === 1 || (await tryRead([first])) === undefined) unreadable.push(...batch);
      else for (const part of [batch.slice(0, half), batch.slice(half)]) await readBatch(part);
      return;
    }
    for (const [kvKey, text] of values) if (text !== null) onText(kvKey, text);
  };
  const batches = splitIntoBatches(kvKeys, KV_BATCH);
  const [first, ...others] = batches;
  if (first !== undefined && others.length === 0) await readBatch(first);
  else await pMap(batches, readBatch, { concurrency });
  return { unreadable, errors };
}
