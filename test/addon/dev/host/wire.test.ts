// Values on their way between the host and its threads.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, unpack } from '../../../../addon/dev/host/threads/serializer.ts';

const value = fc.anything({
  withDate: true,
  withNullPrototype: false,
  key: fc.oneof(fc.constant('$'), fc.constant('of'), fc.string()),
});

test('what is packed unpacks to the same, dates, undefined and marks among it', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(unpack(pack(given))).toEqual(given);
    }),
    { seed: 11, numRuns: 500 },
  );
});

test('functions, symbols and bigints are refused', () => {
  for (const given of [() => 1, Symbol('s'), 1n]) expect(() => pack([given])).toThrow(TypeError);
});
