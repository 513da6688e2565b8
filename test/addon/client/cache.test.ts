// What the spreadsheet remembers of a gateway's answers, for how long, and what it never does.
import { describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { answer, bodyOf, builtCode, clock, column, open, recordsFor } from '../functions/sheets.ts';

const keysAt = (count: number): string[] => Array.from({ length: count }, (_, at) => `name-${at}`);

/** A menu item that connects the spreadsheet otherwise. */
const RECONNECT =
  'function reconnect(name, value) { PropertiesService.getDocumentProperties().setProperty(name, value); }';

/** Logs everything that is kept. */
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

const stamped = (stamp: string) => recordsFor((key) => ({ name: key }), { stamp });

describe('remembered rows', () => {
  it('of 5,000 keys are five calls, and none when the sheet recalculates', async () => {
    const text = 'Ünïcödé and more of it '.repeat(12);
    const sheet = await open({
      fetch: recordsFor((key) => ({ name: key, description: text }), { stamp: 's' }),
    });
    const keys = column(keysAt(5000));
    const first = await sheet.formula('CDAPI_COMPANY', keys, 'name, description');
    expect(sheet.host.usage.urlFetch).toBe(5);
    sheet.host.clearResults();
    expect(await sheet.formula('CDAPI_COMPANY', keys, 'name, description')).toEqual(first);
    expect(sheet.host.usage.urlFetch).toBe(5);
  });

  it('are asked again where the gateway’s stamp has changed, at most ten minutes later', async () => {
    const time = clock();
    let stamp = 'before';
    const sheet = await open({ now: time.now, fetch: (request) => stamped(stamp)(request) });
    const ask = () => {
      sheet.host.clearResults();
      return sheet.formula('CDAPI_COMPANY', column(['a', 'b']), 'name');
    };
    await ask();
    stamp = 'after';
    time.pass(599);
    await ask();
    expect(sheet.sent).toHaveLength(1);
    time.pass(2);
    await ask();
    expect(sheet.sent).toHaveLength(2);
    // The other row was kept under the stamp that is no more.
    await sheet.formula('CDAPI_COMPANY', column(['c']), 'name');
    await ask();
    expect(sheet.sent).toHaveLength(3);
  });

  it('are found no more as soon as any answer brings another stamp', async () => {
    let stamp = 'before';
    const sheet = await open({ fetch: (request) => stamped(stamp)(request) });
    await sheet.formula('CDAPI_COMPANY', column(['a']), 'name');
    stamp = 'after';
    await sheet.formula('CDAPI_COMPANY', column(['b']), 'name');
    sheet.host.clearResults();
    await sheet.formula('CDAPI_COMPANY', column(['a']), 'name');
    expect(sheet.sent.map((request) => bodyOf(request).keys)).toEqual([['a'], ['b'], ['a']]);
  });

  it('are of this connection alone', async () => {
    const sheet = await open({ fetch: stamped('s'), code: await builtCode(RECONNECT) });
    await sheet.formula('CDAPI_COMPANY', column(['a']), 'name');
    const other = JSON.stringify({ url: inject('session').url, token: 'cds_other' });
    await sheet.host.run('reconnect', [connectionProperty, other], 'menu');
    sheet.host.clearResults();
    await sheet.formula('CDAPI_COMPANY', column(['a']), 'name');
    expect(sheet.sent.map(({ headers }) => headers.Authorization === 'Bearer cds_other')).toEqual([
      false,
      true,
    ]);
  });

  it('that were bought before max_age are asked again, the younger ones not', async () => {
    const time = clock();
    const bought: Record<string, number> = { old: time.now() - 7200_000, young: time.now() - 60_000 };
    const sheet = await open({
      now: time.now,
      fetch: async (request) => {
        const { keys } = bodyOf<LookupRequest>(request);
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
    const keys = column(['old', 'young']);
    await sheet.formula('CDAPI_COMPANY', keys, 'name');
    await sheet.formula('CDAPI_COMPANY', keys, 'name', 'max_age=1h');
    await sheet.formula('CDAPI_COMPANY', keys, 'name', 'max_age=1s');
    await sheet.formula('CDAPI_COMPANY', keys, 'name', 'max_age=3h');
    const asked = sheet.sent.map((request) => bodyOf<LookupRequest>(request));
    expect(asked.map((body) => [body.keys, body.max_age_s])).toEqual([
      [['old', 'young'], undefined],
      [['old'], 3600],
      [['old', 'young'], 1],
    ]);
  });

  it('are never failures: those are asked again, keys without a record after ten minutes', async () => {
    const time = clock();
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
        const { keys } = bodyOf<LookupRequest>(request);
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
      return sheet.formula('CDAPI_COMPANY', column(Object.keys(ends)), 'name');
    };
    expect(await ask()).toEqual(await ask());
    time.pass(590);
    await ask();
    time.pass(11);
    await ask();
    expect(sheet.sent.map((request) => bodyOf<LookupRequest>(request).keys.at(-1))).toEqual([
      'g',
      'f',
      'f',
      'g',
    ]);
  });

  it('stay where the gateway can’t be reached; the others are #UNAVAILABLE', async () => {
    let down = false;
    const sheet = await open({
      fetch: (request) => (down ? Promise.reject(new Error('down')) : stamped('s')(request)),
    });
    await sheet.formula('CDAPI_COMPANY', column(['a', 'b']), 'name');
    down = true;
    expect(await sheet.formula('CDAPI_COMPANY', column(['a', 'c', 'b']), 'name')).toEqual({
      values: [['a'], ['#UNAVAILABLE'], ['b']],
    });
    expect(await sheet.formula('CDAPI_COMPANY', column(['c']), 'name')).toMatchObject({
      error: expect.stringContaining("can't be reached"),
    });
  });

  it('and their names hold no token, and keep within the limits of Google’s cache', async () => {
    const { team_token: token } = inject('session');
    const kept: string[] = [];
    const sheet = await open({
      code: await builtCode(WATCHED_CACHE),
      onLog: ({ text }) => kept.push(text),
      fetch: recordsFor((key) => ({ name: key, text: 'ä'.repeat(500) }), { stamp: 's' }),
    });
    await sheet.formula('CDAPI_COMPANY', column(keysAt(4000)), 'name, text');
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
