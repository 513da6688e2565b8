// Measures an engine: the same passes over the same queries for every engine.
import * as z from 'zod';
import type { Task, VariantModule } from '../harness/bench.ts';
import { median } from '../harness/numbers.ts';
import type { Answer } from './answers.ts';
import { queries } from './queries.ts';

/** Requested hits per query, with the exact total. */
const HIT_COUNT = 20;

/** The answer to a query that was repeated. */
export interface TimedAnswer extends Answer {
  total: number;
  /** Milliseconds of all repetitions together. */
  ms: number;
}

/** An open engine; `query` is an index of {@link queries}. */
export interface Engine {
  search: (query: number, hits: number, repeat: number) => Promise<TimedAnswer>;
  close: () => Promise<void>;
}

/** Figures of one round by query, in milliseconds per answer. */
export const roundSchema = z.array(
  z.object({
    total: z.number(),
    /** The first time in this process. */
    first: z.number(),
    /** The median of the measured passes. */
    warm: z.number(),
  }),
);
export type Round = z.infer<typeof roundSchema>;

/** Parameters of the variants. */
export const parametersSchema = z.object({ count: z.number() });

/** Durations: warm-up, and repetition of each query so that clock resolution and transport hardly count. */
const FULL_DURATIONS = { warmUpMs: 2_000, batchMs: 50 };
const QUICK_DURATIONS = { warmUpMs: 800, batchMs: 20 };
const PASS_COUNT = 3;
const MAX_REPEATS = 500;

const queryIndexes = [...queries.keys()];

/** Runs each query once, warms the engine up, then measures it. */
async function measureEngine({ search }: Engine, quick: boolean): Promise<Round> {
  const { warmUpMs, batchMs } = quick ? QUICK_DURATIONS : FULL_DURATIONS;
  const firsts: TimedAnswer[] = [];
  for (const query of queryIndexes) firsts.push(await search(query, HIT_COUNT, 1));
  const lasts = new Map<number, number>();
  const start = performance.now();
  for (let pass = 0; pass < 2 || performance.now() - start < warmUpMs; pass += 1) {
    for (const query of queryIndexes) lasts.set(query, (await search(query, HIT_COUNT, 1)).ms);
  }
  const times = queryIndexes.map((): number[] => []);
  for (let pass = 0; pass < PASS_COUNT; pass += 1) {
    for (const query of queryIndexes) {
      const once = Math.max(lasts.get(query) ?? 0, batchMs / MAX_REPEATS);
      const repeat = Math.max(1, Math.ceil(batchMs / once));
      times[query]?.push((await search(query, HIT_COUNT, repeat)).ms / repeat);
    }
  }
  return firsts.map(({ total, ms }, query) => ({ total, first: ms, warm: median(times[query] ?? []) }));
}

/**
 * Creates the variant of an engine.
 * @param fill - builds its index once per plan; afterwards all hits are stored for the comparison
 */
export function createEngineVariant(
  fill: (task: Task) => Promise<void>,
  open: (task: Task) => Promise<Engine>,
): Omit<VariantModule, 'missing'> {
  const withEngine = async <T>(task: Task, work: (engine: Engine) => Promise<T>): Promise<T> => {
    const engine = await open(task);
    return work(engine).finally(engine.close);
  };
  return {
    async prepare(task) {
      await fill(task);
      const { count } = parametersSchema.parse(task.parameters);
      return withEngine(task, async ({ search }) => {
        const answers: Answer[] = [];
        for (const query of queryIndexes) {
          const { ids, scores } = await search(query, count, 1);
          answers.push({ ids, scores });
        }
        return answers;
      });
    },
    measure: (task) => withEngine(task, (engine) => measureEngine(engine, task.quick)),
  };
}
