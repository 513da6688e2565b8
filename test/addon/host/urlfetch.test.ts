// UrlFetchApp: what it refuses, what it answers, and what it counts.
import { expect, test } from 'vitest';
import { CELL, Clock, cell, cells, click, hostOf, network } from './host.ts';

const decode = (body: Uint8Array | null | undefined): string =>
  new TextDecoder().decode(body ?? new Uint8Array(0));

test('a plain fetch is a GET that follows redirects and checks certificates', async () => {
  const { fetch, requests } = network();
  await click('UrlFetchApp.fetch("https://a.example/x?y=1")', { fetch });
  expect(requests).toEqual([
    {
      method: 'GET',
      url: 'https://a.example/x?y=1',
      headers: {},
      body: null,
      followRedirects: true,
      validateCertificates: true,
    },
  ]);
});

test('options of a request are sent as told', async () => {
  const { fetch, requests } = network();
  const options = `{ method: 'put', contentType: 'application/json', headers: { Authorization: 'Bearer t', 'X-N': 5 },
    payload: JSON.stringify({ a: 'é' }), followRedirects: false, validateHttpsCertificates: false }`;
  await click(`UrlFetchApp.fetch('https://a.example/', ${options})`, { fetch });
  const [request] = requests;
  expect(request).toMatchObject({ method: 'PUT', followRedirects: false, validateCertificates: false });
  expect(request?.headers).toEqual({
    Authorization: 'Bearer t',
    'X-N': '5',
    'Content-Type': 'application/json',
  });
  expect(decode(request?.body)).toBe('{"a":"é"}');
});

test('a payload makes a POST of a form, whether text or object', async () => {
  const { fetch, requests } = network();
  await click(
    `UrlFetchApp.fetch('https://a.example/', { payload: { q: 'a b&c', n: 1 } });
    UrlFetchApp.fetch('https://a.example/', { payload: 'raw' });`,
    { fetch },
  );
  expect(
    requests.map(({ method, headers, body }) => [method, headers['Content-Type'], decode(body)]),
  ).toEqual([
    ['POST', 'application/x-www-form-urlencoded', 'q=a+b%26c&n=1'],
    ['POST', 'application/x-www-form-urlencoded', 'raw'],
  ]);
});

test('a payload can be bytes or a Blob, which brings its type', async () => {
  const { fetch, requests } = network();
  await click(
    `UrlFetchApp.fetch('https://a.example/', { payload: [-61, -87] });
    UrlFetchApp.fetch('https://a.example/', { payload: Utilities.newBlob('<a/>', 'text/xml') });`,
    { fetch },
  );
  expect(requests.map(({ headers, body }) => [headers['Content-Type'], decode(body)])).toEqual([
    ['application/x-www-form-urlencoded', 'é'],
    ['text/xml', '<a/>'],
  ]);
});

test('a response tells status, text, headers and signed bytes', async () => {
  const headers = { 'Content-Type': 'text/plain; charset=ISO-8859-1', 'Set-Cookie': ['a=1', 'b=2'] };
  const { fetch } = network({ status: 201, headers, body: Uint8Array.of(0xe9, 0x41) });
  const body = `const response = UrlFetchApp.fetch('https://a.example/');
    return [response.getResponseCode(), response.getContentText(), response.getContent().join(),
      response.getHeaders()['Set-Cookie'], response.getAllHeaders()['Set-Cookie'].join('|'),
      response.getContentText('UTF-8').length, response.getBlob().getContentType()]`;
  expect((await cells(body, { fetch })).flat()).toEqual([
    201,
    'éA',
    '-23,65',
    'a=1',
    'a=1|b=2',
    2,
    'text/plain',
  ]);
});

test.each([400, 404, 500])('status %i throws unless muteHttpExceptions is set', async (status) => {
  const { fetch } = network({ status, text: `{"why":"${'x'.repeat(200)}"}` });
  await expect(cell('UrlFetchApp.fetch("https://a.example/path")', { fetch })).rejects.toThrow(
    `Request failed for https://a.example returned code ${status}. Truncated server response: {"why":"${'x'.repeat(92)}... (use muteHttpExceptions option to examine full response)`,
  );
  const body =
    'return UrlFetchApp.fetch("https://a.example/path", { muteHttpExceptions: true }).getResponseCode()';
  expect(await cell(body, { fetch })).toBe(status);
});

test('an answer that does not come is an unavailable address', async () => {
  await expect(cell('UrlFetchApp.fetch("https://gone.example/a")')).rejects.toThrow(
    'Address unavailable: https://gone.example/a',
  );
});

test.each(['', 'https://', 'ftp://a.example/', 'https://a b.example/'])(
  'the URL "%s" is an invalid argument',
  async (url) => {
    await expect(cell('UrlFetchApp.fetch(a)', { fetch: network().fetch }, [url])).rejects.toThrow(
      `Invalid argument: ${url}`,
    );
  },
);

test('a URL may have 2,082 characters and no more', async () => {
  const { fetch } = network();
  const url = 'https://a.example/'.padEnd(2082, 'x');
  expect(await cell('return UrlFetchApp.fetch(a).getResponseCode()', { fetch }, [url])).toBe(200);
  await expect(cell('UrlFetchApp.fetch(a)', { fetch }, [`${url}x`])).rejects.toThrow('URLFetch URL Length');
});

