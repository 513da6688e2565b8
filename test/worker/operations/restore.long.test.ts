// A restore of D1 to an earlier time: nothing is sent or bought again, and later erasures and revocations still apply.
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TeamView } from '../../../shared/api/admin.ts';
import type { RestoreView } from '../../../shared/api/admin-settings.ts';
import type { SheetsResponse } from '../../../shared/api/sheets-endpoints.ts';
import type { RequestRow } from '../../../worker/db/schema.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { isErasedKey } from '../../../worker/gateway/refusal-list/erasure-list.ts';
import { runCron } from '../../../worker/jobs/run-jobs.ts';
import { copyDatabase, putBack } from '../database-copy.ts';
import { buildCompanyResponse, createGateway } from '../harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, interceptCalls, testPlatform } from '../platform.ts';
import { createClient } from '../routes/sheets/callers.ts';
import { RestoreHarness } from './restore-harness.ts';

const MINUTE_MS = 60_000;

/** What a receiver of webhooks and alerts got. */
const received: string[] = [];
beforeEach(() => {
  received.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    received.push(new Request(input).url);
    return new Response();
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const getSpending = async () => {
  const { spent, reserved, unclear } = await getLedger(env, 'team').getBudget();
  return { spent: spent.day, reserved, unclear };
};

const read = async <T>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;

/** Runs every sweep some times. */
async function runMinutes(count = 3): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    clock.now += MINUTE_MS;
    await runCron({ env, platform: testPlatform, waitUntil: () => {} });
  }
}

describe('bulk orders', () => {
  const harness = new RestoreHarness();
  const { orders } = harness;
  const before = { reserved: '', submitted: '' };
  let afterwards: RequestRow[] = [];

  it('sends none again, whatever its state was', async () => {
    const reserved = await orders.orderByIds(['11'], { idempotencyKey: 'one' });
    const submitted = await orders.orderByIds(['12']);
    await orders.advance(submitted.id);
    Object.assign(before, { reserved: reserved.id, submitted: submitted.id });
    const copy = await copyDatabase();
    const { now } = clock;
    clock.now += 3_600_000;
    for (const { id } of [reserved, submitted]) await orders.runSteps(id);
    const sent = await orders.orderByIds(['13'], { idempotencyKey: 'two' });
    await orders.advance(sent.id);
    const unsent = await orders.orderByIds(['14']);
    expect((await getSpending()).reserved).toBeGreaterThan(unsent.reserved);
    const { length } = orders.calls;

    const view = await harness.restore(copy, now);
    expect(view).toMatchObject({ orders_recovered: 1, orders_unclear: 3, orders_released: 1 });
    afterwards = [reserved, submitted, sent, unsent];
    for (const { id } of afterwards) expect(await orders.advance(id)).toEqual({ over: true });
    await runMinutes();
    expect(orders.calls.length).toBe(length);
    const phases = await read<RequestRow>('SELECT id, phase FROM requests ORDER BY created_at');
    expect(phases).toEqual([reserved, submitted, sent].map(({ id }) => ({ id, phase: 'unclear' })));
  });

  it('recognises a repeated order, and refuses its records to others', async () => {
    const { length } = orders.calls;
    const [reserved, , sent] = afterwards;
    expect((await orders.orderByIds(['11'], { idempotencyKey: 'one' })).id).toBe(reserved?.id);
    expect((await orders.orderByIds(['13'], { idempotencyKey: 'two' })).id).toBe(sent?.id);
    await expect(orders.orderByIds(['13'])).rejects.toMatchObject({
      problem: { code: 'already_ordered', detail: expect.stringMatching(/may have been charged/) },
    });
    expect(orders.calls.length).toBe(length);
  });

  it('keeps the ledger, and releases what was reserved for an order that was never sent', async () => {
    const price = afterwards[0]?.reserved ?? 0;
    // Two were delivered before the restore; the third was on its way.
    expect(await getSpending()).toMatchObject({ reserved: 0, unclear: price });
  });

  it('lets the admin reconcile a recovered order, after which its records can be ordered', async () => {
    const [, , sent] = afterwards;
    const body = { team: 'team', references: [sent?.id], charged: false };
    expect(await harness.admin('POST', '/provider/reconcile', body)).toEqual({ reconciled: 1 });
    expect((await orders.orderByIds(['13'])).phase).toBe('reserved');
  });

  it('keeps no row of an order that the database does not know', async () => {
    const { objects } = await env.ROWS.list({ prefix: 'requests/' });
    expect(objects).toEqual([]);
  });

  it('inserts an order of a team that is lost', async () => {
    const copy = await copyDatabase();
    const { now } = clock;
    const team = await harness.admin<TeamView>('POST', '/teams', { name: 'New' });
    const row = await orders.orderByIds(['21'], { team: team.id });
    await orders.advance(row.id);
    const { length } = orders.calls;
    await harness.restore(copy, now);
    expect(await orders.getRow(row.id)).toMatchObject({ phase: 'unclear', teamId: team.id });
    await expect(orders.orderByIds(['21'])).rejects.toMatchObject({ problem: { code: 'already_ordered' } });
    expect(orders.calls.length).toBe(length);
  });
});

