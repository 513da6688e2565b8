// Lookup: a row for each key, each record bought once, failures in their own row.
import { describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { buildCompanyResponse, createGateway } from '../harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { violations } from '../platform.ts';

const websites = (keys: string[]): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys,
  fields: ['name'],
});
const DAY_MS = 86_400_000;

describe('a lookup', () => {
  it('answers a row for each key in the order of the keys, and asks the provider once for each distinct one', async () => {
    const { lookup, requestedKeys: asked } = createGateway(buildCompanyResponse);
    const keys = ['b2.com', 'https://www.A1.com/', 'not a website', 'a1.com', '', 'A1.COM/path'];
    const { rows, credits } = await lookup(websites(keys));
    expect(rows.map(({ key }) => key)).toEqual(keys);
    expect(rows.map(({ status }) => status)).toEqual([
      'fetched',
      'fetched',
      'invalid',
      'fetched',
      'invalid',
      'fetched',
    ]);
    expect(rows.map((row) => row.record?.name)).toEqual([
      'b2.com',
      'a1.com',
      undefined,
      'a1.com',
      undefined,
      'a1.com',
    ]);
    expect(asked.toSorted()).toEqual(['a1.com', 'b2.com']);
    expect(credits).toEqual({ spent: 20, saved: 0, remaining: null });
    expect(rows.reduce((sum, row) => sum + row.credits, 0)).toBe(20);
  });

  it('of 200 remembered websites reads KV at most 4 times, and not at all while they are in memory', async () => {
    const keys = Array.from({ length: 200 }, (_, at) => `shop${at + 1}.com`);
    const first = createGateway(buildCompanyResponse, 'kv-reads');
    await first.lookup(websites(keys));
    await expect.poll(() => first.kv.writes).toBe(400);
    // What was just bought was cut to its fields on its way: whole records come from KV.
    for (const reads of [4, 0]) {
      first.kv.reads = 0;
      await first.lookup(websites(keys));
      expect(first.kv.reads).toBeLessThanOrEqual(reads);
    }

    const other = createGateway(buildCompanyResponse, 'kv-reads');
    const { rows } = await other.lookup(websites(keys));
    expect(rows.every(({ status }) => status === 'hit')).toBe(true);
    expect(other.requestedKeys).toEqual([]);
    expect(other.kv.reads).toBeLessThanOrEqual(4);
  });

  it('keeps the records of two providers apart', async () => {
    const one = createGateway(buildCompanyResponse);
    const other = createGateway(buildCompanyResponse);
    await one.lookup(websites(['a1.com']));
    await other.lookup(websites(['a1.com']));
    expect(other.requestedKeys).toEqual(['a1.com']);
  });

  it('cuts records to the fields that were asked, or to the family’s short default', async () => {
    const { lookup } = createGateway(() =>
      Response.json({ id: 1, name: 'A', industry: 'B', secret: 'C', updates: [{ date: 'D' }] }),
    );
    const cut = async (fields?: string[]) => {
      const { rows } = await lookup({
        family: 'company_clean',
        by: 'website',
        keys: ['a1.com'],
        ...(fields && { fields, any_fields: true }),
      });
      return rows[0]?.record;
    };
    expect(await cut(['updates[0].date', 'absent'])).toEqual({ updates: [{ date: 'D' }] });
    expect(await cut()).toEqual({ name: 'A', industry: 'B' });
    expect(await cut(['*'])).toEqual({
      id: 1,
      name: 'A',
      industry: 'B',
      secret: 'C',
      updates: [{ date: 'D' }],
    });
  });
});

describe('what is remembered', () => {
  it('is served after it is no longer fresh, marked stale with its age, and not bought again', async () => {
    const { lookup, requestedKeys: asked, clock } = createGateway(buildCompanyResponse);
    const first = (await lookup(websites(['a1.com']))).rows[0];
    clock.now += 31 * DAY_MS;
    const { rows, credits } = await lookup(websites(['a1.com']));
    expect(rows[0]).toMatchObject({ status: 'stale', fetched_at: first?.fetched_at, credits: 0 });
    expect(credits.saved).toBe(10);
    expect(asked).toHaveLength(1);
  });

  it('is bought again when the caller asks for a younger one', async () => {
    const { lookup, requestedKeys: asked, clock } = createGateway(buildCompanyResponse);
    await lookup(websites(['a1.com']));
    clock.now += 2 * DAY_MS;
    const { rows } = await lookup({ ...websites(['a1.com']), max_age_s: 86_400 });
    expect(rows[0]?.status).toBe('fetched');
    expect(asked).toHaveLength(2);
    expect((await lookup({ ...websites(['a1.com']), max_age_s: 86_400 })).rows[0]?.status).toBe('hit');
  });

  it('is gone after twelve months', async () => {
    const { lookup, requestedKeys: asked, clock } = createGateway(buildCompanyResponse);
    await lookup(websites(['a1.com']));
    clock.now += 366 * DAY_MS;
    expect((await lookup(websites(['a1.com']))).rows[0]?.status).toBe('fetched');
    expect(asked).toHaveLength(2);
  });

  it('includes that there is no such record, for a day', async () => {
    const {
      lookup,
      requestedKeys: asked,
      clock,
    } = createGateway(() => Response.json({ detail: 'Company not found' }, { status: 404 }));
    const ask = async () => (await lookup(websites(['a1.com']))).rows[0];
    expect(await ask()).toEqual({ key: 'a1.com', status: 'not_found', problem: 'not_found', credits: 0 });
    await ask();
    expect(asked).toHaveLength(1);
    clock.now += DAY_MS + 1;
    await ask();
    expect(asked).toHaveLength(2);
  });
});

