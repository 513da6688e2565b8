// Attacks on an instance of `npm start` by a web page of another site, which reaches this machine's ports.
import { request } from 'node:http';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { expect, inject, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { playgroundNonceHeader } from '../../../shared/playground.ts';
import { root } from '../../../worker/commands/paths.ts';
import { bundleWorker } from '../../../worker/commands/runtime/bundle.ts';

const session = inject('session');
const { host } = new URL(session.url);
/** A host name whose DNS answer the attacker changed to 127.0.0.1. */
const FOREIGN_HOST = `evil.example:${new URL(session.url).port}`;

interface Received {
  status: number | undefined;
  body: string;
}

/** Sends a request as a browser would; `fetch` of Node refuses to set `Host`. */
function send(path: string, headers: Record<string, string>, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const call = request(`${session.url}${path}`, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    call.on('error', reject);
    call.end();
  });
}

/** What a rebound page can send: its own host, and any header, since the target is its own origin. */
const rebound = { host: FOREIGN_HOST, 'mf-original-url': `${session.url}/playground/session` };

it('a rebound page forges the host by MF-Original-URL and asks for the team token: refused', async () => {
  for (const nonce of [undefined, '', '0'.repeat(32), session.team_token]) {
    const { status, body } = await send('/playground/session', {
      ...rebound,
      ...(nonce === undefined ? {} : { [playgroundNonceHeader]: nonce }),
    });
    expect([nonce, status]).toEqual([nonce, 401]);
    expect(body).not.toContain(session.team_token);
    expect(body).toContain('npm start printed');
  }
});

it('a rebound page with the nonce of an earlier start asks for the team token: refused, unlike the current one', async () => {
  const current = { [playgroundNonceHeader]: session.playground_nonce };
  expect((await send('/playground/session', { host, ...current })).body).toContain(session.team_token);
  const earlier = session.playground_nonce.replaceAll(/./g, (digit) => (digit === '0' ? '1' : '0'));
  const { status } = await send('/playground/session', { host, [playgroundNonceHeader]: earlier });
  expect(status).toBe(401);
});

it('a page without the nonce asks to be signed in to the console: refused', async () => {
  const signIn = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${session.url}/playground/console`, { method: 'POST', headers });
  for (const headers of [{}, { [playgroundNonceHeader]: '0'.repeat(32) }]) {
    const { status, headers: answered } = await signIn(headers);
    expect([status, answered.getSetCookie()]).toEqual([401, []]);
  }
  const { status, headers } = await signIn({ [playgroundNonceHeader]: session.playground_nonce });
  expect([status, headers.getSetCookie()]).toEqual([
    204,
    [expect.stringContaining('; HttpOnly; SameSite=Strict')],
  ]);
});

it('a rebound page forges the host by MF-Original-URL and reads or adds alerts: there are none', async () => {
  const path = '/development/alerts';
  const forged = { host: FOREIGN_HOST, 'mf-original-url': session.url + path };
  for (const method of ['GET', 'POST']) expect((await send(path, forged, method)).status).toBe(404);
  expect((await send(path, { host })).status).toBe(200);
});

it.each([
  ['GET', '/cdn-cgi/local/scheduled?cron=start'],
  ['GET', '/cdn-cgi/local/scheduled'],
  ['GET', '/cdn-cgi/handler/scheduled?cron=start'],
  ['GET', '/__scheduled?cron=start'],
  ['POST', '/cdn-cgi/local/email?from=a@b.example&to=c@d.example'],
])(
  'an image or form on any page runs the cron or mail handler by %s %s: there is none',
  async (method, path) => {
    const { status } = await send(path, { host }, method);
    expect(status).toBe(404);
  },
);

it.each([
  '/cdn-cgi/local/explorer',
  '/cdn-cgi/local/explorer/api/local/workers',
  '/cdn-cgi/local/observability',
])('a page of this machine reads stored data at %s: there is nothing', async (path) => {
  expect((await send(path, { host, origin: 'http://localhost:3000' })).status).toBe(404);
});

it('a page reads files of the local R2 buckets or bindings under a foreign host or origin: refused', async () => {
  const paths = ['/cdn-cgi/local/r2/public/cdapi-rows/some', '/cdn-cgi/local/r2/s3/cdapi-rows'];
  for (const path of [...paths, '/cdn-cgi/local/platform-proxy']) {
    const original = { 'mf-original-url': `${session.url}${path}` };
    expect([path, (await send(path, { host: FOREIGN_HOST, ...original })).status]).toEqual([path, 403]);
    expect([path, (await send('/', { host: FOREIGN_HOST, ...original })).status]).toEqual([path, 403]);
    expect([path, (await send(path, { host, origin: 'https://evil.example' })).status]).toEqual([path, 403]);
  }
  // Without its secret, the proxy of bindings serves nobody.
  const proxied = await send('/cdn-cgi/local/platform-proxy', { host, 'mf-op': 'GET', 'mf-op-target': '1' });
  expect(proxied.status).toBe(401);
  // A listing would name the files, whose names contain random ids.
  expect((await send('/cdn-cgi/local/r2/s3/cdapi-rows?list-type=2', { host })).status).toBe(404);
  expect((await send('/cdn-cgi/local/r2/public/cdapi-rows/', { host })).status).toBe(404);
});

const readObservability = (config: string, env?: string) => {
  const options = { config: join(root, config), ...(env === undefined ? {} : { env }) };
  const { observability, tail_consumers, name } = unstable_readConfig(options);
  return { name, observability, consumers: tail_consumers };
};

it('the platform stores addresses of requests, which name people, with traces, issues or log lines: switched off', () => {
  const off = { traces: { enabled: false }, issues: { enabled: false } };
  for (const env of [undefined, 'dev']) {
    expect(readObservability('wrangler.toml', env).observability).toMatchObject({
      ...off,
      enabled: false,
      logs: { enabled: false, invocation_logs: false },
    });
  }
  const logs = readObservability('wrangler.logs.toml');
  expect(logs.observability).toMatchObject({ ...off, logs: { enabled: true, invocation_logs: false } });
  expect(readObservability('wrangler.toml').consumers).toEqual([{ service: logs.name }]);
});

/** Logs a line for each request, as the gateway does. */
const WRITER = `export default { fetch() { console.log('{"event":"request"}'); return new Response(''); } };`;

it('the log Worker stores the address of the request that wrote a line: it writes the line alone', async () => {
  const lines: string[] = [];
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      handleStructuredLogs: ({ message }) => void lines.push(message),
      workers: [
        { name: 'writer', modules: true, script: WRITER, tails: ['logs'] },
        { name: 'logs', modules: true, script: await bundleWorker(join(root, 'worker', 'tail.ts')) },
      ],
    }),
  );
  try {
    await (await platform.dispatchFetch('http://gateway.example/cdapi/v2/collect/jane-doe?a=jane')).text();
    // Once by the Worker of the request, whose lines are not stored, and once by the log Worker.
    await expect.poll(() => lines).toEqual(['{"event":"request"}', '{"event":"request"}']);
  } finally {
    await platform.dispose();
  }
});
