// How long answers are fresh and how long they are kept; a deployment may change both by settings.

import {
  families,
  notFoundFreshForS,
  previewFreshForS,
  retentionS,
  type Subject,
  subjects,
} from '../../../shared/families/index.ts';
import { parseDuration } from '../../../shared/lib/durations.ts';
import type { Env } from '../../env.ts';
import type { ProviderCall } from '../provider-call.ts';
import { ConfigurationError } from '../upstream/configured-upstream.ts';
import type { Content } from './envelope.ts';

/** What has a time of its own. */
type FreshnessClass = Subject | 'missing' | 'preview' | 'search';

const MINUTE_S = 60;

const defaultFreshForS: Readonly<Record<FreshnessClass, number>> = {
  company: subjects.company.freshForS,
  employee: subjects.employee.freshForS,
  job: subjects.job.freshForS,
  post: subjects.post.freshForS,
  missing: notFoundFreshForS,
  preview: previewFreshForS,
  search: 10 * MINUTE_S,
};

/** KV forgets nothing sooner. */
const SHORTEST_S = MINUTE_S;

/** Until when an answer is fresh and kept: milliseconds since 1970. */
export type LifetimePolicy = (
  call: Pick<ProviderCall, 'operation' | 'family'>,
  kind: Content['kind'],
  fetchedAt: number,
) => { freshUntil: number; keepUntil: number };

function parseSeconds(setting: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < SHORTEST_S) {
    throw new ConfigurationError(
      `${setting}: ${text} is no time such as 10m, 12h or 30d, of at least a minute.`,
    );
  }
  return seconds;
}

function parseFreshFor(text: string): Partial<Record<FreshnessClass, number>> {
  const spans: Partial<Record<FreshnessClass, number>> = {};
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const [name = '', ...rest] = part.split('=').map((piece) => piece.trim());
    const aged = Object.keys(defaultFreshForS).find((known): known is FreshnessClass => known === name);
    if (aged === undefined) {
      throw new ConfigurationError(
        `FRESH_FOR: ${name} is none of ${Object.keys(defaultFreshForS).join(', ')}.`,
      );
    }
    spans[aged] = parseSeconds('FRESH_FOR', rest.join('='));
  }
  return spans;
}

/**
 * Reads the times of a deployment: `FRESH_FOR` such as `company=30d, job=12h`, `KEEP_FOR` such as `365d`. What is free
 * is not kept longer than it is fresh, since it can be asked again.
 * @throws ConfigurationError where they can't be read, or are more than the data terms allow
 */
export function readLifetimePolicy(env: Pick<Env, 'FRESH_FOR' | 'KEEP_FOR'>): LifetimePolicy {
  const fresh = { ...defaultFreshForS, ...parseFreshFor(env.FRESH_FOR ?? '') };
  const keepS = env.KEEP_FOR ? parseSeconds('KEEP_FOR', env.KEEP_FOR) : retentionS;
  if (keepS > retentionS)
    throw new ConfigurationError('KEEP_FOR: records are kept for twelve months at most.');
  return ({ operation, family }, kind, fetchedAt) => {
    const aged: FreshnessClass =
      kind === 'missing'
        ? 'missing'
        : operation === 'search' || operation === 'preview'
          ? operation
          : families[family].subject;
    const freshUntil = fetchedAt + Math.min(fresh[aged], keepS) * 1000;
    const free = aged === 'missing' || aged === 'search';
    return { freshUntil, keepUntil: free ? freshUntil : fetchedAt + keepS * 1000 };
  };
}
