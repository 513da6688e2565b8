// Today's credits: the ledger decides where the report is a minute old, and the shares add up to its total.
import { describe, expect, it } from 'vitest';
import { alignUsage, shareToday } from '../../../addon/server/today.ts';
import type { Run } from '../../../shared/api/saved-searches.ts';
import type { UsageResponse } from '../../../shared/api/usage.ts';

const TO = '2026-11-22';

const account = (spent: number, saved: number) => ({
  spent: { day: spent, month: 9000 },
  saved: { day: saved, month: 9000 },
});

const run = (credits: number, more: Partial<Run> = {}): Run => ({
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'enrich',
  title: 'Website',
  family: 'company_clean',
  rows: 5,
  failed: 0,
  credits,
  saved: 0,
  started_at: `${TO}T10:00:00Z`,
  ended_at: `${TO}T10:01:00Z`,
  state: 'done',
  ...more,
});

const usage: UsageResponse = {
  from: '2026-10-24',
  to: TO,
  total: { spent: 160, saved: 25 },
  days: [
    { day: '2026-11-21', spent: 100, saved: 20 },
    { day: TO, spent: 60, saved: 5 },
  ],
  families: [],
  people: [],
  sources: [
    { source: 'table', spent: 130, saved: 20 },
    { source: 'formula', spent: 30, saved: 5 },
  ],
  today: [
    { source: 'table', spent: 40, saved: 0 },
    { source: 'formula', spent: 20, saved: 5 },
  ],
};

describe('the report of the last 30 days', () => {
  it('ends with what the ledger has for today, in its days, total and sources', () => {
    expect(alignUsage(usage, account(110, 35))).toMatchObject({
      days: [usage.days[0], { day: TO, spent: 110, saved: 35 }],
      total: { spent: 210, saved: 55 },
      sources: [...usage.sources, { source: 'late', spent: 50, saved: 30 }],
    });
  });

  it('has a first call of the day that the report lacks, and no day without calls', () => {
    const {
      days: [yesterday],
    } = usage;
    const before = { ...usage, days: usage.days.slice(0, 1), total: { spent: 100, saved: 20 } };
    expect(alignUsage(before, account(10, 0)).days).toEqual([yesterday, { day: TO, spent: 10, saved: 0 }]);
    expect(alignUsage(before, account(0, 0))).toMatchObject({ days: [yesterday], total: before.total });
  });
});

describe('the shares of today', () => {
  const [table, formula] = [
    { source: 'table', spent: 40, saved: 0 },
    { source: 'formula', spent: 20, saved: 5 },
  ];
  const late = (spent: number, saved = 0) => ({ source: 'late', spent, saved });
  it.each([
    ['are those of the report when it is complete', 60, [run(40)], [table, formula]],
    [
      'give a run that has just ended to the runs',
      90,
      [run(30), run(40)],
      [{ ...table, spent: 70 }, formula],
    ],
    ['leave calls without a known source as late', 95, [run(40)], [table, formula, late(35)]],
    ['never give the runs more than was spent', 70, [run(40), run(500)], [{ ...table, spent: 50 }, formula]],
    [
      'leave out runs of other days, and rows of bulk orders',
      90,
      [run(40), run(30, { kind: 'bulk' }), run(30, { ended_at: '2026-11-21T23:59:00Z' })],
      [table, formula, late(30)],
    ],
    ['are none while the report still has credits that were taken back', 50, [run(40)], []],
  ])('%s', (_, spent, runs, shares) => {
    const found = shareToday(usage, account(spent, 5), runs);
    expect(found).toEqual(shares);
    if (shares.length > 0) expect(found.reduce((sum, share) => sum + share.spent, 0)).toBe(spent);
  });

  it('of an older gateway are none', () => {
    const { today: _, ...older } = usage;
    expect(shareToday(older, account(60, 5), [])).toEqual([]);
  });
});
