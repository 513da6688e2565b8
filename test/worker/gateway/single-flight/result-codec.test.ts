// Rows on their way from a flight to who asked: they arrive as they left, whatever is in them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Content } from '../../../../worker/gateway/cache/envelope.ts';
import { decodeResult, encodeResult } from '../../../../worker/gateway/single-flight/result-codec.ts';
import type { CallResult } from '../../../../worker/gateway/single-flight/types.ts';

/** As JSON has it: what is told goes through it. */
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const content: fc.Arbitrary<Content> = fc.oneof(
  fc
    .dictionary(fc.string(), fc.jsonValue())
    .map((record) => ({ kind: 'record' as const, record: json(record) })),
  fc.string().map((body) => ({ kind: 'missing' as const, body })),
  fc.array(fc.jsonValue()).map((items) => ({
    kind: 'page' as const,
    items: json(items),
    headers: { 'x-total-results': '1' },
  })),
);
const time = fc.integer({ min: 0, max: 4e12 });

it('an answer arrives as it left, however long its time is over', () => {
  fc.assert(
    fc.property(content, time, time, time, (found, fetchedAt, freshUntil, keepUntil) => {
      const row: CallResult = {
        name: 'name',
        outcome: 'coalesced',
        credits: 0,
        reserved: { remaining: null, held: 10 },
        size: 7,
        envelope: { content: found, fetchedAt, freshUntil, keepUntil },
      };
      const came = decodeResult(json(encodeResult(row)));
      if (!('envelope' in came)) throw new Error('the answer is lost');
      const { envelope, ...told } = came;
      const { envelope: sent, ...rest } = row;
      expect(told).toEqual(rest);
      expect(json(envelope)).toEqual(json(sent));
    }),
  );
});

it('what is no envelope is not taken for an answer', () => {
  const row = { name: 'one', outcome: 'hit', credits: 0, size: 2, text: '{}' } as const;
  expect(() => decodeResult(row)).toThrow('invalid envelope');
});
