// Whoever is erased is gone from the rows of all requests, and comes in with no other file.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countRows, eraseRecord, findRecordIds } from '../../../../worker/data-requests/ingest/index.ts';
import type { RecordKey } from '../../../../worker/gateway/cache/cache-keys.ts';
import { addErasedKeys, beginErasure } from '../../../../worker/gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';
import { ingestLines, newRequestId, readAllIds, readPageText, store, storeWithHook } from './files.ts';

const family = 'company_clean';
const company = (id: number) =>
  JSON.stringify({
    id,
    name: `name ${id}.`,
    websites_main: `https://www.site${id}.com/`,
    websites_professional_network: `https://x.com/company/slug${id}`,
  });
const bounds = { bytes: 600, rows: 3, lineBytes: 500 };
const files = (...ids: number[]): string[] => ids.map(company);

async function refuseKey(kind: RecordKey['kind'], value: string): Promise<void> {
  const pseudonym = await (await Pseudonyms.load(env.DB)).forKey({ family, kind, value });
  const id = crypto.randomUUID();
  await beginErasure(env.DB, id, 0, 'company');
  await addErasedKeys(env.DB, id, [pseudonym]);
}

describe('an erased record', () => {
  it('is gone from every request, and nobody else is', async () => {
    const [one, other] = [newRequestId(), newRequestId()];
    await ingestLines(files(101, 102, 103, 104, 105), { requestId: one, bounds });
    await ingestLines(files(102, 106), { requestId: other, bounds });
    expect(await eraseRecord(store, family, '102')).toBe(2);
    expect(await readAllIds(one)).toEqual([101, 103, 104, 105]);
    expect(await readAllIds(other)).toEqual([106]);
    expect(await countRows(store, one)).toBe(4);
    for (const requestId of [one, other]) expect(await readPageText(requestId)).not.toContain('name 102.');
    expect(await eraseRecord(store, family, '102')).toBe(0);
  });

  it('is found by its website and its shorthand name', async () => {
    const requestId = newRequestId();
    await ingestLines(files(121, 122), { requestId, bounds });
    expect(await findRecordIds(store, family, 'website', 'site122.com')).toEqual(['122']);
    expect(await findRecordIds(store, family, 'shorthand_name', 'slug121')).toEqual(['121']);
    expect(await findRecordIds(store, family, 'website', 'site12')).toEqual([]);
  });

  it('does not come in with a file, by whichever of its keys it was erased', async () => {
    await refuseKey('id', '131');
    await refuseKey('website', 'site132.com');
    await refuseKey('shorthand_name', 'slug133');
    const requestId = newRequestId();
    const report = await ingestLines(files(130, 131, 132, 133, 134), { requestId, bounds });
    expect(report).toMatchObject({ rows: 2, rejected: { erased: 3 } });
    expect(await readAllIds(requestId)).toEqual([130, 134]);
    const text = await readPageText(requestId);
    for (const id of [131, 132, 133]) expect(text).not.toContain(`name ${id}.`);
  });

  it('does not stay where it is erased while its page is being written', async () => {
    const requestId = newRequestId();
    let batches = 0;
    const target = storeWithHook(async (what) => {
      if (what !== 'batch') return;
      batches += 1;
      // The page stands, and the index does not know it yet.
      if (batches !== 1) return;
      await refuseKey('id', '142');
      expect(await eraseRecord(store, family, '142')).toBe(0);
    });
    const report = await ingestLines(files(141, 142, 143), { requestId, bounds, target });
    expect(report).toMatchObject({ rows: 2, rejected: { erased: 1 } });
    expect(await readAllIds(requestId)).toEqual([141, 143]);
    expect(await countRows(store, requestId)).toBe(2);
    expect(await readPageText(requestId)).not.toContain('name 142.');
  });

  it('is taken out of a page that is written anew meanwhile', async () => {
    const requestId = newRequestId();
    await ingestLines(files(151, 152, 153), { requestId, bounds });
    let puts = 0;
    const target = storeWithHook(async (what) => {
      if (what !== 'put') return;
      puts += 1;
      if (puts === 1) await ingestLines(files(151, 152, 153), { requestId, bounds });
    });
    const same = { ...target, db: env.DB };
    expect(await eraseRecord(same, family, '152')).toBe(1);
    expect(await readPageText(requestId)).not.toContain('name 152.');
    expect(await readAllIds(requestId)).toEqual([151, 153]);
  });
});
