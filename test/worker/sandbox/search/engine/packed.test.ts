// What is packed comes out as it went in.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  pack,
  packDocs,
  packNumber,
  Unpacker,
} from '../../../../../worker/sandbox/search/engine/codec/packed.ts';
import { toJsonChunks } from '../../../../../worker/sandbox/search/engine/index/json-chunks.ts';

describe('packed numbers', () => {
  it('come out as they went in', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 30 - 1 })), (numbers) => {
        const unpacker = new Unpacker(numbers.map(pack).join(''));
        expect(numbers.map(() => unpacker.next())).toEqual(numbers);
        expect(unpacker.hasMore).toBe(false);
      }),
    );
  });

  it('of any kind come out as they went in', () => {
    const any = fc.oneof(
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    );
    fc.assert(
      fc.property(fc.array(any), (numbers) => {
        const unpacker = new Unpacker(numbers.map(packNumber).join(''));
        for (const number of numbers) expect(unpacker.nextNumber()).toBe(Object.is(number, -0) ? 0 : number);
      }),
    );
  });

  it('need no escape in JSON', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.nat(), (number, count) => {
        const text = packNumber(number) + pack(count);
        expect(JSON.stringify(text)).toBe(`"${text}"`);
      }),
    );
  });

  it('as lists of documents can be put one behind the other', () => {
    const unpacker = new Unpacker(packDocs([3, 3, 70]) + packDocs([71, 5000]));
    const read: number[] = [];
    while (unpacker.hasMore) {
      let doc = 0;
      for (let left = unpacker.next(); left > 0; left -= 1) {
        doc += unpacker.next();
        read.push(doc);
      }
    }
    expect(read).toEqual([3, 3, 70, 71, 5000]);
  });
});

describe('rows', () => {
  it('are cut into parameters of bounded length, none lost', () => {
    const rows = Array.from({ length: 300 }, (_, at) => [at, 'x'.repeat(at % 7 === 0 ? 200_000 : 10_000)]);
    const parts = toJsonChunks(rows);
    expect(parts.flatMap((part): unknown[] => JSON.parse(part))).toEqual(rows);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(600_000);
    expect(toJsonChunks([])).toEqual([]);
  });
});
