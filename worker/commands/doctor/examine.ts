// Examines a provider with one free search per family and query style. It never spends credits.
import * as z from 'zod';
import { type Family, familyNames } from '../../../shared/families/index.ts';
import { operations, type QueryOperation, type QueryStyle } from '../../../shared/operations.ts';
import { parseJson } from '../../lib/exact-json.ts';
import { type ConnectionFailure, type ProbePlatform, type ProbeResult, probe } from './probe.ts';

export interface Provider {
  /** Ends in `/cdapi`. */
  address: string;
  key: string;
}

/**
 * The outcome of a free search: `yes` answered · `no` not in the plan · `unpaid` the account has no credits ·
 * `limited` rate-limited twice · `down` the provider failed · `odd` an unexpected answer.
 */
export type SearchAnswer = 'yes' | 'no' | 'unpaid' | 'limited' | 'down' | 'odd';

/** The findings. Null means unknown. */
export interface Findings {
  /** The connection failure; null if the provider answered. */
  trouble: { kind: ConnectionFailure; code: string } | null;
  /** The status, if the provider redirected. */
  redirected: number | null;
  answered_ms: number | null;
  key: 'accepted' | 'refused' | null;
  /** Outcomes by family and query style; families without a free search are absent. */
  searches: Partial<Record<Family, Partial<Record<QueryStyle, SearchAnswer>>>>;
  rate_limit_per_s: number | null;
  balance: number | null;
  /** Seconds by which the provider's clock is ahead of the local clock. */
  clock_ahead_s: number | null;
}

/** Network, clock and timers. Tests inject their own. */
export interface DoctorPlatform extends ProbePlatform {
  sleep: (ms: number) => Promise<void>;
}

/** The rate before the provider reports its limit: that of the smallest plans. */
const DEFAULT_RATE_PER_S = 5;
const MAX_WAIT_MS = 10_000;

/** Queries with almost no matches, so that they cost the provider little work. */
const searchBodies: Readonly<Record<QueryStyle, unknown>> = {
  es_dsl: { query: { term: { id: 1 } } },
  filter: { created_at_gte: '2999-01-01 00:00:00' },
};

const searchOperations: readonly QueryOperation[] = familyNames.flatMap((family) =>
  operations.filter(
    (operation): operation is QueryOperation => operation.name === 'search' && operation.family === family,
  ),
);

const pageSchema = z.array(z.unknown());

type ProviderResponse = Exclude<ProbeResult, { failure: ConnectionFailure }>;

function classifyResponse({ status, text }: ProviderResponse): SearchAnswer {
  if (status === 200) return pageSchema.safeParse(parseJson(text ?? '')).success ? 'yes' : 'odd';
  if (status === 429) return 'limited';
  if (status >= 500) return 'down';
  if (status === 402) return 'unpaid';
  return status === 403 || status === 404 ? 'no' : 'odd';
}

function readNumberHeader(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value !== null && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
}

/** Reads how long to wait after a 429, in milliseconds. */
function getRetryDelayMs({ headers }: ProviderResponse): number {
  return Math.min(MAX_WAIT_MS, (readNumberHeader(headers, 'retry-after') ?? 1) * 1000);
}

/**
 * Examines a provider. Stops early if it is unreachable, redirects or refuses the key: all further calls would end
 * the same way.
 */
export async function examineProvider(
  { address, key }: Provider,
  platform: DoctorPlatform,
): Promise<Findings> {
  const findings: Findings = {
    trouble: null,
    redirected: null,
    answered_ms: null,
    key: null,
    searches: {},
    rate_limit_per_s: null,
    balance: null,
    clock_ahead_s: null,
  };
  const search = ({ path, method, style }: QueryOperation): Promise<ProbeResult> =>
    probe(
      `${address}${path}?items_per_page=1`,
      {
        method,
        headers: { apikey: key, accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(searchBodies[style]),
      },
      platform,
    );
  const recordHeaders = ({ headers, ms, clockOffsetS }: ProviderResponse): void => {
    findings.answered_ms ??= ms;
    findings.clock_ahead_s ??= clockOffsetS ?? null;
    findings.rate_limit_per_s =
      readNumberHeader(headers, 'x-ratelimit-limit-second') ?? findings.rate_limit_per_s;
    findings.balance = readNumberHeader(headers, 'x-credits-remaining') ?? findings.balance;
  };

  for (const [at, operation] of searchOperations.entries()) {
    if (at > 0) await platform.sleep(1000 / Math.max(1, findings.rate_limit_per_s ?? DEFAULT_RATE_PER_S));
    let result = await search(operation);
    if ('status' in result && result.status === 429) {
      recordHeaders(result);
      await platform.sleep(getRetryDelayMs(result));
      result = await search(operation);
    }
    if ('failure' in result) {
      findings.trouble = { kind: result.failure, code: result.code };
      return findings;
    }
    recordHeaders(result);
    const { status } = result;
    if (status >= 300 && status < 400) return { ...findings, redirected: status };
    if (status === 401) return { ...findings, key: 'refused' };
    const { family, style } = operation;
    const answer = classifyResponse(result);
    findings.searches[family] = { ...findings.searches[family], [style]: answer };
    if (answer === 'yes') findings.key = 'accepted';
  }
  return findings;
}