it('notifies no receiver of a bulk order twice', async () => {
  const harness = new RestoreHarness();
  const { orders } = harness;
  const row = await orders.createRequest({ webhookUrl: 'https://receiver.example/hook', keys: ['31'] });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    received.push(new Request(input).url);
    return new Response(null, { status: 500 });
  });
  await orders.runSteps(row.id, 2000);
  expect(received).toHaveLength(1);
  const copy = await copyDatabase();
  await harness.restore(copy, clock.now);
  expect(await orders.getRow(row.id)).toMatchObject({ phase: 'ready', webhookAttempts: null });
  await runMinutes();
  expect(received).toHaveLength(1);
});

it('stops columns that are kept filled until a person turns them on again', async () => {
  const harness = new RestoreHarness();
  const { gateway } = harness;
  const client = await createClient('filling', {}, gateway);
  const path = `/enrichments/${crypto.randomUUID()}`;
  const keepFilled = () =>
    client.ok('PUT', path, {
      title: 'Accounts',
      family: 'company_clean',
      by: 'website',
      spreadsheet: { id: 'book', sheet_id: 7 },
      key: { id: 'c9', heading: 'Website' },
      columns: [{ id: 'c2', path: 'name', heading: 'Name' }],
      push: false,
      every: 'hour',
      max_credits: 100,
      month_credits: 1000,
      paused: false,
      refresh_days: null,
    });
  const fill = (...keys: string[]) => client.ok<SheetsResponse<'fillKeys'>>('POST', `${path}/fill`, { keys });
  await keepFilled();
  // The gateway would fill the closed sheet in a minute.
  await env.DB.prepare("UPDATE enrichments SET push = 1, next_at = ? WHERE team_id = 'filling'")
    .bind(clock.now + MINUTE_MS)
    .run();
  const copy = await copyDatabase();
  const { now } = clock;
  expect((await fill('51.example')).rows).toMatchObject([{ record: { name: '51.example' } }]);

  await harness.restore(copy, now);
  expect(await fill('51.example', '52.example')).toMatchObject({
    rows: [],
    enrichment: { state: 'stopped', problem: { code: 'maintenance' }, next_at: null },
  });
  await runMinutes();
  expect(await read("SELECT next_at, last_at FROM enrichments WHERE team_id = 'filling'")).toEqual([
    { next_at: null, last_at: null },
  ]);
  expect(gateway.requestedKeys).toEqual(['51.example']);
  await keepFilled();
  const { rows } = await fill('51.example', '52.example');
  expect(rows.map(({ credits }) => credits > 0)).toEqual([false, true]);
  expect(gateway.requestedKeys).toEqual(['51.example', '52.example']);
});

it('charges an order that had ended, but was not settled', async () => {
  const harness = new RestoreHarness();
  const { orders } = harness;
  const row = await orders.orderByIds(['35', '36']);
  await orders.advance(row.id);
  const before = await getSpending();
  await env.DB.prepare("UPDATE requests SET phase = 'ready', charged = 1, ended_at = ?1 WHERE id = ?2")
    .bind(clock.now, row.id)
    .run();
  await harness.restore(await copyDatabase(), clock.now);
  const after = await getSpending();
  expect([after.spent - before.spent, after.reserved]).toEqual([1, 0]);
  expect(await orders.getRow(row.id)).toMatchObject({ phase: 'ready', charged: 1 });
});

it('can be undone: what was complete before is complete again, and nothing is sent', async () => {
  const harness = new RestoreHarness();
  const { orders } = harness;
  const early = await copyDatabase();
  const { now } = clock;
  clock.now += MINUTE_MS;
  const row = await orders.orderByIds(['37', '38']);
  await orders.runSteps(row.id);
  const late = await copyDatabase();
  const { charged } = await orders.getRow(row.id);
  const { length } = orders.calls;
  const spending = await getSpending();
  await harness.restore(early, now);
  expect(await orders.getRow(row.id)).toMatchObject({ phase: 'unclear' });
  // The time of a bookmark is not known.
  await harness.restore(late, null);
  expect(await orders.getRow(row.id)).toMatchObject({ phase: 'ready', charged });
  expect(await orders.advance(row.id)).toEqual({ over: true });
  await runMinutes(1);
  expect(orders.calls.length).toBe(length);
  expect(await getSpending()).toEqual(spending);
});

