// Lists the benches in the order in which they run.
import { arrivalBench } from './arrival/bench.ts';
import { askBench } from './ask/bench.ts';
import { bulkBench } from './bulk/bench.ts';
import type { Bench } from './harness/bench.ts';
import { ladderBench } from './ladder/bench.ts';
import { matchBench } from './match/bench.ts';
import { searchBench } from './search/bench.ts';

export const benches: readonly Bench[] = [
  ladderBench,
  bulkBench,
  arrivalBench,
  matchBench,
  searchBench,
  askBench,
];
