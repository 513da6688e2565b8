// Today's credits: the ledger decides where the report is a minute old, and the shares add up to its total.
import { describe, expect, it } from 'vitest';
import { alignUsage, listOthers, shareToday } from '../../../addon/server/today.ts';
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

const add = (shares: readonly { spent: number; saved: number }[]) => ({
  spent: shares.reduce((sum, { spent }) => sum + spent, 0),
  saved: shares.reduce((sum, { saved }) => sum + saved, 0),
});

const [table, formula] = [
  { source: 'table', spent: 40, saved: 0 },
  { source: 'formula', spent: 20, saved: 5 },
];
const late = (spent: number, saved = 0) => ({ source: 'late', spent, saved });

describe('the shares of today', () => {
  const bulkRun = run(30, { kind: 'bulk', saved: 20 });
  it.each([
    ['are those of the report when it is complete', [60, 5], [run(40)], [table, formula], [formula]],
    [
      'give a run that has just ended to the runs, with what it reused',
      [90, 12],
      [run(30, { saved: 7 }), run(40)],
      [{ ...table, spent: 70, saved: 7 }, formula],
      [formula],
    ],
    [
      'leave calls without a known source as late',
      [95, 9],
      [run(40)],
      [table, formula, late(35, 4)],
      [formula, late(35, 4)],
    ],
    [
      'never give the runs more than was spent',
      [70, 5],
      [run(40), run(500)],
      [{ ...table, spent: 50 }, formula],
      [formula],
    ],
    [
      'leave out runs of other days, and rows of bulk orders',
      [90, 5],
      [run(30), bulkRun, run(30, { ended_at: '2026-11-21T23:59:00Z' })],
      [table, formula, late(30)],
      [{ ...table, spent: 10 }, formula, late(30)],
    ],
    [
      'are reduced by credits that were taken back, which the report still has',
      [15, 3],
      [run(40)],
      [{ source: 'formula', spent: 15, saved: 3 }],
      [{ source: 'formula', spent: 15, saved: 3 }],
    ],
  ] as const)('%s', (_, [spent, saved], runs, shares, others) => {
    const found = shareToday(usage, account(spent, saved), runs);
    expect(found).toEqual(shares);
    expect(add(found)).toEqual({ spent, saved });
    expect(listOthers(found, TO, runs)).toEqual(others);
  });

  it('have the bulk orders whose rows no run shows', () => {
    const orders = { source: 'bulk' as const, spent: 70, saved: 20 };
    expect(listOthers([orders], TO, [bulkRun])).toEqual([{ source: 'bulk', spent: 40, saved: 0 }]);
    expect(listOthers([orders], TO, [bulkRun, run(40, { kind: 'bulk' })])).toEqual([]);
  });
});

describe('the report of the last 30 days', () => {
  const align = (report: UsageResponse, [spent, saved]: [number, number], runs: readonly Run[] = []) => {
    const aligned = alignUsage(
      report,
      account(spent, saved),
      shareToday(report, account(spent, saved), runs),
    );
    expect(add(aligned.sources)).toEqual(aligned.total);
    expect(add(aligned.days)).toEqual(aligned.total);
    return aligned;
  };

  it('ends with what the ledger has for today, in its days, total and sources', () => {
    expect(align(usage, [110, 35])).toMatchObject({
      days: [usage.days[0], { day: TO, spent: 110, saved: 35 }],
      total: { spent: 210, saved: 55 },
      sources: [...usage.sources, late(50, 30)],
    });
  });

  it('gives a run that has just ended to the runs, and takes back what the ledger took back', () => {
    expect(align(usage, [90, 5], [run(30), run(40)]).sources).toEqual([
      { source: 'table', spent: 160, saved: 20 },
      usage.sources[1],
    ]);
    expect(align(usage, [50, 5]).sources).toEqual([
      { source: 'table', spent: 120, saved: 20 },
      usage.sources[1],
    ]);
  });

  it('has a first call of the day that the report lacks, and no day without calls', () => {
    const [first] = usage.sources;
    const report: UsageResponse = {
      ...usage,
      days: [{ day: '2026-11-21', spent: 130, saved: 20 }],
      total: { spent: 130, saved: 20 },
      sources: usage.sources.slice(0, 1),
      today: [],
    };
    expect(align(report, [10, 0])).toMatchObject({
      days: [...report.days, { day: TO, spent: 10, saved: 0 }],
      sources: [first, late(10)],
    });
    expect(align(report, [0, 0])).toMatchObject({ days: report.days, total: report.total });
  });
});
