// Runs a plan: checks which variants can run, then measures them in interleaved rounds.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome, Plan, Settings, Variant } from './bench.ts';
import { type Call, callSchema } from './call.ts';
import type { NoiseMeter } from './machine.ts';
import { callInNewProcess } from './processes.ts';

/** Context of a plan's run. */
export interface PlanContext {
  settings: Settings;
  /** An empty folder. */
  dir: string;
  noise: NoiseMeter;
  /** Receives progress lines. */
  log: (line: string) => void;
}

/** Orders the variants of a round: A B C, then C B A. No variant is always measured after the same other one. */
function orderVariants<T>(round: number, all: readonly T[]): readonly T[] {
  return round % 2 === 0 ? all : [...all].reverse();
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class VariantRunner {
  readonly variant: Variant;
  outcome: Outcome;
  readonly #call: Omit<Call, 'step'>;
  readonly #rounds: unknown[] = [];

  constructor(variant: Variant, plan: Plan, { dir, settings }: PlanContext) {
    this.variant = variant;
    this.outcome = { state: 'measured', rounds: this.#rounds };
    this.#call = {
      module: variant.module.href,
      task: {
        name: variant.name,
        dir: join(dir, variant.name),
        sharedDir: join(dir, 'shared'),
        quick: settings.quick,
        parameters: plan.parameters,
      },
    };
  }

  get isActive(): boolean {
    return this.outcome.state === 'measured';
  }

  async prepare(): Promise<void> {
    await this.#try(async () => {
      const missing = await this.#runStep('missing');
      if (typeof missing === 'string') this.outcome = { state: 'missing', reason: missing };
      else await mkdir(this.#call.task.dir, { recursive: true });
    });
  }

  async measure(): Promise<void> {
    await this.#try(async () => {
      this.#rounds.push(await this.#runStep('measure'));
    });
  }

  #runStep(step: Call['step']): Promise<unknown> {
    return callInNewProcess(callSchema.parse({ ...this.#call, step }));
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.outcome = { state: 'failed', reason: getErrorMessage(error) };
    }
  }
}

/**
 * Runs a plan. Skips variants that are missing or have failed.
 * @returns the outcome of each variant by name, in the plan's order
 */
export async function runPlan(plan: Plan, around: PlanContext): Promise<Map<string, Outcome>> {
  const { dir, log, noise, settings } = around;
  const sharedDir = join(dir, 'shared');
  await mkdir(sharedDir, { recursive: true });
  if (plan.setUp !== undefined) {
    log(`${plan.title}: making the data`);
    await plan.setUp(sharedDir);
  }
  const runners = plan.variants.map((variant) => new VariantRunner(variant, plan, around));
  for (const runner of runners) {
    log(`${plan.title}: preparing ${runner.variant.label}`);
    await runner.prepare();
  }
  const rounds = settings.rounds ?? plan.rounds;
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of orderVariants(round, runners)) {
      if (!contestant.isActive) continue;
      log(`${plan.title}: round ${round + 1} of ${rounds}, ${contestant.variant.label}`);
      noise.sample();
      await contestant.measure();
    }
  }
  return new Map(runners.map(({ variant, outcome }) => [variant.name, outcome]));
}
