// Compares what the engine found with a golden answer, as far as the answer decides.

import type { FoundDocument, FoundDocuments } from '../../../es-facade/search-index.ts';
import type { GoldenAnswer, GoldenHit } from '../../../golden/load.ts';

/** By how much scores may differ, as a share of the expected one. */
export const TOLERANCE = 1e-5;

const isNear = (score: number, expected: number): boolean =>
  Math.abs(score - expected) <= TOLERANCE * Math.abs(expected);

const told = (hits: readonly { id: string; score: number | null }[]): string =>
  hits.map(({ id, score }) => (score === null ? id : `${id}:${score}`)).join(' ');

const asHits = (hits: readonly GoldenHit[]): { id: string; score: number | null }[] =>
  hits.map(([id, score]) => ({ id, score }));

/** What the page of an answer leaves open. */
export interface Page {
  /** Hits come before it: which of those with its best score are on it is open. */
  begun: boolean;
  /** An order was asked for, in which nothing is open. */
  ordered: boolean;
}

/** The ids of which the scores decide that they are on the page: at its edges others may have the same. */
function decided(
  hits: readonly { id: string; score: number | null }[],
  begun: boolean,
  ends: boolean,
): string[] {
  const scores = hits.map(({ score }) => score ?? 0);
  const [best, worst] = [scores[0] ?? 0, scores.at(-1) ?? 0];
  return hits
    .filter(({ score }) => !(begun && isNear(score ?? 0, best)) && !(!ends && isNear(score ?? 0, worst)))
    .map(({ id }) => id);
}

/** Compares pages whose order is that of the scores. */
function compareByScore(
  found: readonly FoundDocument[],
  { total, hits: expected }: { total: number; hits: readonly GoldenHit[] },
  begun: boolean,
): string | undefined {
  const wanted = asHits(expected);
  const both = `found ${told(found)}, expected ${told(wanted)}`;
  if (found.some(({ score }, at) => !isNear(score ?? Number.NaN, wanted[at]?.score ?? Number.NaN))) {
    return `scores: ${both}`;
  }
  const ids = new Set(found.map(({ id }) => id));
  const missing = decided(wanted, begun, !begun && expected.length === total).filter((id) => !ids.has(id));
  if (missing.length > 0) return `hits: ${missing.join(' ')} missing: ${both}`;
  const scores = new Map(wanted.map(({ id, score }) => [id, score ?? 0]));
  const wrong = found.filter(({ id, score }) => {
    const of = scores.get(id);
    return of !== undefined && !isNear(score ?? Number.NaN, of);
  });
  return wrong.length > 0 ? `scores of ${wrong.map(({ id }) => id).join(' ')}: ${both}` : undefined;
}

/**
 * Compares what was found with a golden answer.
 * @param found - or the engine's reason to refuse
 * @returns what differs; undefined if nothing does
 */
export function difference(
  found: FoundDocuments | { error: string },
  answer: GoldenAnswer,
  { begun, ordered }: Page,
): string | undefined {
  if ('error' in found) {
    if (!('error' in answer)) return `refused: ${found.error}`;
    return found.error.includes(answer.error)
      ? undefined
      : `refused: ${found.error}, expected ${answer.error}`;
  }
  if ('error' in answer) return `not refused: ${answer.error}`;
  const { total, hits } = found;
  if (total !== answer.total) return `total ${total}, expected ${answer.total}`;
  if (hits.length !== answer.hits.length) return `${hits.length} hits, expected ${answer.hits.length}`;
  if (!ordered) return compareByScore(hits, answer, begun);
  const expected = asHits(answer.hits);
  const same = expected.every(({ id, score }, at) => {
    const hit = hits[at];
    return hit?.id === id && (score === null ? hit.score === null : isNear(hit.score ?? Number.NaN, score));
  });
  return same ? undefined : `found ${told(hits)}, expected ${told(expected)}`;
}
