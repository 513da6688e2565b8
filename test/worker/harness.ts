// The gateway in workerd with time and the provider in the test's hands: KV, D1 and objects that refuse what the deployed
// platform refuses, a scripted upstream.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { LookupRequest, LookupResponse } from '../../shared/api/lookup.ts';
import { createApp } from '../../worker/app.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import type { Upstream } from '../../worker/gateway/upstream/upstream.ts';
import {
  clock,
  countKvCalls,
  interceptCalls,
  type KvCounts,
  recordViolation,
  scriptedProviders,
  testPlatform,
} from './platform.ts';
import { StrictRuntime } from './strict/index.ts';

/** An answer of the scripted provider, by the website or path key that was asked. */
export type ProviderScript = (key: string, request: Request) => Response | Promise<Response>;

/** A gateway under test. */
export interface Gateway {
  /** Milliseconds since 1970; it runs, and the test may move it. */
  clock: { now: number };
  /** The keys that the provider was asked, in order. */
  requestedKeys: string[];
  /** KV reads and writes so far; a bulk read counts once. */
  kv: KvCounts;
  /** Statements prepared on D1 so far. */
  database: { statements: number };
  /** Calls of bindings so far, by its requests and not by objects: `RECORDS.get`. */
  listBindingCalls: () => string[];
  request: (path: string, init?: RequestInit) => Promise<Response>;
  lookup: (body: LookupRequest) => Promise<LookupResponse>;
}

/** No test waits for its turn unless its provider says so. */
function withPace(response: Response): Response {
  const answer = new Response(response.body, response);
  if (!answer.headers.has('x-ratelimit-limit-second')) answer.headers.set('x-ratelimit-limit-second', '9999');
  return answer;
}

/** A company as the scripted provider has it. */
export function buildCompanyResponse(website: string): Response {
  return Response.json({
    id: Number.parseInt(website.replace(/\D/g, '') || '1', 10),
    name: website,
    websites_main: website,
  });
}

/** The platform of the gateways of which a test says no more; KV shows every write at once. */
const prompt = new StrictRuntime({ clock: () => clock.now });

/** Where a gateway runs. */
export interface GatewayLocation {
  runtime: StrictRuntime;
  /** Writes to KV are seen at once in the same location only. */
  location: string;
}

let gateways = 0;

/**
 * Makes a gateway that remembers nothing yet.
 * @param script - what the provider answers
 * @param identity - whose records; given to share KV with another gateway of the same test
 * @param settings - that differ from those of the tests
 */
export function createGateway(
  script: ProviderScript,
  identity = `test-${gateways++}`,
  { runtime: world, location }: GatewayLocation = { runtime: prompt, location: 'here' },
  settings: Partial<DevelopmentEnv> = {},
): Gateway {
  const asked: string[] = [];
  const kv: KvCounts = { reads: 0, writes: 0 };
  const database = { statements: 0 };
  const upstream: Upstream = {
    identity,
    baseUrl: 'http://provider.example/cdapi',
    apiKey: env.SANDBOX_KEY,
    fetch: async (request) => {
      const url = new URL(request.url);
      const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
      asked.push(key);
      return withPace(await script(key, request));
    },
  };
  scriptedProviders.set(identity, {
    upstream,
    kv,
    bindings: (own) => {
      const strict = world.wrapBindings(own, {
        location: 'objects',
        kind: 'object',
        onViolation: recordViolation,
      });
      return { ...strict.env, RECORDS: countKvCalls(strict.env.RECORDS, kv) };
    },
  });
  const app = createApp({ ...testPlatform, sandbox: () => upstream });
  const invocations: (readonly string[])[] = [];
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const strict = world.wrapBindings(env, { location, onViolation: recordViolation });
    invocations.push(strict.listCalls());
    const bindings = {
      ...strict.env,
      ...settings,
      RECORDS: countKvCalls(strict.env.RECORDS, kv),
      DB: interceptCalls(strict.env.DB, () => {
        database.statements += 1;
      }),
    };
    return app.request(path, init, bindings, createExecutionContext());
  };
  return {
    clock,
    requestedKeys: asked,
    kv,
    database,
    listBindingCalls: () => invocations.flat(),
    request,
    lookup: async (body) => {
      const response = await request('/sheets/v1/lookup', buildTeamRequest(body));
      if (response.status !== 200) throw new Error(await response.text());
      return response.json();
    },
  };
}

/** A call of the development team. */
export function buildTeamRequest(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${env.TEAM_TOKEN}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
