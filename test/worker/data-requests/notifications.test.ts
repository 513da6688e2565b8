// Who is told that a request goes on or has ended: the sidebar by events, a caller by a signed webhook; and who is not.
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventTicket } from '../../../shared/api/data-requests.ts';
import { streamProgress } from '../../../worker/data-requests/progress-events.ts';
import { handleWebhook } from '../../../worker/data-requests/provider-webhooks.ts';
import { getCorsHeaders } from '../../../worker/routes/sheets/data-request-events.ts';
import { clock } from '../platform.ts';
import { addTeam, call, createRequest, getRequest, importCompanies, waitUntilEnded } from './bulk.ts';
import { PROVIDER_ID, ServiceHarness } from './service-harness.ts';

beforeAll(() => importCompanies(3));
beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const CALLER = 'https://caller.example/ready';

/** A receiver of webhooks that answers with these statuses, the last again and again. */
function receiver(...statuses: number[]): { headers: Headers; body: string; redirect: string | undefined }[] {
  const heard: { headers: Headers; body: string; redirect: string | undefined }[] = [];
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (input !== CALLER) return original(input, init);
    heard.push({ headers: new Headers(init?.headers), body: String(init?.body), redirect: init?.redirect });
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    return new Response(null, { status: status ?? 200 });
  });
  return heard;
}

