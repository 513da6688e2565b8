// The search bench: compares the sandbox's engine with Lucene 8.
import type { Bench, Plan, Settings, Variant } from '../harness/bench.ts';
import { writeCompanies } from './companies.ts';
import { buildReport } from './report.ts';

const SIZES = [2_000, 10_000, 50_000];
const QUICK_SIZES = [2_000];

const variants: readonly Variant[] = [
  { name: 'ours', label: 'ours', module: new URL('./engines/sandbox.ts', import.meta.url) },
  { name: 'lucene', label: 'Lucene 8', module: new URL('./engines/lucene.ts', import.meta.url) },
];

function createPlan(count: number, { quick }: Settings): Plan {
  return {
    title: `${count.toLocaleString('en-US')} companies`,
    variants,
    rounds: quick ? 3 : 5,
    parameters: { count },
    setUp: (sharedDir) => writeCompanies(sharedDir, count),
    report: (outcomes) => buildReport(variants, outcomes),
  };
}

export const searchBench: Bench = {
  name: 'search',
  about:
    '30 queries over companies, the best 20 hits and the exact total: the sandbox compared with Lucene 8',
  plans: (settings) =>
    (settings.scale ?? (settings.quick ? QUICK_SIZES : SIZES)).map((count) => createPlan(count, settings)),
};
