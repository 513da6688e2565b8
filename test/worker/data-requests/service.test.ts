// What becomes of a request whose steps fail, are done twice, or end in the middle.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../../worker/data-requests/ingest/index.ts';
import { getRowStore } from '../../../worker/data-requests/state-machine.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { clock } from '../platform.ts';
import { getSpending } from './bulk.ts';
import { gzipLines, PROVIDER_ID, ServiceHarness } from './service-harness.ts';

const never = (): Promise<Response> => Promise.reject(new Error('Network connection lost.'));
const status =
  (code: number, body: object = { detail: 'no' }) =>
  () =>
    Response.json(body, { status: code });

/** What a step changed of the team's books. */
async function cost(step: () => Promise<unknown>): Promise<{ spent: number; held: number }> {
  const before = await getSpending();
  await step();
  const after = await getSpending();
  return { spent: after.spent - before.spent, held: after.held - before.held };
}

async function names(id: string): Promise<unknown> {
  const page = await readRows(getRowStore(env), {
    requestId: id,
    family: 'company_clean',
    limit: 100,
    maxBytes: 1e6,
    columns: ['name'],
  });
  return page.rows;
}

/** Hours pass in these tests, but no day ends. */
beforeEach(() => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
});

describe('credits', () => {
  it('that are held for another request are told apart from those that are spent', async () => {
    const ledger = getLedger(env, 'team');
    const harness = new ServiceHarness();
    const other = await harness.createRequest();
    const { caps } = await ledger.getBudget();
    const { spent: before } = await getSpending();
    await ledger.setBudget({ caps: { day: before + 30, month: null } });
    try {
      await expect(harness.createRequest()).rejects.toMatchObject({
        problem: {
          code: 'over_budget',
          detail: 'This needs 20 credits, and what is left of the budget is held for work under way.',
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
});

describe('sending', () => {
  it.each([
    ['the connection is lost', never],
    ['an error only sounds like a proof', () => Promise.reject(new Error('record not found'))],
    ['the request was sent and not acknowledged', status(522)],
    ['the answer can’t be read', () => new Response('<html>', { status: 201 })],
    ['the server breaks', status(500)],
    ['a proxy gives up', status(502)],
  ])('is unclear and never repeated where %s', async (_, make) => {
    const harness = new ServiceHarness({ create: make });
    const change = await cost(async () => {
      const { id } = await harness.createRequest();
      await harness.runSteps(id);
      expect(await harness.getRow(id)).toMatchObject({ phase: 'unclear', charged: null });
      clock.now += 3_600_000;
      await harness.runSteps(id);
    });
    expect(harness.countCalls('create')).toBe(1);
    // It counts as spent until the admin knows better.
    expect(change).toEqual({ spent: 20, held: 0 });
  });

  it('that ended with its process is unclear when nobody can hear the answer any more', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    await env.DB.prepare("UPDATE requests SET phase = 'sending', due_at = ? WHERE id = ?")
      .bind(clock.now + 35_000, id)
      .run();
    expect(await harness.advance(id)).toMatchObject({ over: false });
    expect((await harness.getRow(id)).phase).toBe('sending');
    clock.now += 36_000;
    await harness.runSteps(id);
    expect((await harness.getRow(id)).phase).toBe('unclear');
    expect(harness.calls).toEqual([]);
  });

  it.each([
    ['too many calls', status(429)],
    ['overload', status(503)],
    ['a refused connection', status(521)],
  ])('goes on later after %s, with another secret', async (_, make) => {
    const harness = new ServiceHarness({ create: make });
    const { id } = await harness.createRequest();
    await harness.advance(id);
    expect((await harness.getRow(id)).phase).toBe('reserved');
    harness.setScript({ create: () => Response.json({ request_id: PROVIDER_ID }, { status: 201 }) });
    clock.now += 60_000;
    await harness.runSteps(id);
    expect((await harness.getRow(id)).phase).toBe('ready');
    expect(harness.countCalls('create')).toBe(2);
    expect(new Set(harness.webhookUrls).size).toBe(2);
  });

  it.each([
    [402, 'provider_out_of_credits'],
    [409, 'invalid_request'],
    [422, 'invalid_request'],
  ])('that is refused with %s costs nothing', async (code, problem) => {
    const harness = new ServiceHarness({ create: status(code) });
    const change = await cost(async () => {
      const { id } = await harness.createRequest();
      await harness.runSteps(id);
      expect(await harness.getRow(id)).toMatchObject({ phase: 'failed', charged: 0, failure: { problem } });
    });
    expect(change).toEqual({ spent: 0, held: 0 });
    expect(harness.countCalls('create')).toBe(1);
  });

  it('by four at once is done once', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    await Promise.all([1, 2, 3, 4].map(() => harness.advance(id)));
    await harness.runSteps(id);
    expect(harness.countCalls('create')).toBe(1);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 2, charged: 20 });
  });

  it('does not happen to a request that was stopped before, and its credits come back', async () => {
    const harness = new ServiceHarness();
    const change = await cost(async () => {
      const row = await harness.createRequest();
      expect(await harness.service.cancel(row)).toBe(true);
      await harness.runSteps(row.id);
      expect((await harness.getRow(row.id)).phase).toBe('cancelled');
    });
    expect(harness.calls).toEqual([]);
    expect(change).toEqual({ spent: 0, held: 0 });
  });
});

describe('a reservation', () => {
  it('lasts as long as its request, and nobody takes it for unclear meanwhile', async () => {
    const harness = new ServiceHarness({ list: status(202, { message: 'still being processed' }) });
    const before = await getSpending();
    const { id } = await harness.createRequest();
    await harness.advance(id);
    clock.now += 3_600_000;
    await runDurableObjectAlarm(getLedger(env, 'team'));
    expect((await getLedger(env, 'team').getBudget()).held).toBe(20);
    harness.setScript({ list: () => Response.json({ data_request_files: ['part-0.json.gz'] }) });
    await harness.runSteps(id);
    expect((await getLedger(env, 'team').getBudget()).held).toBe(before.held);
  });

  it('whose maker went away before it was written down is given back', async () => {
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

describe('what is delivered', () => {
  it('is asked for again after a failure of the provider, as long as it takes', async () => {
    let asked = 0;
    const harness = new ServiceHarness({
      list: () => {
        asked += 1;
        if (asked < 5) return status(asked % 2 === 0 ? 503 : 401)();
        if (asked < 9) return status(202)();
        return Response.json({ data_request_files: ['part-0.json.gz'] });
      },
    });
    const { id } = await harness.createRequest();
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 2, charged: 20, failure: null });
  });

  it('comes in whole though a file breaks, each row once', async () => {
    let asked = 0;
    const harness = new ServiceHarness({
      list: () => Response.json({ data_request_files: ['a.json.gz', 'b.json.gz'] }),
      file: async (request) => {
        asked += 1;
        if (asked === 1) return never();
        const whole = request.url.endsWith('a.json.gz')
          ? gzipLines({ id: 1, name: 'One' }, { id: 2, name: 'Two' })
          : gzipLines({ id: 2, name: 'Two' }, { id: 3, name: 'Three' });
        if (asked !== 2) return whole;
        const bytes = new Uint8Array(await whole.arrayBuffer());
        return new Response(bytes.slice(0, bytes.length - 12));
      },
    });
    const { id } = await harness.createRequest({ keys: ['1', '2', '3', '4'] });
    await harness.runSteps(id);
    // Four records were delivered, of which two are one row.
    expect(await harness.getRow(id)).toMatchObject({ phase: 'ready', rows: 3, charged: 40 });
    expect(await names(id)).toEqual([['One'], ['Two'], ['Three']]);
  });

  it('is charged as reserved where a file stays broken, since nobody knows what stood in it', async () => {
    const harness = new ServiceHarness({ file: status(404) });
    const { id } = await harness.createRequest();
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({
      phase: 'ready',
      rows: 0,
      charged: 20,
      failure: { problem: 'provider_unavailable' },
    });
  });

  it('is booked once, however often the end is told', async () => {
    const harness = new ServiceHarness();
    const change = await cost(async () => {
      const { id } = await harness.createRequest();
      await harness.runSteps(id);
      for (const again of [1, 2, 3]) {
        await env.DB.prepare('UPDATE requests SET due_at = ? WHERE id = ?').bind(again, id).run();
        await harness.runSteps(id);
      }
    });
    expect(change).toEqual({ spent: 20, held: 0 });
  });

  it.each([
    ['a path', ['../../secrets']],
    ['a hidden file', ['.env']],
    ['a URL', ['https://elsewhere.example/x']],
    ['no name', [1]],
  ])('is not taken from a list with %s', async (_, files) => {
    const harness = new ServiceHarness({ list: () => Response.json({ data_request_files: files }) });
    const { id } = await harness.createRequest();
    await harness.runSteps(id, 5_000);
    expect((await harness.getRow(id)).phase).toBe('submitted');
    expect(harness.countCalls('file')).toBe(0);
  });
});