const admin = { headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` } };

async function newSecret(): Promise<string> {
  const answer = await call('/admin/v1/teams/team/webhook-secret', { ...admin, method: 'POST' });
  expect(answer.status).toBe(201);
  return (await answer.json<{ secret: string }>()).secret;
}

describe('a caller’s webhook', () => {
  it('has the provider’s own body, signed with the team’s secret', async () => {
    const secret = await newSecret();
    const heard = receiver(200);
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest({ relayUrl: CALLER });
    await harness.advance(id);
    const body = `{ "data_request_id": "${PROVIDER_ID}",  "status":"ready", "more": [1e3] }`;
    // The hook would have a workflow work on the request beside the test.
    vi.spyOn(env.REQUESTS, 'create').mockRejectedValue(new Error('the test makes the steps'));
    await handleWebhook(env, { request: id, body }, clock.now);
    await harness.runSteps(id);
    expect(heard).toHaveLength(1);
    expect(heard[0]?.body).toBe(body);
    expect(heard[0]?.redirect).toBe('manual');
    const headers = Object.fromEntries(heard[0]?.headers ?? []);
    vi.useFakeTimers({ now: clock.now, toFake: ['Date'] });
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ status: 'ready' });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    vi.useRealTimers();
  });

  it('is tried again until it is taken, always under the same id', async () => {
    const heard = receiver(500, 302, 200);
    const harness = new ServiceHarness({ list: () => Response.json({ detail: 'x' }, { status: 422 }) });
    const { id } = await harness.createRequest({ relayUrl: CALLER });
    await harness.runSteps(id);
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1);
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ data_request_id: PROVIDER_ID, status: 'failed' });
  });

  it('that never takes it is a dead letter; replayed it is told again', async () => {
    const heard = receiver(500);
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest({ relayUrl: CALLER });
    await harness.runSteps(id);
    expect(heard).toHaveLength(7);
    const list = await (await call('/admin/v1/dead-letters', admin)).json<{
      dead_letters: { id: string; request: string; kind: string; error: string }[];
    }>();
    const letter = list.dead_letters.find(({ request }) => request === id);
    expect(letter).toMatchObject({ kind: 'relay', error: 'The receiver answered 500.' });
    vi.restoreAllMocks();
    const again = receiver(200);
    const replayed = await call(`/admin/v1/dead-letters/${letter?.id}/replay`, { ...admin, method: 'POST' });
    expect(replayed.status).toBe(200);
    await expect.poll(() => again.length, { timeout: 10_000 }).toBe(1);
  });
});

const text = async (stream: ReadableStream<Uint8Array> | null): Promise<string> =>
  new Response(stream).text();

async function ticketFor(id: string): Promise<string> {
  const answer = await call(`/sheets/v1/requests/${id}/ticket`, { method: 'POST' });
  expect(answer.status).toBe(201);
  return (await answer.json<EventTicket>()).ticket;
}

describe('events', () => {
  const events = (id: string, ticket: string, origin?: string): Promise<Response> =>
    call(`/sheets/v1/requests/${id}/events?ticket=${ticket}`, {
      headers: { authorization: '', ...(origin === undefined ? {} : { origin }) },
    });

  it('tell each state until the request has ended, to whoever has a ticket', async () => {
    const { id } = await createRequest({ family: 'company_clean', kind: 'ids', keys: ['1', '2'] });
    const sidebar = 'https://n-abc-0lu-script.googleusercontent.com';
    const answer = await events(id, await ticketFor(id), sidebar);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('access-control-allow-origin')).toBe(sidebar);
    const told = await text(answer.body);
    expect(told).toMatch(/^retry: \d+\n\nevent: state\ndata: \{/);
    expect(told).toContain('"state":"ready"');
    expect(told).toMatch(/event: close\ndata: ended\n\n$/);
    await waitUntilEnded(id);
  });

  it('are opened once by a ticket, soon, and for its own request', async () => {
    const { id } = await createRequest({ family: 'company_clean', kind: 'ids', keys: ['3'] });
    const other = await createRequest({ family: 'company_clean', kind: 'ids', keys: ['2'] });
    await waitUntilEnded(id);
    await waitUntilEnded(other.id);
    const ticket = await ticketFor(id);
    expect((await events(other.id, ticket)).status).toBe(404);
    const first = await events(id, ticket);
    expect(first.status).toBe(200);
    await text(first.body);
    expect((await events(id, ticket)).status).toBe(404);
    expect((await events(id, '')).status).toBe(404);
    const late = await ticketFor(id);
    await env.DB.prepare('UPDATE request_tickets SET expires_at = 1').run();
    expect((await events(id, late)).status).toBe(404);
    const stranger = await addTeam('curious', null);
    expect((await call(`/sheets/v1/requests/${id}/ticket`, { method: 'POST' }, stranger)).status).toBe(404);
  });

  const GOOGLE = 'https://n-abc-0lu-script.googleusercontent.com';
  it.each([
    [GOOGLE, true, true],
    ['http://127.0.0.1:8787', false, true],
    ['null', false, true],
    ['https://evil.example', false, false],
    ['https://googleusercontent.com', false, false],
    ['https://googleusercontent.com.evil.example', false, false],
    ['https://evil.googleusercontent.com.example', false, false],
    ['http://n-abc-0lu-script.googleusercontent.com', false, false],
  ])('are read by pages of %s: deployed %s, in development %s', (origin, deployed, development) => {
    const may = (ENVIRONMENT: string) => getCorsHeaders({ ENVIRONMENT }, origin);
    const header = { 'access-control-allow-origin': origin };
    expect(may('production')).toEqual(deployed ? header : {});
    expect(may('development')).toEqual(development ? header : {});
  });

  it('are closed after five minutes, and speak at least every quarter of one', async () => {
    const { id } = await createRequest({ family: 'company_clean', kind: 'ids', keys: ['3'] });
    await waitUntilEnded(id);
    const view = { ...(await getRequest(id)), ended_at: null };
    let now = 0;
    const stream = streamProgress({
      now: () => now,
      after: async (ms) => {
        now += ms;
      },
      getView: async () => view,
      signal: new AbortController().signal,
    });
    const told = await text(stream);
    expect(now).toBe(300_000);
    expect(told.match(/event: state/g)).toHaveLength(1);
    expect(told.match(/^:$/gm)?.length).toBe(19);
    expect(told).toMatch(/event: close\ndata: time\n\n$/);
  });

  it('end when the listener goes', async () => {
    const { id } = await createRequest({ family: 'company_clean', kind: 'ids', keys: ['3'] });
    await waitUntilEnded(id);
    const view = { ...(await getRequest(id)), ended_at: null };
    const gone = new AbortController();
    let looks = 0;
    const stream = streamProgress({
      now: () => 0,
      after: async () => {},
      getView: async () => {
        looks += 1;
        if (looks === 5) gone.abort();
        return view;
      },
      signal: gone.signal,
    });
    await text(stream);
    expect(looks).toBe(5);
  });
});
