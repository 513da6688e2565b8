// UrlFetchApp: requests, refused options, allowlist and quota.
import { expect, test } from 'vitest';
import { CELL, Clock, createHost, createNetwork, evaluateCell, evaluateCells, runAsMenu } from './host.ts';

test('sends a GET that follows redirects by default', async () => {
  const { fetch, requests } = createNetwork();
  await runAsMenu('UrlFetchApp.fetch("https://a.example/x?y=1")', { fetch });
  const defaults = { headers: {}, body: null, followRedirects: true };
  expect(requests).toEqual([{ method: 'GET', url: 'https://a.example/x?y=1', ...defaults }]);
});

test.each([400, 500])('throws for status %i unless muteHttpExceptions is set', async (status) => {
  const { fetch } = createNetwork({ status, text: `{"why":"${'x'.repeat(200)}"}` });
  await expect(evaluateCell('UrlFetchApp.fetch("https://a.example/path")', { fetch })).rejects.toThrow(
    `Request failed for https://a.example returned code ${status}. Truncated server response: {"why":"${'x'.repeat(92)}... (use muteHttpExceptions option to examine full response)`,
  );
  const body =
    'return UrlFetchApp.fetch("https://a.example/path", { muteHttpExceptions: true }).getResponseCode()';
  expect(await evaluateCell(body, { fetch })).toBe(status);
});

test.each(['', 'https://', 'ftp://a.example/', 'https://a b.example/'])(
  'rejects the URL "%s"',
  async (url) => {
    await expect(
      evaluateCell('UrlFetchApp.fetch(a)', { fetch: createNetwork().fetch }, [url]),
    ).rejects.toThrow(`Invalid argument: ${url}`);
  },
);

test('limits a URL to 2,082 characters', async () => {
  const { fetch } = createNetwork();
  const url = 'https://a.example/'.padEnd(2082, 'x');
  expect(await evaluateCell('return UrlFetchApp.fetch(a).getResponseCode()', { fetch }, [url])).toBe(200);
  await expect(evaluateCell('UrlFetchApp.fetch(a)', { fetch }, [`${url}x`])).rejects.toThrow(
    'URLFetch URL Length',
  );
});

test.each([
  ['{ headers: { Host: "b.example" } }', 'Attribute provided with invalid value: Header:Host'],
  ['{ headers: { "X-A": "line\\nbreak" } }', 'Attribute provided with invalid value: Header:X-A'],
  ['{ headers: { "X-A": "x".repeat(9000) } }', 'URLFetch Header Size'],
  ['{ method: "trace" }', 'Attribute provided with invalid value: method'],
  ['{ payload: undefined }', 'Attribute provided with no value: payload'],
  ['{ timeout: 5 }', '(unknown option: timeout)'],
  ['5', "The parameters (String,number) don't match the method signature for UrlFetchApp.fetch."],
])('rejects the options %s', async (options, message) => {
  const { fetch, requests } = createNetwork();
  await expect(
    evaluateCell(`UrlFetchApp.fetch('https://a.example/', ${options})`, { fetch }),
  ).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

test('sends the requests of fetchAll concurrently and returns responses in order', async () => {
  let waiting: (() => void)[] = [];
  const body = `return UrlFetchApp.fetchAll(['https://a.example/1', { url: 'https://a.example/2', method: 'post' }])
    .map((response) => response.getContentText())`;
  const texts = evaluateCells(body, {
    fetch: ({ url, method }) =>
      new Promise((resolve) => {
        waiting.push(() =>
          resolve({ status: 200, headers: {}, body: new TextEncoder().encode(`${method} ${url}`) }),
        );
        if (waiting.length < 2) return;
        for (const answer of waiting.reverse()) answer();
        waiting = [];
      }),
  });
  expect(await texts).toEqual([['GET https://a.example/1'], ['POST https://a.example/2']]);
});

test.each([
  ['application/json', 'ISO-8859-1', 'MÃ¼ller'],
  ['application/json', 'UTF-8', 'Müller'],
  ['application/json; charset=utf-8', 'ISO-8859-1', 'Müller'],
] as const)('decodes %s as %s without a charset: %s', async (type, unnamedCharset, expected) => {
  const body = new TextEncoder().encode('Müller');
  const fetch = async () => ({ status: 200, headers: { 'Content-Type': type }, body });
  const read = `return UrlFetchApp.fetch('https://a.example/').getContentText()`;
  expect(await evaluateCell(read, { fetch, unnamedCharset })).toBe(expected);
});

test('allows 20,000 requests a day, counting each of fetchAll', async () => {
  const clock = new Clock();
  const { fetch } = createNetwork();
  const host = createHost(
    `function many(n) { UrlFetchApp.fetchAll(new Array(n).fill('https://a.example/')); return n }`,
    { ...clock.options, fetch },
  );
  expect(await host.evaluate('many', [19_998], CELL)).toEqual({ values: [[19_998]] });
  const refused = { error: 'Service invoked too many times for one day: urlfetch.' };
  expect(await host.evaluate('many', [3], CELL)).toMatchObject(refused);
  expect(await host.evaluate('many', [2], CELL)).toEqual({ values: [[2]] });
  expect(host.usage.urlFetch).toBe(20_000);
  expect(await host.evaluate('many', [1], CELL)).toMatchObject(refused);
  clock.advance(86_400_000);
  host.clearResults();
  expect(await host.evaluate('many', [1], CELL)).toEqual({ values: [[1]] });
});

test.each([
  ['https://gate.example/', 'https://gate.example/sheets/v1/me', true],
  ['https://gate.example/sheets/', 'https://gate.example/sheets/v1/me', true],
  ['https://gate.example/sheets/', 'https://gate.example/admin', false],
  ['https://gate.example/', 'http://gate.example/', false],
  ['https://gate.example/', 'https://gate.example.evil.example/', false],
  ['https://*.gate.example/', 'https://eu.gate.example/', true],
  ['https://*.gate.example/', 'https://gate.example/', false],
])('applies the urlFetchWhitelist %s to %s: allowed %s', async (prefix, url, allowed) => {
  const { fetch } = createNetwork();
  const manifest = { urlFetchWhitelist: [prefix] };
  const result = evaluateCell('return UrlFetchApp.fetch(a).getContentText()', { fetch, manifest }, [url]);
  if (allowed) expect(await result).toBe('ok');
  else await expect(result).rejects.toThrow('has not been whitelisted');
});
