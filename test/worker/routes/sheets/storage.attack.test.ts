// Attacks on the storage: a token without a budget makes the gateway store without end.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { maxRequestTickets, maxStoredRecords } from '../../../../shared/api/data-requests.ts';
import { type EnrichmentBody, maxEnrichedKeys } from '../../../../shared/api/enrichments.ts';
import { enrichedKeys, enrichments } from '../../../../worker/db/schema.ts';
import {
  journalClientRevocation,
  maxDailyRevocations,
} from '../../../../worker/gateway/auth/revocation-journal.ts';
import { listJournal } from '../../../../worker/gateway/journal.ts';
import { longIt } from '../../../pick-cases.ts';
import { ServiceHarness } from '../../data-requests/service-harness.ts';
import { clock } from '../../platform.ts';
import { createClient } from './callers.ts';
import { insertDataRequest, newId, newTeam, putTable } from './fixtures.ts';

const DAY_MS = 86_400_000;

const column: EnrichmentBody = {
  title: 'Accounts',
  family: 'company_clean',
  by: 'website',
  spreadsheet: { id: 'book', sheet_id: 7 },
  key: { id: 'c1', heading: 'Website' },
  columns: [{ id: 'c2', path: 'name', heading: 'Name' }],
  push: false,
  every: 'day',
  max_credits: 0,
  month_credits: 0,
  paused: true,
  refresh_days: null,
};

const listRevocations = async (team: string): Promise<string[]> => {
  const since = clock.now - (clock.now % DAY_MS);
  const { keys } = await listJournal(env, 'revocations', { since, after: null, limit: 1000 });
  return keys.filter((key) => key.includes(team));
};

it('keys of kept columns are recorded without end: refused above the cap of the team', async () => {
  const team = newTeam();
  const client = await createClient(team);
  const id = newId();
  await client.ok('PUT', `/enrichments/${id}`, column);
  const known = (from: number, count: number) => ({
    keys: Array.from({ length: count }, (_, at) => `k${from + at}.example`),
  });
  await client.ok('POST', `/enrichments/${id}/known`, known(0, 5));
  await client.ok('POST', `/enrichments/${id}/known`, known(3, 5));
  const orm = drizzle(env.DB);
  const [stored] = await orm.select().from(enrichments);
  expect(stored).toMatchObject({ id, keyCount: 8 });
  await orm.update(enrichments).set({ keyCount: maxEnrichedKeys - 9 });
  await client.ok('POST', `/enrichments/${id}/known`, known(10, 9));
  const refused = await client.problem('POST', `/enrichments/${id}/known`, known(20, 1));
  expect(refused).toMatchObject({ status: 409, code: 'too_many' });
  expect(await orm.$count(enrichedKeys)).toBe(17);
});

it('a table is registered again and again: one object of the journal a day', async () => {
  const team = newTeam();
  const client = await createClient(team);
  const id = newId();
  for (let sheet = 0; sheet < 5; sheet += 1)
    await putTable(client, { spreadsheet: { id: 'book', sheet_id: sheet } }, id);
  await client.ok('DELETE', `/tables/${id}`);
  expect(await listRevocations(team)).toHaveLength(1);
});

longIt('tables are made and deleted without end: refused above the cap of the day', async () => {
  const team = newTeam();
  const revoke = (at: number, id: string) => journalClientRevocation(env, at, { kind: 'table', id, team });
  for (let made = 0; made < maxDailyRevocations; made += 1) await revoke(clock.now, `t${made}`);
  await revoke(clock.now, 't0');
  await expect(revoke(clock.now, 'more')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
  expect(await listRevocations(team)).toHaveLength(maxDailyRevocations);
  await revoke(clock.now + DAY_MS, 'more');
});

it('free bulk orders of cached records fill the storage: refused above the cap of 30 days', async () => {
  const harness = new ServiceHarness();
  const team = newTeam();
  await createClient(team);
  await insertDataRequest(team, { requested: maxStoredRecords - 1 });
  await expect(harness.orderByIds(['1', '2'], { team })).rejects.toMatchObject({
    problem: { code: 'too_many' },
  });
  expect((await harness.orderByIds(['1'], { team })).phase).toBe('reserved');
});

it('tickets for an event stream are requested without end: the oldest make room', async () => {
  const team = newTeam();
  const client = await createClient(team);
  const id = await insertDataRequest(team);
  for (let made = 0; made < maxRequestTickets + 3; made += 1)
    await client.ok('POST', `/requests/${id}/ticket`);
  const { results } = await env.DB.prepare('SELECT 1 FROM request_tickets WHERE request_id = ?')
    .bind(id)
    .all();
  expect(results).toHaveLength(maxRequestTickets);
});
