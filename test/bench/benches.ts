// The benches that there are, in the order in which they run.
import type { Bench } from './harness/bench.ts';
import { importBench } from './import/bench.ts';
import { ladderBench } from './ladder/bench.ts';
import { searchBench } from './search/bench.ts';

export const benches: readonly Bench[] = [ladderBench, searchBench, importBench];
