// The playground's line about credits: spent, reserved and left add up to the budget.
import { afterEach, expect, it, vi } from 'vitest';
import { ActivityTracker } from '../../../../addon/dev/playground/formulas/activity.ts';

afterEach(() => vi.useRealTimers());

it('names reserved credits, and reads them again until they are settled', async () => {
  vi.useFakeTimers();
  const answers = [
    { today: 26, reserved: 30, remaining: 944 },
    { today: 26, reserved: 30, remaining: 944 },
    { today: 50, reserved: 0, remaining: 950 },
  ];
  const lines: string[] = [];
  const tracker = new ActivityTracker({
    readCredits: async () => answers.shift(),
    show: ({ line }) => void lines.push(line),
  });
  tracker.addCall({ cell: null, spent: undefined, remaining: undefined, reserved: 30 });
  await vi.advanceTimersByTimeAsync(60_000);
  const open = 'Your team today: 26 credits spent · 30 credits reserved · 944 credits left';
  expect(lines).toEqual([open, open, 'Your team today: 50 credits spent · 950 credits left']);
  expect(answers).toEqual([]);
});

it('counts formulas that use the results of others with them', async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const tracker = new ActivityTracker({
    readCredits: async () => undefined,
    show: ({ line }) => void lines.push(line),
  });
  const run = (spent: number) =>
    tracker.watch(async (_name, _args, cell) => {
      tracker.addCall({ cell, spent, remaining: undefined, reserved: undefined });
      return { values: [['done']] };
    })('CDAPI_ENRICH', [], { sheet: 'Sheet1', row: 1, column: 1 });
  await run(90);
  await vi.advanceTimersByTimeAsync(100);
  await run(0);
  expect(lines.at(-1)).toBe('Last formulas: 90 credits');
  await vi.advanceTimersByTimeAsync(1000);
  await run(0);
  expect(lines.at(-1)).toBe('Last formulas: 0 credits');
});
