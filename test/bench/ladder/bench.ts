// The ladder bench: what each layer of the gateway costs over a minimal Worker or saves over another gateway.
import type { Bench, Plan, Settings } from '../harness/bench.ts';
import { preloadGateway } from '../load/preloaded-gateway.ts';
import { buildReport, MISS_COUNTS, type Rung } from './report.ts';
import { LOOKUP_SIZE } from './rows.ts';

const rungs: readonly Rung[] = [
  { name: 'hono', label: 'Hono hello' },
  { name: 'floor', label: 'floor of a memory hit', baseline: 'hono' },
  {
    name: 'memory-hit',
    label: 'gateway, memory hit',
    baseline: 'hono',
    target: { processor: 0.8, floor: 0.9 },
  },
  {
    name: 'lookup',
    label: 'one lookup of 1,000',
    baseline: 'memory-hit',
    size: LOOKUP_SIZE,
    target: { speed: 20 },
  },
  { name: 'kv', label: 'bare KV.get' },
  { name: 'kv-hit', label: 'gateway, KV hit', baseline: 'kv', target: { processor: 0.85 } },
  { name: 'cold-hit', label: 'KV hit in a new isolate, far away', baseline: 'kv', target: { trips: 2 } },
  { name: 'proxy', label: 'bare proxy' },
  { name: 'miss-floor', label: 'floor of a miss', baseline: 'proxy' },
  { name: 'miss', label: 'gateway, miss', baseline: 'miss-floor', target: { processor: 0.75 } },
  // The gateway is at least five times as fast.
  { name: 'portkey', label: 'Portkey gateway', baseline: 'memory-hit', target: { speedAtMost: 0.2 } },
];

function createPlan({ quick }: Settings): Plan {
  return {
    title: 'records of 2 KB',
    variants: [...rungs, { name: MISS_COUNTS, label: 'counts of a miss' }].map(({ name, label }) => ({
      name,
      label,
      module: new URL(name === 'portkey' ? './portkey.ts' : './rows.ts', import.meta.url),
    })),
    rounds: quick ? 3 : 7,
    parameters: {},
    setUp: (sharedDir) => preloadGateway(sharedDir),
    report: (outcomes) => buildReport(rungs, outcomes),
  };
}

export const ladderBench: Bench = {
  name: 'ladder',
  about: 'records from memory, KV and provider compared with minimal Workers and with the Portkey gateway',
  plans: (settings) => [createPlan(settings)],
};
