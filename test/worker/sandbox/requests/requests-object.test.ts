// Data requests: delivery, charges, failures and restarts.
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { Selection } from '../../../../worker/sandbox/requests/payload.ts';
import { assumptions } from '../assumptions.ts';
import {
  addRecords,
  buildOrder,
  create,
  createAndRun,
  firstIds,
  readFiles,
  readState,
  withRecords,
  withRequests,
} from './harness.ts';

const DAY_MS = 86_400_000;
const WEBHOOK = 'https://hooks.example/a';

const byNames = (...keys: string[]): { selection: Selection } => ({
  selection: { keys: { kind: 'shorthand_name', keys } },
});
const byQuery = (limit?: number): { selection: Selection; identity: string } => {
  const query = { style: 'es_dsl' as const, query: { query: { match_all: {} } } };
  return { selection: { query: limit === undefined ? query : { ...query, limit } }, identity: 'a' };
};

describe('a data request', () => {
  it(assumptions.requestClock, () =>
    withRecords(['7'], async (harness) => {
      const id = await create(harness, buildOrder(['7']));
      harness.clock.runMs = 60_000;
      expect(harness.alarm.at).toBe(harness.clock.now + 2_000);
      await harness.advance(1_999);
      expect(await readState(harness, id)).toBe('running');
      await harness.advance(1);
      expect(await readFiles(harness, id)).toEqual([[{ id: 7 }]]);
    }),
  );

  it('delivers files of at most 1,000 records in order, and reads at most 50 records at a time', () =>
    withRequests(async (harness) => {
      const ids = firstIds(2_500);
      addRecords(harness, ids);
      const id = await createAndRun(harness, buildOrder(ids));
      const part = (number: number) => expect.stringMatching(`^part-0000${number}-.+\\.json\\.gz$`);
      expect(await harness.service.getFiles(id)).toEqual({
        kind: 'ready',
        files: [part(0), part(1), part(2)],
      });
      const files = await readFiles(harness, id);
      expect(files.map((records) => records.length)).toEqual([1_000, 1_000, 500]);
      expect(files.flat()).toEqual(ids.map((text) => ({ id: Number(text) })));
      expect(Math.max(...harness.pageSizes)).toBeLessThanOrEqual(50);
    }));

  it('charges each delivered record once it is ready', () =>
    withRecords(firstIds(3), async (harness) => {
      const id = await create(harness, buildOrder(['1', '99', '3'], { price: 20 }));
      expect(harness.account.charges.size).toBe(0);
      await harness.advance(2_000);
      expect(await readFiles(harness, id)).toEqual([[{ id: 1 }, { id: 3 }]]);
      expect([...harness.account.charges]).toEqual([[id, 40]]);
    }));

  it('skips records deleted meanwhile, and empty files', () =>
    withRecords(firstIds(1_001), async (harness) => {
      const id = await create(harness, buildOrder(firstIds(1_001)));
      harness.puts.before = async () => {
        harness.records.get('company_clean')?.delete('1001');
      };
      await harness.advance(2_000);
      expect((await readFiles(harness, id)).map((records) => records.length)).toEqual([1_000]);
      expect(harness.puts.keys).toHaveLength(1);
      expect(harness.account.charges.get(id)).toBe(10_000);
    }));

  it('is processed once if an alarm fires during processing', () =>
    withRecords(firstIds(2), async (harness) => {
      const id = await create(harness, buildOrder(['1', '2']));
      harness.puts.before = async () => {
        // The attempt counts as lost by now.
        harness.clock.now += 60_000;
        void harness.service.alarm();
      };
      harness.clock.now += 2_000;
      await harness.service.alarm();
      expect(harness.puts.keys).toHaveLength(1);
      expect(await readState(harness, id)).toBe('ready');
    }));

  it('delivers the stored JSON unchanged, including ids of 19 digits and all scripts', () =>
    withRequests(async (harness) => {
      const data = '{"id":9123456789012345678,"name":"Łódź 東京 \\u0001 🦊"}';
      harness.records.set('employee_post', new Map([['9123456789012345678', data]]));
      await createAndRun(harness, buildOrder(['9123456789012345678'], { family: 'employee_post' }));
      const object = await env.SANDBOX_FILES.get(harness.puts.keys[0] ?? '');
      const text = await new Response(object?.body.pipeThrough(new DecompressionStream('gzip'))).text();
      expect(text).toBe(`${data}\n`);
    }));

  it('by shorthand names delivers in the order of the names and skips unknown ones', () =>
    withRecords(['1', '2'], async (harness) => {
      harness.names.set('acme', '2').set('bolt', '1');
      const id = await createAndRun(harness, buildOrder([], byNames('acme', 'nobody', 'bolt')));
      expect(await readFiles(harness, id)).toEqual([[{ id: 2 }, { id: 1 }]]);
    }));

  it(assumptions.sameRecordTwice, () =>
    withRecords(['1'], async (harness) => {
      harness.names.set('acme', '1').set('acme-inc', '1');
      const id = await createAndRun(harness, buildOrder([], byNames('acme', 'acme-inc')));
      expect(await readFiles(harness, id)).toEqual([[{ id: 1 }]]);
      expect(harness.account.charges.get(id)).toBe(10);
    }),
  );

  it(assumptions.nothingMatched, () =>
    withRequests(async (harness) => {
      const id = await createAndRun(harness, buildOrder(['1', '2']));
      const body = expect.stringContaining('"loc":["path","data_request_id"]');
      expect(await harness.service.getFiles(id)).toEqual({ kind: 'failed', failure: { status: 422, body } });
      expect(harness.account.charges.size).toBe(0);
    }),
  );
});

