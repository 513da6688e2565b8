// The simulation of costs and limits, and the figures of docs/scale.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import {
  actionNames,
  type Operations,
  readOperations,
} from '../../../worker/commands/simulate/assumptions.ts';
import { priceVolume, simulate } from '../../../worker/commands/simulate/volume.ts';
import { formatSimulation } from '../../../worker/commands/simulate.ts';
import { startCommand } from './command.ts';

const script = 'worker/commands/simulate.ts';

/** Each purchase writes one key, and nothing else happens. */
const onlyKvWrites = Object.fromEntries(
  actionNames.map((name) => [name, name === 'formula_bought' ? { kv_writes: 1 } : {}]),
) as Operations;

describe('a simulated month', () => {
  it('multiplies what an action uses by how often sellers do it', () => {
    // 20 purchases on each of 21 days.
    expect(simulate(onlyKvWrites, 1000).volume).toMatchObject({ kv_writes: 420_000, kv_reads: 0 });
  });

  it('costs the plan alone until the included volume is used up, then the price of what is above', () => {
    expect(simulate(onlyKvWrites, 2000).total).toBe(5);
    const { volume, total } = simulate(onlyKvWrites, 10_000);
    expect(volume.kv_writes).toBe(4_200_000);
    expect(total).toBe(5 + 3.2 * 5);
    expect(priceVolume(volume).find(({ name }) => name === 'KV')?.dollars).toBe(16);
  });

  it('runs the cron each minute, however few sellers there are', () => {
    const { volume } = simulate(
      { ...onlyKvWrites, cron_idle: { requests: 1 }, cron_idle_on_the_hour: { requests: 1 } },
      1,
    );
    expect(volume.requests).toBe(43_200);
  });

  it('names first the limit that sellers reach first', async () => {
    const { limits } = simulate(await readOperations(), 100_000);
    const reached = limits.map(({ sellersAtLimit }) => sellersAtLimit);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    const [first] = limits;
    const atLimit = simulate(await readOperations(), first?.sellersAtLimit ?? 0).limits[0];
    expect((atLimit?.used ?? 0) / (atLimit?.limit ?? 1)).toBeCloseTo(1, 2);
  });
});

it.each([10, 1000, 100_000])('docs/scale.md has the figures of %d sellers', async (sellers) => {
  const text = await readFile(join(root, 'docs', 'scale.md'), 'utf8');
  const lines = formatSimulation(simulate(await readOperations(), sellers));
  expect(text).toContain(lines.join('\n').trim());
});

it.each([
  [['--sellers', 'many'], '--sellers must be a whole number from 1 to 100,000,000, such as 1000.'],
  [['--sellers', '0'], '--sellers must be a whole number from 1 to 100,000,000, such as 1000.'],
  [['--sellers', '--count'], 'Usage: npm run simulate -- [--sellers N] [--count]'],
  [['thousand'], 'Usage: npm run simulate -- [--sellers N] [--count]'],
])('%j gets one sentence', async (args, sentence) => {
  const { exited, output } = startCommand([script, ...args]);
  expect(await exited).toBe(1);
  expect(output().trim()).toBe(sentence);
});

it('counts that are missing get one sentence', async () => {
  await expect(readOperations(join(root, 'package.json'))).rejects.toThrow(
    'has no complete counts. Count again',
  );
});
