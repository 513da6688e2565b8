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
  kv: { reads: number; writes: number };
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

/** KV as it is, with its calls counted. */
function counted(kv: KVNamespace, counts: Gateway['kv']): KVNamespace {
  return new Proxy(kv, {
    get(target, name) {
      if (name === 'get') counts.reads += 1;
      if (name === 'put') counts.writes += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

let gateways = 0;

/**
 * Makes a gateway that remembers nothing yet.
 * @param script - what the provider answers
 * @param identity - whose records; given to share KV with another gateway of the same test
 */
export function gateway(script: Script, identity = `test-${gateways++}`): Gateway {
  const clock = { now: Date.UTC(2026, 8, 1) };
  const asked: string[] = [];
  const kv = { reads: 0, writes: 0 };
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
  const app = createApp({ now: () => clock.now, after: () => deadline.promise, embedded: () => upstream });
  const contexts: ExecutionContext[] = [];
  const bindings = { ...env, RECORDS: counted(env.RECORDS, kv) };
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const context = createExecutionContext();
    contexts.push(context);
    return app.request(path, init, bindings, context);
  };
  return {
    clock,
    asked,
    kv,
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
