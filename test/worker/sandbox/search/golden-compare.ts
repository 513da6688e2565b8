// Compares the results of the engine with golden answers; ties leave the order of hits open.
import type { Hit, SearchResult } from '../../../../worker/sandbox/search/engine/engine.ts';
import type { GoldenAnswer, GoldenHit } from '../../../golden/load.ts';

/** Maximum relative difference of scores. */
const TOLERANCE = 1e-5;

const isNear = (score: number, expected: number): boolean =>
  Math.abs(score - expected) <= TOLERANCE * Math.abs(expected);

const formatHits = (hits: readonly { id: string; score: number | null }[]): string =>
  hits.map(({ id, score }) => (score === null ? id : `${id}:${score}`)).join(' ');

const toHits = (hits: readonly GoldenHit[]): { id: string; score: number | null }[] =>
  hits.map(([id, score]) => ({ id, score }));

/** The requested page of an answer. */
export interface Page {
  /** Whether hits precede it. Then the hits with its best score may be others. */
  hasPrevious: boolean;
  /** Whether the query has a sort, which determines the order. */
  isSorted: boolean;
}

/** Lists the ids that must be on the page: at its ends, other hits may have the same score. */
function listRequiredIds(
  hits: readonly { id: string; score: number | null }[],
  hasPrevious: boolean,
  isLast: boolean,
): string[] {
  const scores = hits.map(({ score }) => score ?? 0);
  const [best, worst] = [scores[0] ?? 0, scores.at(-1) ?? 0];
  return hits
    .filter(
      ({ score }) => !(hasPrevious && isNear(score ?? 0, best)) && !(!isLast && isNear(score ?? 0, worst)),
    )
    .map(({ id }) => id);
}

/** Compares pages that are sorted by score. */
function compareByScore(
  found: readonly Hit[],
  { total, hits: expected }: { total: number; hits: readonly GoldenHit[] },
  hasPrevious: boolean,
): string | undefined {
  const expectedHits = toHits(expected);
  const both = `found ${formatHits(found)}, expected ${formatHits(expectedHits)}`;
  if (found.some(({ score }, at) => !isNear(score ?? Number.NaN, expectedHits[at]?.score ?? Number.NaN))) {
    return `scores: ${both}`;
  }
  const ids = new Set(found.map(({ id }) => id));
  const missing = listRequiredIds(
    expectedHits,
    hasPrevious,
    !hasPrevious && expected.length === total,
  ).filter((id) => !ids.has(id));
  if (missing.length > 0) return `hits: ${missing.join(' ')} missing: ${both}`;
  const scores = new Map(expectedHits.map(({ id, score }) => [id, score ?? 0]));
  const wrong = found.filter(({ id, score }) => {
    const expectedScore = scores.get(id);
    return expectedScore !== undefined && !isNear(score ?? Number.NaN, expectedScore);
  });
  return wrong.length > 0 ? `scores of ${wrong.map(({ id }) => id).join(' ')}: ${both}` : undefined;
}

/**
 * Compares results with a golden answer.
 * @param found - the results, or the engine's error
 * @returns a description of the difference; undefined if there is none
 */
export function findDifference(
  found: SearchResult | { error: string },
  answer: GoldenAnswer,
  { hasPrevious, isSorted }: Page,
): string | undefined {
  if ('error' in found) {
    if (!('error' in answer)) return `error: ${found.error}`;
    return found.error.includes(answer.error) ? undefined : `error: ${found.error}, expected ${answer.error}`;
  }
  if ('error' in answer) return `no error: ${answer.error}`;
  const { total, hits } = found;
  if (total !== answer.total) return `total ${total}, expected ${answer.total}`;
  if (hits.length !== answer.hits.length) return `${hits.length} hits, expected ${answer.hits.length}`;
  if (!isSorted) return compareByScore(hits, answer, hasPrevious);
  const expected = toHits(answer.hits);
  const isEqual = expected.every(({ id, score }, at) => {
    const hit = hits[at];
    return hit?.id === id && (score === null ? hit.score === null : isNear(hit.score ?? Number.NaN, score));
  });
  return isEqual ? undefined : `found ${formatHits(hits)}, expected ${formatHits(expected)}`;
}
