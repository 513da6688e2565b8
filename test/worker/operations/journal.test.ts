// The journal: written before D1, without plain keys, read in order, and deleted when no restore can need it.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { IssuedToken, TeamView } from '../../../shared/api/admin.ts';
import {
  deleteOldJournal,
  type JournalPage,
  listJournal,
  readJournalEntry,
  writeJournal,
} from '../../../worker/gateway/journal.ts';
import {
  completeErasure,
  findUnfinishedErasure,
  reopenErasure,
} from '../../../worker/gateway/refusal-list/erasure-repository.ts';
import { createWork } from '../../../worker/privacy/erasure-run.ts';
import { GatewayHarness } from '../gateway/harness.ts';
import { buildCompanyResponse, createGateway } from '../harness.ts';
import { readJob } from '../job-rows.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, interceptCalls } from '../platform.ts';
import { RestoreHarness } from './restore-harness.ts';

const DAY_MS = 86_400_000;
const harness = new RestoreHarness();
const { orders } = harness;

/** Reads all objects of the journal as text. */
async function readTexts(kind: string): Promise<string[]> {
  const { objects } = await env.ROWS.list({ prefix: `journal/${kind}/` });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.ROWS.get(key))?.text()));
  return texts.map(String);
}

it('has the mark of an order before the provider is called', async () => {
  const row = await orders.orderByIds(['71', '72']);
  let atSending: string[] = [];
  orders.setScript({
    create: async () => {
      atSending = await readTexts('sent');
      return Response.json({ request_id: crypto.randomUUID() }, { status: 201 });
    },
  });
  await orders.advance(row.id);
  const marks = atSending.map((text): { id: string; claims: string[] } => JSON.parse(text));
  expect(marks).toEqual([expect.objectContaining({ id: row.id, claims: expect.any(Array) })]);
  expect(marks[0]?.claims).toHaveLength(2);
  expect(atSending.join()).not.toMatch(/"7[12]"|https?:\/\/[^"]*hooks/);
});

it('has an erasure before it is reported, and no key that somebody could read', async () => {
  await harness.erase({ family: 'company_clean', kind: 'website', value: 'secret-company.com' });
  const texts = await readTexts('erasures');
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.join()).not.toContain('secret-company');
  const { results } = await env.DB.prepare('SELECT pseudonym FROM erased_keys').all<{ pseudonym: string }>();
  for (const { pseudonym } of results) expect(texts.join()).toContain(pseudonym);
});

it('opens an erasure with each key once, however many entries have it', async () => {
  const work = createWork({ family: 'company_clean', kind: 'website', value: 'repeated.example' });
  const erasure = {
    id: crypto.randomUUID(),
    at: clock.now,
    subject: 'company',
    request: null,
    work,
  } as const;
  for (let entry = 0; entry < 3; entry += 1) await reopenErasure(env.DB, erasure);
  const stored = await findUnfinishedErasure(env.DB, erasure.id);
  expect(stored !== 'unreadable' && stored?.work.keys).toEqual(work.keys);
  await completeErasure(env.DB, erasure.id, work.removed, clock.now);
  // As if the process had ended before it could end the job.
  await new GatewayHarness(() => Response.json({})).runErasures();
  expect(await readJob('erasure', erasure.id)).toBeUndefined();
});

it('comes first: without it nothing is sent, erased or revoked', async () => {
  const team = await harness.admin<TeamView>('POST', '/teams', { name: 'Sales' });
  const token = await harness.admin<IssuedToken>('POST', `/teams/${team.id}/tokens`, { name: 'One' });
  const ROWS = interceptCalls(env.ROWS, (method) => {
    if (method === 'put') throw new Error('R2 is down');
  });
  const gateway = createGateway(buildCompanyResponse, harness.identity, undefined, { ROWS });
  captureErrorLog();
  const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
  const remove = async (path: string) =>
    (await gateway.request(`/admin/v1${path}`, { method: 'DELETE', headers })).status;
  const count = async (sql: string) => await env.DB.prepare(sql).first<number>('count');
  const erasures = await count('SELECT count(*) AS count FROM erasures');
  expect(await remove(`/teams/${team.id}/tokens/${token.id}`)).toBe(500);
  expect(await remove(`/teams/${team.id}`)).toBe(500);
  expect(await remove('/records/company_clean/other-company.com')).toBe(500);
  expect(await count('SELECT count(*) AS count FROM erasures')).toBe(erasures);
  expect(await count('SELECT count(*) AS count FROM tokens WHERE revoked_at IS NOT NULL')).toBe(0);
  expect(await count('SELECT count(*) AS count FROM teams WHERE deleted_at IS NOT NULL')).toBe(0);
});

it('is not written by callers for what does not exist', async () => {
  const count = async () => (await readTexts('revocations')).length;
  const before = await count();
  const headers = { authorization: `Bearer ${env.TEAM_TOKEN}` };
  const path = `/sheets/v1/alerts/${crypto.randomUUID()}`;
  expect((await harness.gateway.request(path, { method: 'DELETE', headers })).status).toBe(404);
  expect(await count()).toBe(before);
});

it('is read in order from a time on, and deleted after 31 days', async () => {
  const { now } = clock;
  const start = now + 100 * DAY_MS;
  for (const day of [3, 1, 0, 2])
    await writeJournal(env, 'revocations', { id: `day-${day}`, at: start + day * DAY_MS, body: day });
  const list = async (since: number) => {
    const bodies: unknown[] = [];
    for (let after: string | null = null, more = true; more; more = after !== null) {
      const page: JournalPage = await listJournal(env, 'revocations', {
        since,
        after,
        limit: 1,
      });
      for (const key of page.keys) bodies.push(await readJournalEntry(env, key));
      after = page.after;
    }
    return bodies;
  };
  expect(await list(start)).toEqual([0, 1, 2, 3]);
  expect(await list(start + DAY_MS + 1)).toEqual([2, 3]);
  await deleteOldJournal(env, start + 32 * DAY_MS + 1, 1);
  expect(await list(0)).toEqual([2, 3]);
  expect(await readTexts('sent')).toEqual([]);
});
