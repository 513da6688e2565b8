// The work on data requests: what they deliver, what they cost, how they end, and that nothing gets lost in a restart.
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { assumptions } from '../../../../worker/sandbox/api/assumptions.ts';
import type { Selection } from '../../../../worker/sandbox/requests/payload.ts';
import { addRecords, create, type Desk, firstIds, orderOf, readFiles, withDesk } from './harness.ts';

const DAY_MS = 86_400_000;

const query: Selection = { query: { style: 'filter', query: { industry: 'x' } } };
const queryOrder = (limit?: number) =>
  orderOf([], {
    selection: {
      query: {
        style: 'es_dsl',
        query: { query: { match_all: {} } },
        ...(limit === undefined ? {} : { limit }),
      },
    },
    identity: 'the same',
  });

const numbers = (records: unknown[][]) => records.flat();
const later = (desk: Desk, ms: number) => desk.until(desk.clock.now + ms);

describe('a data request', () => {
  it('runs as long as was set when it was made, then is ready', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['7']);
      const id = await create(desk, orderOf(['7']));
      expect(desk.wake.at).toBe(desk.clock.now + 2_000);
      await later(desk, 1_999);
      expect(await desk.requests.getFiles(id)).toEqual({ kind: 'running' });
      await later(desk, 1);
      expect(numbers(await readFiles(desk, id))).toEqual([{ id: 7 }]);
    }));

  it(assumptions.requestClock, () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['7']);
      const id = await create(desk, orderOf(['7']));
      desk.clock.runMs = 60_000;
      await later(desk, 2_000);
      expect((await desk.requests.getFiles(id)).kind).toBe('ready');
    }),
  );

  it('delivers files of at most 1,000 records, in order, and reads a page of records at a time', () =>
    withDesk(async (desk) => {
      const ids = firstIds(2_500);
      addRecords(desk, 'company_clean', ids);
      const id = await create(desk, orderOf(ids));
      await later(desk, 2_000);
      const answer = await desk.requests.getFiles(id);
      const part = (number: number) =>
        expect.stringMatching(new RegExp(`^part-0000${number}-.+\\.json\\.gz$`));
      expect(answer).toEqual({ kind: 'ready', files: [part(0), part(1), part(2)] });
      const files = await readFiles(desk, id);
      expect(files.map((records) => records.length)).toEqual([1_000, 1_000, 500]);
      expect(numbers(files)).toEqual(ids.map((text) => ({ id: Number(text) })));
      expect(Math.max(...desk.pages)).toBeLessThanOrEqual(50);
    }));

  it('costs the records that it delivers, each at its price', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', firstIds(3));
      const id = await create(desk, orderOf(['1', '99', '3'], { price: 20 }));
      expect(desk.account.charges.size).toBe(0);
      await later(desk, 2_000);
      expect(numbers(await readFiles(desk, id))).toEqual([{ id: 1 }, { id: 3 }]);
      expect([...desk.account.charges]).toEqual([[id, 40]]);
    }));

  it('leaves out records that have gone meanwhile, and files without any', () =>
    withDesk(async (desk) => {
      const ids = firstIds(1_001);
      addRecords(desk, 'company_clean', ids);
      const id = await create(desk, orderOf(ids));
      desk.puts.before = async () => {
        desk.records.get('company_clean')?.delete('1001');
      };
      await later(desk, 2_000);
      expect((await readFiles(desk, id)).map((records) => records.length)).toEqual([1_000]);
      expect(desk.puts.keys).toHaveLength(1);
      expect(desk.account.charges.get(id)).toBe(10_000);
    }));

  it('is worked on once, although an alarm comes while it is', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', firstIds(2));
      const id = await create(desk, orderOf(['1', '2']));
      desk.puts.before = async () => {
        // The try counts as lost by now.
        desk.clock.now += 60_000;
        void desk.requests.run();
      };
      desk.clock.now += 2_000;
      await desk.requests.run();
      expect(desk.puts.keys).toHaveLength(1);
      expect((await desk.requests.getFiles(id)).kind).toBe('ready');
    }));

  it('delivers records as they are stored, ids of 19 digits and all scripts untouched', () =>
    withDesk(async (desk) => {
      const data = '{"id":9123456789012345678,"name":"Łódź 東京 \\u0001 🦊"}';
      desk.records.set('employee_post', new Map([['9123456789012345678', data]]));
      const id = await create(desk, orderOf(['9123456789012345678'], { family: 'employee_post' }));
      await later(desk, 2_000);
      const answer = await desk.requests.getFiles(id);
      const [name = ''] = answer.kind === 'ready' ? answer.files : [];
      const object = await env.SANDBOX_FILES.get((await desk.requests.findFile(id, name)) ?? '');
      const text = await new Response(object?.body.pipeThrough(new DecompressionStream('gzip'))).text();
      expect(text).toBe(`${data}\n`);
    }));

  it('by shorthand names delivers in their order and leaves out unknown ones', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1', '2']);
      desk.names.set('acme', '2').set('bolt', '1');
      const selection: Selection = { keys: { kind: 'shorthand_name', keys: ['acme', 'nobody', 'bolt'] } };
      const id = await create(desk, orderOf([], { selection }));
      await later(desk, 2_000);
      expect(numbers(await readFiles(desk, id))).toEqual([{ id: 2 }, { id: 1 }]);
    }));

  it(assumptions.sameRecordTwice, () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      desk.names.set('acme', '1').set('acme-inc', '1');
      const selection: Selection = { keys: { kind: 'shorthand_name', keys: ['acme', 'acme-inc'] } };
      const id = await create(desk, orderOf([], { selection }));
      await later(desk, 2_000);
      expect(numbers(await readFiles(desk, id))).toEqual([{ id: 1 }]);
      expect(desk.account.charges.get(id)).toBe(10);
    }),
  );

  it(assumptions.nothingMatched, () =>
    withDesk(async (desk) => {
      const id = await create(desk, orderOf(['1', '2']));
      await later(desk, 2_000);
      const answer = await desk.requests.getFiles(id);
      expect(answer).toMatchObject({ kind: 'failed', failure: { status: 422 } });
      const body: unknown = answer.kind === 'failed' ? JSON.parse(answer.failure.body) : undefined;
      expect(body).toMatchObject({ detail: [{ loc: ['path', 'data_request_id'] }] });
      expect(desk.account.charges.size).toBe(0);
    }),
  );
});

