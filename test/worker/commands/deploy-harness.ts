// Runs the commands of a deployment against the stand-in of Cloudflare's API, with the real wrangler.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import * as z from 'zod';
import { generateToken } from '../../../shared/tokens.ts';
import type { DeployPlatform, WranglerResult } from '../../../worker/commands/deploy/platform.ts';
import { runWrangler } from '../../../worker/commands/deploy/wrangler.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import { UserError } from '../../../worker/commands/user-error.ts';
import { isLong } from '../../pick-cases.ts';
import { CloudflareAccount } from './cloudflare/account.ts';
import { DeployedWorker } from './cloudflare/deployed-worker.ts';
import { CloudflareServer, type Fault } from './cloudflare/server.ts';
import { COMPILE_CACHE } from './command.ts';

/** Address and key of the provider. */
const PROVIDER = 'https://provider.example/cdapi';
export const KEY = 'KeyOfTheProvider0123456789abcdef';

const secretsSchema = z.strictObject({
  ADMIN_TOKEN: z.string().min(32),
  ADMIN_TOKEN_PREVIOUS: z.string().exactOptional(),
  ENCRYPTION_SECRET: z.string().min(32),
  PSEUDONYM_SECRET: z.string().min(32),
});

/** A command of a deployment. */
type Command = (args: readonly string[], platform: DeployPlatform) => Promise<void>;

/** The commit that is deployed. */
export const COMMIT = '0123456789ab';

/** What one run of a command printed and how it failed. */
export interface RunResult {
  output: string;
  error: unknown;
}

/** Answers every search with an empty page; refuses other keys. */
function answerProvider(key: string | null): Response {
  if (key?.startsWith(KEY) !== true) return Response.json({}, { status: 401 });
  const headers = { 'x-ratelimit-limit-second': '999', 'x-credits-remaining': '4990' };
  return Response.json([], { headers });
}

/** What a deployment reads of a build. */
const BUILD_FILES = ['index.js', 'worker.bundle'];

/**
 * The first build and start of this process. Later runs build the same source again, which takes seconds. Only the long tier
 * measures a start.
 */
const kept: { build?: WranglerResult; files?: Buffer[]; startup?: Promise<WranglerResult> } = {};

async function runWithBuild(
  args: readonly string[],
  run: () => Promise<WranglerResult>,
): Promise<WranglerResult> {
  if (args[0] === 'check') {
    if (!isLong) return { succeeded: true, output: 'Active: 40.0 ms' };
    kept.startup ??= run();
    return kept.startup;
  }
  if (!args.includes('--dry-run')) return run();
  const paths = BUILD_FILES.map((name) => join(args[args.indexOf('--outdir') + 1] ?? '', name));
  if (kept.build === undefined || kept.files === undefined) {
    kept.build = await run();
    kept.files = await Promise.all(paths.map((path) => readFile(path)));
  } else {
    for (const [at, path] of paths.entries()) await writeFile(path, kept.files[at] ?? '');
  }
  return kept.build;
}

