// The batch bench: what one lookup of many cached records saves over single calls.
import type { Bench, Plan, Settings } from '../harness/bench.ts';
import { preloadGateway } from '../load/preloaded-gateway.ts';
import { type Batch, buildReport } from './report.ts';
import { MAX_RECORDS } from './sizes.ts';

const batches: readonly Batch[] = [
  { name: 'single', label: 'single calls', size: 1 },
  { name: 'lookup-1', label: 'lookups of 1', size: 1 },
  { name: 'lookup-10', label: 'lookups of 10', size: 10 },
  { name: 'lookup-100', label: 'lookups of 100', size: 100 },
  { name: 'lookup-1000', label: 'lookups of 1,000', size: MAX_RECORDS },
];

function createPlan({ quick }: Settings): Plan {
  return {
    title: 'cached records',
    variants: batches.map(({ name, label }) => ({
      name,
      label,
      module: new URL('./sizes.ts', import.meta.url),
    })),
    rounds: quick ? 3 : 7,
    parameters: {},
    setUp: (sharedDir) => preloadGateway(sharedDir, MAX_RECORDS),
    report: (outcomes) => buildReport(batches, outcomes),
  };
}

export const batchBench: Bench = {
  name: 'batch',
  about: 'cached records: lookups of 1 to 1,000, compared with single calls',
  plans: (settings) => [createPlan(settings)],
};
