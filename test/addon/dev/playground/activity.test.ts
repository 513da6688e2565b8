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
