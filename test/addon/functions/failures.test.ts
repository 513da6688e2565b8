// Failed and partly failed calls of formulas.
import { describe, expect, inject, it } from 'vitest';
import { Exception } from '../../../addon/dev/host/host.ts';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { answer, createClock, enrich, open, parseBody, respondWithRecords, toColumn } from './sheets.ts';

const session = inject('session');

describe('a failed call says what to do', () => {
  it.each<[string, Partial<HostOptions>, RegExp]>([
    [
      'not connected',
      { properties: { document: {} } },
      /^Not connected: open Extensions → CDAPI → Connect\.$/,
    ],
    ['without document properties', { documentInFormulas: false }, /^Not connected/],
    [
      'a broken connection property',
      { properties: { document: { [connectionProperty]: '{"url":1}' } } },
      /^Not connected/,
    ],
    [
      'no permission',
      { manifest: { oauthScopes: ['https://www.googleapis.com/auth/spreadsheets.currentonly'] } },
      /^CDAPI lacks the permission “Connect to an external service”\./,
    ],
    [
      'a blocked address',
      { manifest: { urlFetchWhitelist: ['https://data.acme.example/'] } },
      /has not been whitelisted/,
    ],
    [
      'an exhausted daily quota',
      { fetch: () => Promise.reject(new Exception('Service invoked too many times for one day: urlfetch.')) },
      /^Google’s daily limit of calls is used up\. Try again tomorrow\. Google says: “Service invoked/,
    ],
    [
      'no network',
      { fetch: () => Promise.reject(new Error('down')) },
      /can't be reached\. Check the connection/,
    ],
    [
      'a page of bot protection',
      { fetch: async () => answer(403, '\n<!DOCTYPE html><title>Just a moment...</title>') },
      /^A web page answered instead of the gateway, usually the bot protection of its domain\. Ask your admin/,
    ],
    ['a response without JSON', { fetch: async () => answer(200, 'OK') }, /could not be read\. Try again/],
    ['a result that is not ready', { fetch: async () => answer(202, { code: 'pending' }) }, /not ready yet/],
    ['a rate limit', { fetch: async () => answer(429, { code: 'rate_limited' }) }, /Wait a few seconds/],
  ])('%s', async (_, options, sentence) => {
    const sheet = await open(options);
    expect(await enrich(sheet, 'a.com', 'name')).toMatchObject({ error: expect.stringMatching(sentence) });
  });

  it.each(['es', 'ja'] as const)('in the language %s', async (language) => {
    const quota = 'Service invoked too many times for one day: urlfetch.';
    const spent = await open({ language, fetch: () => Promise.reject(new Exception(quota)) });
    expect(await enrich(spent, 'a.com', 'name')).toMatchObject({
      error: expect.stringMatching(/^Google’s daily limit of calls is used up/),
    });
    const offline = await open({ language, fetch: () => Promise.reject(new Error('down')) });
    expect(await enrich(offline, 'a.com', 'name')).toMatchObject({
      error: expect.stringMatching(/can't be reached\. Check the connection/),
    });
  });

  it('an unknown token', async () => {
    const sheet = await open({
      fetch: async () => answer(401, { code: 'unauthorised' }),
      properties: {
        document: { [connectionProperty]: JSON.stringify({ url: session.url, token: 'cds_wrong' }) },
      },
    });
    const result = await enrich(sheet, 'a.com', 'name');
    expect(result).toMatchObject({ error: expect.stringContaining('new connection link') });
    expect(JSON.stringify(result)).not.toContain('cds_wrong');
  });

  it.each([
    ['an invalid field', ['a.com', 'na me['], /"na me\[" is not a field/],
    ['101 fields', ['a.com', 'name,'.repeat(101)], /^Name at most 100 fields\.$/],
    ['an unknown option', ['a.com', 'name', 'heading'], /"heading" is not an option/],
    ['no argument', [], /^There is nothing to look up: name a cell/],
  ] as const)('%s', async (_, args, sentence) => {
    const sheet = await open();
    expect(await enrich(sheet, ...args)).toMatchObject({ error: expect.stringMatching(sentence) });
    expect(sheet.requests).toEqual([]);
  });

  it('one of several failed calls does not affect the other rows', async () => {
    let calls = 0;
    const sheet = await open({
      fetch: async (request) => {
        calls += 1;
        if (calls === 2) return answer(429, { code: 'rate_limited', detail: 'x', fix: 'y' });
        const { keys } = JSON.parse(new TextDecoder().decode(request.body ?? undefined)) as {
          keys: string[];
        };
        return answer(200, {
          rows: keys.map((key) => ({ key, status: 'hit', record: { name: key }, credits: 0 })),
          credits: {},
        });
      },
    });
    const result = await enrich(
      sheet,
      toColumn(Array.from({ length: 2001 }, (_, at) => `s${at}.example`)),
      'name',
    );
    const words = 'values' in result ? result.values.flat() : [];
    expect(words.filter((word) => word === '#RATE_LIMIT')).toHaveLength(1000);
    expect(words.filter((word) => String(word).endsWith('.example'))).toHaveLength(1001);
  });
});

describe.each(['en', 'es', 'ja'] as const)(
  'too many calls in a short time, in the language %s,',
  (language) => {
    const RATE =
      'Service invoked too many times in a short time: urlfetch. Try Utilities.sleep(1000) between calls.';

    /** Opens a spreadsheet whose first calls are refused. Pauses take no time. */
    async function openRefusing(refusals: number) {
      const { now, pass } = createClock();
      const respond = respondWithRecords(() => ({ name: 'Acme' }));
      let calls = 0;
      return open({
        language,
        now,
        serviceLatencyMs: 0,
        setTimer: (ms, run) => {
          const isPause = ms < 10_000;
          if (isPause) {
            pass(ms / 1000);
            queueMicrotask(run);
          }
          return () => undefined;
        },
        fetch: async (request) => {
          calls += 1;
          if (calls <= refusals) throw new Exception(RATE);
          return respond(request);
        },
      });
    }

    it('are repeated after pauses, with the time that is left', async () => {
      const sheet = await openRefusing(3);
      expect(await enrich(sheet, 'a.com', 'name')).toEqual({ values: [['Acme']] });
      const waits = sheet.requests.map((request) => Number(parseBody(request).wait_ms));
      expect(waits).toHaveLength(4);
      expect(waits.map((wait, at) => (waits[at - 1] ?? Number.POSITIVE_INFINITY) - wait >= 1000)).toEqual(
        waits.map(() => true),
      );
      expect(waits[3]).toBeGreaterThanOrEqual(24_000 - 10_500);
    });

    it('are named if they continue', async () => {
      const sheet = await openRefusing(9);
      expect(await enrich(sheet, 'a.com', 'name')).toMatchObject({
        error: expect.stringMatching(/^Google allows fewer calls in a short time\. Wait a minute/),
      });
      expect(sheet.requests).toHaveLength(4);
    });
  },
);
