// The rooms behind the limit, over the real flights, ledgers, gate, KV and D1, with a scripted provider.
import { env } from 'cloudflare:workers';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { QueryOperation } from '../../../shared/operations.ts';
import { operations } from '../../../shared/operations.ts';
import { AnswerCache, MemoryCache } from '../../../worker/gateway/cache/answer-cache.ts';
import type { GatewayContext } from '../../../worker/gateway/context.ts';
import type { Usage } from '../../../worker/gateway/ledger/types.ts';
import type { PageRequest } from '../../../worker/gateway/search-pages.ts';
import { cancelCalls, deleteAnswer, fetchCalls } from '../../../worker/gateway/single-flight/client.ts';
import type { ErasureContext } from '../../../worker/privacy/erase.ts';
import { clock, countKvCalls, type KvCounts, recordViolation, scriptedProviders } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';

/** A provider, the gateway in front of it, and what went over the wire. */
export class GatewayHarness {
  readonly identity: string;
  /** Every request to the provider, as method, path and body. */
  readonly requests: string[] = [];
  readonly usages: Omit<Usage, 'token'>[] = [];
  readonly backgroundWork: Promise<unknown>[] = [];
  readonly kv: KvCounts = { reads: 0, writes: 0 };

  /** @param script - what the provider answers */
  constructor(script: (url: URL, request: Request) => Response | Promise<Response>) {
    this.identity = `house-${crypto.randomUUID()}`;
    const upstream = {
      identity: this.identity,
      baseUrl: 'http://provider.example/cdapi',
      apiKey: 'not-a-key',
      fetch: async (request: Request) => {
        const url = new URL(request.url);
        const body = request.method === 'POST' ? ` ${await request.clone().text()}` : '';
        this.requests.push(`${url.pathname}${url.search}${body}`.replace('/cdapi/v2/', ''));
        const response = await script(url, request);
        const answer = new Response(response.body, response);
        answer.headers.set('x-ratelimit-limit-second', '9999');
        return answer;
      },
    };
    const world = new StrictRuntime({ clock: () => clock.now });
    scriptedProviders.set(this.identity, {
      upstream,
      kv: this.kv,
      bindings: (own) => {
        const strict = world.wrapBindings(own, { kind: 'object', onViolation: recordViolation });
        return { ...strict.env, RECORDS: countKvCalls(strict.env.RECORDS, this.kv) };
      },
    });
  }

  /** The rooms as an isolate of its own reaches them. */
  createContext(team = 'team', more: Partial<GatewayContext> = {}): GatewayContext {
    const { identity } = this;
    const now = () => clock.now;
    const cache = new AnswerCache(countKvCalls(env.RECORDS, this.kv), new MemoryCache(now), identity, now);
    return {
      cache,
      identity,
      payer: { team: `${team} of ${identity}`, token: 'token' },
      lane: 'formula',
      now,
      fetchCalls: (ask) => fetchCalls(env, ask),
      cancelCalls: (cancelId) => cancelCalls(env, identity, `${team} of ${identity}`, cancelId),
      deletePage: async (name) => {
        await deleteAnswer(env, identity, name);
        await cache.deletePage(name);
      },
      recordUsage: (usage) => void this.usages.push(usage),
      waitUntil: (work) => void this.backgroundWork.push(work),
      remaining: null,
      backgroundRefresh: false,
      ...more,
    };
  }

  /** What an erasure works with. */
  createErasureContext(more: Partial<ErasureContext> = {}): ErasureContext {
    return {
      env,
      identity: this.identity,
      now: () => clock.now,
      after: () => Promise.resolve(),
      newId: () => crypto.randomUUID(),
      evict: () => {},
      ...more,
    };
  }

  /** What stands in KV. */
  async listStoredKeys(): Promise<string[]> {
    const names: string[] = [];
    for (const kind of ['record', 'alias', 'page']) {
      const { keys } = await env.RECORDS.list({ prefix: `${kind}:${this.identity}:` });
      names.push(...keys.map(({ name }) => name.replace(`:${this.identity}`, '')));
    }
    return names.toSorted();
  }
}

export function buildWebsiteLookup(keys: string[], more: Partial<LookupRequest> = {}): LookupRequest {
  return { family: 'company_clean', by: 'website', keys, fields: ['name'], ...more };
}

/** A question for a page of clean companies. */
export function buildPageRequest(
  name: 'search' | 'preview',
  query = '',
  body = '{"query":{"match_all":{}}}',
  more: Partial<PageRequest> = {},
): PageRequest {
  const operation = operations.find(
    (one): one is QueryOperation =>
      one.name === name && one.family === 'company_clean' && one.style === 'es_dsl',
  );
  if (operation === undefined) throw new Error(`no ${name}`);
  return { operation, parameters: new URLSearchParams(query), body, since: 0, waitMs: 25_000, ...more };
}