test.each([
  ['{ headers: { Host: "b.example" } }', 'Attribute provided with invalid value: Header:Host'],
  ['{ headers: { "Content-Length": "3" } }', 'Attribute provided with invalid value: Header:Content-Length'],
  ['{ headers: { "X-A": "line\\nbreak" } }', 'Attribute provided with invalid value: Header:X-A'],
  ['{ headers: { "X-A": null } }', 'Attribute provided with invalid value: Header:X-A'],
  ['{ headers: { "X-A": "x".repeat(9000) } }', 'URLFetch Header Size'],
  ['{ method: "trace" }', 'Attribute provided with invalid value: method'],
  ['{ muteHttpExceptions: "yes" }', 'Attribute provided with invalid value: muteHttpExceptions'],
  ['{ payload: undefined }', 'Attribute provided with no value: payload'],
  [
    '{ timeout: 5 }',
    "The parameters (String,(class)) don't match the method signature for UrlFetchApp.fetch. (unknown option: timeout)",
  ],
  ['5', "The parameters (String,number) don't match the method signature for UrlFetchApp.fetch."],
])('the options %s are refused', async (options, words) => {
  const { fetch, requests } = network();
  await expect(cell(`UrlFetchApp.fetch('https://a.example/', ${options})`, { fetch })).rejects.toThrow(words);
  expect(requests).toEqual([]);
});

test('50 MB pass either way and one byte more does not', async () => {
  const limit = 50 * 1024 * 1024;
  const whole = network({ body: new Uint8Array(limit) });
  const send =
    'return UrlFetchApp.fetch("https://a.example/", { payload: "x".repeat(a) }).getBlob().getDataAsString().length';
  expect(await cell(send, { fetch: whole.fetch }, [limit])).toBe(limit);
  expect(whole.requests[0]?.body?.length).toBe(limit);
  await expect(cell(send, { fetch: whole.fetch }, [limit + 1])).rejects.toThrow('URLFetch POST Size');
  const more = network({ body: new Uint8Array(limit + 1) });
  await expect(cell('UrlFetchApp.fetch("https://a.example/")', { fetch: more.fetch })).rejects.toThrow(
    'URLFetch Response Size',
  );
});

test('fetchAll sends all requests at once and answers in their order', async () => {
  let waiting: (() => void)[] = [];
  const body = `return UrlFetchApp.fetchAll(['https://a.example/1', { url: 'https://a.example/2', method: 'post' }])
    .map((response) => response.getContentText())`;
  const texts = cells(body, {
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

test('20,000 calls a day, of which fetchAll counts each; a day later they are back', async () => {
  const clock = new Clock();
  const { fetch } = network();
  const host = hostOf(
    `function many(n) { UrlFetchApp.fetchAll(new Array(n).fill('https://a.example/')); return n }`,
    { ...clock.options, fetch },
  );
  expect(await host.evaluate('many', [19_998], CELL)).toEqual({ values: [[19_998]] });
  const refused = { error: 'Service invoked too many times for one day: urlfetch.' };
  expect(await host.evaluate('many', [3], CELL)).toMatchObject(refused);
  expect(await host.evaluate('many', [2], CELL)).toEqual({ values: [[2]] });
  expect(host.usage.urlFetch).toBe(20_000);
  expect(await host.evaluate('many', [1], CELL)).toMatchObject(refused);
  clock.pass(86_400_000);
  host.forget();
  expect(await host.evaluate('many', [1], CELL)).toEqual({ values: [[1]] });
});

test('a manifest that lists scopes must list script.external_request', async () => {
  const { fetch } = network();
  const scope = 'https://www.googleapis.com/auth/script.external_request';
  const body = 'return UrlFetchApp.fetch("https://a.example/").getContentText()';
  expect(await cell(body, { fetch, manifest: { oauthScopes: [scope] } })).toBe('ok');
  await expect(cell(body, { fetch, manifest: { oauthScopes: [] } })).rejects.toThrow(
    `Specified permissions are not sufficient to call UrlFetchApp.fetch. Required permissions: ${scope}`,
  );
});

test.each([
  ['https://gate.example/', 'https://gate.example/sheets/v1/me', true],
  ['https://gate.example/sheets/', 'https://gate.example/sheets/v1/me', true],
  ['https://gate.example/sheets/', 'https://gate.example/admin', false],
  ['https://gate.example/', 'http://gate.example/', false],
  ['https://gate.example/', 'https://gate.example.evil.example/', false],
  ['https://gate.example/', 'https://gate.example:8443/', false],
  ['https://*.gate.example/', 'https://eu.gate.example/', true],
  ['https://*.gate.example/', 'https://gate.example/', false],
])('an urlFetchWhitelist of %s and the URL %s: %s', async (prefix, url, allowed) => {
  const { fetch } = network();
  const result = cell(
    'return UrlFetchApp.fetch(a).getContentText()',
    { fetch, manifest: { urlFetchWhitelist: [prefix] } },
    [url],
  );
  if (allowed) expect(await result).toBe('ok');
  else
    await expect(result).rejects.toThrow(
      `Request to ${url} failed because the URL has not been whitelisted in the script manifest.`,
    );
});
