// Values of documents, in the form in which they are indexed.
import { describe, expect, it } from 'vitest';
import { ValueError } from '../../../../worker/provider/search/value-error.ts';
import { indexedValue, type ValueProperty } from '../../../../worker/provider/search/values.ts';

describe('a value of a document', () => {
  it.each<[ValueProperty, string | number | boolean | bigint, unknown]>([
    [{ type: 'text' }, 'Ab C', 'Ab C'],
    [{ type: 'text' }, 5, '5'],
    [{ type: 'keyword' }, true, 'true'],
    [{ type: 'keyword', ignore_above: 3 }, 'abc', 'abc'],
    [{ type: 'keyword', ignore_above: 3 }, 'abcd', undefined],
    [{ type: 'integer' }, '12', 12],
    [{ type: 'integer' }, 12.9, 12],
    [{ type: 'integer' }, -12.9, -12],
    [{ type: 'byte' }, 1, 1],
    [{ type: 'long' }, '7123456789012345678', 7_123_456_789_012_345_678n],
    [{ type: 'long' }, 7_123_456_789_012_345_678n, 7_123_456_789_012_345_678n],
    [{ type: 'long' }, 5n, 5],
    [{ type: 'float' }, 0.1, Math.fround(0.1)],
    [{ type: 'double' }, '0.1', 0.1],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, '', false],
    [{ type: 'date', format: 'yyyy-MM-dd' }, '2024-01-02', Date.UTC(2024, 0, 2)],
    [{ type: 'date' }, 5, 5],
  ])('%j %s is %s', (property, value, expected) => {
    expect(indexedValue(property, value)).toBe(expected);
  });

  it.each<[ValueProperty, string | number | boolean, string]>([
    [{ type: 'byte' }, 128, 'Value [128] is out of range for a byte'],
    [{ type: 'integer' }, '1e10', 'Value [1e10] is out of range for an integer'],
    [{ type: 'integer' }, 'ten', 'For input string: "ten"'],
    [{ type: 'long' }, '9223372036854775808', 'Value [9223372036854775808] is out of range for a long'],
    [{ type: 'double' }, '1e999', '[double] supports only finite values, but got [Infinity]'],
    [{ type: 'boolean' }, 'yes', "Can't parse boolean value [yes], expected [true] or [false]"],
    [
      { type: 'date', format: 'yyyy-MM-dd' },
      'now',
      'failed to parse date field [now] with format [yyyy-MM-dd]',
    ],
  ])('%j %s: %s', (property, value, message) => {
    expect(() => indexedValue(property, value)).toThrow(new ValueError(message));
  });
});
