// Serialisation of values between host and threads.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, unpack } from '../../../../addon/dev/host/threads/protocol.ts';

const values = fc.anything({
  withDate: true,
  withNullPrototype: false,
  key: fc.oneof(fc.constant('$'), fc.constant('value'), fc.string()),
});

test('round-trips values with dates, undefined and tag-like keys', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(unpack(pack(value))).toEqual(value);
    }),
    { seed: 11, numRuns: 500 },
  );
});

test('rejects functions, symbols and bigints', () => {
  for (const value of [() => 1, Symbol('s'), 1n]) expect(() => pack([value])).toThrow(TypeError);
});
