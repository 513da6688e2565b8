// How every engine is asked: the same passes over the same queries, its answers and their times taken down.
import * as z from 'zod';
import { median, sum } from '../harness/numbers.ts';
import { type FullAnswer, keepAnswers } from './answers.ts';

/** Hits that are wanted of each query, with the exact number of all. */
export const HITS = 20;

/** An answer to one query that was asked several times over. */
export interface Answer {
  total: number;
  /** Of the best hits, in their order. */
  ids: readonly string[];
  /** Milliseconds for all repetitions together. */
  ms: number;
  /** Where they went, by name, if the engine can tell. */
  parts?: Readonly<Record<string, number>>;
}

/** An engine that is ready; it is asked queries by their places. */
export interface Engine {
  ask: (query: number, repeat: number) => Promise<Answer>;
  /** @returns everything that it finds */
  askAll: (query: number) => Promise<FullAnswer>;
  close: () => Promise<void>;
}

/** What one round found out about one query; times in milliseconds for one answer. */
export const figureSchema = z.object({
  query: z.number(),
  total: z.number(),
  ids: z.array(z.string()),
  /** The first time in this process. */
  first: z.number(),
  /** The median of the measured passes. */
  warm: z.number(),
  /** Where they went. */
  firstParts: z.record(z.string(), z.number()),
  warmParts: z.record(z.string(), z.number()),
});

export type Figure = z.infer<typeof figureSchema>;

/**
 * For a full run, and for a quick one: how long engines are warmed up at least, how often then all is asked, and how
 * long a query is repeated each time, so that neither clocks nor transport count.
 */
const FULL = { warmUpMs: 2_000, passes: 3, batchMs: 50 };
const QUICK = { warmUpMs: 800, passes: 3, batchMs: 20 };
const MOST_REPEATS = 500;

/**
 * Asks an engine for everything that it finds, and keeps it for comparison.
 * @param name - of the variant
 * @param asked - the places of the queries that it can be asked
 */
export async function answerAll(
  engine: Engine,
  { name, asked, shared }: { name: string; asked: readonly number[]; shared: string },
): Promise<void> {
  const answers: FullAnswer[] = [];
  for (const query of asked) answers.push(await engine.askAll(query));
  await keepAnswers(shared, name, answers);
}

function averageParts(answers: readonly (Answer & { repeat: number })[]): Record<string, number> {
  const names = new Set(answers.flatMap(({ parts = {} }) => Object.keys(parts)));
  const repeats = sum(answers.map(({ repeat }) => repeat));
  return Object.fromEntries(
    [...names].map((name) => [name, sum(answers.map(({ parts = {} }) => parts[name] ?? 0)) / repeats]),
  );
}

/**
 * Asks an engine all of its queries: once, then until it is warm, then for the record.
 * @param asked - the places of the queries that it can be asked
 */
export async function drive(engine: Engine, asked: readonly number[], quick: boolean): Promise<Figure[]> {
  const { warmUpMs, passes, batchMs } = quick ? QUICK : FULL;
  const firsts = new Map<number, Answer>();
  for (const query of asked) firsts.set(query, await engine.ask(query, 1));
  const lasts = new Map<number, number>();
  const start = performance.now();
  for (let pass = 0; pass < 2 || performance.now() - start < warmUpMs; pass += 1) {
    for (const query of asked) lasts.set(query, (await engine.ask(query, 1)).ms);
  }
  const answers = new Map(asked.map((query) => [query, [] as (Answer & { repeat: number })[]]));
  for (let pass = 0; pass < passes; pass += 1) {
    for (const query of asked) {
      const once = Math.max(lasts.get(query) ?? 0, batchMs / MOST_REPEATS);
      const repeat = Math.max(1, Math.ceil(batchMs / once));
      answers.get(query)?.push({ ...(await engine.ask(query, repeat)), repeat });
    }
  }
  return Array.from(answers, ([query, given]) => {
    const first = firsts.get(query);
    return {
      query,
      total: first?.total ?? 0,
      ids: [...(first?.ids ?? [])],
      first: first?.ms ?? 0,
      warm: median(given.map(({ ms, repeat }) => ms / repeat)),
      firstParts: { ...first?.parts },
      warmParts: averageParts(given),
    };
  });
}