describe('a data request for a query', () => {
  it('delivers what it matches, in its order', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', firstIds(5));
      desk.query.ids = ['3', '1', '2'];
      desk.query.total = 3;
      const id = await create(desk, queryOrder());
      await later(desk, 2_000);
      expect(numbers(await readFiles(desk, id))).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }]);
      expect(desk.query.asked).toEqual([
        {
          query: {
            family: 'company_clean',
            style: 'es_dsl',
            query: { query: { match_all: {} } },
            now: desk.clock.now - 2_000,
          },
          limit: 10_000,
        },
      ]);
    }));

  it.each([
    ['without a limit', undefined],
    ['with a higher limit', 10_001],
  ])(`${assumptions.tooManyMatches} (%s)`, (_, limit) =>
    withDesk(async (desk) => {
      desk.query.ids = firstIds(10_000);
      desk.query.total = 10_001;
      const id = await create(desk, queryOrder(limit));
      await later(desk, 2_000);
      expect(await desk.requests.getFiles(id)).toEqual({
        kind: 'failed',
        failure: { status: 400, body: '{"Error":"Query results count exceeds allowed limit"}' },
      });
      expect(desk.account.charges.size).toBe(0);
    }),
  );

  it('is refused while one for the same thing runs, and accepted again when that has ended', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      Object.assign(desk.query, { ids: ['1'], total: 1 });
      const order = orderOf([], { selection: query, identity: 'a' });
      const made = await Promise.all([1, 2, 3, 4].map(() => desk.requests.create(order)));
      expect(made.filter((id) => id !== undefined)).toHaveLength(1);
      expect(await desk.requests.create({ ...order, identity: 'b' })).toBeDefined();
      await later(desk, 2_000);
      expect(await desk.requests.create(order)).toBeDefined();
    }));
});

describe('credits that are short', () => {
  it(assumptions.unpaidRequest, () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1', '2']);
      desk.account.balance = 19;
      const id = await create(desk, orderOf(['1', '2'], { webhook: 'https://hooks.example/a' }));
      await later(desk, 2_000);
      const unpaid = { status: 402, body: '{"detail":"Insufficient credits"}' };
      expect(await desk.requests.getFiles(id)).toEqual({ kind: 'failed', failure: unpaid });
      expect(desk.webhooks.sent.map(({ body }) => body)).toEqual([{ data_request_id: id, status: 'failed' }]);
      expect(desk.account.balance).toBe(19);
      const [key = ''] = desk.puts.keys;
      expect(await desk.requests.findFile(id, key.split('/').at(-1) ?? '')).toBeUndefined();

      desk.account.balance = 25;
      const answers = await Promise.all([desk.requests.getFiles(id), desk.requests.getFiles(id)]);
      expect(answers.map(({ kind }) => kind)).toEqual(['ready', 'ready']);
      expect(desk.account.balance).toBe(5);
      expect(numbers(await readFiles(desk, id))).toEqual([{ id: 1 }, { id: 2 }]);
    }),
  );
});

