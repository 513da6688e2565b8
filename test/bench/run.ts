// npm run bench: measures variants side by side and prints tables.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand, UserError } from '../../worker/commands/user-error.ts';
import { bulkBench } from './bulk/bench.ts';
import type { Bench, Outcome, Plan } from './harness/bench.ts';
import { describeMachine, NoiseMeter } from './harness/machine.ts';
import { type Options, readOptions, USAGE } from './harness/options.ts';
import { runPlan } from './harness/plan.ts';
import { stopAll } from './harness/processes.ts';
import { formatTable } from './harness/table.ts';
import { ladderBench } from './ladder/bench.ts';
import { matchBench } from './match/bench.ts';

/** In the order in which they run. */
const benches: readonly Bench[] = [ladderBench, bulkBench, matchBench];

/** Width of the option names in {@link USAGE}. */
const NAME_WIDTH = 19;

function selectBenches(names: readonly string[]): readonly Bench[] {
  const unknown = names.find((name) => benches.every((bench) => bench.name !== name));
  if (unknown !== undefined) {
    throw new UserError(
      `There is no bench ${unknown}; there are ${benches.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length === 0 ? benches : benches.filter(({ name }) => names.includes(name));
}

/** Returns the plan with its first variant and the selected ones. */
function selectVariants(plan: Plan, names: readonly string[] | undefined): Plan {
  if (names === undefined) return plan;
  const unknown = names.find((name) => plan.variants.every((variant) => variant.name !== name));
  if (unknown !== undefined) {
    throw new UserError(
      `There is no variant ${unknown}; there are ${plan.variants.map(({ name }) => name).join(', ')}.`,
    );
  }
  return { ...plan, variants: plan.variants.filter(({ name }, at) => at === 0 || names.includes(name)) };
}

function listAbsences(plan: Plan, outcomes: ReadonlyMap<string, Outcome>): string[] {
  return plan.variants.flatMap(({ name, label }) => {
    const outcome = outcomes.get(name);
    if (outcome === undefined || outcome.state === 'measured') return [];
    return [`${label}: ${outcome.state === 'missing' ? 'missing here' : 'FAILED'}. ${outcome.reason}`];
  });
}

async function run({ benches: names, settings, variants, json }: Options, dir: string): Promise<void> {
  const selected = selectBenches(names).flatMap((bench) =>
    bench.plans(settings).map((plan) => ({ bench, plan: selectVariants(plan, variants) })),
  );
  const figures = [];
  for (const [at, { bench, plan }] of selected.entries()) {
    const noise = new NoiseMeter();
    const planDir = join(dir, String(at));
    const log = (line: string): void => console.error(`… ${bench.name}, ${line}`);
    const outcomes = await runPlan(plan, { settings, dir: planDir, noise, log });
    await rm(planDir, { recursive: true, force: true });
    const report = plan.report(outcomes);
    const notes = [
      ...report.notes,
      ...listAbsences(plan, outcomes),
      `${noise.format()} Machine: ${describeMachine()}.`,
    ];
    const rounds = settings.rounds ?? plan.rounds;
    console.log(
      `\n${bench.name} · ${plan.title} · ${rounds === 1 ? 'one round' : `medians of ${rounds} rounds (min–max)`}\n`,
    );
    console.log(
      [...report.tables.map(formatTable), notes.map((note) => `- ${note}`).join('\n')].join('\n\n'),
    );
    figures.push({
      bench: bench.name,
      plan: plan.title,
      rounds,
      report: report.data,
      noise: noise.getSamples(),
    });
    if ([...outcomes.values()].some(({ state }) => state === 'failed')) process.exitCode = 1;
  }
  if (json !== undefined) {
    // npm runs scripts in the project's folder and passes the caller's folder in INIT_CWD.
    const file = resolve(process.env.INIT_CWD ?? '.', json);
    await writeFile(file, `${JSON.stringify({ machine: describeMachine(), settings, figures }, null, 1)}\n`);
  }
}

await runCommand(async () => {
  const options = readOptions(process.argv.slice(2));
  const list = benches.map(({ name, about }) => `  ${name.padEnd(NAME_WIDTH)}${about}`).join('\n');
  if (options.help)
    return console.log(`${USAGE}\n\nThe benches, all of which run where none is named:\n\n${list}`);
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  // A variant's program may run as another user that needs access to its folder.
  await chmod(dir, 0o711);
  const stop = (signal: NodeJS.Signals): void => {
    console.error(`Stopped by ${signal}.`);
    void stopAll()
      .then(() => rm(dir, { recursive: true, force: true }))
      .finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    await run(options, dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
