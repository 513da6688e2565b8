// The fields of a mapping, found by path and by pattern.
import { describe, expect, it } from 'vitest';
import { fitsPattern, mappingLookup } from '../../../../worker/provider/search/fields.ts';
import type { Mapping } from '../../../../worker/provider/search/mapping.ts';

const mapping: Mapping = {
  properties: {
    name: { type: 'text', fields: { exact: { type: 'keyword' } } },
    logo: { type: 'binary' },
    book: { type: 'object', properties: { title: { type: 'text' } } },
    places: {
      type: 'nested',
      properties: {
        city: { type: 'text', fields: { exact: { type: 'keyword' } } },
        regions: { type: 'nested', properties: { region: { type: 'keyword' } } },
        point: { type: 'object', properties: { x: { type: 'double' } } },
      },
    },
  },
};

const lookup = mappingLookup(mapping);

describe('a mapping', () => {
  it.each([
    ['name', 'text', undefined],
    ['name.exact', 'keyword', undefined],
    ['book.title', 'text', undefined],
    ['places.city.exact', 'keyword', 'places'],
    ['places.point.x', 'double', 'places'],
    ['places.regions.region', 'keyword', 'places.regions'],
  ])('%s is %s in %s', (path, type, nestedPath) => {
    expect(lookup.field(path)).toMatchObject({ path, property: { type } });
    expect(lookup.field(path)?.nestedPath).toBe(nestedPath);
  });

  it.each(['places', 'book', 'nope', 'name.nope', '', '__proto__', 'constructor'])(
    '%j is no field',
    (path) => {
      expect(lookup.field(path)).toBeUndefined();
    },
  );

  it('tells nested objects, plain objects and fields apart', () => {
    const paths = ['places', 'places.regions', 'book', 'places.point', 'name', 'nope'];
    expect(paths.filter(lookup.nested)).toEqual(['places', 'places.regions']);
    expect(paths.filter(lookup.object)).toEqual(['places', 'places.regions', 'book', 'places.point']);
  });

  it('finds fields by pattern, in its own order', () => {
    const found = (pattern: string): string[] => lookup.matching(pattern).map(({ path }) => path);
    expect(found('name*')).toEqual(['name', 'name.exact']);
    expect(found('places.*.exact')).toEqual(['places.city.exact']);
    expect(found('*o*')).toEqual(['logo', 'book.title', 'places.regions.region', 'places.point.x']);
    expect(found('name')).toEqual(['name']);
    expect(found('x*')).toEqual([]);
  });

  it('looks for a text in every field that can be searched', () => {
    expect(lookup.defaults().map(({ path }) => path)).toEqual([
      'name',
      'name.exact',
      'book.title',
      'places.city',
      'places.city.exact',
      'places.regions.region',
      'places.point.x',
    ]);
  });
});

describe('a pattern', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'ab', false],
    ['abc', 'a*c', true],
    ['abc', 'a*bc', true],
    ['abc', '*', true],
    ['', '*', true],
    ['aba', 'ab*ba', false],
    ['abcabc', '*abc', true],
    ['abcabd', '*abc', false],
    ['a.b.c', 'a*b*c', true],
    ['a.c.b', 'a*b*c', false],
  ])('%s fits %s: %s', (name, pattern, fits) => {
    expect(fitsPattern(name, pattern)).toBe(fits);
  });

  it('of many stars is as quick as one', () => {
    expect(fitsPattern('a'.repeat(200), `${'a*'.repeat(5000)}b`)).toBe(false);
  });
});
