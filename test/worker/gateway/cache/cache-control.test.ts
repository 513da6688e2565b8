// What a caller's cache-control asks of memory.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCacheControl } from '../../../../worker/gateway/cache/cache-control.ts';

const NOW = Date.UTC(2026, 8, 1);

it.each<[string | null, number, boolean]>([
  [null, 0, false],
  ['', 0, false],
  ['no-cache', NOW, false],
  ['No-Cache', NOW, false],
  ['max-age=0', NOW, false],
  ['max-age=60', NOW - 60_000, false],
  ['max-age="60"', NOW - 60_000, false],
  ['private,  max-age=60 , foo', NOW - 60_000, false],
  ['max-age=60, max-age=5', NOW - 60_000, false],
  ['max-age=60, no-cache', NOW, false],
  ['only-if-cached', 0, true],
  ['max-age=60, only-if-cached', NOW - 60_000, true],
  // What can't be read changes nothing.
  ['max-age', 0, false],
  ['max-age=-1', 0, false],
  ['max-age=1.5', 0, false],
  ['max-age=1e3', 0, false],
  ['max-age = 60', 0, false],
  ['x-max-age=60', 0, false],
  ['max-age=99999999999999999999', 0, false],
  ['no-cachet', 0, false],
])('%j', (header, since, onlyIfCached) => {
  expect(parseCacheControl(header, NOW)).toEqual({ since, onlyIfCached });
});

it('of any header is a time that is not ahead', () => {
  const part = fc.oneof(
    fc.constantFrom('max-age=', 'no-cache', 'only-if-cached', ',', '=', '"', ' '),
    fc.nat().map(String),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(
      fc.array(part).map((parts) => parts.join('')),
      (header) => {
        const { since } = parseCacheControl(header, NOW);
        expect(Number.isSafeInteger(since) && since <= NOW).toBe(true);
      },
    ),
  );
});
