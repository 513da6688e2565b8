// What an erasure does to data requests: their rows tell more keys of whoever is erased, and then they go, and with them the
// queries that name them.
import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { type KeyKind, keyKinds } from '../../shared/families/index.ts';
import { requestRows } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import type { RowErasure } from '../privacy/erase.ts';
import { mentionOf } from '../privacy/mentions.ts';
import { eraseRecord, findRecordIds } from './ingest/index.ts';
import { deleteSelectionsNaming, indexMissingQueries } from './order/selection-store.ts';
import { getRowStore } from './state-machine.ts';

const spelled = z.array(z.string());

function kindAndValue(text: string): { kind: KeyKind; value: string }[] {
  const kind = keyKinds.find((name) => text.startsWith(`${name}:`));
  return kind === undefined ? [] : [{ kind, value: text.slice(kind.length + 1) }];
}

/** Queries whose words are noted by the erasure that has to know them; usually they are noted as the request is made. */
const UNNOTED = 300;

/**
 * Forgets queries of requests that name somebody; a request that was not sent yet then fails, and costs nothing. Lists of keys
 * go by themselves as soon as they are sent.
 * @throws where there are queries that nobody has looked at: the same call goes on with them
 */
async function forgetQueries(env: Env, keys: readonly RecordKey[]): Promise<void> {
  const mention = mentionOf(keys);
  if (mention === undefined) return;
  if (!(await indexMissingQueries(env, UNNOTED)))
    throw new Error('There are queries that were not looked at yet.');
  await deleteSelectionsNaming(env, mention);
}

/** The rows, as an erasure reaches them. */
export function rowTrail(env: Env): RowErasure {
  const store = getRowStore(env);

  async function idsOf({ family, kind, value }: RecordKey): Promise<string[]> {
    if (kind === 'id') return [value];
    return kind === 'verbatim' ? [] : findRecordIds(store, family, kind, value);
  }

  return {
    keysOf: async (key) => {
      const ids = await idsOf(key);
      const found: { kind: KeyKind; value: string }[] = ids.map((value) => ({ kind: 'id', value }));
      for (const id of ids) {
        const rows = await drizzle(env.DB)
          .selectDistinct({ keys: requestRows.keys })
          .from(requestRows)
          .where(and(eq(requestRows.family, key.family), eq(requestRows.recordId, id)));
        found.push(...rows.flatMap(({ keys }) => spelled.parse(JSON.parse(keys)).flatMap(kindAndValue)));
      }
      return found;
    },
    remove: async (keys) => {
      await forgetQueries(env, keys);
      const ids = new Map<string, [RecordKey['family'], string]>();
      for (const key of keys) {
        for (const id of await idsOf(key)) ids.set(`${key.family}:${id}`, [key.family, id]);
      }
      let rows = 0;
      for (const [family, id] of ids.values()) rows += await eraseRecord(store, family, id);
      return rows;
    },
  };
}
