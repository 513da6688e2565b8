// The rivals: what one would use instead of the gateway, with the same records of the same provider.
import type { Bench, Plan, Settings, Variant } from '../harness/bench.ts';
import { stock } from '../load/stocked.ts';
import { columnReport } from './column-report.ts';
import { ASKED } from './drive.ts';
import { report } from './report.ts';

const engine = (name: string): URL => new URL(`./engines/${name}.ts`, import.meta.url);

const servers: readonly Variant[] = [
  { name: 'gateway', label: 'gateway, memory hit', module: engine('gateway') },
  { name: 'nginx', label: 'nginx proxy_cache', module: engine('nginx') },
  { name: 'portkey', label: 'Portkey gateway', module: engine('portkey') },
];

const formulas: readonly Variant[] = [
  { name: 'gateway', label: 'one lookup of the range', module: engine('range') },
  { name: 'cells', label: 'a call in each cell', module: engine('cells') },
];

function hits({ quick }: Settings): Plan {
  return {
    title: 'hits',
    variants: servers,
    rounds: quick ? 3 : 7,
    given: {},
    setUp: (shared) => stock(shared, ASKED.count),
    report: (outcomes) => report(servers, outcomes),
  };
}

function column({ quick }: Settings): Plan {
  return {
    title: 'a column of 1,000 cells',
    variants: formulas,
    rounds: quick ? 1 : 3,
    given: {},
    // What the provider takes for an answer is far more than what the disk or the processor does.
    setUp: (shared) => stock(shared, 0),
    report: (outcomes) => columnReport(formulas, outcomes),
  };
}

export const rivalsBench: Bench = {
  name: 'rivals',
  about:
    'hits beside nginx proxy_cache and the Portkey gateway; a range in one lookup beside a call in each cell',
  plans: (settings) => [hits(settings), column(settings)],
};
