// npm run doctor: checks a provider's address and key, spends nothing and never prints the key.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import { findTarget, type Target } from '../../../worker/commands/doctor/target.ts';
import { examineGateway } from '../../../worker/commands/doctor/verdict.ts';
import { diagnoseProvider, formatReport } from '../../../worker/commands/doctor.ts';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import { acquireLock } from '../../../worker/commands/instance/lock.ts';
import { formatEnvFile, getEnvFilePath } from '../../../worker/commands/instance/provider-settings.ts';
import { createSession } from '../../../worker/commands/instance/session.ts';
import { UserError } from '../../../worker/commands/user-error.ts';
import { listen } from '../../faults/listen.ts';
import { startCommand } from './command.ts';

const KEY = 'KeyOfTheProvider0123456789abcdef';
const session = inject('session');
const searches = operations.filter(({ name }) => name === 'search');

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUps.splice(0).reverse()) await step();
});

interface Provider {
  /** Ends in `/cdapi`. */
  address: string;
  /** Method and path of every request. */
  requests: string[];
  keys: (string | undefined)[];
}

async function startProvider(handler: RequestListener): Promise<Provider> {
  const requests: string[] = [];
  const keys: (string | undefined)[] = [];
  const { origin, close } = await listen((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    keys.push(request.headers.apikey?.toString());
    handler(request, response);
  });
  cleanUps.push(close);
  return { address: `${origin}/cdapi`, requests, keys };
}

interface StubResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const usualHeaders = { 'x-ratelimit-limit-second': '18', 'x-credits-remaining': '4990' };

/** Answers with the given responses in turn; the last one repeats. */
function respondWith(...stubs: StubResponse[]): RequestListener {
  return (_, response) => {
    const stub = stubs.length > 1 ? stubs.shift() : stubs[0];
    const { status = 200, headers = {}, body = '[]' } = stub ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...usualHeaders, ...headers }).end(body);
  };
}

async function diagnoseAddress(address: string, timeoutMs = 10_000) {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const target: Target = { kind: 'live', address, key: KEY, from: 'a test' };
  const report = await diagnoseProvider(target, { fetch, now: Date.now, sleep, timeoutMs });
  return { report, waits };
}

async function diagnose(handler: RequestListener) {
  const provider = await startProvider(handler);
  return { ...provider, ...(await diagnoseAddress(provider.address)) };
}

