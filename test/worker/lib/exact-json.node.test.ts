// JSON keeps all digits of integers, and every name.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../shared/lib/is-object.ts';
import { ExactJson, parseExactly, stringifyExactly } from '../../../worker/lib/exact-json.ts';

/** Integers of any length as JSON values with bigints: safe ones are numbers, as the parser returns them. */
const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map((value) => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
});
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    integer,
    fc.string(),
    fc.constantFrom(null, true, 'urn:li:activity:7012345678901234567', ', 7012345678901234567]'),
    fc.array(tie('json')),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('json'), { noNullPrototype: true }),
  ),
}));

const toStrings = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(toStrings);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toStrings(member)]))
    : value;
};

describe('a JSON text', () => {
  it('is written with all digits and parsed to the same value, with bigints or strings for long integers', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = stringifyExactly(value);
        expect(parseExactly(text, BigInt)).toStrictEqual(value);
        expect(parseExactly(text)).toStrictEqual(toStrings(value));
        const spaced = text.replaceAll(/(?<=[[{,:])(?=-?\d)/g, '\n ');
        if (!/[^\]}\d\s,:[{-]/.test(text)) expect(parseExactly(spaced, BigInt)).toStrictEqual(value);
      }),
    );
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['[1, 9007199254740993 ]', [1, '9007199254740993']],
    [
      '{"a":12345678901234567.5,"b":1e20,"c":9007199254740993.0}',
      { a: Number('12345678901234567.5'), b: 1e20, c: 9007199254740992 },
    ],
    ['"9007199254740993"', '9007199254740993'],
  ])('%s is parsed to %j', (text, value) => {
    expect(parseExactly(text)).toEqual(value);
  });

  it('keeps a member named __proto__', () => {
    const text = '{"__proto__":{"id":9007199254740993},"a":1}';
    expect(stringifyExactly(parseExactly(text, BigInt))).toBe(text);
  });

  it('of a cycle is refused as JSON.stringify refuses it', () => {
    const value: unknown[] = [];
    value.push(value);
    expect(() => stringifyExactly(value)).toThrow(TypeError);
  });
});

describe('an exact value', () => {
  it('is parsed only when it is read, once', () => {
    const data = new ExactJson('{"id":9007199254740993}', isObject);
    expect(data.value).toEqual({ id: '9007199254740993' });
    expect(data.exact).toEqual({ id: 9007199254740993n });
    expect(data.value).toBe(data.value);
    const short = new ExactJson('{"id":1}', isObject);
    expect(short.exact).toBe(short.value);
  });

  it('of another shape is refused', () => {
    expect(() => new ExactJson('[]', isObject).value).toThrow(TypeError);
  });
});
