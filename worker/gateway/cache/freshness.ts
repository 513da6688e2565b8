// How long answers are fresh and how long they are kept. Settings of a deployment may change both.
import {
  families,
  notFoundFreshForS,
  previewFreshForS,
  retentionS,
  type Subject,
  subjects,
} from '../../../shared/families/index.ts';
import { MINUTE_S, parseDuration } from '../../../shared/lib/durations.ts';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { ProviderCall } from '../provider-call.ts';
import type { Content } from './content.ts';

/** Answers with the same lifetime. */
export type FreshnessClass = Subject | 'missing' | 'preview' | 'search';

/** Lifetimes of a deployment, in seconds. */
export interface Lifetimes {
  /** By the names of `FRESH_FOR`. */
  freshForS: Readonly<Record<FreshnessClass, number>>;
  /** How long paid answers are kept. */
  keepForS: number;
}

const defaultFreshForS: Readonly<Record<FreshnessClass, number>> = {
  company: subjects.company.freshForS,
  employee: subjects.employee.freshForS,
  job: subjects.job.freshForS,
  post: subjects.post.freshForS,
  missing: notFoundFreshForS,
  preview: previewFreshForS,
  search: 10 * MINUTE_S,
};

/** Shortest expiration that KV accepts. */
const MIN_LIFETIME_S = MINUTE_S;

/** Computes until when an answer is fresh and kept: milliseconds since 1970. */
export type LifetimePolicy = (
  call: Pick<ProviderCall, 'operation' | 'family'>,
  kind: Content['kind'],
  fetchedAt: number,
) => { freshUntil: number; keepUntil: number };

function parseSeconds(setting: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < MIN_LIFETIME_S) {
    throw new ProblemError(
      'not_configured',
      `${setting}: ${text} is no time such as 10m, 12h or 30d, of at least a minute.`,
    );
  }
  return seconds;
}

function parseFreshFor(text: string): Partial<Record<FreshnessClass, number>> {
  const freshForS: Partial<Record<FreshnessClass, number>> = {};
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const [name = '', ...values] = part.split('=').map((piece) => piece.trim());
    const freshnessClass = Object.keys(defaultFreshForS).find(
      (known): known is FreshnessClass => known === name,
    );
    if (freshnessClass === undefined) {
      throw new ProblemError(
        'not_configured',
        `FRESH_FOR: ${name} is none of ${Object.keys(defaultFreshForS).join(', ')}.`,
      );
    }
    freshForS[freshnessClass] = parseSeconds('FRESH_FOR', values.join('='));
  }
  return freshForS;
}

/**
 * Reads the lifetimes of a deployment: `FRESH_FOR`, for example `company=30d, job=12h`, and `KEEP_FOR`, for example `365d`.
 * @throws ProblemError `not_configured` if a setting is invalid or exceeds the data terms
 */
export function readLifetimes(env: Pick<Env, 'FRESH_FOR' | 'KEEP_FOR'>): Lifetimes {
  const freshForS = { ...defaultFreshForS, ...parseFreshFor(env.FRESH_FOR ?? '') };
  const keepForS = env.KEEP_FOR ? parseSeconds('KEEP_FOR', env.KEEP_FOR) : retentionS;
  if (keepForS > retentionS)
    throw new ProblemError('not_configured', 'KEEP_FOR: records are kept for twelve months at most.');
  return { freshForS, keepForS };
}

/**
 * Creates the policy of a deployment. Free answers are kept only while they are fresh, because they can be fetched again.
 * @throws ProblemError `not_configured` if a setting is invalid or exceeds the data terms
 */
export function readLifetimePolicy(env: Pick<Env, 'FRESH_FOR' | 'KEEP_FOR'>): LifetimePolicy {
  const { freshForS, keepForS } = readLifetimes(env);
  return ({ operation, family }, kind, fetchedAt) => {
    const freshnessClass: FreshnessClass =
      kind === 'missing'
        ? 'missing'
        : operation === 'search' || operation === 'preview'
          ? operation
          : families[family].subject;
    const freshUntil = fetchedAt + Math.min(freshForS[freshnessClass], keepForS) * 1000;
    const isFree = freshnessClass === 'missing' || freshnessClass === 'search';
    return { freshUntil, keepUntil: isFree ? freshUntil : fetchedAt + keepForS * 1000 };
  };
}

/**
 * Computes from when answers count for a request that limits their age.
 * @param maxAgeS - seconds. Absent: any age
 * @returns milliseconds since 1970
 */
export const computeSince = (maxAgeS: number | undefined, now: number): number =>
  maxAgeS === undefined ? 0 : now - maxAgeS * 1000;

export interface CacheDirectives {
  /** Answers count if they were fetched at this time or later: milliseconds since 1970; 0 accepts any. */
  since: number;
  onlyIfCached: boolean;
}

const MAX_AGE = /^max-age="?(\d{1,10})"?$/;

const NONE: CacheDirectives = { since: 0, onlyIfCached: false };

/** Parses `no-cache`, `max-age=N` and `only-if-cached`; ignores everything else (RFC 9111, 5.2.1). */
export function parseCacheControl(header: string | null, readClock: () => number): CacheDirectives {
  if (header === null) return NONE;
  const directives = header.split(',').map((part) => part.trim().toLowerCase());
  const [maxAge] = directives.flatMap((part) => MAX_AGE.exec(part)?.slice(1).map(Number) ?? []);
  const noCache = directives.includes('no-cache');
  const now = readClock();
  return {
    since: noCache ? now : computeSince(maxAge, now),
    onlyIfCached: directives.includes('only-if-cached'),
  };
}
