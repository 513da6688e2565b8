// The steps of a data request when calls fail, steps repeat or a process dies.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../../worker/data-requests/ingest/index.ts';
import { runDataRequest } from '../../../worker/data-requests/run-request.ts';
import { getRowStore } from '../../../worker/data-requests/state-machine.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { dataRequestListener } from '../../../worker/tables/data-request-listener.ts';
import { readJob } from '../job-rows.ts';
import { clock, testPlatform } from '../platform.ts';
import { getSpending } from './bulk.ts';
import { gzipLines, PROVIDER_ID, respond, ServiceHarness } from './service-harness.ts';

const loseConnection = (): Promise<Response> => Promise.reject(new Error('Network connection lost.'));
const listFiles = (...files: unknown[]) => respond(200, { data_request_files: files });

/** Measures the change of the team's spending. */
async function measureCost(work: () => Promise<unknown>): Promise<{ spent: number; reserved: number }> {
  const before = await getSpending();
  await work();
  const after = await getSpending();
  return { spent: after.spent - before.spent, reserved: after.reserved - before.reserved };
}

/** Hours pass in these tests, but no day ends. */
beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});

describe('reservation', () => {
  it('distinguishes reserved credits from spent ones when the budget is too small', async () => {
    const ledger = getLedger(env, 'team');
    const harness = new ServiceHarness();
    const other = await harness.createRequest();
    const { caps } = await ledger.getBudget();
    const { spent } = await getSpending();
    await ledger.setBudget({ caps: { day: spent + 30, month: null } });
    try {
      await expect(harness.createRequest()).rejects.toMatchObject({
        problem: {
          code: 'over_budget',
          detail: 'This needs 20 credits, and what is left of the budget is reserved for work under way.',
          fix: expect.stringContaining('when that has ended'),
        },
      });
      await harness.runSteps(other.id);
      await expect(harness.createRequest()).rejects.toMatchObject({
        problem: { code: 'over_budget', detail: expect.stringContaining('the budget has fewer left') },
      });
      expect(harness.countCalls('create')).toBe(1);
    } finally {
      await ledger.setBudget({ caps });
    }
  });

  it('lasts as long as the data request', async () => {
    const harness = new ServiceHarness({ list: respond(202) });
    const before = await getSpending();
    const { id } = await harness.createRequest();
    await harness.advance(id);
    clock.now += 3_600_000;
    await runDurableObjectAlarm(getLedger(env, 'team'));
    expect((await getSpending()).reserved).toBe(20);
    harness.setScript({ list: listFiles('part-0.json.gz') });
    await harness.runSteps(id);
    expect((await getSpending()).reserved).toBe(before.reserved);
  });

  it('is released if the process dies before it is recorded', async () => {
    const harness = new ServiceHarness();
    const before = await getSpending();
    const { id } = await harness.createRequest();
    await env.DB.prepare("UPDATE requests SET phase = 'reserving' WHERE id = ?").bind(id).run();
    clock.now += 120_000;
    await harness.runSteps(id);
    expect(await harness.service.repository.get(id)).toBeUndefined();
    expect(await getSpending()).toEqual(before);
    expect(harness.calls).toEqual([]);
  });
});

