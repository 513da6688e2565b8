// One spelling for a JSON text: the same question however it was written, and never the same for two questions.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalizeJson } from '../../../../worker/gateway/cache/canonical-json.ts';

const json = fc.jsonValue({ maxDepth: 4 });
const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n  ');

/** Writes a value with its names in another order and white space anywhere. */
function spelled(value: unknown, chance: () => string): string {
  const gap = chance();
  if (Array.isArray(value))
    return `[${gap}${value.map((item) => spelled(item, chance)).join(`${gap},`)}]${gap}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) + gap;
  const members = Object.entries(value).map(
    ([name, member]) => `${gap}${JSON.stringify(name)}${gap}:${gap}${spelled(member, chance)}`,
  );
  return `{${members.reverse().join(',')}${gap}}`;
}

describe('the canonical spelling', () => {
  it('is the same for any order of names and any white space', () => {
    fc.assert(
      fc.property(json, fc.infiniteStream(space), (value, spaces) => {
        const chance = (): string => spaces.next().value ?? '';
        expect(canonicalizeJson(spelled(value, chance))).toBe(canonicalizeJson(JSON.stringify(value)));
      }),
    );
  });

  it('means the same as what was written, and is its own canonical spelling', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        const canonical = canonicalizeJson(text) ?? '';
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
        expect(canonicalizeJson(canonical)).toBe(canonical);
      }),
    );
  });

  it('keeps numbers as they were written: some ids are beyond what JavaScript holds', () => {
    expect(canonicalizeJson('{"id": 9007199254740993}')).toBe('{"id":9007199254740993}');
    expect(canonicalizeJson('[1.0, 1, 1e400, -0]')).toBe('[1.0,1,1e400,-0]');
  });

  it('keeps a name that stands twice twice, in the order in which it was written', () => {
    expect(canonicalizeJson('{"b":1,"a":2,"b":3}')).toBe('{"a":2,"b":1,"b":3}');
    expect(canonicalizeJson('{"b":3,"a":2,"b":1}')).toBe('{"a":2,"b":3,"b":1}');
  });

  it('does not tell names apart by how they are escaped', () => {
    expect(canonicalizeJson('{"\\u0061":"\\u00e9"}')).toBe(canonicalizeJson('{"a":"é"}'));
    expect(canonicalizeJson('{"__proto__":1,"constructor":2}')).toBe('{"__proto__":1,"constructor":2}');
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{"a" 1}',
    "{'a':1}",
    '{a:1}',
    '// a\n1',
    '/* a */ 1',
    '1 2',
    'nul',
    '"\n"',
    '01',
    '[1}',
    '"a',
    '\ufeff{}',
  ])('is none for %j, which is no JSON', (text) => {
    expect(canonicalizeJson(text)).toBeUndefined();
  });

  it('of anything is a spelling only where it is JSON', () => {
    const broken = fc
      .tuple(json, fc.nat(), fc.string({ unit: 'grapheme-ascii', maxLength: 2 }))
      .map(([value, at, added]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + added + text.slice(place + 1);
      });
    fc.assert(
      fc.property(broken, (text) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          expect(canonicalizeJson(text)).toBeUndefined();
          return;
        }
        expect(JSON.parse(canonicalizeJson(text) ?? '')).toEqual(parsed);
      }),
    );
  });

  it('is none for what is nested too deep, and takes no long', () => {
    const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(canonicalizeJson(deep(100))).toBe(deep(100));
    expect(canonicalizeJson(deep(120_000))).toBeUndefined();
  });
});
