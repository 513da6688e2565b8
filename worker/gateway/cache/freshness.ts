// How long answers are fresh and how long they are kept; a deployment may change both by settings.

import {
  families,
  keepForS,
  notFoundFreshForS,
  previewFreshForS,
  type Subject,
  subjects,
} from '../../../shared/families/index.ts';
import { parseDuration } from '../../../shared/lib/durations.ts';
import type { Env } from '../../env.ts';
import type { ProviderCall } from '../call.ts';
import { ConfigurationError } from '../upstream/configured-upstream.ts';
import type { Content } from './envelope.ts';

/** What has a time of its own. */
type Aged = Subject | 'missing' | 'preview' | 'search';

const MINUTE_S = 60;

const standard: Readonly<Record<Aged, number>> = {
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
export type Lifetime = (
  call: Pick<ProviderCall, 'operation' | 'family'>,
  kind: Content['kind'],
  fetchedAt: number,
) => { freshUntil: number; keepUntil: number };

function readSpan(setting: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < SHORTEST_S) {
    throw new ConfigurationError(
      `${setting}: ${text} is no time such as 10m, 12h or 30d, of at least a minute.`,
    );
  }
  return seconds;
}

function readFreshFor(text: string): Partial<Record<Aged, number>> {
  const spans: Partial<Record<Aged, number>> = {};
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const [name = '', ...rest] = part.split('=').map((piece) => piece.trim());
    const aged = Object.keys(standard).find((known): known is Aged => known === name);
    if (aged === undefined) {
      throw new ConfigurationError(`FRESH_FOR: ${name} is none of ${Object.keys(standard).join(', ')}.`);
    }
    spans[aged] = readSpan('FRESH_FOR', rest.join('='));
  }
  return spans;
}

/**
 * Reads the times of a deployment: `FRESH_FOR` such as `company=30d, job=12h`, `KEEP_FOR` such as `365d`. What is free
 * is not kept longer than it is fresh, since it can be asked again.
 * @throws ConfigurationError where they can't be read, or are more than the data terms allow
 */
export function lifetimeOf(env: Pick<Env, 'FRESH_FOR' | 'KEEP_FOR'>): Lifetime {
  const fresh = { ...standard, ...readFreshFor(env.FRESH_FOR ?? '') };
  const keepS = env.KEEP_FOR ? readSpan('KEEP_FOR', env.KEEP_FOR) : keepForS;
  if (keepS > keepForS) throw new ConfigurationError('KEEP_FOR: records are kept for twelve months at most.');
  return ({ operation, family }, kind, fetchedAt) => {
    const aged: Aged =
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
