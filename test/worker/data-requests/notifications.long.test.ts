// Notifications about data requests: event streams, signed webhooks to callers, changes for sheets, and pushes.
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminResponse } from '../../../shared/api/admin-endpoints.ts';
import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import type { SheetsResponse } from '../../../shared/api/sheets-endpoints.ts';
import { streamProgress } from '../../../worker/data-requests/progress-events.ts';
import { handleWebhook } from '../../../worker/data-requests/provider-webhooks.ts';
import { DataRequestRepository } from '../../../worker/data-requests/repository.ts';
import { deletePreviousSecrets } from '../../../worker/data-requests/webhook-secrets.ts';
import { getCorsHeaders } from '../../../worker/routes/sheets/data-request-events.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import { clock } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';
import { listPushes, storeRows, TablesHarness } from '../tables/harness.ts';
import {
  addTeam,
  call,
  callAdmin,
  companyIds,
  completeRequest,
  createRequest,
  getRequest,
  importCompanies,
  waitUntilEnded,
} from './bulk.ts';
import { PROVIDER_ID, respond, ServiceHarness } from './service-harness.ts';

beforeAll(() => importCompanies(3));
beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const WEBHOOK_URL = 'https://caller.example/ready';

interface Delivery {
  headers: Headers;
  body: string;
  redirect: string | undefined;
}

/** Mocks the receiver of webhooks; it repeats the last status. */
function mockReceiver(...statuses: number[]): Delivery[] {
  const deliveries: Delivery[] = [];
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (input !== WEBHOOK_URL) return original(input, init);
    deliveries.push({
      headers: new Headers(init?.headers),
      body: String(init?.body),
      redirect: init?.redirect,
    });
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    return new Response(null, { status: status ?? 200 });
  });
  return deliveries;
}

async function findDeadLetter(subject: string) {
  const list = await (await callAdmin('/dead-letters')).json<AdminResponse<'listDeadLetters'>>();
  return list.dead_letters.find(({ request }) => request === subject);
}

const replay = (id: string | undefined) => callAdmin(`/dead-letters/${id}/replay`, 'POST');

async function listChanges(subject: string): Promise<unknown[]> {
  const statement = env.DB.prepare('SELECT kind, run FROM changes WHERE subject = ?').bind(subject);
  return (await statement.all()).results;
}

describe('the webhook of a caller', () => {
  it('has the provider’s body, signed with the secret of the team', async () => {
    const created = await callAdmin('/teams/team/webhook-secret', 'POST');
    expect(created.status).toBe(201);
    const { secret } = await created.json<{ secret: string }>();
    const deliveries = mockReceiver(200);
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest({ webhookUrl: WEBHOOK_URL });
    await harness.advance(id);
    const body = `{ "data_request_id": "${PROVIDER_ID}",  "status":"ready", "more": [1e3] }`;
    // Otherwise the webhook would start a job that races with the test.
    vi.spyOn(env.JOBS, 'sendBatch').mockRejectedValue(new Error('the test runs the steps'));
    await handleWebhook(env, id, body, clock.now);
    await harness.runSteps(id);
    expect(deliveries).toMatchObject([{ body, redirect: 'manual' }]);
    const headers = Object.fromEntries(deliveries[0]?.headers ?? []);
    vi.useFakeTimers({ now: clock.now, toFake: ['Date'] });
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ status: 'ready' });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    vi.useRealTimers();
  });

  it('is signed with the previous secret too, for a day after its rotation', async () => {
    const rotateSecret = async () =>
      (await (await callAdmin('/teams/team/webhook-secret', 'POST')).json<{ secret: string }>()).secret;
    const secrets = [await rotateSecret(), await rotateSecret()];
    const rows = await env.DB.prepare('SELECT * FROM webhook_secrets').all();
    for (const secret of secrets) expect(JSON.stringify(rows.results)).not.toContain(secret);
    const deliveries = mockReceiver(200);
    const harness = new ServiceHarness();
    const listAccepted = async () => {
      const { id } = await harness.createRequest({ webhookUrl: WEBHOOK_URL });
      await harness.runSteps(id);
      const { body = '', headers } = deliveries.at(-1) ?? {};
      vi.useFakeTimers({ now: clock.now, toFake: ['Date'] });
      const accepted = secrets.filter((secret) => {
        try {
          return new Webhook(secret).verify(body, Object.fromEntries(headers ?? []));
        } catch {
          return false;
        }
      });
      vi.useRealTimers();
      return accepted;
    };
    expect(await listAccepted()).toEqual(secrets);
    // The admin's route has the real time.
    clock.now = Date.now() + 86_400_000;
    expect(await listAccepted()).toEqual(secrets.slice(1));
    await deletePreviousSecrets(env.DB, clock.now);
    const { results } = await env.DB.prepare('SELECT previous_secret FROM webhook_secrets').all();
    expect(results).toEqual([{ previous_secret: null }]);
  });

  it('is retried with the same id until it is accepted', async () => {
    const deliveries = mockReceiver(500, 302, 200);
    const harness = new ServiceHarness({ list: respond(422) });
    const { id } = await harness.createRequest({ webhookUrl: WEBHOOK_URL });
    await harness.runSteps(id);
    expect(deliveries).toHaveLength(3);
    expect(new Set(deliveries.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1);
    expect(JSON.parse(deliveries[0]?.body ?? '')).toEqual({ data_request_id: PROVIDER_ID, status: 'failed' });
  });

  it('becomes a dead letter after seven attempts and can be replayed; sheets are notified once', async () => {
    const deliveries = mockReceiver(500);
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest({ webhookUrl: WEBHOOK_URL });
    const table = await new TablesHarness().registerTable({ requestId: id });
    await harness.runSteps(id);
    expect(deliveries).toHaveLength(7);
    expect(await listChanges(id)).toHaveLength(1);
    expect(await listPushes(table)).toHaveLength(1);
    const letter = await findDeadLetter(id);
    expect(letter).toMatchObject({ kind: 'webhook', error: 'The receiver answered 500.' });
    vi.restoreAllMocks();
    const repeated = mockReceiver(200);
    expect((await replay(letter?.id)).status).toBe(200);
    await expect.poll(() => repeated.length).toBe(1);
  });
});

