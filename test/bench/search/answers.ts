// Compares an engine's answers with Lucene's.
import * as z from 'zod';

/** Maximum relative deviation of a score from Lucene's. */
export const TOLERANCE = 0.025;

/** Complete answers of an engine: all hits of each query, best first. */
export const answersSchema = z.array(z.object({ ids: z.array(z.string()), scores: z.array(z.number()) }));
export type Answer = z.infer<typeof answersSchema>[number];

/** The comparison of one answer with Lucene's. */
export interface Comparison {
  /** The first part that differs. */
  differs?: 'total' | 'set' | 'scores' | 'order';
  /** Maximum relative deviation of a score. */
  maxDeviation: number;
}

/** Checks that no hit follows one whose score is lower by more than the tolerance. */
function isInOrder(scores: readonly number[]): boolean {
  let least = Number.POSITIVE_INFINITY;
  return scores.every((score) => {
    if (score > least * (1 + TOLERANCE)) return false;
    least = Math.min(least, score);
    return true;
  });
}

/**
 * Compares an answer with Lucene's by the rules of the golden answers: equal sets and totals, scores within the
 * tolerance, equal order of scores that differ by more.
 */
export function compareAnswer({ ids, scores }: Answer, lucene: Answer): Comparison {
  if (ids.length !== lucene.ids.length) return { differs: 'total', maxDeviation: 0 };
  const luceneScores = new Map(lucene.ids.map((id, at) => [id, lucene.scores[at] ?? Number.NaN]));
  if (new Set(ids).size !== ids.length || ids.some((id) => !luceneScores.has(id)))
    return { differs: 'set', maxDeviation: 0 };
  const expected = ids.map((id) => luceneScores.get(id) ?? Number.NaN);
  let maxDeviation = 0;
  for (const [at, expectedScore] of expected.entries()) {
    const deviation = Math.abs((scores[at] ?? Number.NaN) - expectedScore);
    if (deviation !== 0) maxDeviation = Math.max(maxDeviation, deviation / Math.abs(expectedScore));
  }
  // A missing score makes the deviation NaN, which fails this comparison.
  if (!(maxDeviation <= TOLERANCE)) return { differs: 'scores', maxDeviation };
  return { maxDeviation, ...(!isInOrder(expected) && { differs: 'order' as const }) };
}
