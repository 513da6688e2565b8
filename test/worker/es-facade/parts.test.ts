// Parts of the façade by themselves.
import { describe, expect, it } from 'vitest';
import { writeDate } from '../../es-facade/date-text.ts';
import { writeJson } from '../../es-facade/json.ts';
import { resolveIndexes } from '../../es-facade/names.ts';
import { filterAnswer, filterSource } from '../../es-facade/path-filter.ts';
import { shownSettings } from '../../es-facade/settings.ts';

describe('filter_path', () => {
  const value = {
    took: 1,
    hits: { total: 2, hits: [{ _id: '1', _source: { a: 1, b: { a: 2 } } }, { _id: '2' }] },
  };
  it.each([
    ['took', { took: 1 }],
    ['hits.total', { hits: { total: 2 } }],
    ['hits.hits._id', { hits: { hits: [{ _id: '1' }, { _id: '2' }] } }],
    ['**.a', { hits: { hits: [{ _source: { a: 1, b: { a: 2 } } }] } }],
    ['hits.hits._s*.b', { hits: { hits: [{ _source: { b: { a: 2 } } }] } }],
    ['-hits', { took: 1 }],
    ['hits,-hits.hits', { hits: { total: 2 } }],
    ['nothing', {}],
    ['-*', {}],
  ])('%s', (filter, told) => {
    expect(filterAnswer(value, filter)).toEqual(told);
  });
});

describe('a source', () => {
  const source = { a: { b: 1, c: [{ d: 2, e: 3 }] }, 'f.g': 4, h: null };
  it.each([
    [['a'], [], { a: { b: 1, c: [{ d: 2, e: 3 }] } }],
    [['a.c.d'], [], { a: { c: [{ d: 2 }] } }],
    [['*.d', 'h'], [], { a: { c: [{ d: 2 }] }, h: null }],
    [['f.g'], [], { 'f.g': 4 }],
    [[], ['a.c', 'f*'], { a: { b: 1 }, h: null }],
    [['a'], ['*.e'], { a: { b: 1, c: [{ d: 2 }] } }],
    [['nothing'], [], {}],
  ])('with %j and without %j', (includes, excludes, shown) => {
    expect(filterSource(source, { includes, excludes })).toEqual(shown);
  });
});

describe('names of indexes', () => {
  const existing = ['a-1', 'a-2', 'b'];
  const strict = { ignoreUnavailable: false, allowNone: true };
  it.each([
    [undefined, ['a-1', 'a-2', 'b']],
    ['_all', ['a-1', 'a-2', 'b']],
    ['b,a-1', ['a-1', 'b']],
    ['a-*', ['a-1', 'a-2']],
    ['*,-a-1', ['a-2', 'b']],
    ['z*', []],
  ])('%s', (expression, names) => {
    expect(resolveIndexes(expression, existing, strict)).toEqual(names);
  });

  it('are complained of where there are none', () => {
    expect(() => resolveIndexes('z', existing, strict)).toThrow('no such index [z]');
    expect(() => resolveIndexes('z*', existing, { ...strict, allowNone: false })).toThrow(
      'no such index [z*]',
    );
    expect(resolveIndexes('z,b', existing, { ...strict, ignoreUnavailable: true })).toEqual(['b']);
  });
});

it('a number that is not exact is told with an exponent', () => {
  expect(writeJson(1.2e18)).toBe('1.2e+18');
});

describe('a date', () => {
  const instant = Date.UTC(2024, 0, 2, 3, 4, 5, 678);
  it.each([
    ['strict_date_optional_time', '2024-01-02T03:04:05.678Z'],
    ['epoch_millis', '1704164645678'],
    ['epoch_second', '1704164645'],
    ['yyyy-MM-dd HH:mm:ss.SSS', '2024-01-02 03:04:05.678'],
    ["dd.MM.uuuu 'at' HH:mm", '02.01.2024 at 03:04'],
    ['basic_date', '20240102'],
    ['yyyy||epoch_millis', '2024'],
  ])('in the format %s', (format, text) => {
    expect(writeDate(format, instant)).toBe(text);
  });

  it('is not written in a format that is none', () => {
    expect(() => writeDate('QQ', instant)).toThrow('Unknown pattern letter: Q');
  });
});

it('settings are shown as objects', () => {
  expect(shownSettings({ 'index.a': '1', 'index.b.c': '2', 'index.b.d': '3' })).toEqual({
    index: { a: '1', b: { c: '2', d: '3' } },
  });
});
