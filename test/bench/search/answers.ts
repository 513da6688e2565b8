// The engines' complete answers, and how far they are Lucene's.
import { createReadStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** By how much a score may differ from Lucene's, as a share of it. */
export const TOLERANCE = 0.025;

const answerSchema = z.object({
  query: z.number(),
  /** All that were found, best first. */
  ids: z.array(z.string()),
  /** Theirs, from an engine that scores as Lucene does. */
  scores: z.array(z.number()).optional(),
});

/** An engine's complete answer to one query. */
export type FullAnswer = z.infer<typeof answerSchema>;

const comparedSchema = z.object({
  query: z.number(),
  total: z.number(),
  /** What is not as it is in Lucene's answer; the first of these. */
  differs: z.enum(['total', 'set', 'scores', 'order']).optional(),
  /** By how much a score differs at most, as a share of Lucene's. */
  furthest: z.number(),
});

/** One answer of an engine beside Lucene's. */
export type Compared = z.infer<typeof comparedSchema>;

/** By engine; without those whose answers are not there. */
export const comparisonSchema = z.record(z.string(), z.array(comparedSchema));

export type Comparison = z.infer<typeof comparisonSchema>;

const fileOf = (shared: string, engine: string): string => join(shared, `answers-${engine}.jsonl`);

/** Keeps an engine's answers for {@link compareAnswers}. */
export async function keepAnswers(
  shared: string,
  engine: string,
  answers: readonly FullAnswer[],
): Promise<void> {
  await writeFile(fileOf(shared, engine), answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
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
 * Compares an answer with Lucene's as the golden answers are meant: sets and totals equal; scores, where the engine
 * has them, within the tolerance; the order Lucene's where its scores differ by more.
 */
export function compareAnswer(answer: FullAnswer, lucene: FullAnswer): Compared {
  const { query, ids, scores } = answer;
  const verdict = { query, total: ids.length, furthest: 0 };
  if (ids.length !== lucene.ids.length) return { ...verdict, differs: 'total' };
  const theirs = new Map(lucene.ids.map((id, at) => [id, lucene.scores?.[at] ?? Number.NaN]));
  if (new Set(ids).size !== ids.length || ids.some((id) => !theirs.has(id)))
    return { ...verdict, differs: 'set' };
  if (scores === undefined) return verdict;
  const expected = ids.map((id) => theirs.get(id) ?? Number.NaN);
  let furthest = 0;
  for (const [at, wanted] of expected.entries()) {
    const off = Math.abs((scores[at] ?? Number.NaN) - wanted);
    if (off !== 0) furthest = Math.max(furthest, off / Math.abs(wanted));
  }
  // A score that is missing makes it NaN, which is not within anything.
  if (!(furthest <= TOLERANCE)) return { ...verdict, furthest, differs: 'scores' };
  return { ...verdict, furthest, ...(!isInOrder(expected) && { differs: 'order' as const }) };
}

async function* readAnswers(shared: string, engine: string): AsyncGenerator<FullAnswer> {
  const file = fileOf(shared, engine);
  if (!existsSync(file)) return;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    yield answerSchema.parse(JSON.parse(line));
  }
}

/** Compares what the engines have kept with what Lucene has. @returns nothing where Lucene has kept none */
export async function compareAnswers(shared: string, engines: readonly string[]): Promise<Comparison> {
  const lucene = new Map<number, FullAnswer>();
  for await (const answer of readAnswers(shared, 'lucene')) lucene.set(answer.query, answer);
  const comparison: Record<string, Compared[]> = {};
  for (const engine of engines) {
    for await (const answer of readAnswers(shared, engine)) {
      const theirs = lucene.get(answer.query);
      if (theirs === undefined) continue;
      comparison[engine] ??= [];
      comparison[engine].push(compareAnswer(answer, theirs));
    }
  }
  return comparison;
}
