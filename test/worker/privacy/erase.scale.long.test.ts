// An erasure among a million cached records finishes, although it is interrupted. `npm run test:all` runs it at 1:100.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { toRecordKvKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { toRecord } from '../../../worker/gateway/cache/content.ts';
import { encodeEnvelope } from '../../../worker/gateway/cache/envelope.ts';
import { Pseudonyms, toReference } from '../../../worker/gateway/refusal-list/pseudonyms.ts';
import { shards } from '../../../worker/gateway/single-flight/client.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import { GatewayHarness } from '../gateway/harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock } from '../platform.ts';

const ENTRIES = 1_000_000 * env.SCALE;
/** Employees of the erased company. */
const EMPLOYEES = 50_000 * env.SCALE;
const COMPANY = 'acme.example';
const KEPT_MS = 300 * 86_400_000;
const CONCURRENCY = 64;

const harness = new GatewayHarness(() => Response.json({ detail: 'Not found' }, { status: 404 }));

/** Index entries of other people, of whom nothing is in KV: an erasure only has to pass them. */
const INSERT_OTHERS = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
  INSERT INTO copies SELECT 'employee_clean:id:' || (1000000000 + n), ?2, ?2 + ?3,
    '[["' || lower(hex(randomblob(32))) || '"]]',
    '[{"kvKey":"record:x:employee_clean:id:' || n || '","ttl":100}]',
    ' ' || lower(hex(randomblob(6))) || ' ' || lower(hex(randomblob(6))) || ' ' || lower(hex(randomblob(6))) || ' '
  FROM numbers`;
const INSERT_EMPLOYEE = 'INSERT INTO copies VALUES (?, ?, ?, ?, ?, ?)';

const buildEmployee = (id: number) => ({
  id,
  full_name: 'Somebody',
  experience: [{ company_website: COMPANY }, { company_website: 'other.example' }],
});

async function putIntoKv(ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += CONCURRENCY) {
    await Promise.all(
      ids.slice(at, at + CONCURRENCY).map((id) => {
        const times = { fetchedAt: clock.now, freshUntil: clock.now, keepUntil: clock.now + KEPT_MS };
        return env.RECORDS.put(
          getKvKey(id),
          encodeEnvelope({ content: toRecord(buildEmployee(id)), ...times }),
        );
      }),
    );
  }
}

const getKvKey = (id: number): string => toRecordKvKey(harness.identity, `employee_clean:id:${id}`);

/** Fills the index of one object, and KV with its employees of the company. */
async function fillShard(shard: number, reference: string): Promise<void> {
  const ids = Array.from({ length: EMPLOYEES }, (_, index) => index + 1).filter(
    (id) => id % shards.length === shard,
  );
  await putIntoKv(ids);
  const stub = env.SINGLE_FLIGHT.getByName(`${harness.identity}:${shard}`);
  await runInDurableObject(stub, (_instance, { storage: { sql } }) => {
    sql.exec(INSERT_OTHERS, Math.round((ENTRIES - EMPLOYEES) / shards.length), clock.now, KEPT_MS);
    for (const id of ids) {
      const kvEntries = JSON.stringify([{ kvKey: getKvKey(id), ttl: KEPT_MS / 1000 }]);
      const until = clock.now + KEPT_MS;
      sql.exec(
        INSERT_EMPLOYEE,
        `employee_clean:id:${id}`,
        clock.now,
        until,
        '[[]]',
        kvEntries,
        ` ${reference} `,
      );
    }
  });
}

it('erases a company from the records of its employees, although KV fails now and then', async () => {
  captureErrorLog();
  const pseudonyms = await Pseudonyms.load(env);
  const key = { family: 'company_clean', kind: 'website', value: COMPANY } as const;
  const reference = toReference(await pseudonyms.forKey(key));
  for (const shard of shards) await fillShard(shard, reference);

  harness.kv.failing = 'put';
  expect(await erase(key, harness.createErasureContext())).toMatchObject({ completeAt: null });
  delete harness.kv.failing;
  let invocations = 1;
  for (let unfinished = 1; unfinished > 0; invocations += 1) {
    await harness.runErasures();
    const row = await env.DB.prepare('SELECT count(*) AS count FROM erasures WHERE work IS NOT NULL').first();
    unfinished = Number(row?.count);
    if (invocations > 50) throw new Error('The erasure does not finish.');
  }

  const removed = await env.DB.prepare("SELECT removed ->> 'mentions' AS mentions FROM erasures").first();
  expect(removed).toEqual({ mentions: EMPLOYEES });
  for (let id = 1; id <= EMPLOYEES; id += Math.ceil(EMPLOYEES / 500)) {
    const text = await env.RECORDS.get(getKvKey(id));
    expect(text).toContain('other.example');
    expect(text).not.toContain(COMPANY);
  }
  console.log(`${ENTRIES} entries, ${EMPLOYEES} changed, ${invocations} invocations`);
});