describe('when KV fails', () => {
  it('nothing is bought of which nobody knows whether it is remembered', async () => {
    const { lookup, kv, requestedKeys: asked } = createGateway(buildCompanyResponse);
    const lines = captureErrorLog();
    kv.failing = 'get';
    const { rows } = await lookup(websites(['a1.com']));
    expect(rows).toEqual([{ key: 'a1.com', status: 'failed', problem: 'gateway_unavailable', credits: 0 }]);
    expect(asked).toEqual([]);
    expect(lines).toMatchObject([{ event: 'kv_read_failed', unread: 1, error: 'Error' }]);
    expect(JSON.stringify(lines)).not.toContain('a1.com');
    lines.length = 0;
    await lookup(websites(Array.from({ length: 1000 }, (_, at) => `b${at}.com`)));
    expect(lines).toMatchObject([{ event: 'kv_read_failed', unread: 1000 }]);
  });

  it('to answer more than 25 MB at once, records are read in smaller parts', async () => {
    const large = (key: string) =>
      Response.json({ id: Number(key.replace(/\D/g, '')) + 1, name: 'x'.repeat(400_000) });
    const keys = Array.from({ length: 80 }, (_, at) => `a${at}.com`);
    await createGateway(large, 'large').lookup(websites(keys));
    const other = createGateway(large, 'large');
    const { rows } = await other.lookup(websites(keys));
    expect(rows.every(({ status }) => status === 'hit')).toBe(true);
    expect(other.requestedKeys).toEqual([]);
    expect(new Set(violations.splice(0).map(({ message }) => message.slice(0, 23)))).toEqual(
      new Set(['KV GET_BULK failed: 413']),
    );
  });
});

describe('records without a usable id', () => {
  it('are each remembered under the key that was asked', async () => {
    const first = createGateway((key) => Response.json({ id: '', name: key }), 'no-id');
    await first.lookup(websites(['a1.com', 'b2.com']));
    const { rows } = await createGateway(buildCompanyResponse, 'no-id').lookup(
      websites(['a1.com', 'b2.com']),
    );
    expect(rows.map(({ record }) => record?.name)).toEqual(['a1.com', 'b2.com']);
  });
});

describe('max_credits', () => {
  it('of 0 answers from memory only', async () => {
    const { lookup, requestedKeys: asked } = createGateway(buildCompanyResponse);
    await lookup(websites(['a1.com']));
    const { rows } = await lookup({ ...websites(['a1.com', 'b2.com']), max_credits: 0 });
    expect(rows.map(({ status }) => status)).toEqual(['hit', 'over_budget']);
    expect(rows[1]?.problem).toBe('max_credits_reached');
    expect(asked).toEqual(['a1.com']);
  });
});

describe('at the deadline', () => {
  it('rows that are still on their way are pending, go on, and are remembered', async () => {
    const release = Promise.withResolvers<void>();
    const { lookup, requestedKeys: asked } = createGateway(async (key) => {
      if (key === 'slow2.com') await release.promise;
      return buildCompanyResponse(key);
    });
    await lookup(websites(['a1.com']));
    const { rows } = await lookup({ ...websites(['a1.com', 'slow2.com']), wait_ms: 100 });
    expect(rows[1]).toEqual({ key: 'slow2.com', status: 'pending', problem: 'pending', credits: 0 });
    release.resolve();
    const again = async () => (await lookup({ ...websites(['slow2.com']), max_credits: 0 })).rows[0]?.status;
    await expect.poll(again).toBe('hit');
    expect(asked.filter((key) => key === 'slow2.com')).toHaveLength(1);
  });
});