describe('a working provider', () => {
  it('receives only one free search per family and query style, with the key', async () => {
    const { requests, keys } = await diagnose(respondWith({}));
    const expected = searches.map(({ path }) => `POST /cdapi${path}?items_per_page=1`);
    expect(requests.toSorted()).toEqual(expected.toSorted());
    expect(new Set(keys)).toEqual(new Set([KEY]));
  });

  it('is reported with its families, limit, balance and clock', async () => {
    const { report } = await diagnose(respondWith({ headers: { date: new Date().toUTCString() } }));
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

  it('is called no faster than its rate limit', async () => {
    const { waits } = await diagnose(respondWith({ headers: { 'x-ratelimit-limit-second': '5' } }));
    expect(waits).toEqual(Array.from({ length: searches.length - 1 }, () => 200));
  });

  it('is called again after the retry-after time of a 429', async () => {
    const limited = { status: 429, headers: { 'retry-after': '3' }, body: '{"message":"…"}' };
    const { report, requests, waits } = await diagnose(respondWith(limited, {}));
    expect(report.ok).toBe(true);
    expect(waits[0]).toBe(3000);
    expect(requests).toHaveLength(searches.length + 1);
  });

  it('passes without limit and balance headers, with a warning about the rate limit', async () => {
    const { report } = await diagnose((_, response) => void response.end('[]'));
    expect(report).toMatchObject({ ok: true, rate_limit_per_s: null, balance: null });
    expect(report.warnings.join()).toContain('PROVIDER_RATE_PER_S');
  });
});

describe('a failing provider', () => {
  it.each([
    ['refuses the key', { status: 401, body: '{"message":"Unauthorized"}' }, /refuses the key/, /CDAPI_KEY/],
    ['redirects', { status: 302, headers: { location: '/login' } }, /redirects/, /CDAPI_BASE_URL/],
  ])('that %s is called once', async (_, stub: StubResponse, verdict, fix) => {
    const { report, requests } = await diagnose(respondWith(stub));
    expect(report.ok).toBe(false);
    expect(report.verdict).toMatch(verdict);
    expect(report.fix).toMatch(fix);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['is another service', { status: 404, body: '404 page not found' }, /address is wrong/],
    [
      'is a page',
      { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
      /not the data service/,
    ],
    ['is down', { status: 503, body: '' }, /server errors/],
    ['limits every call', { status: 429, body: '{"message":"…"}' }, /rate limit/],
    ['has no credits', { status: 402, body: '{"detail":"Insufficient credits"}' }, /no credits left/],
    ['has an empty account', { headers: { 'x-credits-remaining': '0' } }, /no credits left/],
    ['sends an endless body', { body: 'x'.repeat(2_000_000) }, /not the data service/],
  ])('that %s fails with a verdict and advice', async (_, stub: StubResponse, verdict) => {
    const { report } = await diagnose(respondWith(stub));
    expect(report.ok).toBe(false);
    expect(report.verdict).toMatch(verdict);
    expect(report.fix).toMatch(/\.$/);
  });

  it.each([
    ['dns', /can’t be looked up \(DNS\)/, () => 'https://provider.invalid/cdapi'],
    ['refused', /Nobody listens at 127/, async () => `http://127.0.0.1:${await findFreePort(0)}/cdapi`],
    ['tls', /TLS/, async () => (await startProvider(respondWith({}))).address.replace('http:', 'https:')],
    ['broken', /broke/, async () => (await startProvider(({ socket }) => void socket.destroy())).address],
    ['timeout', /in time/, async () => (await startProvider(() => {})).address],
  ])('that is unreachable is reported as %s', async (kind, verdict, getAddress) => {
    const { report } = await diagnoseAddress(await getAddress(), kind === 'timeout' ? 50 : 10_000);
    expect(report.trouble?.kind).toBe(kind);
    expect(report).toMatchObject({ ok: false, key: null, verdict: expect.stringMatching(verdict) });
    expect(formatReport(report).join('\n')).toContain(`no answer: ${kind}`);
  });
});

describe('npm run doctor', () => {
  const run = async (env: Record<string, string>, ...args: string[]) => {
    const empty = { CDAPI_BASE_URL: '', CDAPI_KEY: '', DEV_DIR: join(tmpdir(), 'cdapi-nothing-here') };
    const started = startCommand(['worker/commands/doctor.ts', ...args], { env: { ...empty, ...env } });
    return { code: await started.exited, text: started.output() };
  };

  it('exits with 0 for a working sandbox and spends no credits', async () => {
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

  it('never prints the key even if the provider echoes it', async () => {
    const echo = { 'x-credits-remaining': KEY, location: `/${KEY}`, date: KEY };
    const at = await startProvider(respondWith({ status: 403, headers: echo, body: `{"message":"${KEY}"}` }));
    for (const args of [[], ['--json']]) {
      const { code, text } = await run({ CDAPI_BASE_URL: at.address, CDAPI_KEY: KEY }, ...args);
      expect(code).toBe(1);
      expect(text).toContain('No family can be searched');
      expect(text).not.toContain(KEY);
    }
  });

  it('rejects unknown options with its usage', async () => {
    const { code, text } = await run({}, '--key', 'x');
    expect(code).toBe(1);
    expect(text).toMatch(/^Usage: .*\n$/);
  });
});

describe('the examined provider', () => {
  const CDAPI_BASE_URL = 'https://provider.example/cdapi';

  async function createFolder(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'cdapi-doctor-'));
    cleanUps.push(() => rm(dir, { recursive: true }));
    return dir;
  }

  it('is the configured one, that of the running instance, or its sandbox', async () => {
    const dir = await createFolder();
    const { url } = session;
    const lock = await acquireLock(dir, { url, temporary: false });
    cleanUps.push(lock.release);
    const { provider_key: key } = await createSession(dir, { url, temporary: false });
    const writeSettings = (settings: Record<string, string>) =>
      writeFile(getEnvFilePath(dir, url), formatEnvFile(settings));
    await writeSettings({ TEAM_TOKEN: 'cds_x', SANDBOX_KEY: key });
    const from = `the instance at ${url}`;
    expect(await findTarget({}, { dir })).toEqual({
      kind: 'sandbox',
      address: `${url}/provider/cdapi`,
      key,
      from,
    });
    await writeSettings({ CDAPI_BASE_URL, CDAPI_KEY: 'a$HOME#b' });
    expect(await findTarget({}, { dir })).toMatchObject({ kind: 'live', key: 'a$HOME#b', from });
    const configured = { kind: 'live', address: CDAPI_BASE_URL, key: KEY };
    expect(await findTarget({ CDAPI_BASE_URL, CDAPI_KEY: KEY }, { dir })).toMatchObject(configured);
  });

  it.each([
    ['half of the settings', { CDAPI_KEY: KEY }, undefined, /CDAPI_BASE_URL is not/],
    ['an invalid address', { CDAPI_BASE_URL: 'provider', CDAPI_KEY: KEY }, undefined, /not an address/],
    ['no settings and no instance', {}, undefined, /npm start/],
    ['a missing settings file', {}, '/nowhere/vars', /can’t be read/],
  ])('is missing: %s', async (_, environment, file, sentence) => {
    const dir = await createFolder();
    const finding = findTarget(environment, { dir, ...(file === undefined ? {} : { file }) });
    const error: unknown = await finding.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).not.toContain(KEY);
  });
});

describe('a gateway', () => {
  const HTML = { 'content-type': 'text/html' };
  const PAGE = '<!DOCTYPE html><title>Just a moment...</title>';
  const GOOD = /answers as a gateway\.$/;
  const BLOCKED = /answers programs with a web page, usually the bot protection of its domain/;
  const NONE = /is no gateway: \/health answers/;

  it.each<[string, StubResponse, RegExp]>([
    ['that answers', { body: '{"status":"ok","version":null}' }, GOOD],
    [
      'behind a challenge',
      { status: 403, headers: { ...HTML, 'cf-mitigated': 'challenge' }, body: PAGE },
      BLOCKED,
    ],
    ['behind a page', { status: 503, headers: HTML, body: PAGE }, BLOCKED],
    ['behind a page that claims success', { headers: HTML, body: PAGE }, BLOCKED],
    ['at a wrong address', { status: 404, body: '{}' }, NONE],
    ['at the address of another service', { body: '[]' }, NONE],
  ])('%s is told from others', async (_, stub, verdict) => {
    const agents: unknown[] = [];
    const { origin, close } = await listen((request, response) => {
      agents.push([request.url, request.headers['user-agent']]);
      respondWith(stub)(request, response);
    });
    cleanUps.push(close);
    const report = await examineGateway(origin, { fetch, now: Date.now });
    expect(report).toMatchObject({ ok: verdict === GOOD, verdict: expect.stringMatching(verdict) });
    if (verdict === BLOCKED) expect(report.fix).toMatch(/^Exempt the gateway’s host/);
    expect(agents).toEqual([['/health', expect.stringContaining('Google-Apps-Script')]]);
  });

  it('that nobody serves gives no answer', async () => {
    const address = `http://127.0.0.1:${await findFreePort(0)}`;
    const report = await examineGateway(address, { fetch, now: Date.now });
    expect(report).toMatchObject({
      ok: false,
      verdict: `${address} gives no answer: refused (ECONNREFUSED).`,
    });
  });
});