it.each([
  ['ready', {}, 1],
  ['unclear', { create: respond(500) }, 1],
  ['cancelled', {}, 0],
])('a data request that ends as %s notifies sheets accordingly', async (phase, script, count) => {
  const harness = new ServiceHarness(script);
  const row = await harness.createRequest();
  if (phase === 'cancelled') await harness.service.cancel(row);
  await harness.runSteps(row.id);
  expect((await harness.getRow(row.id)).phase).toBe(phase);
  expect(await listChanges(row.id)).toHaveLength(count);
});

it('an erasure deletes the company from the rows of a run, and keeps the change', async () => {
  const now = Date.now();
  const table = await new TablesHarness().registerTable({ createdAt: now, updatedAt: now, push: false });
  const sql = `INSERT INTO table_runs (id, team_id, table_id, state, since, started_at)
    VALUES ('run-2', 'team', ?, 'done', 0, ?)`;
  await env.DB.prepare(sql).bind(table.id, now).run();
  await storeRows('run-2', 3, 7001);
  const change = { teamId: 'team', kind: 'table', subject: table.id, run: 'run-2', hasRows: true } as const;
  await recordChange(env, change, now);
  expect((await callAdmin('/records/company_clean/c7002.example', 'DELETE')).status).toBe(200);
  const answer = await call(`/sheets/v1/tables/${table.id}/runs/run-2/rows`);
  const { rows } = await answer.json<{ rows: unknown[][] }>();
  expect(rows.map(([name]) => name)).toEqual(['Company 7001', 'Company 7003']);
  const { changes } = await (await call('/sheets/v1/changes')).json<SheetsResponse<'listChanges'>>();
  expect(changes).toContainEqual({ kind: 'table', id: table.id, run: 'run-2', at: expect.any(String) });
});

