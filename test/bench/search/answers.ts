// How far an engine's answer is Lucene's.
import * as z from 'zod';

/** By how much a score may differ from Lucene's, as a share of it. */
export const TOLERANCE = 0.025;

/** An engine's complete answers: of each query all hits, best first. */
export const answersSchema = z.array(z.object({ ids: z.array(z.string()), scores: z.array(z.number()) }));
export type Answer = z.infer<typeof answersSchema>[number];

/** One answer of an engine beside Lucene's. */
export interface Comparison {
  /** What is not as it is in Lucene's answer; the first of these. */
  differs?: 'total' | 'set' | 'scores' | 'order';
  /** By how much a score differs at most, as a share of Lucene's. */
  maxDeviation: number;
}

/** Whether no hit stands behind one whose score is lower by more than the tolerance. */
function isInOrder(scores: readonly number[]): boolean {
  let least = Number.POSITIVE_INFINITY;
  return scores.every((score) => {
    if (score > least * (1 + TOLERANCE)) return false;
    least = Math.min(least, score);
    return true;
  });
}

/**
 * Compares an answer with Lucene's as the golden answers are meant: sets and totals equal, scores within the tolerance,
 * the order Lucene's where its scores differ by more.
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
  // A score that is missing makes it NaN, which is not within anything.
  if (!(maxDeviation <= TOLERANCE)) return { differs: 'scores', maxDeviation };
  return { maxDeviation, ...(!isInOrder(expected) && { differs: 'order' as const }) };
}
