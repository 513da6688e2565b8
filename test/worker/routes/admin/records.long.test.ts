// /admin/v1/records: the calls for a record in the ledgers of many teams.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { RecordView } from '../../../../shared/api/admin-records.ts';
import type { Entry } from '../../../../worker/gateway/ledger/types.ts';
import { admin } from './harness.ts';

const TEAMS = 1_200;
const PATH = '/records/company_clean/acme.example';

const line: Entry = {
  number: 1,
  at: 0,
  day: '1970-01-01',
  kind: 'charge',
  credits: 10,
  saved: 0,
  calls: 1,
};

beforeAll(async () => {
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
      INSERT INTO teams (id, name, created_at) SELECT printf('team-%04d', n), 'Sales', n FROM numbers`,
  )
    .bind(TEAMS)
    .run();
});

/** Ledgers that count their calls. */
function createLedgers() {
  const counts = { calls: 0, waiting: 0, peak: 0 };
  const listEntriesBySubject = async (): Promise<Entry[]> => {
    counts.calls += 1;
    counts.waiting += 1;
    counts.peak = Math.max(counts.peak, counts.waiting);
    await scheduler.wait(0);
    counts.waiting -= 1;
    return [line];
  };
  const getByName = () => ({ listEntriesBySubject });
  return { counts, namespace: new Proxy(env.LEDGER, { get: () => getByName }) };
}

it('asks the ledgers of all teams: some at the same time, at most 500 for one response', async () => {
  const { counts, namespace } = createLedgers();
  const { ok } = admin({ LEDGER: namespace });
  const teams: string[] = [];
  let responses = 0;
  for (let after = ''; ; ) {
    counts.calls = 0;
    const view = await ok<RecordView>('GET', `${PATH}${after}`);
    responses += 1;
    expect(counts.calls).toBeLessThanOrEqual(500);
    teams.push(...view.ledger_entries.map(({ team }) => team));
    if (view.next === null) break;
    after = `?after=${view.next}`;
  }
  expect(counts.peak).toBe(20);
  expect(responses).toBe(3);
  const stored = await env.DB.prepare('SELECT id FROM teams').all<{ id: string }>();
  expect(teams.toSorted()).toEqual(stored.results.map(({ id }) => id).toSorted());
});