/** An account, a machine that deploys to it, and the deployed gateway. */
export class DeployHarness {
  readonly account = new CloudflareAccount();
  readonly server = new CloudflareServer(
    this.account,
    generateToken((length) => new Uint8Array(length)),
  );
  /** Typed answers, in turn. Undefined: there is no terminal. */
  answers: string[] | undefined;
  /** Fails calls of the gateway's own API. */
  gatewayFault: Fault | undefined;
  /** Settings of the environment. */
  env: Record<string, string> = { CDAPI_BASE_URL: PROVIDER, CDAPI_KEY: KEY };
  /** When the next run starts: milliseconds since 1970. */
  now = 0;
  isTerminal = false;
  /** Aborts the run with a call of Cloudflare's API that matches. */
  stopAt: RegExp | undefined;
  folder = '';
  /** Hosts without a certificate. */
  readonly closedHosts = new Set<string>();
  /** What the commands fetched: method and path. */
  readonly requests: string[] = [];
  #worker: { version: string; running: DeployedWorker } | undefined;

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'cdapi-deploy-'));
    await this.server.start();
  }

  async stop(): Promise<void> {
    await this.#worker?.running.stop();
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs a command. */
  async run(command: Command, ...args: string[]): Promise<RunResult> {
    const lines: string[] = [];
    const error: unknown = await command(args, this.#createPlatform(lines)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { output: lines.join('\n'), error };
  }

  /** Returns the version of the gateway that is deployed. */
  getVersion() {
    const script = this.account.scripts.get('cdapi');
    return script?.versions.find(({ id }) => id === script.deployments[0]?.version);
  }

  /** Gives a version other code than the versions after it. */
  changeCode(number: number): void {
    const versions = this.account.scripts.get('cdapi')?.versions ?? [];
    versions.find((version) => version.number === number)?.modules.set('earlier.js', '');
  }

  /** Returns a variable or secret of the deployed version. */
  getText(name: string): string | undefined {
    const binding = this.getVersion()?.bindings.find((item) => item.name === name);
    return binding !== undefined && 'text' in binding ? binding.text : undefined;
  }

  /** Reads a file of the deployment. */
  readText(name: string): Promise<string> {
    return readFile(join(this.folder, 'cdapi', name), 'utf8');
  }

  /** Reads the secrets of the deployment. */
  async readSecrets(): Promise<z.output<typeof secretsSchema>> {
    return secretsSchema.parse(JSON.parse(await this.readText('secrets.json')));
  }

  /** Returns the status of a call of the deployed gateway's admin API. */
  async callAdmin(token: string): Promise<number> {
    const url = `https://cdapi.${this.account.subdomain}.workers.dev/admin/v1/teams`;
    const headers = { authorization: `Bearer ${token}` };
    return (await this.#fetchGateway(url, new URL(url).host, { headers })).status;
  }

  /** Runs a command that must fail with one sentence without secrets. @returns the sentence */
  async fail(command: Command, ...args: string[]): Promise<string> {
    const { error, output } = await this.run(command, ...args);
    expect(error, output).toBeInstanceOf(UserError);
    const sentence = error instanceof Error ? error.message : '';
    expect(sentence).not.toMatch(/\n|undefined|\[object/);
    expect(output + sentence).not.toContain(KEY);
    return sentence;
  }

  #createPlatform(lines: string[]): DeployPlatform {
    const env = {
      CLOUDFLARE_API_BASE_URL: this.server.origin,
      CLOUDFLARE_API_TOKEN: this.server.token,
      ...this.env,
    };
    const stop = new AbortController();
    let { now } = this;
    const { answers } = this;
    return {
      env,
      folder: this.folder,
      fetch: (url, init) => this.#fetch(url, init, stop),
      wrangler: (args, environment) => {
        const parent = { PATH: process.env.PATH, HOME: this.folder };
        const run = () =>
          runWrangler(args, { ...parent, ...COMPILE_CACHE, ...env, ...environment }, stop.signal);
        return runWithBuild(args, run);
      },
      readCommit: async () => COMMIT,
      log: (line) => lines.push(line),
      isTerminal: this.isTerminal,
      ask: answers === undefined ? undefined : async () => answers.shift() ?? '',
      sleep: async (ms) => {
        now += ms;
        await this.#worker?.running.runCron('* * * * *');
      },
      now: () => now,
      signal: stop.signal,
    };
  }

  async #fetch(url: string, init: RequestInit | undefined, stop: AbortController): Promise<Response> {
    const { host, origin, pathname } = new URL(url);
    const name = `${init?.method ?? 'GET'} ${pathname}`;
    this.requests.push(name);
    if (this.stopAt?.test(name) === true) stop.abort();
    if (origin === this.server.origin) return fetch(url, init);
    if (host === new URL(PROVIDER).host) return answerProvider(new Headers(init?.headers).get('apikey'));
    const { gatewayFault: fault } = this;
    const fails = fault?.call.test(name) === true;
    if (fails && fault.when === 'before') throw new TypeError('fetch failed');
    const response = await this.#fetchGateway(url, host, init);
    if (fails) throw new TypeError('fetch failed');
    return response;
  }

  /** Sends a request to the Worker that serves a host: to its version with the larger share, or the one that a header names. */
  async #fetchGateway(url: string, host: string, init: RequestInit | undefined): Promise<Response> {
    const domain = [...this.account.domains.values()].find(({ hostname }) => hostname === host);
    const script = this.account.scripts.get(domain?.service ?? host.split('.')[0] ?? '');
    const [deployment] = script?.deployments ?? [];
    const named = new Headers(init?.headers).get('cloudflare-workers-version-overrides');
    const shared = deployment?.canary?.version;
    const wanted = named === `cdapi="${shared}"` ? shared : deployment?.version;
    const version = script?.versions.find(({ id }) => id === wanted);
    if (this.closedHosts.has(host)) throw new TypeError('fetch failed');
    if (version === undefined || (domain === undefined && script?.isPublic !== true))
      return new Response('There is nothing here yet', { status: 404 });
    if (this.#worker?.version !== version.id) {
      await this.#worker?.running.stop();
      const running = new DeployedWorker(this.account, version, answerProvider);
      this.#worker = { version: version.id, running };
    }
    return this.#worker.running.fetch(url, init);
  }
}

/** A call of Cloudflare's API, and when its connection is lost. */
export type Step = readonly [call: string, when: Fault['when']];

/** Arguments of a demo: without the log Worker, whose upload takes as long as the gateway's. */
export const DEMO = ['--free', '--domain', 'data.example.com'];

/** Deploys a demo and loses a connection in each step in turn; the run of each step continues that of the step before. */
export async function loseConnections(harness: DeployHarness, steps: readonly Step[]): Promise<void> {
  for (const [call, when] of steps) {
    harness.server.fault = { call: new RegExp(`^${call}$`), when };
    expect(await harness.fail(deploy, ...DEMO), call).toMatch(
      /^Cloudflare can’t be reached to .*run the same command again/,
    );
  }
  harness.server.fault = undefined;
}

/** Gives each test of a file a harness, and checks at its end that no call broke the rules of the API. */
export function setUpDeployHarness(use: (harness: DeployHarness) => void): void {
  let harness: DeployHarness;
  beforeEach(async () => {
    harness = new DeployHarness();
    use(harness);
    await harness.start();
  });
  afterEach(async () => {
    await harness.stop();
    expect(harness.server.violations).toEqual([]);
  });
}
