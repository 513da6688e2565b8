// The rivals bench: alternatives to the gateway with the same provider and records.
import type { Bench, Plan, Settings, Variant } from '../harness/bench.ts';
import { preloadGateway } from '../load/preloaded-gateway.ts';
import { buildColumnReport } from './column-report.ts';
import { REQUESTED_IDS } from './measure.ts';
import { buildReport } from './report.ts';

const getEngineUrl = (name: string): URL => new URL(`./engines/${name}.ts`, import.meta.url);

const servers: readonly Variant[] = [
  { name: 'gateway', label: 'gateway, memory hit', module: getEngineUrl('gateway') },
  { name: 'nginx', label: 'nginx proxy_cache', module: getEngineUrl('nginx') },
  { name: 'portkey', label: 'Portkey gateway', module: getEngineUrl('portkey') },
];

const formulas: readonly Variant[] = [
  { name: 'gateway', label: 'one lookup of the range', module: getEngineUrl('range') },
  { name: 'cells', label: 'a call in each cell', module: getEngineUrl('cells') },
];

function createHitsPlan({ quick }: Settings): Plan {
  return {
    title: 'hits',
    variants: servers,
    rounds: quick ? 3 : 7,
    parameters: {},
    setUp: (sharedDir) => preloadGateway(sharedDir, REQUESTED_IDS.count),
    report: (outcomes) => buildReport(servers, outcomes),
  };
}

function createColumnPlan({ quick }: Settings): Plan {
  return {
    title: 'a column of 1,000 cells',
    variants: formulas,
    rounds: quick ? 1 : 3,
    parameters: {},
    // The provider's latency dominates; disk and processor hardly count.
    setUp: (sharedDir) => preloadGateway(sharedDir, 0),
    report: (outcomes) => buildColumnReport(formulas, outcomes),
  };
}

export const rivalsBench: Bench = {
  name: 'rivals',
  about:
    'cache hits compared with nginx and the Portkey gateway; one lookup of a range compared with a call per cell',
  plans: (settings) => [createHitsPlan(settings), createColumnPlan(settings)],
};
