// The ladder bench: what each layer of the gateway costs over a minimal Worker.
import type { Bench, Plan, Settings } from '../harness/bench.ts';
import { preloadGateway } from '../load/preloaded-gateway.ts';
import { buildReport, type Rung } from './report.ts';

const rungs: readonly Rung[] = [
  { name: 'hello', label: 'bare hello', baseline: 'hello' },
  { name: 'hono', label: 'Hono hello', baseline: 'hello' },
  { name: 'memory-hit', label: 'gateway, memory hit', baseline: 'hono' },
  { name: 'memory-hit-logged', label: 'the same, with a line in the log', baseline: 'hono' },
  { name: 'kv', label: 'bare KV.get', baseline: 'hello' },
  { name: 'kv-hit', label: 'gateway, KV hit', baseline: 'kv' },
  { name: 'cold-hit', label: 'KV hit in a new isolate, far away', baseline: 'kv' },
  { name: 'proxy', label: 'bare proxy', baseline: 'hello' },
  { name: 'miss', label: 'gateway, miss', baseline: 'proxy' },
  { name: 'miss-without-disk', label: 'the same, everything stored in memory', baseline: 'proxy' },
];

function createPlan({ quick }: Settings): Plan {
  return {
    title: 'one record a request',
    variants: rungs.map(({ name, label }) => ({
      name,
      label,
      module: new URL('./rows.ts', import.meta.url),
    })),
    rounds: quick ? 3 : 7,
    parameters: {},
    setUp: (sharedDir) => preloadGateway(sharedDir),
    report: (outcomes) => buildReport(rungs, outcomes),
  };
}

export const ladderBench: Bench = {
  name: 'ladder',
  about:
    'one record a request, on one workerd: hello, Hono, KV.get, a proxy; the gateway from memory, KV, provider',
  plans: (settings) => [createPlan(settings)],
};
