// Names that fit a pattern; which fields a query reaches is shown by the golden queries.
import { expect, it } from 'vitest';
import { createMappingLookup, matchesPattern } from '../../../../worker/sandbox/search/fields.ts';

it.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', 'a*bc', true],
  ['', '*', true],
  ['aba', 'ab*ba', false],
  ['abcabc', '*abc', true],
  ['abcabd', '*abc', false],
  ['a.c.b', 'a*b*c', false],
])('%s fits %s: %s', (name, pattern, fits) => {
  expect(matchesPattern(name, pattern)).toBe(fits);
});

it('a pattern of many stars is as quick as one', () => {
  expect(matchesPattern('a'.repeat(200), `${'a*'.repeat(5000)}b`)).toBe(false);
});

it.each(['__proto__', 'constructor', ''])('%j is no field', (path) => {
  const lookup = createMappingLookup({ properties: { name: { type: 'text' } } });
  expect(lookup.getField(path)).toBeUndefined();
});
