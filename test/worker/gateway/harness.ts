// The gateway below the routes: real single flight, ledger, throttle, KV and D1, with a scripted provider.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { QueryOperation } from '../../../shared/operations.ts';
import { operations } from '../../../shared/operations.ts';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { AnswerCache, MemoryCache } from '../../../worker/gateway/cache/answer-cache.ts';
import type { GatewayContext } from '../../../worker/gateway/context.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import type { CallUsage } from '../../../worker/gateway/ledger/types.ts';
import type { PageRequest } from '../../../worker/gateway/search-pages.ts';
import {
  cancelCalls,
  deleteAnswer,
  fetchCalls,
  shards,
} from '../../../worker/gateway/single-flight/client.ts';
import type { Upstream } from '../../../worker/gateway/upstream/upstream.ts';
import { runErasureOfJob } from '../../../worker/privacy/erase.ts';
import type { ErasureContext } from '../../../worker/privacy/erasure-run.ts';
import { listDueJobs } from '../job-rows.ts';
import {
  clock,
  countKvCalls,
  type KvCounts,
  registerProvider,
  testPlatform,
  withRateLimit,
} from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';

/** A scripted provider and the gateway in front of it. */
export class GatewayHarness {
  readonly identity = `harness-${crypto.randomUUID()}`;
  readonly #upstream: Upstream;
  /** Every request to the provider, as path and body. */
  readonly requests: string[] = [];
  readonly usages: CallUsage[] = [];
  readonly backgroundWork: Promise<unknown>[] = [];
  readonly kv: KvCounts = { writes: 0 };

  /** @param respond - the provider */
  constructor(respond: (url: URL, request: Request) => Response | Promise<Response>) {
    this.#upstream = {
      identity: this.identity,
      baseUrl: 'http://provider.example/cdapi',
      apiKey: 'not-a-key',
      fetch: async (request: Request) => {
        const url = new URL(request.url);
        const body = request.method === 'POST' ? ` ${await request.clone().text()}` : '';
        this.requests.push(`${url.pathname}${url.search}${body}`.replace('/cdapi/v2/', ''));
        return withRateLimit(await respond(url, request));
      },
    };
    registerProvider(
      this.#upstream,
      new StrictRuntime({ clock: () => clock.now + performance.now() }),
      this.kv,
    );
  }

  /** Creates the context of a caller in a new isolate. */
  createContext(team = 'team', overrides: Partial<GatewayContext> = {}): GatewayContext {
    const { identity } = this;
    const now = () => clock.now;
    const cache = new AnswerCache(countKvCalls(env.RECORDS, this.kv), new MemoryCache(now), identity, now);
    const payer = { team: `${team} of ${identity}`, token: 'token' };
    const opened = getLedger(env, payer.team).setBudget({});
    return {
      cache,
      identity,
      payer,
      scopes: { families: null, operations: null },
      lane: 'formula',
      now,
      fetchCalls: async (request) => {
        await opened;
        return fetchCalls(env, request);
      },
      cancelCalls: (cancelId) => cancelCalls(env, identity, payer.team, cancelId),
      deletePage: async (name) => {
        await deleteAnswer(env, identity, name);
        await cache.deletePage(name);
      },
      recordUsage: (usage) => void this.usages.push(usage),
      waitUntil: (work) => void this.backgroundWork.push(work),
      remaining: null,
      backgroundRefresh: false,
      ...overrides,
    };
  }

  createErasureContext(overrides: Partial<ErasureContext> = {}): ErasureContext {
    return {
      env,
      identity: this.identity,
      now: () => clock.now,
      sleep: () => Promise.resolve(),
      evict: () => {},
      ...overrides,
    };
  }

  /** Lets an hour pass and the single flights delete their answers, so that only KV has them. */
  async expireAnswers(): Promise<void> {
    clock.now += 3_600_000;
    for (const shard of shards)
      await runDurableObjectAlarm(env.SINGLE_FLIGHT.getByName(`${this.identity}:${shard}`));
  }

  /** Runs the jobs of unfinished erasures, without their delays. @param bindings - of the invocations */
  async runErasures(bindings: DevelopmentEnv = env): Promise<void> {
    const platform = { ...testPlatform, sandbox: async () => this.#upstream };
    await env.DB.prepare("UPDATE jobs SET due_at = 0 WHERE kind = 'erasure'").run();
    for (const id of await listDueJobs('erasure', clock.now))
      await runErasureOfJob({ env: bindings, platform, waitUntil: () => {} }, id);
  }

  /** Lists the keys of cached answers in KV, without the identity. */
  async listStoredKeys(): Promise<string[]> {
    const lists = await Promise.all(
      ['record', 'alias', 'page'].map((kind) => env.RECORDS.list({ prefix: `${kind}:${this.identity}:` })),
    );
    return lists
      .flatMap(({ keys }) => keys.map(({ name }) => name.replace(`:${this.identity}`, '')))
      .toSorted();
  }
}

/** Builds a lookup of companies by website. */
export function buildWebsiteLookup(keys: string[], request: Partial<LookupRequest> = {}): LookupRequest {
  return { family: 'company_clean', by: 'website', keys, fields: ['name'], ...request };
}

/** Builds the request of a page of companies. */
export function buildPageRequest(
  name: 'search' | 'preview',
  query = '',
  body = '{"query":{"match_all":{}}}',
  request: Partial<PageRequest> = {},
): PageRequest {
  const operation = operations.find(
    (candidate): candidate is QueryOperation =>
      candidate.name === name && candidate.family === 'company_clean' && candidate.style === 'es_dsl',
  );
  if (operation === undefined) throw new Error(`no ${name}`);
  return { operation, parameters: new URLSearchParams(query), body, since: 0, waitMs: 25_000, ...request };
}
