// The whole gateway in workerd, on strict bindings, with the tests' clock and a scripted provider.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { LookupRequest, LookupResponse } from '../../shared/api/lookup.ts';
import { createApp } from '../../worker/app.ts';
import type { DevelopmentEnv } from '../../worker/env.ts';
import type { Upstream } from '../../worker/gateway/upstream/upstream.ts';
import { checkProblem } from './listed-problems.ts';
import {
  clock,
  countKvCalls,
  type KvCounts,
  metricsDataset,
  recordViolation,
  registerProvider,
  testPlatform,
  withRateLimit,
} from './platform.ts';
import { StrictRuntime, type Trips } from './strict/index.ts';

/** Responds to a call for a website or for another key. */
export type ProviderScript = (key: string, request: Request) => Response | Promise<Response>;

/** A gateway under test. */
export interface Gateway {
  /** Milliseconds since 1970; it runs, and the test may move it. */
  clock: { now: number };
  /** Keys of all calls to the provider, in order. */
  requestedKeys: string[];
  kv: KvCounts;
  /** Lists the calls of bindings by requests, for example `RECORDS.get`. Calls by Durable Objects are not included. */
  listBindingCalls: () => string[];
  request: (path: string, init?: RequestInit) => Promise<Response>;
  lookup: (body: LookupRequest) => Promise<LookupResponse>;
}

/** Responds with a company of a website. */
export function buildCompanyResponse(website: string): Response {
  return Response.json({
    id: Number.parseInt(website.replace(/\D/g, '') || '1', 10),
    name: website,
    websites_main: website,
  });
}

/** KV shows every write at once. */
export const defaultRuntime = new StrictRuntime({ clock: () => clock.now });

/** Where a gateway runs. */
export interface GatewayLocation {
  runtime: StrictRuntime;
  /** KV may hide writes from other locations. */
  location: string;
  /** Holds the calls of bindings by requests. */
  trips?: Trips;
}

let gateways = 0;

/**
 * Creates a gateway with an empty cache.
 * @param identity - the provider's; gateways with the same identity share their cache in KV
 * @param settings - overrides the settings of the tests
 */
export function createGateway(
  script: ProviderScript,
  identity = `test-${gateways++}`,
  { runtime, location, trips }: GatewayLocation = { runtime: defaultRuntime, location: 'here' },
  settings: Partial<DevelopmentEnv> = {},
): Gateway {
  const requestedKeys: string[] = [];
  const kv: KvCounts = { writes: 0 };
  const upstream: Upstream = {
    identity,
    baseUrl: 'http://provider.example/cdapi',
    apiKey: env.SANDBOX_KEY,
    fetch: async (request) => {
      const url = new URL(request.url);
      const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
      requestedKeys.push(key);
      return withRateLimit(await script(key, request));
    },
  };
  registerProvider(upstream, runtime, kv);
  const app = createApp({ ...testPlatform, sandbox: () => upstream });
  const calls: (readonly string[])[] = [];
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const strict = runtime.wrapBindings<DevelopmentEnv>(
      Object.assign({ ...env }, { METRICS: metricsDataset }),
      {
        location,
        onViolation: recordViolation,
        ...(trips && { trips }),
      },
    );
    calls.push(strict.listCalls());
    const bindings = { ...strict.env, ...settings, RECORDS: countKvCalls(strict.env.RECORDS, kv) };
    const response = await app.request(path, init, bindings, createExecutionContext());
    // One test counts what a cache hit does.
    if (response.status !== 200) await checkProblem(init?.method ?? 'GET', path, response);
    return response;
  };
  return {
    clock,
    requestedKeys,
    kv,
    listBindingCalls: () => calls.flat(),
    request,
    lookup: async (body) => {
      const response = await request('/sheets/v1/lookup', buildTeamRequest(body));
      if (response.status !== 200) throw new Error(await response.text());
      return response.json();
    },
  };
}

/** Builds a POST with the token of the development team. */
export function buildTeamRequest(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${env.TEAM_TOKEN}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
