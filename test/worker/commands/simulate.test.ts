// The calculation of costs and limits, and the table of docs/scale.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import { formatMonths, readPlans } from '../../../worker/commands/simulate.ts';
import { type CostPlan, calculateCosts, costPlan } from '../../../worker/operations/costs.ts';

const calculate = (plan: Partial<CostPlan>) => calculateCosts(costPlan.parse(plan));
const find = ({ lines }: ReturnType<typeof calculate>, unit: string) =>
  lines.find((line) => line.unit === unit);

describe('a month', () => {
  it('stores each distinct bought record as long as it is kept', () => {
    // A seller buys 127.6 records on each of 21 days: 20, a fifth of 300, and 1,000 once.
    const records = 400 * 21 * (20 + 60 + 1000 / 21);
    for (const kb of [4, 90]) {
      const gb = (records * 12 * kb) / 1e6;
      expect(find(calculate({ record_kb: kb }), 'kv_gb')?.amount).toBeCloseTo(gb, 3);
      expect(find(calculate({ record_kb: kb }), 'kv_gb')?.dollars).toBeCloseTo((gb - 1) * 0.5, 3);
    }
    const half = calculate({ record_kb: 4, overlap_percent: 50, kept_months: 6 });
    expect(find(half, 'kv_gb')?.amount).toBeCloseTo((records * 6 * 4) / 2e6, 3);
  });

  it('costs about 1,340 credits for a seller and day, and less for what a colleague has bought', () => {
    const { withoutReuse, withReuse } = calculate({ sellers: 1, overlap_percent: 25 }).credits;
    expect(withoutReuse / 21).toBeCloseTo(20 * 10 + 0.2 * 3000 + 5 * 10 + 1.6 * 10 + 10_000 / 21, 6);
    expect(withReuse).toBeCloseTo(withoutReuse * 0.75, 6);
  });

  it('costs the plan alone until its volume is used up, then the price of what is above', () => {
    expect(calculate({ sellers: 1 }).total).toBeCloseTo(5, 0);
    const { amount = 0, dollars = 0 } = find(calculate({ sellers: 10_000 }), 'kv_writes') ?? {};
    expect(dollars).toBeCloseTo(((amount - 1e6) / 1e6) * 5, 6);
  });

  it('needs more calls of the provider than its slowest plan allows for 400 sellers', () => {
    const [calls] = calculate({}).limits;
    expect(calls).toMatchObject({ name: 'calls of the provider a second', limit: 5 });
    expect(calls?.used).toBeCloseTo(7.6, 1);
  });
});

it('docs/scale.md has the printed table', async () => {
  const text = await readFile(join(root, 'docs', 'scale.md'), 'utf8');
  expect(text).toContain(formatMonths(readPlans([])).join('\n'));
});

it.each([['--sellers', 'many'], ['--sellers', '0'], ['--overlap-percent', '100'], ['thousand']])(
  '%s %s gets one sentence',
  (...args) => {
    expect(() => readPlans(args)).toThrow('Usage: npm run simulate -- [--sellers N]');
  },
);