describe('a restart', () => {
  it('in the middle of the files goes on behind the last that was written, and charges once', () =>
    withDesk(async (desk) => {
      const ids = firstIds(2_500);
      addRecords(desk, 'company_clean', ids);
      const id = await create(desk, orderOf(ids));
      // The process ends while it writes the second file: nothing that it was waiting for ever comes.
      const reached = Promise.withResolvers<void>();
      desk.puts.before = () => {
        if (desk.puts.keys.length === 0) return Promise.resolve();
        reached.resolve();
        return new Promise(() => {});
      };
      desk.clock.now += 2_000;
      void desk.requests.run();
      await reached.promise;
      desk.puts.before = async () => {};

      desk.requests = desk.open();
      expect(await desk.requests.getFiles(id)).toEqual({ kind: 'running' });
      await desk.requests.scheduleNext();
      await later(desk, 1_000);
      expect(numbers(await readFiles(desk, id))).toEqual(ids.map((text) => ({ id: Number(text) })));
      expect(desk.puts.keys).toHaveLength(3);
      expect(new Set(desk.puts.keys).size).toBe(3);
      expect([...desk.account.charges]).toEqual([[id, 25_000]]);
    }));

  it('between the charge and what it is noted in charges no second time', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      const id = await create(desk, orderOf(['1']));
      const reached = Promise.withResolvers<void>();
      const set = desk.account.charges.set.bind(desk.account.charges);
      desk.account.charges.set = (name, credits) => {
        set(name, credits);
        reached.resolve();
        throw new Error('the connection to the account broke');
      };
      vi.spyOn(console, 'error').mockReturnValue();
      desk.clock.now += 2_000;
      await desk.requests.run();
      await reached.promise;
      expect(await desk.requests.getFiles(id)).toEqual({ kind: 'running' });

      desk.requests = desk.open();
      await desk.requests.scheduleNext();
      await later(desk, 1_000);
      expect((await desk.requests.getFiles(id)).kind).toBe('ready');
      expect(desk.account.asked).toBe(2);
      expect(desk.account.balance).toBe(1_000_000 - 10);
    }));
});

describe('work that fails', () => {
  it('is tried five times, further and further apart, then the request has failed', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      const id = await create(desk, orderOf(['1'], { webhook: 'https://hooks.example/a' }));
      const start = desk.clock.now + 2_000;
      const tries: number[] = [];
      vi.spyOn(console, 'error').mockReturnValue();
      desk.puts.before = async () => {
        tries.push(desk.clock.now - start);
        throw new Error('no bucket');
      };
      await later(desk, DAY_MS);
      expect(tries).toEqual([0, 1_000, 6_000, 36_000, 156_000]);
      expect(await desk.requests.getFiles(id)).toEqual({
        kind: 'failed',
        failure: { status: 500, body: '{"detail":"Internal Server Error"}' },
      });
      expect(desk.webhooks.sent.map(({ body }) => body)).toEqual([{ data_request_id: id, status: 'failed' }]);
      expect(desk.account.charges.size).toBe(0);
    }));

  it('keeps no other request from being done', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1', '2']);
      const broken = await create(desk, orderOf(['1']));
      const fine = await create(desk, orderOf(['2']));
      vi.spyOn(console, 'error').mockReturnValue();
      desk.puts.before = async () => {
        desk.puts.before = async () => {};
        throw new Error('no bucket for a moment');
      };
      desk.clock.now += 2_000;
      await desk.requests.run();
      const kinds = [(await desk.requests.getFiles(broken)).kind, (await desk.requests.getFiles(fine)).kind];
      expect(kinds).toEqual(['running', 'ready']);
    }));
});

describe('age', () => {
  it(assumptions.expiredRequest, () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      const id = await create(desk, orderOf(['1']));
      await later(desk, 2_000);
      const [key = ''] = desk.puts.keys;
      const name = key.split('/').at(-1) ?? '';
      desk.clock.offset = 30 * DAY_MS - 2_000;
      expect((await desk.requests.getFiles(id)).kind).toBe('ready');
      expect(await desk.requests.findFile(id, name)).toBe(key);
      desk.clock.offset += 1;
      expect(await desk.requests.getFiles(id)).toEqual({ kind: 'unknown' });
      expect(await desk.requests.findFile(id, name)).toBeUndefined();
      expect(await desk.requests.getFiles('never')).toEqual({ kind: 'unknown' });
    }),
  );

  it('has old files removed when there is other work to do', () =>
    withDesk(async (desk) => {
      addRecords(desk, 'company_clean', ['1']);
      const old = await create(desk, orderOf(['1']));
      await later(desk, 2_000);
      desk.clock.offset = 31 * DAY_MS;
      const young = await create(desk, orderOf(['1']));
      await later(desk, 2_000);
      const [oldKey = '', youngKey = ''] = desk.puts.keys;
      expect(await env.SANDBOX_FILES.head(oldKey)).toBeNull();
      expect(await env.SANDBOX_FILES.head(youngKey)).not.toBeNull();
      desk.clock.offset = 0;
      expect(await desk.requests.getFiles(old)).toEqual({ kind: 'unknown' });
      // The younger request and its file.
      expect(desk.rows()).toBe(2);
      expect((await desk.requests.getFiles(young)).kind).toBe('ready');
    }));
});
