// The bulk bench: ingests a result file and measures pace, compared with gunzip, and memory.
import type { Bench, Plan, Settings, Variant } from '../harness/bench.ts';
import { writeResultFile } from './data.ts';
import { buildReport } from './report.ts';

const COUNTS = [1_000, 10_000];
const QUICK_COUNTS = [200, 1_000];

const variants: readonly Variant[] = [
  { name: 'gunzip', label: 'gunzip | wc -l', module: new URL('./gunzip.ts', import.meta.url) },
  { name: 'ingest', label: 'ingest, heaps of 128 MB', module: new URL('./ingest.ts', import.meta.url) },
];

function createPlan({ quick, scale }: Settings): Plan {
  const counts = [...(scale ?? (quick ? QUICK_COUNTS : COUNTS))].sort((a, b) => a - b);
  return {
    title: 'records of 90 KB',
    variants,
    rounds: quick ? 1 : 3,
    parameters: { counts },
    setUp: async (sharedDir) => {
      for (const count of counts) await writeResultFile(sharedDir, count);
    },
    report: (outcomes) => buildReport(variants, outcomes, counts),
  };
}

export const bulkBench: Bench = {
  name: 'bulk',
  about: 'ingest of a result file with records of 90 KB: pace compared with gunzip | wc -l, and memory',
  plans: (settings) => [createPlan(settings)],
};
