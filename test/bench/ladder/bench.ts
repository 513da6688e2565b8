// The ladder: what the gateway costs over the least that a Worker can do, a rung at a time.
import type { Bench, Plan, Settings } from '../harness/bench.ts';
import { stock } from '../load/stocked.ts';
import { type Rung, report } from './report.ts';

const rungs: readonly Rung[] = [
  { name: 'hello', label: 'bare hello', base: 'hello' },
  { name: 'hono', label: 'Hono hello', base: 'hello' },
  { name: 'memory-hit', label: 'gateway, memory hit', base: 'hono' },
  { name: 'memory-hit-logged', label: 'the same, with a line in the log', base: 'hono' },
  { name: 'kv', label: 'bare KV.get', base: 'hello' },
  { name: 'kv-hit', label: 'gateway, KV hit', base: 'kv' },
  { name: 'proxy', label: 'bare proxy', base: 'hello' },
  { name: 'miss', label: 'gateway, miss', base: 'proxy' },
  { name: 'miss-without-disk', label: 'the same, everything stored in memory', base: 'proxy' },
];

function planOf({ quick }: Settings): Plan {
  return {
    title: 'one record a request',
    variants: rungs.map(({ name, label }) => ({
      name,
      label,
      module: new URL('./rows.ts', import.meta.url),
    })),
    rounds: quick ? 3 : 7,
    given: {},
    setUp: (shared) => stock(shared),
    report: (outcomes) => report(rungs, outcomes),
  };
}

export const ladderBench: Bench = {
  name: 'ladder',
  about:
    'one record a request, on one workerd: hello, Hono, KV.get, a proxy; the gateway from memory, KV, provider',
  plans: (settings) => [planOf(settings)],
};
