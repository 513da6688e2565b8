// The doctor tells whether a provider's address and key work, spends nothing, and never shows the key.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import type { DoctorPlatform } from '../../../worker/commands/doctor/examine.ts';
import { findTarget, type Target } from '../../../worker/commands/doctor/target.ts';
import { diagnoseProvider, formatReport, type Report } from '../../../worker/commands/doctor.ts';
import { formatEnvFile, getEnvFilePath } from '../../../worker/commands/instance/env-file.ts';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import { acquireLock } from '../../../worker/commands/instance/lock.ts';
import { createSession } from '../../../worker/commands/instance/session.ts';
import { startCommand } from './command.ts';

const KEY = 'KeyOfTheProvider0123456789abcdef';
const session = inject('session');
const searches = operations.filter(({ name }) => name === 'search');

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Provider {
  /** Ends in `/cdapi`. */
  address: string;
  /** Every request so far: method and address. */
  asked: string[];
  keys: (string | undefined)[];
}

async function provider(handler: Handler): Promise<Provider> {
  const asked: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    keys.push(request.headers.apikey?.toString());
    handler(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  undo.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  return { address: `http://127.0.0.1:${bound.port}/cdapi`, asked, keys };
}

interface Said {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const usual = { 'x-ratelimit-limit-second': '18', 'x-credits-remaining': '4990' };

const says = (said: Said | ((request: IncomingMessage) => Said)): Handler => {
  return (request, response) => {
    const { status = 200, headers = {}, body = '[]' } = typeof said === 'function' ? said(request) : said;
    response.writeHead(status, { 'content-type': 'application/json', ...usual, ...headers }).end(body);
  };
};

const targetOf = (address: string): Target => ({ kind: 'remote', address, key: KEY, from: 'a test' });

function platform(waits: number[] = [], patienceMs = 10_000): DoctorPlatform {
  const after = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  return { fetch, now: Date.now, sleep: after, timeoutMs: patienceMs };
}

async function diagnosed(handler: Handler): Promise<{ report: Report; provider: Provider }> {
  const at = await provider(handler);
  return { report: await diagnoseProvider(targetOf(at.address), platform()), provider: at };
}

describe('a provider that works', () => {
  it('is asked nothing but one free search for each family and style, with the key', async () => {
    const { provider: at } = await diagnosed(says({}));
    const wanted = searches.map(({ path }) => `POST /cdapi${path}?items_per_page=1`);
    expect(at.asked.toSorted()).toEqual(wanted.toSorted());
    expect(new Set(at.keys)).toEqual(new Set([KEY]));
  });

  it('is good, with its families, limit, balance and clock', async () => {
    const { report } = await diagnosed(says({ headers: { date: new Date().toUTCString() } }));
    expect(report).toMatchObject({
      ok: true,
      fix: null,
      warnings: [],
      key: 'accepted',
      rate_limit_per_s: 18,
      balance: 4990,
    });
    expect(report.searches.company_base).toEqual({ filter: 'yes', es_dsl: 'yes' });
    expect(report.searches.employee_post).toBeUndefined();
    expect(Math.abs(report.clock_ahead_s ?? 60)).toBeLessThanOrEqual(2);
    const text = formatReport(report).join('\n');
    expect(text).toContain('18 calls a second');
    expect(text).toContain('4,990 credits');
    expect(text).toMatch(
      /company_clean +search: es_dsl yes · not tried, as they cost: collect 10, enrich 10, preview 10/,
    );
    expect(text).toMatch(/employee_post +search: can’t be tried for free/);
  });

  it('is asked no faster than it allows', async () => {
    const at = await provider(says({ headers: { 'x-ratelimit-limit-second': '5' } }));
    const waits: number[] = [];
    await diagnoseProvider(targetOf(at.address), platform(waits));
    expect(waits).toEqual(Array.from({ length: searches.length - 1 }, () => 200));
  });

  it('that says "too many" once is asked again after the time that it names', async () => {
    let first = true;
    const at = await provider(
      says(() => {
        const said = first ? { status: 429, headers: { 'retry-after': '3' }, body: '{"message":"…"}' } : {};
        first = false;
        return said;
      }),
    );
    const waits: number[] = [];
    const report = await diagnoseProvider(targetOf(at.address), platform(waits));
    expect(report.ok).toBe(true);
    expect(waits[0]).toBe(3000);
    expect(at.asked).toHaveLength(searches.length + 1);
  });

  it('that tells neither limit nor balance is good, and says what to set', async () => {
    const { report } = await diagnosed((_, response) => void response.end('[]'));
    expect(report).toMatchObject({ ok: true, rate_limit_per_s: null, balance: null });
    expect(report.warnings.join()).toContain('PROVIDER_RATE_PER_S');
  });
});

describe('a provider that does not work', () => {
  it.each([
    ['refuses the key', { status: 401, body: '{"message":"Unauthorized"}' }, /refuses the key/, /CDAPI_KEY/],
    [
      'leads elsewhere',
      { status: 302, headers: { location: '/login' } },
      /leads elsewhere/,
      /CDAPI_BASE_URL/,
    ],
  ])('because it %s is asked once', async (_, said: Said, verdict, fix) => {
    const { report, provider: at } = await diagnosed(says(said));
    expect(report.ok).toBe(false);
    expect(report.verdict).toMatch(verdict);
    expect(report.fix).toMatch(fix);
    expect(at.asked).toHaveLength(1);
  });

  it.each([
    ['is another service', { status: 404, body: '404 page not found' }, /not the service’s/],
    ['is a page', { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }, /not the service/],
    ['is down', { status: 503, body: '' }, /errors of its own/],
    ['is out of breath', { status: 429, body: '{"message":"…"}' }, /one too many/],
    ['wants money', { status: 402, body: '{"detail":"Insufficient credits"}' }, /no credits left/],
    ['has an empty account', { headers: { 'x-credits-remaining': '0' } }, /no credits left/],
    ['answers without end', { body: 'x'.repeat(2_000_000) }, /not the service/],
  ])('because it %s is bad, in words', async (_, said: Said, verdict) => {
    const { report } = await diagnosed(says(said));
    expect(report.ok).toBe(false);
    expect(report.verdict).toMatch(verdict);
    expect(report.fix).toMatch(/\.$/);
  });

  const unreachable: readonly (readonly [string, RegExp, () => Promise<string>])[] = [
    ['dns', /can’t be looked up \(DNS\)/, async () => 'https://provider.invalid/cdapi'],
    [
      'refused',
      /Nobody listens at 127\.0\.0\.1/,
      async () => `http://127.0.0.1:${await findFreePort(0)}/cdapi`,
    ],
    ['tls', /TLS/, async () => (await provider(says({}))).address.replace('http:', 'https:')],
    ['broken', /broke/, async () => (await provider((request) => void request.socket.destroy())).address],
    ['timeout', /in time/, async () => (await provider(() => {})).address],
  ];
  it.each(unreachable)('because it can’t be reached says why: %s', async (kind, verdict, addressOf) => {
    const report = await diagnoseProvider(
      targetOf(await addressOf()),
      platform([], kind === 'timeout' ? 50 : 10_000),
    );
    expect(report.trouble?.kind).toBe(kind);
    expect(report).toMatchObject({ ok: false, key: null, verdict: expect.stringMatching(verdict) });
    expect(formatReport(report).join('\n')).toContain(`no answer: ${kind}`);
  });
});

describe('npm run doctor', () => {
  const run = async (env: Record<string, string>, ...args: string[]) => {
    const nobody = { CDAPI_BASE_URL: '', CDAPI_KEY: '', DEV_DIR: join(tmpdir(), 'cdapi-nothing-here') };
    const started = startCommand(['worker/commands/doctor.ts', ...args], { env: { ...nobody, ...env } });
    return { code: await started.exited, text: started.output() };
  };

  it('ends with 0 and a line for people where the sandbox works, which has lost no credit', async () => {
    const balance = async () => {
      const response = await fetch(`${session.url}/provider/control`, {
        headers: { apikey: session.provider_key },
      });
      return (await response.json()) as { balance: number };
    };
    const before = await balance();
    const env = { CDAPI_BASE_URL: `${session.url}/provider/cdapi`, CDAPI_KEY: session.provider_key };
    const { code, text } = await run(env);
    expect([code, text]).toEqual([0, expect.stringContaining('Good: The address and the key work.')]);
    expect(text).not.toContain(session.provider_key);
    expect((await balance()).balance).toBe(before.balance);
  });

  it('never prints the key, though the provider says it everywhere', async () => {
    const echo = { 'x-credits-remaining': KEY, location: `/${KEY}`, date: KEY };
    const at = await provider(says({ status: 403, headers: echo, body: `{"message":"${KEY}"}` }));
    for (const args of [[], ['--json']]) {
      const { code, text } = await run({ CDAPI_BASE_URL: at.address, CDAPI_KEY: KEY }, ...args);
      expect(code).toBe(1);
      expect(text).toContain('No family can be searched');
      expect(text).not.toContain(KEY);
    }
  });

  it.each([
    ['half of the settings', { CDAPI_KEY: KEY }, [], /CDAPI_BASE_URL is not/],
    ['an address that is none', { CDAPI_BASE_URL: 'provider', CDAPI_KEY: KEY }, [], /not an address/],
    ['nothing at all', {}, [], /npm start/],
    ['an unknown option', {}, ['--key', 'x'], /^Usage:/],
    ['a file that is not there', {}, ['--settings', '/nowhere/vars'], /can’t be read/],
  ])('with %s says what is missing', async (_, env: Record<string, string>, args, sentence) => {
    const { code, text } = await run(env, ...args);
    expect(code).toBe(1);
    expect(text).toMatch(sentence);
    expect(text).not.toContain(KEY);
    expect(text.trim().split('\n')).toHaveLength(1);
  });
});

describe('the provider that is examined', () => {
  async function folder(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'cdapi-doctor-'));
    undo.push(() => rm(dir, { recursive: true }));
    return dir;
  }

  async function running(): Promise<{ dir: string; key: string }> {
    const dir = await folder();
    const { url } = session;
    const lock = await acquireLock(dir, { url, temporary: false });
    undo.push(lock.release);
    const { provider_key: key } = await createSession(dir, { url, temporary: false });
    return { dir, key };
  }

  it('is the one in the environment, whatever runs', async () => {
    const { dir } = await running();
    const environment = { CDAPI_BASE_URL: 'https://provider.example/cdapi', CDAPI_KEY: KEY };
    expect(await findTarget(environment, { dir })).toMatchObject({
      kind: 'remote',
      address: 'https://provider.example/cdapi',
      key: KEY,
    });
  });

  it('is the one that the running instance uses', async () => {
    const { dir } = await running();
    const settings = { CDAPI_BASE_URL: 'https://provider.example/cdapi', CDAPI_KEY: 'a$HOME#b' };
    await writeFile(getEnvFilePath(dir, session.url), formatEnvFile(settings));
    expect(await findTarget({}, { dir })).toMatchObject({ kind: 'remote', key: 'a$HOME#b' });
  });

  it('is the sandbox of the running instance, where it uses no other', async () => {
    const { dir, key } = await running();
    await writeFile(
      getEnvFilePath(dir, session.url),
      formatEnvFile({ TEAM_TOKEN: 'cds_x', SANDBOX_KEY: key }),
    );
    expect(await findTarget({}, { dir })).toEqual({
      kind: 'embedded',
      address: `${session.url}/provider/cdapi`,
      key,
      from: `the instance at ${session.url}`,
    });
  });
});