describe('a data request for a query', () => {
  it('delivers the matches in their order', () =>
    withRecords(firstIds(5), async (harness) => {
      Object.assign(harness.query, { ids: ['3', '1', '2'], total: 3 });
      const created = harness.clock.now;
      const id = await createAndRun(harness, buildOrder([], byQuery()));
      expect(await readFiles(harness, id)).toEqual([[{ id: 3 }, { id: 1 }, { id: 2 }]]);
      const query = {
        family: 'company_clean',
        style: 'es_dsl',
        query: { query: { match_all: {} } },
        now: created,
      };
      expect(harness.query.calls).toEqual([{ query, limit: 10_000 }]);
    }));

  it.each([
    ['without a limit', undefined],
    ['with a higher limit', 10_001],
  ])(`${assumptions.tooManyMatches} (%s)`, (_, limit) =>
    withRequests(async (harness) => {
      Object.assign(harness.query, { ids: firstIds(10_000), total: 10_001 });
      const id = await createAndRun(harness, buildOrder([], byQuery(limit)));
      expect(await harness.service.getFiles(id)).toEqual({
        kind: 'failed',
        failure: { status: 400, body: '{"Error":"Query results count exceeds allowed limit"}' },
      });
      expect(harness.account.charges.size).toBe(0);
    }),
  );

  it('is rejected while an identical one runs, and accepted after that', () =>
    withRecords(['1'], async (harness) => {
      Object.assign(harness.query, { ids: ['1'], total: 1 });
      const order = buildOrder([], byQuery());
      const created = await Promise.all([1, 2, 3, 4].map(() => harness.service.create(order)));
      expect(created.filter((id) => id !== undefined)).toHaveLength(1);
      expect(await harness.service.create({ ...order, identity: 'b' })).toBeDefined();
      await harness.advance(2_000);
      expect(await harness.service.create(order)).toBeDefined();
    }));
});

it(assumptions.unpaidRequest, () =>
  withRecords(['1', '2'], async (harness) => {
    harness.account.balance = 19;
    const id = await createAndRun(harness, buildOrder(['1', '2'], { webhook: WEBHOOK }));
    const failure = { status: 402, body: '{"detail":"Insufficient credits"}' };
    expect(await harness.service.getFiles(id)).toEqual({ kind: 'failed', failure });
    expect(harness.webhooks.sent.map(({ body }) => body)).toEqual([
      { data_request_id: id, status: 'failed' },
    ]);
    expect(harness.account.balance).toBe(19);
    const name = harness.puts.keys[0]?.split('/').at(-1) ?? '';
    expect(await harness.service.findFile(id, name)).toBeUndefined();

    harness.account.balance = 25;
    expect(await Promise.all([readState(harness, id), readState(harness, id)])).toEqual(['ready', 'ready']);
    expect(harness.account.balance).toBe(5);
    expect(await readFiles(harness, id)).toEqual([[{ id: 1 }, { id: 2 }]]);
  }),
);

