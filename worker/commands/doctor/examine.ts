// Examines a provider without spending anything: one free search for each family and style of query. Never a collect.
import * as z from 'zod';
import { type Family, familyNames } from '../../../shared/families/index.ts';
import { operations, type QueryOperation, type QueryStyle } from '../../../shared/operations.ts';
import { type Reached, type ReachPlatform, reach, type Trouble } from './reach.ts';

/** Where the provider is, and what opens it. */
export interface Provider {
  /** Ends in `/cdapi`. */
  address: string;
  key: string;
}

/**
 * What a free search came to.
 * `yes` it was answered · `no` the plan has it not · `unpaid` the account has no credits · `limited` too many calls, twice ·
 * `down` the provider failed · `odd` answered, but not as the service does
 */
export type SearchAnswer = 'yes' | 'no' | 'unpaid' | 'limited' | 'down' | 'odd';

/** What was found. Null is "not told" or "not found out". */
export interface Findings {
  /** Why nobody answered; null where somebody did. */
  trouble: { kind: Trouble; code: string } | null;
  /** Status of an answer that leads elsewhere. */
  redirected: number | null;
  answered_ms: number | null;
  key: 'accepted' | 'refused' | null;
  /** What the free searches of each family came to, by style; families without any are absent. */
  searches: Partial<Record<Family, Partial<Record<QueryStyle, SearchAnswer>>>>;
  rate_limit_per_s: number | null;
  balance: number | null;
  /** Seconds by which the provider's clock is ahead of this machine's. */
  clock_ahead_s: number | null;
}

/** What the examination reaches the world through. */
export interface ExaminePlatform extends ReachPlatform {
  after: (ms: number) => Promise<void>;
}

/** Before the provider has told its limit; the smallest plans have five calls a second. */
const CAREFUL_PER_S = 5;
const MAX_WAIT_MS = 10_000;

/** Queries that find next to nothing, so that nobody works for them. */
const bodies: Readonly<Record<QueryStyle, unknown>> = {
  es_dsl: { query: { term: { id: 1 } } },
  filter: { created_at_gte: '2999-01-01 00:00:00' },
};

const searches: readonly QueryOperation[] = familyNames.flatMap((family) =>
  operations.filter(
    (operation): operation is QueryOperation => operation.name === 'search' && operation.family === family,
  ),
);

const page = z.array(z.unknown());

function isPage(text: string | undefined): boolean {
  try {
    return page.safeParse(JSON.parse(text ?? '')).success;
  } catch {
    return false;
  }
}

type Answered = Exclude<Reached, { trouble: Trouble }>;

function meaningOf({ status, text }: Answered): SearchAnswer {
  if (status === 200) return isPage(text) ? 'yes' : 'odd';
  if (status === 429) return 'limited';
  if (status >= 500) return 'down';
  if (status === 402) return 'unpaid';
  return status === 403 || status === 404 ? 'no' : 'odd';
}

function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value !== null && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
}

/** How long to wait after a refusal for too many calls, in milliseconds. */
function waitOf({ headers }: Answered): number {
  return Math.min(MAX_WAIT_MS, (numberIn(headers, 'retry-after') ?? 1) * 1000);
}

/**
 * Examines a provider. It stops where the rest would end in the same way: nobody answers, the answer leads elsewhere, or
 * the key is refused.
 */
export async function examine({ address, key }: Provider, platform: ExaminePlatform): Promise<Findings> {
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
  const ask = ({ path, method, style }: QueryOperation): Promise<Reached> =>
    reach(
      `${address}${path}?items_per_page=1`,
      {
        method,
        headers: { apikey: key, accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(bodies[style]),
      },
      platform,
    );
  const note = ({ headers, ms, clockAheadS }: Answered): void => {
    findings.answered_ms ??= ms;
    findings.clock_ahead_s ??= clockAheadS ?? null;
    findings.rate_limit_per_s = numberIn(headers, 'x-ratelimit-limit-second') ?? findings.rate_limit_per_s;
    findings.balance = numberIn(headers, 'x-credits-remaining') ?? findings.balance;
  };

  for (const [at, operation] of searches.entries()) {
    if (at > 0) await platform.after(1000 / Math.max(1, findings.rate_limit_per_s ?? CAREFUL_PER_S));
    let reached = await ask(operation);
    if ('status' in reached && reached.status === 429) {
      note(reached);
      await platform.after(waitOf(reached));
      reached = await ask(operation);
    }
    if ('trouble' in reached) {
      findings.trouble = { kind: reached.trouble, code: reached.code };
      return findings;
    }
    note(reached);
    const { status } = reached;
    if (status >= 300 && status < 400) return { ...findings, redirected: status };
    if (status === 401) return { ...findings, key: 'refused' };
    const { family, style } = operation;
    const answer = meaningOf(reached);
    findings.searches[family] = { ...findings.searches[family], [style]: answer };
    if (answer === 'yes') findings.key = 'accepted';
  }
  return findings;
}
