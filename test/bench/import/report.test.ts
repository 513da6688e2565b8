// What the import bench makes of an import's samples.
import { describe, expect, it } from 'vitest';
import type { Outcome, Report } from '../harness/bench.ts';
import type { Import } from './instance.ts';
import { report } from './report.ts';

const MEGABYTE = 2 ** 20;

/** An import of 1,000 records, its pace halved from the first tenth on, its memory grown by half. */
const samples = [
  { records: 100, seconds: 1, memory: 200 * MEGABYTE },
  { records: 300, seconds: 5, memory: 400 * MEGABYTE },
  { records: 500, seconds: 9, memory: 200 * MEGABYTE },
  { records: 1000, seconds: 19, memory: 300 * MEGABYTE },
];

function reportOf(round: Import): Report {
  const variant = { name: 'a', label: 'ours', module: new URL(import.meta.url) };
  const outcome: Outcome = { state: 'measured', prepared: undefined, rounds: [round] };
  return report([variant], new Map([['a', outcome]]), 1000);
}

describe('an import', () => {
  it('is told at a tenth, a half and all of it, each with its ratio to the first', () => {
    const { tables, notes } = reportOf({ idle: 100 * MEGABYTE, samples });
    expect(tables[0]?.rows).toEqual([
      ['ours', '100', '1', '100', '200', '1 ×', '1 ×'],
      ['ours', '500', '9', '50', '200', '0.5 ×', '1 ×'],
      ['ours', '1,000', '19', '50', '300', '0.5 ×', '1.5 ×'],
    ]);
    expect(notes.join()).toContain('100 MB before, at most 400 MB on the way');
  });

  it('has no figures for memory where the system has none', () => {
    const without = samples.map(({ records, seconds }) => ({ records, seconds }));
    const { tables } = reportOf({ samples: without });
    expect(tables[0]?.rows.map((row) => [row[4], row[6]])).toEqual([
      ['–', '–'],
      ['–', '–'],
      ['–', '–'],
    ]);
  });
});
