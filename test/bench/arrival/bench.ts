// The arrival bench: from the webhook of a bulk order to the rows in an open sheet, end to end.
import type { Bench, Plan, Settings, Variant } from '../harness/bench.ts';
import { prepareInstance } from './instance.ts';
import { buildReport } from './report.ts';

const SIZES = [100, 300, 1_000];
const QUICK_SIZES = [100];

/** Creates the variant for an order of the given size. */
function createVariant(records: number): Variant {
  const module = new URL('./order.ts', import.meta.url);
  return { name: String(records), label: `${records.toLocaleString('en-US')} records`, module };
}

function createPlan({ quick, scale }: Settings): Plan {
  const sizes = [...(scale ?? (quick ? QUICK_SIZES : SIZES))].sort((a, b) => a - b);
  const variants = sizes.map(createVariant);
  return {
    title: 'webhook to rows in the open sheet',
    variants,
    rounds: quick ? 1 : 3,
    parameters: {},
    setUp: (shared) => prepareInstance(shared, Math.max(...sizes)),
    report: (outcomes) => buildReport(variants, outcomes),
  };
}

export const arrivalBench: Bench = {
  name: 'arrival',
  about: 'from the webhook of a finished bulk order to its first and last row in an open sheet in Chromium',
  plans: (settings) => [createPlan(settings)],
};
