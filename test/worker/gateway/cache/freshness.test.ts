// How long answers are fresh and kept.
import { describe, expect, it } from 'vitest';
import type { Family } from '../../../../shared/families/index.ts';
import { readLifetimePolicy } from '../../../../worker/gateway/cache/freshness.ts';
import { ConfigurationError } from '../../../../worker/gateway/upstream/configured-upstream.ts';

const NOW = Date.UTC(2026, 8, 1);
const DAY_S = 86_400;
const YEAR_S = 365 * DAY_S;

/** Seconds for which a record is fresh and kept. */
function times(
  settings: Parameters<typeof readLifetimePolicy>[0],
  operation: 'collect' | 'enrich' | 'search' | 'preview',
  family: Family,
  kind: 'record' | 'missing' | 'page',
): [fresh: number, kept: number] {
  const { freshUntil, keepUntil } = readLifetimePolicy(settings)({ operation, family }, kind, NOW);
  return [(freshUntil - NOW) / 1000, (keepUntil - NOW) / 1000];
}

describe('without settings', () => {
  it.each([
    ['company_clean', 30],
    ['company_base', 30],
    ['company_multi_source', 30],
    ['employee_clean', 14],
    ['employee_base', 14],
    ['employee_multi_source', 14],
    ['job_base', 1],
    ['job_multi_source', 1],
    ['employee_post', 7],
  ] as const)('a record of %s is fresh for %i days and kept for twelve months', (family, days) => {
    expect(times({}, 'collect', family, 'record')).toEqual([days * DAY_S, YEAR_S]);
  });

  it('that there is none holds for a day, a search for ten minutes, and both are then gone', () => {
    expect(times({}, 'enrich', 'company_clean', 'missing')).toEqual([DAY_S, DAY_S]);
    expect(times({}, 'search', 'job_base', 'page')).toEqual([600, 600]);
  });

  it('a preview, which was paid for, is fresh for a day and kept', () => {
    expect(times({}, 'preview', 'job_base', 'page')).toEqual([DAY_S, YEAR_S]);
  });
});

describe('settings', () => {
  it('change what they name and nothing else', () => {
    const settings = { FRESH_FOR: ' company=12h , search = 5m,', KEEP_FOR: '90d' };
    expect(times(settings, 'enrich', 'company_base', 'record')).toEqual([12 * 3600, 90 * DAY_S]);
    expect(times(settings, 'search', 'company_base', 'page')).toEqual([300, 300]);
    expect(times(settings, 'collect', 'job_base', 'record')).toEqual([DAY_S, 90 * DAY_S]);
  });

  it('that keep for less than something is fresh end both', () => {
    expect(times({ KEEP_FOR: '2d' }, 'collect', 'company_base', 'record')).toEqual([2 * DAY_S, 2 * DAY_S]);
  });

  it.each([
    { FRESH_FOR: 'firm=1d' },
    { FRESH_FOR: 'company' },
    { FRESH_FOR: 'company=' },
    { FRESH_FOR: 'company=30' },
    { FRESH_FOR: 'company=59s' },
    { FRESH_FOR: 'company=1d=2d;job=1d' },
    { KEEP_FOR: 'forever' },
    { KEEP_FOR: '366d' },
    { KEEP_FOR: '30s' },
  ])('that can’t be read or go too far are refused in words: %o', (settings) => {
    expect(() => readLifetimePolicy(settings)).toThrow(ConfigurationError);
  });
});
