// Lifetimes of answers, and the cache-control header of requests.
import { describe, expect, it } from 'vitest';
import type { Family } from '../../../../shared/families/index.ts';
import { parseCacheControl, readLifetimePolicy } from '../../../../worker/gateway/cache/freshness.ts';
import { ProblemError } from '../../../../worker/http/problem-error.ts';

const NOW = Date.UTC(2026, 8, 1);
const DAY_S = 86_400;
const YEAR_S = 365 * DAY_S;

type Case = ['collect' | 'search' | 'preview', Family, 'record' | 'missing' | 'page', number, number];
const changed = { FRESH_FOR: ' company=12h , search = 5m,', KEEP_FOR: '90d' };

describe('an answer', () => {
  it.each<[Parameters<typeof readLifetimePolicy>[0], Case[]]>([
    [
      {},
      [
        ...(['company_clean', 'company_base', 'company_multi_source'] as const).map(
          (family): Case => ['collect', family, 'record', 30 * DAY_S, YEAR_S],
        ),
        ...(['employee_clean', 'employee_base', 'employee_multi_source'] as const).map(
          (family): Case => ['collect', family, 'record', 14 * DAY_S, YEAR_S],
        ),
        ['collect', 'job_base', 'record', DAY_S, YEAR_S],
        ['collect', 'job_multi_source', 'record', DAY_S, YEAR_S],
        ['collect', 'employee_post', 'record', 7 * DAY_S, YEAR_S],
        ['collect', 'company_clean', 'missing', DAY_S, DAY_S],
        ['search', 'job_base', 'page', 600, 600],
        ['preview', 'job_base', 'page', DAY_S, YEAR_S],
      ],
    ],
    [
      changed,
      [
        ['collect', 'company_base', 'record', DAY_S / 2, 90 * DAY_S],
        ['search', 'company_base', 'page', 300, 300],
        ['collect', 'job_base', 'record', DAY_S, 90 * DAY_S],
      ],
    ],
    [{ KEEP_FOR: '2d' }, [['collect', 'company_base', 'record', 2 * DAY_S, 2 * DAY_S]]],
  ])('with the settings %o is fresh and kept as long as documented', (settings, cases) => {
    const policy = readLifetimePolicy(settings);
    for (const [operation, family, kind, freshS, keptS] of cases) {
      expect(policy({ operation, family }, kind, NOW), `${operation} ${family} ${kind}`).toEqual({
        freshUntil: NOW + freshS * 1000,
        keepUntil: NOW + keptS * 1000,
      });
    }
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
  ])('has no lifetime with the invalid settings %o', (settings) => {
    expect(() => readLifetimePolicy(settings)).toThrow(ProblemError);
  });
});

describe('cache-control', () => {
  it.each<[string | null, number, boolean]>([
    [null, 0, false],
    ['No-Cache', NOW, false],
    ['max-age=0', NOW, false],
    ['max-age="60"', NOW - 60_000, false],
    ['private,  max-age=60 , foo', NOW - 60_000, false],
    ['max-age=60, max-age=5', NOW - 60_000, false],
    ['max-age=60, no-cache', NOW, false],
    ['only-if-cached', 0, true],
    ['max-age=60, only-if-cached', NOW - 60_000, true],
    // Invalid directives are ignored.
    ...[
      '',
      'max-age',
      'max-age=-1',
      'max-age=1.5',
      'max-age=1e3',
      'max-age = 60',
      'x-max-age=60',
      'no-cachet',
    ]
      .concat('max-age=99999999999999999999')
      .map((header): [string, number, boolean] => [header, 0, false]),
  ])('%j is parsed', (header, since, onlyIfCached) => {
    expect(parseCacheControl(header, () => NOW)).toEqual({ since, onlyIfCached });
  });
});