describe('a restart', () => {
  it('resumes after the last written file, and charges once', () =>
    withRequests(async (harness) => {
      const ids = firstIds(2_500);
      addRecords(harness, ids);
      const id = await create(harness, buildOrder(ids));
      // The process ends during the second write: its promise never resolves.
      const reached = Promise.withResolvers<void>();
      harness.puts.before = () => {
        if (harness.puts.keys.length === 0) return Promise.resolve();
        reached.resolve();
        return new Promise(() => {});
      };
      harness.clock.now += 2_000;
      void harness.service.alarm();
      await reached.promise;
      harness.puts.before = async () => {};

      harness.service = harness.restart();
      expect(await readState(harness, id)).toBe('running');
      await harness.advance(1_000);
      expect((await readFiles(harness, id)).flat()).toEqual(ids.map((text) => ({ id: Number(text) })));
      expect(harness.puts.keys).toHaveLength(3);
      expect(new Set(harness.puts.keys).size).toBe(3);
      expect([...harness.account.charges]).toEqual([[id, 25_000]]);
    }));

  it('after an unrecorded charge does not charge again', () =>
    withRecords(['1'], async (harness) => {
      const id = await create(harness, buildOrder(['1']));
      const setCharge = harness.account.charges.set.bind(harness.account.charges);
      harness.account.charges.set = (name, credits) => {
        setCharge(name, credits);
        throw new Error('the connection to the account broke');
      };
      vi.spyOn(console, 'error').mockReturnValue();
      harness.clock.now += 2_000;
      await harness.service.alarm();
      expect(await readState(harness, id)).toBe('running');

      harness.service = harness.restart();
      await harness.advance(1_000);
      expect(await readState(harness, id)).toBe('ready');
      expect(harness.account.calls).toBe(2);
      expect(harness.account.balance).toBe(1_000_000 - 10);
    }));
});

describe('failing processing', () => {
  it('is attempted five times with back-off, then the request fails', () =>
    withRecords(['1'], async (harness) => {
      const id = await create(harness, buildOrder(['1'], { webhook: WEBHOOK }));
      const start = harness.clock.now + 2_000;
      const attempts: number[] = [];
      vi.spyOn(console, 'error').mockReturnValue();
      harness.puts.before = async () => {
        attempts.push(harness.clock.now - start);
        throw new Error('no bucket');
      };
      await harness.advance(DAY_MS);
      expect(attempts).toEqual([0, 1_000, 6_000, 36_000, 156_000]);
      expect(await harness.service.getFiles(id)).toMatchObject({ kind: 'failed', failure: { status: 500 } });
      expect(harness.webhooks.sent.map(({ body }) => body)).toEqual([
        { data_request_id: id, status: 'failed' },
      ]);
      expect(harness.account.charges.size).toBe(0);
    }));

  it("doesn't block other requests", () =>
    withRecords(['1', '2'], async (harness) => {
      const broken = await create(harness, buildOrder(['1']));
      const healthy = await create(harness, buildOrder(['2']));
      vi.spyOn(console, 'error').mockReturnValue();
      harness.puts.before = async () => {
        harness.puts.before = async () => {};
        throw new Error('no bucket for a moment');
      };
      harness.clock.now += 2_000;
      await harness.service.alarm();
      expect([await readState(harness, broken), await readState(harness, healthy)]).toEqual([
        'running',
        'ready',
      ]);
    }));
});

describe('expiry', () => {
  it(assumptions.expiredRequest, () =>
    withRecords(['1'], async (harness) => {
      const id = await createAndRun(harness, buildOrder(['1']));
      const [key = ''] = harness.puts.keys;
      const name = key.split('/').at(-1) ?? '';
      harness.clock.offset = 30 * DAY_MS - 2_000;
      expect(await readState(harness, id)).toBe('ready');
      expect(await harness.service.findFile(id, name)).toBe(key);
      harness.clock.offset += 1;
      expect(await readState(harness, id)).toBe('unknown');
      expect(await harness.service.findFile(id, name)).toBeUndefined();
      expect(await readState(harness, 'never')).toBe('unknown');
    }),
  );

  it('deletes old requests with their files during later work', () =>
    withRecords(['1'], async (harness) => {
      const old = await createAndRun(harness, buildOrder(['1']));
      harness.clock.offset = 31 * DAY_MS;
      const recent = await createAndRun(harness, buildOrder(['1']));
      const [oldKey = '', recentKey = ''] = harness.puts.keys;
      expect(await env.SANDBOX_FILES.head(oldKey)).toBeNull();
      expect(await env.SANDBOX_FILES.head(recentKey)).not.toBeNull();
      harness.clock.offset = 0;
      expect(await readState(harness, old)).toBe('unknown');
      // The recent request and its file.
      expect(harness.countRows()).toBe(2);
      expect(await readState(harness, recent)).toBe('ready');
    }));
});