it('keeps erased companies erased, also in rows that came back', async () => {
  const harness = new RestoreHarness();
  const { orders, gateway } = harness;
  const row = await orders.orderByIds(['1', '2']);
  await orders.runSteps(row.id);
  const client = await createClient('erasing', {}, gateway);
  await client.ok('POST', '/searches', {
    name: 'Their site',
    family: 'company_clean',
    query: { es_dsl: { query: { term: { id: 1 } } } },
    shared: true,
  });
  const copy = await copyDatabase();
  const { now } = clock;
  clock.now += MINUTE_MS;
  await harness.erase({ family: 'company_clean', kind: 'id', value: '1' });
  const isErased = () => isErasedKey(env, { family: 'company_clean', kind: 'id', value: '1' });
  expect(await isErased()).toBe(true);
  const [proof] = await read<{ id: string }>('SELECT * FROM erasures');

  await harness.restore(copy, now);
  expect(await isErased()).toBe(true);
  expect(await read("SELECT * FROM request_rows WHERE record_id = '1'")).toEqual([]);
  expect(await read('SELECT name FROM searches')).toEqual([]);
  expect(await read('SELECT record_id FROM request_rows WHERE request_id = ?', row.id)).toEqual([
    { record_id: '2' },
  ]);
  const [again] = await read<{ id: string; work: null; removed: string }>('SELECT * FROM erasures');
  expect(again).toMatchObject({ id: proof?.id, work: null });
  const calls = gateway.requestedKeys.length;
  const { rows } = await gateway.lookup({ family: 'company_clean', by: 'id', keys: ['1'] });
  expect(rows[0]).toMatchObject({ status: 'failed', problem: 'erased' });
  expect(gateway.requestedKeys.length).toBe(calls);
});

it('keeps a company allowed that was allowed again later, also if it was erased in between', async () => {
  const harness = new RestoreHarness();
  const { gateway } = harness;
  const lookUp = async (id: string) =>
    (await gateway.lookup({ family: 'company_clean', by: 'id', keys: [id] })).rows[0];
  const copy = await copyDatabase();
  const { now } = clock;
  for (const id of ['771', '772']) {
    clock.now += MINUTE_MS;
    await harness.erase({ family: 'company_clean', kind: 'id', value: id });
  }
  clock.now += 60 * MINUTE_MS;
  const erasures = await read<{ id: string }>('SELECT id FROM erasures ORDER BY at DESC LIMIT 2');
  for (const { id } of erasures) await harness.admin('POST', `/erasures/${id}/allow`);
  clock.now += MINUTE_MS;
  await harness.erase({ family: 'company_clean', kind: 'id', value: '772' });

  await harness.restore(copy, now);
  expect(await lookUp('771')).not.toMatchObject({ problem: 'erased' });
  expect(await lookUp('772')).toMatchObject({ problem: 'erased' });
});

it('continues after an interruption, and repeats nothing when it is complete', async () => {
  const harness = new RestoreHarness();
  const { orders } = harness;
  const row = await orders.orderByIds(['41']);
  const copy = await copyDatabase();
  await orders.advance(row.id);
  const { length } = orders.calls;
  await putBack(copy);
  const body = { id: crypto.randomUUID(), to: null };
  const first = await harness.admin<RestoreView>('POST', '/restores', body, harness.inMaintenance);
  expect(first).toMatchObject({ done: false, step: expect.any(String) });
  const unreachable = createGateway(buildCompanyResponse, harness.identity, undefined, {
    MAINTENANCE: 'restore',
    LEDGER: interceptCalls(env.LEDGER, () => {
      throw new Error('no ledger');
    }),
  });
  const repeat = () =>
    unreachable.request('/admin/v1/restores', {
      method: 'POST',
      headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
      body: JSON.stringify(body),
    });
  captureErrorLog();
  await vi.waitFor(async () => expect((await repeat()).status).toBe(500));
  expect(await orders.getRow(row.id)).not.toMatchObject({ phase: 'unclear' });
  const complete = await harness.continueRestore(body.id, null);
  expect(complete.orders_unclear).toBeGreaterThan(0);
  expect(await harness.continueRestore(body.id, null)).toEqual(complete);
  expect(await orders.getRow(row.id)).toMatchObject({ phase: 'unclear' });
  expect(orders.calls.length).toBe(length);
});
