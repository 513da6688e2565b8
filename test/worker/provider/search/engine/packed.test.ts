// What is packed comes out as it went in, and scores are computed in Lucene's arithmetic.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack, packDocs, packNumber, Unpacker } from '../../../../../worker/provider/search/engine/packed.ts';
import { jsonParts } from '../../../../../worker/provider/search/engine/rows.ts';
import {
  inverseDocumentFrequency,
  lengthByte,
  scorer,
} from '../../../../../worker/provider/search/engine/score.ts';

describe('packed numbers', () => {
  it('come out as they went in', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 30 - 1 })), (numbers) => {
        const unpacker = new Unpacker(numbers.map(pack).join(''));
        expect(numbers.map(() => unpacker.next())).toEqual(numbers);
        expect(unpacker.more).toBe(false);
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
    while (unpacker.more) {
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
    const parts = jsonParts(rows);
    expect(parts.flatMap((part): unknown[] => JSON.parse(part))).toEqual(rows);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(600_000);
    expect(jsonParts([])).toEqual([]);
  });
});

describe('the length byte', () => {
  it.each([
    [0, 0],
    [1, 1],
    [39, 39],
    [40, 40],
    [41, 40],
    [42, 41],
    [55, 47],
    [56, 48],
    [100, 57],
    [1000, 87],
    [65_535, 135],
    [2 ** 31 - 1, 255],
  ])('of %i terms is %i', (length, byte) => expect(lengthByte(length)).toBe(byte));

  it('never falls', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(lengthByte(Math.min(a, b))).toBeLessThanOrEqual(lengthByte(Math.max(a, b)));
      }),
    );
  });
});

describe('BM25', () => {
  it('gives Lucene’s scores to the last bit', () => {
    const field = { docs: 5, tokens: 20 };
    const score = scorer(field, inverseDocumentFrequency(5, 4), 1);
    expect([score(2, 3), score(1, 3), score(1, 9), score(1, 2)].map((value) => Math.fround(value))).toEqual(
      [0.42547938, 0.320456, 0.19034603, 0.3616575].map(Math.fround),
    );
  });
});
