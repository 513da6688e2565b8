// The import bench: `npm run import` of generated companies into a running instance, its pace and its memory.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../worker/commands/paths.ts';
import type { Bench, Plan, Settings, Variant } from '../harness/bench.ts';
import { report } from './report.ts';

const SIZES = [50_000];
const QUICK_SIZES = [2_000];
const FAMILY = 'company_clean';

const variants: readonly Variant[] = [
  { name: 'instance', label: 'as npm start', module: new URL('./instance.ts', import.meta.url) },
  { name: 'bounded', label: 'heaps of 128 MB', module: new URL('./bounded.ts', import.meta.url) },
];

/** Makes the records as anybody would. @throws Error with what the command said */
function generate(dir: string, count: number): void {
  const script = join(root, 'worker', 'commands', 'generate.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    [script, '--companies', String(count), '--family', FAMILY, '--out', dir],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm run generate failed:\n${stderr}`);
}

function planOf(count: number, { quick }: Settings): Plan {
  return {
    title: `${count.toLocaleString('en-US')} companies`,
    variants,
    rounds: quick ? 1 : 3,
    given: { count, family: FAMILY },
    setUp: async (shared) => generate(shared, count),
    report: (outcomes) => report(variants, outcomes, count),
  };
}

export const importBench: Bench = {
  name: 'import',
  about: 'npm run import into a running instance: records a second, and memory at 10 %, 50 % and 100 %',
  plans: (settings) =>
    (settings.scale ?? (settings.quick ? QUICK_SIZES : SIZES)).map((count) => planOf(count, settings)),
};
