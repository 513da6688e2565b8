// Sends the same request to the provider and to the drop-in API, and compares the answers.
import { env, exports as worker } from 'cloudflare:workers';
import { expect } from 'vitest';
import { type Family, familyNames } from '../../../../shared/families/index.ts';
import { fetchRecords } from '../../golden-data.ts';
import { control, put } from '../../sandbox/client.ts';

/** Headers that differ by design. */
const BY_DESIGN = new Set([
  // Differs between equal responses.
  'x-correlation-id',
  'x-request-id',
  'content-length',
  // Other calls change it meanwhile. The token's quota is in RateLimit and RateLimit-Policy.
  'x-ratelimit-remaining-second',
  'ratelimit',
  'ratelimit-policy',
  // The team's balance instead of the account's, cost and cache status.
  'x-credits-remaining',
  'x-credits-charged',
  'x-cache',
  'age',
  'cache-control',
  'server-timing',
  'x-problem',
  'retry-after',
]);
/** Security headers for browsers. */
const BROWSER =
  /^(content-security-policy|cross-origin-|origin-agent|referrer-|strict-transport|x-(content-type-options|dns-prefetch|download|frame|permitted|xss)|permissions)/;

/** An answer without what differs by design. */
export interface Answer {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => !BY_DESIGN.has(name) && !BROWSER.test(name));
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: Object.fromEntries(headers),
  };
}

/** A request. Without headers, it has a valid key; an undefined key is not sent. */
export type KeyedRequest = Omit<RequestInit, 'headers'> & { headers?: Record<string, string | undefined> };

function fetchWithKey(url: string, key: string, { headers, ...init }: KeyedRequest): Promise<Response> {
  const all = Object.entries({ apikey: key, ...headers });
  const sent = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return worker.default.fetch(url, { ...init, headers: Object.fromEntries(sent) });
}

/** Calls the drop-in API. @param path - below `/cdapi` */
export const fetchGateway = (path: string, init: KeyedRequest = {}): Promise<Response> =>
  fetchWithKey(`http://127.0.0.1/cdapi${path}`, env.TEAM_TOKEN, init);

/** Calls the drop-in API. @param path - below `/cdapi` */
export const callGateway = async (path: string, init: KeyedRequest = {}): Promise<Answer> =>
  readAnswer(await fetchGateway(path, init));

/** Calls the provider. @param path - below `/cdapi` */
export const callProvider = async (path: string, init: KeyedRequest = {}): Promise<Answer> =>
  readAnswer(await fetchWithKey(`http://127.0.0.1/provider/cdapi${path}`, env.SANDBOX_KEY, init));

/** Sends a request to both, and to the gateway twice, so that the second answer may be cached. */
export async function expectSame(path: string, init: KeyedRequest = {}): Promise<Answer> {
  const expected = await callProvider(path, init);
  // Every caller gets another snapshot token.
  const comparable = ({ headers: { 'x-snapshot-token': token, ...headers }, ...answer }: Answer) => ({
    ...answer,
    headers,
    snapshot: token !== undefined,
  });
  expect(comparable(await callGateway(path, init))).toEqual(comparable(expected));
  expect(comparable(await callGateway(path, init))).toEqual(comparable(expected));
  return expected;
}

/** Builds a request with a JSON body; a text is sent unchanged. */
export const post = (body: unknown): KeyedRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const STORED_FAMILIES = [
  ...(['company_clean', 'company_base', 'employee_clean', 'employee_base'] as const),
  ...(['job_base', 'employee_post'] as const),
];

/**
 * Imports records of every family.
 * @returns an id of each
 */
export async function importSamples(): Promise<ReadonlyMap<Family, string>> {
  const ids = new Map<Family, string>();
  await control({ rate_per_s: 9999 });
  // Teaches the gateway the provider's rate limit.
  await callGateway('/v2/company_base/search/filter', post({}));
  for (const family of STORED_FAMILIES) {
    const list = await fetchRecords(family, 20);
    await put(family, list);
    ids.set(family, String(list[0]?.id));
  }
  for (const family of familyNames) {
    const stored = family
      .replace('employee_multi_source', 'employee_clean')
      .replace('company_multi_source', 'company_clean')
      .replace('job_multi_source', 'job_base');
    const id = ids.get(family) ?? [...ids].find(([name]) => name === stored)?.[1];
    if (id !== undefined) ids.set(family, id);
  }
  return ids;
}
