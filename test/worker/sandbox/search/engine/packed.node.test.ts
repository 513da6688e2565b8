// Packed numbers and JSON chunks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  pack,
  packDocs,
  packNumber,
  toJsonChunks,
  Unpacker,
} from '../../../../../worker/sandbox/search/engine/codec/packed.ts';

describe('packed numbers', () => {
  it('are unpacked to the same integers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 30 - 1 })), (numbers) => {
        const unpacker = new Unpacker(numbers.map(pack).join(''));
        expect(numbers.map(() => unpacker.next())).toEqual(numbers);
        expect(unpacker.hasMore).toBe(false);
      }),
    );
  });

  it('are unpacked to the same numbers of any kind', () => {
    const anyNumber = fc.oneof(
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    );
    fc.assert(
      fc.property(fc.array(anyNumber), (numbers) => {
        const unpacker = new Unpacker(numbers.map(packNumber).join(''));
        for (const number of numbers) expect(unpacker.nextNumber()).toBe(Object.is(number, -0) ? 0 : number);
      }),
    );
  });

  it('need no escapes in JSON', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.nat(), (number, count) => {
        const text = packNumber(number) + pack(count);
        expect(JSON.stringify(text)).toBe(`"${text}"`);
      }),
    );
  });

  it('of several document lists can be concatenated', () => {
    const unpacker = new Unpacker(packDocs([3, 3, 70]) + packDocs([71, 5000]));
    const docs: number[] = [];
    while (unpacker.hasMore) {
      let doc = 0;
      for (let left = unpacker.next(); left > 0; left -= 1) {
        doc += unpacker.next();
        docs.push(doc);
      }
    }
    expect(docs).toEqual([3, 3, 70, 71, 5000]);
  });
});

it('splits rows into JSON arrays of bounded length', () => {
  const rows = Array.from({ length: 300 }, (_, at) => [at, 'x'.repeat(at % 7 === 0 ? 200_000 : 10_000)]);
  const chunks = toJsonChunks(rows);
  expect(chunks.flatMap((chunk): unknown[] => JSON.parse(chunk))).toEqual(rows);
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(600_000);
  expect(toJsonChunks([])).toEqual([]);
});