describe('submission', () => {
  it.each([
    ['the connection is lost', loseConnection],
    ['an error message resembles a rejection', () => Promise.reject(new Error('record not found'))],
    ['a proxy gets no acknowledgement', respond(522)],
    ['the response is unreadable', () => new Response('<html>', { status: 201 })],
    ['the provider returns 500', respond(500)],
    ['a proxy returns 502', respond(502)],
  ])('becomes unclear, counts as spent and is never repeated if %s', async (_, create) => {
    const harness = new ServiceHarness({ create });
    const cost = await measureCost(async () => {
      const { id } = await harness.createRequest();
      await harness.runSteps(id);
      expect(await harness.getRow(id)).toMatchObject({ phase: 'unclear', charged: null });
      clock.now += 3_600_000;
      await harness.runSteps(id);
    });
    expect(harness.countCalls('create')).toBe(1);
    expect(cost).toEqual({ spent: 20, reserved: 0 });
  });

  it('becomes unclear after the lease if the process dies during the call', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    await env.DB.prepare("UPDATE requests SET phase = 'sending' WHERE id = ?").bind(id).run();
    await env.DB.prepare('UPDATE jobs SET lease_until = ? WHERE id = ?')
      .bind(clock.now + 35_000, id)
      .run();
    const run = () =>
      runDataRequest({ env, platform: testPlatform }, harness.service, id, dataRequestListener);
    expect(await run()).toBeUndefined();
    expect((await harness.getRow(id)).phase).toBe('sending');
    clock.now += 36_000;
    expect(await run()).toEqual({ over: true });
    expect(await readJob('data_request', id)).toBeUndefined();
    expect((await harness.getRow(id)).phase).toBe('unclear');
    expect(harness.calls).toEqual([]);
  });

  it.each([
    ['a 429', respond(429)],
    ['a 503', respond(503)],
    ['a refused connection', respond(521)],
    ['a refused key, which may be an old one', respond(401)],
  ])('is retried with a new secret after %s', async (_, create) => {
    const harness = new ServiceHarness({ create });
    const { id } = await harness.createRequest();
    await harness.advance(id);
    expect((await harness.getRow(id)).phase).toBe('reserved');
    harness.setScript({ create: respond(201, { request_id: PROVIDER_ID }) });
    clock.now += 60_000;
    await harness.advance(id);
    expect((await harness.getRow(id)).phase).toBe('submitted');
    expect(harness.countCalls('create')).toBe(2);
    expect(new Set(harness.webhookUrls).size).toBe(2);
  });

  it.each([
    [402, 'provider_out_of_credits', 1],
    [422, 'invalid_request', 1],
    // The key may be rotated at this moment.
    [401, 'provider_refused', 7],
  ])('fails without a charge after a %s', async (status, problem, attempts) => {
    const harness = new ServiceHarness({ create: respond(status) });
    const cost = await measureCost(async () => {
      const { id } = await harness.createRequest();
      await harness.runSteps(id);
      expect(await harness.getRow(id)).toMatchObject({ phase: 'failed', charged: 0, failure: { problem } });
    });
    expect(cost).toEqual({ spent: 0, reserved: 0 });
    expect(harness.countCalls('create')).toBe(attempts);
  });

  it('happens once if four steps race', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    await Promise.all([1, 2, 3, 4].map(() => harness.advance(id)));
    await harness.runSteps(id);
    expect(harness.countCalls('create')).toBe(1);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 2, charged: 20 });
  });

  it('is skipped after a cancellation, and the credits are released', async () => {
    const harness = new ServiceHarness();
    const cost = await measureCost(async () => {
      const row = await harness.createRequest();
      expect(await harness.service.cancel(row)).toBe(true);
      await harness.runSteps(row.id);
      expect((await harness.getRow(row.id)).phase).toBe('cancelled');
    });
    expect(harness.calls).toEqual([]);
    expect(cost).toEqual({ spent: 0, reserved: 0 });
  });

  // A stop states the exact charge, past and future.
  it('is not retried if the data request is cancelled during an attempt that the provider rejects', async () => {
    const harness = new ServiceHarness();
    const cost = await measureCost(async () => {
      const row = await harness.createRequest();
      harness.setScript({
        create: async () => {
          await harness.service.cancel(await harness.getRow(row.id));
          return Response.json({ detail: 'overload' }, { status: 503 });
        },
      });
      await harness.runSteps(row.id);
      expect(await harness.getRow(row.id)).toMatchObject({ phase: 'cancelled', charged: 0 });
    });
    expect(harness.countCalls('create')).toBe(1);
    expect(cost).toEqual({ spent: 0, reserved: 0 });
  });
});

describe('delivery', () => {
  it('polls again after failures of the provider', async () => {
    let polls = 0;
    const harness = new ServiceHarness({
      list: (request) => {
        polls += 1;
        if (polls < 5) return respond(polls % 2 === 0 ? 503 : 401)(request);
        return polls < 9 ? respond(202)(request) : listFiles('part-0.json.gz')(request);
      },
    });
    const { id } = await harness.createRequest();
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 2, charged: 20, failure: null });
  });

  it('delivers each row once although downloads break and files overlap', async () => {
    let downloads = 0;
    const harness = new ServiceHarness({
      list: listFiles('a.json.gz', 'b.json.gz'),
      file: async (request) => {
        downloads += 1;
        if (downloads === 1) return loseConnection();
        const whole = request.url.endsWith('a.json.gz')
          ? gzipLines({ id: 1, name: 'One' }, { id: 2, name: 'Two' })
          : gzipLines({ id: 2, name: 'Two' }, { id: 3, name: 'Three' });
        if (downloads !== 2) return whole;
        const bytes = new Uint8Array(await whole.arrayBuffer());
        return new Response(bytes.slice(0, bytes.length - 12));
      },
    });
    const { id: requestId } = await harness.createRequest({ keys: ['1', '2', '3', '4'] });
    await harness.runSteps(requestId);
    expect(await harness.getRow(requestId)).toMatchObject({
      phase: 'ready',
      rows: 3,
      charged: 30,
      disputed: 10,
    });
    const { rows } = await readRows(getRowStore(env), {
      requestId,
      family: 'company_clean',
      limit: 100,
      maxBytes: 1e6,
      columns: ['name'],
    });
    expect(rows).toEqual([['One'], ['Two'], ['Three']]);
  });

  it('charges the reservation if a file stays unreadable', async () => {
    const harness = new ServiceHarness({ file: respond(404) });
    const { id } = await harness.createRequest();
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({
      phase: 'ready',
      rows: 0,
      charged: 20,
      failure: { problem: 'provider_unavailable' },
    });
  });

  it('is charged once if the last step repeats', async () => {
    const harness = new ServiceHarness();
    const cost = await measureCost(async () => {
      const { id } = await harness.createRequest();
      await harness.runSteps(id);
      for (const _ of [1, 2, 3]) await harness.runSteps(id);
    });
    expect(cost).toEqual({ spent: 20, reserved: 0 });
  });

  it('rejects a file list with a name that is no file name', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    const names = ['../../secrets', '.env', 'https://elsewhere.example/x', 1];
    await harness.advance(id);
    for (const name of names) {
      harness.setScript({ list: listFiles(name) });
      await harness.advance(id);
      expect((await harness.getRow(id)).phase).toBe('submitted');
    }
    expect(harness.calls).toEqual(['create', ...names.map(() => 'list')]);
  });
});
