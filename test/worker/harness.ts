// The gateway in workerd with time and the provider in the test's hands: a real KV and D1, a scripted upstream.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { LookupRequest, LookupResponse } from '../../shared/sheets-api.ts';
import { createApp } from '../../worker/app.ts';
import type { Upstream } from '../../worker/gateway/upstream.ts';

/** An answer of the scripted provider, by the website or path key that was asked. */
export type Script = (key: string, request: Request) => Response | Promise<Response>;

/** A gateway under test. */
export interface Gateway {
  /** Milliseconds since 1970, moved by the test. */
  clock: { now: number };
  /** The keys that the provider was asked, in order. */
  asked: string[];
  /** KV reads and writes so far; a bulk read counts once. */
  kv: { reads: number; writes: number; failing?: 'get' | 'put' };
  /** Statements prepared on D1 so far. */
  database: { statements: number };
  /** Lets a waiting deadline pass. */
  passDeadline: () => void;
  request: (path: string, init?: RequestInit) => Promise<Response>;
  lookup: (body: LookupRequest) => Promise<LookupResponse>;
  /** Waits for the work that went on behind answers. */
  settle: () => Promise<void>;
}

/** A company as the scripted provider has it. */
export function company(website: string): Response {
  return Response.json({
    id: Number.parseInt(website.replace(/\D/g, '') || '1', 10),
    name: website,
    websites_main: website,
  });
}

/** A binding as it is; `called` hears each method's name first, and may throw in its place. */
function watched<T extends object>(binding: T, called: (method: string) => void): T {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        called(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
}

function countKv(counts: Gateway['kv']): (method: string) => void {
  return (method) => {
    if (method === counts.failing) throw new Error('KV is down');
    if (method === 'get') counts.reads += 1;
    if (method === 'put') counts.writes += 1;
  };
}

const LONGEST_PAUSE_MS = 1000;

let gateways = 0;

/**
 * Makes a gateway that remembers nothing yet.
 * @param script - what the provider answers
 * @param identity - whose records; given to share KV with another gateway of the same test
 */
export function gateway(script: Script, identity = `test-${gateways++}`): Gateway {
  const clock = { now: Date.UTC(2026, 8, 1) };
  const asked: string[] = [];
  const kv: Gateway['kv'] = { reads: 0, writes: 0 };
  const database = { statements: 0 };
  const deadline = Promise.withResolvers<void>();
  const upstream: Upstream = {
    identity,
    baseUrl: 'http://provider.example/cdapi',
    apiKey: env.PROVIDER_KEY,
    fetch: async (request) => {
      const url = new URL(request.url);
      const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
      asked.push(key);
      return script(key, request);
    },
  };
  const app = createApp({
    now: () => clock.now, // A pause is over at once, a deadline when the test lets it pass.
    after: (ms) => (ms <= LONGEST_PAUSE_MS ? Promise.resolve() : deadline.promise),
    random: () => 0.5,
    embedded: () => upstream,
  });
  const contexts: ExecutionContext[] = [];
  const bindings = {
    ...env,
    RECORDS: watched(env.RECORDS, countKv(kv)),
    DB: watched(env.DB, () => {
      database.statements += 1;
    }),
  };
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const context = createExecutionContext();
    contexts.push(context);
    return app.request(path, init, bindings, context);
  };
  return {
    clock,
    asked,
    kv,
    database,
    passDeadline: deadline.resolve,
    request,
    lookup: async (body) => {
      const response = await request('/sheets/v1/lookup', authorised(body));
      if (response.status !== 200) throw new Error(await response.text());
      return response.json();
    },
    settle: async () => {
      for (const context of contexts.splice(0)) await waitOnExecutionContext(context);
    },
  };
}

/** A call of the development team. */
export function authorised(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${env.TEAM_TOKEN}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
