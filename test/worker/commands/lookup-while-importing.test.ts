// A lookup during an import returns right rows or #PENDING, never a wrong #NOT_FOUND.
import { expect, inject, it, vi } from 'vitest';

const { url, team_token, provider_key } = inject('session');
const FAMILY = 'company_clean';
const FIRST_ID = 880_000_001;
const BATCHES = 4;
const BATCH = 8;

interface Row {
  key: string;
  status: string;
  problem?: string;
  record?: { name?: string };
}

const getWebsite = (number: number): string => `imported-${number}.example`;

async function importBatch(batch: number): Promise<void> {
  const records = Array.from({ length: BATCH }, (_, at) => {
    const number = batch * BATCH + at;
    return { id: FIRST_ID + number, name: `Imported ${number}`, websites_main: getWebsite(number) };
  });
  const response = await fetch(`${url}/provider/records/${FAMILY}`, {
    method: 'POST',
    headers: { apikey: provider_key },
    body: JSON.stringify({ records }),
  });
  expect(response.status).toBe(200);
}

async function lookup(keys: readonly string[]): Promise<Row[]> {
  const response = await fetch(`${url}/sheets/v1/lookup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team_token}` },
    body: JSON.stringify({ family: FAMILY, by: 'website', keys, fields: ['name'] }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { rows: Row[] }).rows;
}

it('a lookup during an import returns right rows or #PENDING, never a wrong #NOT_FOUND', async () => {
  const keys = Array.from({ length: BATCHES * BATCH }, (_, number) => getWebsite(number));
  let imported = 0;
  let lookups = 0;
  let isDone = false;
  const importing = (async () => {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await importBatch(batch);
      imported = (batch + 1) * BATCH;
      // However fast an import is, a lookup meets each of its states.
      await vi.waitUntil(() => lookups > batch, 30_000);
    }
    isDone = true;
  })();
  const wrong: unknown[] = [];
  while (!isDone) {
    const importedBefore = imported;
    // Half of the keys are not imported yet. Their #NOT_FOUND must not be cached.
    const rows = await lookup(keys.slice(Math.max(0, importedBefore - 2 * BATCH), importedBefore + BATCH));
    lookups += 1;
    for (const { key, status, problem, record } of rows) {
      const number = keys.indexOf(key);
      const isRight = record?.name === `Imported ${number}`;
      const mayBeMissing = number >= importedBefore && status === 'not_found';
      if (!isRight && !mayBeMissing && status !== 'pending')
        wrong.push({ key, status, problem, importedBefore });
    }
  }
  await importing;
  expect(wrong).toEqual([]);
  const after = await lookup(keys);
  expect(after.map(({ record }) => record?.name)).toEqual(keys.map((_, number) => `Imported ${number}`));
});
