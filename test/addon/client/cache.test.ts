// The add-on's cache of gateway responses.
import { describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import {
  answer,
  createClock,
  open,
  parseBody,
  readBuiltCode,
  respondWithRecords,
  toColumn,
} from '../functions/sheets.ts';

const keysAt = (count: number): string[] => Array.from({ length: count }, (_, at) => `name-${at}`);

/** A handler that changes the connection. */
const RECONNECT =
  'function reconnect(name, value) { PropertiesService.getDocumentProperties().setProperty(name, value); }';

/** Logs every cache entry. */
const WATCHED_CACHE = `
  const cache = CacheService.getDocumentCache();
  const watch = (key, value, seconds) => console.log(JSON.stringify([key, value, seconds]));
  CacheService = { getDocumentCache: () => ({
    get: (key) => cache.get(key),
    getAll: (keys) => cache.getAll(keys),
    put: (key, value, seconds) => (watch(key, value, seconds), cache.put(key, value, seconds)),
    putAll: (values, seconds) => {
      for (const key of Object.keys(values)) watch(key, values[key], seconds);
      cache.putAll(values, seconds);
    },
  }) };`;

const stamped = (stamp: string) => respondWithRecords((key) => ({ name: key }), { stamp });

describe('cached rows', () => {
  it('of 5,000 keys need five calls and the price limit, and none on recalculation', async () => {
    const text = 'Ünïcödé and more of it '.repeat(12);
    const sheet = await open({
      fetch: respondWithRecords((key) => ({ name: key, description: text }), { stamp: 's' }),
    });
    const keys = toColumn(keysAt(5000));
    const first = await sheet.evaluate('CDAPI_COMPANY', keys, 'name, description');
    expect(sheet.host.usage.urlFetch).toBe(6);
    sheet.host.clearResults();
    expect(await sheet.evaluate('CDAPI_COMPANY', keys, 'name, description')).toEqual(first);
    expect(sheet.host.usage.urlFetch).toBe(6);
  });

  it('are invalid at most ten minutes after the gateway’s stamp has changed', async () => {
    const time = createClock();
    let stamp = 'before';
    const sheet = await open({ now: time.now, fetch: (request) => stamped(stamp)(request) });
    const ask = () => {
      sheet.host.clearResults();
      return sheet.evaluate('CDAPI_COMPANY', toColumn(['a', 'b']), 'name');
    };
    await ask();
    stamp = 'after';
    time.pass(599);
    await ask();
    expect(sheet.requests).toHaveLength(1);
    time.pass(2);
    await ask();
    expect(sheet.requests).toHaveLength(2);
    // The other row was cached under the old stamp.
    await sheet.evaluate('CDAPI_COMPANY', toColumn(['c']), 'name');
    await ask();
    expect(sheet.requests).toHaveLength(3);
  });

  it('are invalid as soon as a response has another stamp', async () => {
    let stamp = 'before';
    const sheet = await open({ fetch: (request) => stamped(stamp)(request) });
    await sheet.evaluate('CDAPI_COMPANY', toColumn(['a']), 'name');
    stamp = 'after';
    await sheet.evaluate('CDAPI_COMPANY', toColumn(['b']), 'name');
    sheet.host.clearResults();
    await sheet.evaluate('CDAPI_COMPANY', toColumn(['a']), 'name');
    expect(sheet.requests.map((request) => parseBody(request).keys)).toEqual([['a'], ['b'], ['a']]);
  });

  it('belong to one connection', async () => {
    const sheet = await open({ fetch: stamped('s'), code: await readBuiltCode(RECONNECT) });
    await sheet.evaluate('CDAPI_COMPANY', toColumn(['a']), 'name');
    const other = JSON.stringify({ url: inject('session').url, token: 'cds_other' });
    await sheet.host.run('reconnect', [connectionProperty, other], 'menu');
    sheet.host.clearResults();
    await sheet.evaluate('CDAPI_COMPANY', toColumn(['a']), 'name');
    expect(sheet.requests.map(({ headers }) => headers.Authorization === 'Bearer cds_other')).toEqual([
      false,
      true,
    ]);
  });

  it('older than max_age are fetched again', async () => {
    const time = createClock();
    const bought: Record<string, number> = { old: time.now() - 7200_000, young: time.now() - 60_000 };
    const sheet = await open({
      now: time.now,
      fetch: async (request) => {
        const { keys } = parseBody<LookupRequest>(request);
        const rows = keys.map((key) => ({
          key,
          status: 'hit',
          record: { name: key },
          fetched_at: new Date(bought[key] ?? 0).toISOString(),
          credits: 0,
        }));
        return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, stamp: 's' });
      },
    });
    const keys = toColumn(['old', 'young']);
    await sheet.evaluate('CDAPI_COMPANY', keys, 'name');
    await sheet.evaluate('CDAPI_COMPANY', keys, 'name', 'max_age=1h');
    await sheet.evaluate('CDAPI_COMPANY', keys, 'name', 'max_age=1s');
    await sheet.evaluate('CDAPI_COMPANY', keys, 'name', 'max_age=3h');
    const asked = sheet.requests.map((request) => parseBody<LookupRequest>(request));
    expect(asked.map((body) => [body.keys, body.max_age_s])).toEqual([
      [['old', 'young'], undefined],
      [['old'], 3600],
      [['old', 'young'], 1],
    ]);
  });

  it('show a problem that only a newer gateway knows as unavailable, beside the other rows', async () => {
    const rows = [
      { key: 'a', status: 'failed', problem: 'provider_maintenance', credits: 0 },
      { key: 'b', status: 'hit', record: { name: 'B' }, credits: 0 },
    ];
    const sheet = await open({ fetch: async () => answer(200, { rows, credits: {}, stamp: 's' }) });
    const names = await sheet.evaluate('CDAPI_COMPANY', toColumn(['a', 'b']), 'name');
    expect(names).toEqual({ values: [['#UNAVAILABLE'], ['B']] });
  });

  it('exclude failures, and missing records after ten minutes', async () => {
    const time = createClock();
    const ends: Record<string, string> = {
      a: 'pending',
      b: 'over_budget',
      c: 'rate_limited',
      d: 'provider_unavailable',
      e: 'invalid_key',
      f: 'erased',
      g: 'not_found',
    };
    const sheet = await open({
      now: time.now,
      fetch: async (request) => {
        const { keys } = parseBody<LookupRequest>(request);
        const rows = keys.map((key) => ({
          key,
          status: key === 'g' ? 'not_found' : 'failed',
          problem: ends[key],
          credits: 0,
        }));
        return answer(200, { rows, credits: {}, stamp: 's' });
      },
    });
    const ask = () => {
      sheet.host.clearResults();
      return sheet.evaluate('CDAPI_COMPANY', toColumn(Object.keys(ends)), 'name');
    };
    expect(await ask()).toEqual(await ask());
    time.pass(590);
    await ask();
    time.pass(11);
    await ask();
    expect(sheet.requests.map((request) => parseBody<LookupRequest>(request).keys.at(-1))).toEqual([
      'g',
      'f',
      'f',
      'g',
    ]);
  });

  it('are returned when the gateway is unreachable', async () => {
    let down = false;
    const sheet = await open({
      fetch: (request) => (down ? Promise.reject(new Error('down')) : stamped('s')(request)),
    });
    await sheet.evaluate('CDAPI_COMPANY', toColumn(['a', 'b']), 'name');
    down = true;
    expect(await sheet.evaluate('CDAPI_COMPANY', toColumn(['a', 'c', 'b']), 'name')).toEqual({
      values: [['a'], ['#UNAVAILABLE'], ['b']],
    });
    expect(await sheet.evaluate('CDAPI_COMPANY', toColumn(['c']), 'name')).toMatchObject({
      error: expect.stringContaining("can't be reached"),
    });
  });

  it('contain no token and stay within the limits of CacheService', async () => {
    const { team_token: token } = inject('session');
    const kept: string[] = [];
    const sheet = await open({
      code: await readBuiltCode(WATCHED_CACHE),
      onLog: ({ text }) => kept.push(text),
      fetch: respondWithRecords((key) => ({ name: key, text: 'ä'.repeat(500) }), { stamp: 's' }),
    });
    await sheet.evaluate('CDAPI_COMPANY', toColumn(keysAt(4000)), 'name, text');
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(100);
    expect(kept.join()).toContain('name-1');
    expect(kept.join()).not.toContain(token);
    for (const line of kept) {
      const [key = '', value = '', seconds] = JSON.parse(line) as [string, string, number];
      expect(key.length).toBeLessThanOrEqual(250);
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(100_000);
      expect(seconds).toBeLessThanOrEqual(21_600);
    }
  });
});
