// What an erasure does to the rows of data requests: they tell more keys of whoever is erased, and then they go.
import * as z from 'zod';
import { type KeyKind, keyKinds } from '../../shared/families.ts';
import type { Env } from '../env.ts';
import type { RowTrail } from '../gateway/erase.ts';
import type { RecordKey } from '../gateway/names.ts';
import { rowStore } from './book.ts';
import { eraseFromRows, idsInRows } from './rows/index.ts';

const spelled = z.array(z.string());

function kindAndValue(text: string): { kind: KeyKind; value: string }[] {
  const kind = keyKinds.find((name) => text.startsWith(`${name}:`));
  return kind === undefined ? [] : [{ kind, value: text.slice(kind.length + 1) }];
}

/** The rows, as an erasure reaches them. */
export function rowTrail(env: Env): RowTrail {
  const store = rowStore(env);

  async function idsOf({ family, kind, value }: RecordKey): Promise<string[]> {
    if (kind === 'id') return [value];
    return kind === 'verbatim' ? [] : idsInRows(store, family, kind, value);
  }

  return {
    keysOf: async (key) => {
      const ids = await idsOf(key);
      const found: { kind: KeyKind; value: string }[] = ids.map((value) => ({ kind: 'id', value }));
      for (const id of ids) {
        const { results } = await env.DB.prepare(
          'SELECT DISTINCT keys FROM request_rows WHERE family = ? AND record_id = ?',
        )
          .bind(key.family, id)
          .all<{ keys: string }>();
        found.push(...results.flatMap(({ keys }) => spelled.parse(JSON.parse(keys)).flatMap(kindAndValue)));
      }
      return found;
    },
    remove: async (keys) => {
      const ids = new Map<string, [RecordKey['family'], string]>();
      for (const key of keys) {
        for (const id of await idsOf(key)) ids.set(`${key.family}:${id}`, [key.family, id]);
      }
      let rows = 0;
      for (const [family, id] of ids.values()) rows += await eraseFromRows(store, family, id);
      return rows;
    },
  };
}