describe('the event stream', () => {
  const SIDEBAR_ORIGIN = 'https://n-abc-0lu-script.googleusercontent.com';
  const readText = (stream: ReadableStream<Uint8Array> | null): Promise<string> =>
    new Response(stream).text();

  async function createTicket(id: string): Promise<string> {
    const answer = await call(`/sheets/v1/requests/${id}/ticket`, { method: 'POST' });
    expect(answer.status).toBe(201);
    return (await answer.json<SheetsResponse<'createTicket'>>()).ticket;
  }

  const openEvents = (id: string, ticket: string): Promise<Response> =>
    call(`/sheets/v1/requests/${id}/events?ticket=${ticket}`, {
      headers: { authorization: '', origin: SIDEBAR_ORIGIN },
    });

  it('has each state until the end of the data request', async () => {
    const { id } = await createRequest(companyIds([1, 2]));
    const answer = await openEvents(id, await createTicket(id));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('access-control-allow-origin')).toBe(SIDEBAR_ORIGIN);
    const text = await readText(answer.body);
    expect(text).toMatch(/^retry: \d+\n\nevent: state\ndata: \{/);
    expect(text).toContain('"state":"ready"');
    expect(text).toMatch(/event: close\ndata: ended\n\n$/);
    await waitUntilEnded(id);
  });

  it('opens once per ticket, in time, and only for its data request and team', async () => {
    const { id } = await completeRequest(companyIds([3]));
    const other = await createRequest(companyIds([3]));
    const ticket = await createTicket(id);
    expect((await openEvents(other.id, ticket)).status).toBe(404);
    const first = await openEvents(id, ticket);
    expect(first.status).toBe(200);
    await readText(first.body);
    expect((await openEvents(id, ticket)).status).toBe(404);
    expect((await openEvents(id, '')).status).toBe(404);
    const expired = await createTicket(id);
    await env.DB.prepare('UPDATE request_tickets SET expires_at = 1').run();
    expect((await openEvents(id, expired)).status).toBe(404);
    const token = await addTeam('others', null);
    expect((await call(`/sheets/v1/requests/${id}/ticket`, { method: 'POST' }, token)).status).toBe(404);
  });

  it.each([
    [SIDEBAR_ORIGIN, true, true],
    ['http://127.0.0.1:8787', false, true],
    ['null', false, true],
    ['https://evil.example', false, false],
    ['https://googleusercontent.com', false, false],
    ['https://googleusercontent.com.evil.example', false, false],
    ['https://evil.googleusercontent.com.example', false, false],
    ['http://n-abc-0lu-script.googleusercontent.com', false, false],
  ])('allows the origin %s: deployed %s, in development %s', (origin, deployed, development) => {
    const header = { 'access-control-allow-origin': origin };
    expect(getCorsHeaders({ ENVIRONMENT: 'production' }, origin)).toEqual(deployed ? header : {});
    expect(getCorsHeaders({ ENVIRONMENT: 'development' }, origin)).toEqual(development ? header : {});
  });

  describe('of a data request that does not end', () => {
    let view: DataRequestView;
    beforeAll(async () => {
      const { id } = await completeRequest(companyIds([3]));
      view = { ...(await getRequest(id)), ended_at: null };
    });

    it('closes after five minutes, with a keep-alive every 15 seconds', async () => {
      let now = 0;
      const stream = streamProgress({
        now: () => now,
        sleep: async (ms) => {
          now += ms;
        },
        getView: async () => view,
        signal: new AbortController().signal,
      });
      const text = await readText(stream);
      expect(now).toBe(300_000);
      expect(text.match(/event: state/g)).toHaveLength(1);
      expect(text.match(/^:$/gm)?.length).toBe(19);
      expect(text).toMatch(/event: close\ndata: time\n\n$/);
    });

    it('makes fewer than 1,000 queries, whatever changes; a client that reconnects misses no state', async () => {
      let now = 0;
      const runtime = new StrictRuntime({ clock: () => now });
      /** Follows the data request in a new invocation. @param maxReads - the client disconnects afterwards */
      const follow = (maxReads = Number.POSITIVE_INFINITY) => {
        const store = new DataRequestRepository(runtime.wrapBindings(env).env.DB);
        const client = new AbortController();
        let reads = 0;
        return streamProgress({
          now: () => now,
          sleep: async (ms) => {
            now += ms;
          },
          getView: async () => {
            reads += 1;
            if (reads === maxReads) client.abort();
            const [row, files] = [await store.get(view.id), await store.listFiles([view.id])];
            return { ...view, rows: now, cached: files.length + (row === undefined ? 0 : 1) };
          },
          signal: client.signal,
        });
      };
      // A query beyond the limit breaks the stream.
      const text = await readText(follow());
      expect(now).toBe(300_000);
      expect(text.match(/event: state/g)?.length).toBeGreaterThan(300);
      const [state] = /data: .*/.exec(await readText(follow(2))) ?? [];
      expect(JSON.parse(state?.slice(6) ?? '')).toMatchObject({ id: view.id, rows: 300_000 });
    });

    it('ends when the client disconnects', async () => {
      const client = new AbortController();
      let reads = 0;
      const getView = async () => {
        reads += 1;
        if (reads === 5) client.abort();
        return view;
      };
      await readText(streamProgress({ now: () => 0, sleep: async () => {}, getView, signal: client.signal }));
      expect(reads).toBe(5);
    });
  });
});
