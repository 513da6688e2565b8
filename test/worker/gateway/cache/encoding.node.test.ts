// Stored forms: envelopes and aliases survive encoding, and equal JSON texts have one canonical form.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalizeJson } from '../../../../worker/gateway/cache/canonical-json.ts';
import { type Content, toPage, toRecord } from '../../../../worker/gateway/cache/content.ts';
import {
  decodeAlias,
  decodeEnvelope,
  type Envelope,
  encodeAlias,
  encodeEnvelope,
} from '../../../../worker/gateway/cache/envelope.ts';
import { parseExactly } from '../../../../worker/lib/exact-json.ts';

describe('an envelope', () => {
  const dictionary = <T>(value: fc.Arbitrary<T>) =>
    fc.dictionary(fc.string(), value, { noNullPrototype: true });
  const content: fc.Arbitrary<Content> = fc.oneof(
    dictionary(fc.jsonValue()).map((record): Content => toRecord(record)),
    fc.string().map((body): Content => ({ kind: 'missing', body })),
    fc
      .tuple(fc.array(fc.jsonValue()), dictionary(fc.string()))
      .map(([items, headers]): Content => toPage(items, headers)),
  );
  const envelope: fc.Arbitrary<Envelope> = fc.record({
    content,
    fetchedAt: fc.nat(),
    freshUntil: fc.nat(),
    keepUntil: fc.integer({ min: 1, max: 2 ** 45 }),
  });

  it('decodes to what was encoded, until it expires', () => {
    fc.assert(
      fc.property(envelope, (original) => {
        const text = encodeEnvelope(original);
        const decoded = decodeEnvelope(text, original.keepUntil - 1);
        expect(decoded).toEqual(original);
        expect(decodeEnvelope(text, original.keepUntil)).toBeUndefined();
        expect(decodeAlias(text)).toBeUndefined();
        const { content: encoded } = original;
        if (decoded?.content.kind === 'record' && encoded.kind === 'record')
          expect(decoded.content.record.value).toEqual(parseExactly(encoded.record.text));
        if (decoded?.content.kind === 'page' && encoded.kind === 'page')
          expect(decoded.content.items.value).toEqual(parseExactly(encoded.items.text));
      }),
    );
  });

  it('may contain a record with the names of its own fields', () => {
    const record = { a: {}, fetched_at: 1, fresh_until: 2, keep_until: 3 };
    const original: Envelope = {
      content: toRecord(record),
      fetchedAt: 4,
      freshUntil: 5,
      keepUntil: 6,
    };
    expect(decodeEnvelope(encodeEnvelope(original), 0)).toEqual(original);
  });

  it.each([
    '',
    'x',
    'null',
    '[]',
    '{}',
    encodeAlias('company_clean:id:7'),
    '{"content":{"kind":"record"},"fetched_at":1,"fresh_until":2,"keep_until":9}',
    '{"content":{"kind":"other","record":{}},"fetched_at":1,"fresh_until":2,"keep_until":9}',
    '{"content":{"kind":"record","record":{}},"fetched_at":"1","fresh_until":2,"keep_until":9}',
  ])('is not decoded from %j', (text) => {
    expect(decodeEnvelope(text, 0)).toBeUndefined();
  });
});

describe('an alias', () => {
  it('decodes to the name that was encoded', () => {
    fc.assert(fc.property(fc.string(), (name) => decodeAlias(encodeAlias(name)) === name));
  });

  it.each(['', '{"record_name":7}', '{"record_name":"a"', '"record_name"'])(
    'is not decoded from %j',
    (text) => {
      expect(decodeAlias(text)).toBeUndefined();
    },
  );
});

describe('canonical JSON', () => {
  const json = fc.jsonValue({ maxDepth: 4 });

  /** Writes a value with its names in reverse order and with white space anywhere. */
  function respell(value: unknown, nextSpace: () => string): string {
    const space = nextSpace();
    if (Array.isArray(value))
      return `[${space}${value.map((item) => respell(item, nextSpace)).join(`${space},`)}]${space}`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) + space;
    const properties = Object.entries(value).map(
      ([name, item]) => `${space}${JSON.stringify(name)}${space}:${space}${respell(item, nextSpace)}`,
    );
    return `{${properties.reverse().join(',')}${space}}`;
  }

  it('is the same for any order of names and any white space, and keeps the value', () => {
    const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n  ');
    fc.assert(
      fc.property(json, fc.infiniteStream(space), (value, spaces) => {
        const text = JSON.stringify(value);
        const canonical = canonicalizeJson(text) ?? '';
        expect(canonicalizeJson(respell(value, () => spaces.next().value ?? ''))).toBe(canonical);
        expect(canonicalizeJson(canonical)).toBe(canonical);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    [
      'keeps numbers beyond the precision of JavaScript',
      '{"id": 9007199254740993}',
      '{"id":9007199254740993}',
    ],
    ['keeps the spelling of numbers', '[1.0, 1, 1e400, -0]', '[1.0,1,1e400,-0]'],
    ['keeps duplicate names in their order', '{"b":1,"a":2,"b":3}', '{"a":2,"b":1,"b":3}'],
    ['keeps duplicate names in another order', '{"b":3,"a":2,"b":1}', '{"a":2,"b":3,"b":1}'],
    ['unescapes names and values', '{"\\u0061":"\\u00e9"}', '{"a":"é"}'],
    ['keeps special names', '{"__proto__":1,"constructor":2}', '{"__proto__":1,"constructor":2}'],
    ['accepts deep nesting', '['.repeat(100) + ']'.repeat(100), '['.repeat(100) + ']'.repeat(100)],
  ])('%s', (_, text, canonical) => {
    expect(canonicalizeJson(text)).toBe(canonical);
  });

  const invalid = ['', ' ', '{', '[1,]', '{"a":1,}', '{"a" 1}', "{'a':1}", '{a:1}', '// a\n1', '/* a */ 1'];
  invalid.push('1 2', 'nul', '"\n"', '01', '[1}', '"a', '\ufeff{}');
  it.each(invalid)('refuses %j', (text) => {
    expect(canonicalizeJson(text)).toBeUndefined();
  });

  it('refuses nesting that is too deep', () => {
    expect(canonicalizeJson('['.repeat(120_000) + ']'.repeat(120_000))).toBeUndefined();
  });

  it('refuses exactly what JSON.parse refuses', () => {
    const broken = fc
      .tuple(json, fc.nat(), fc.string({ unit: 'grapheme-ascii', maxLength: 2 }))
      .map(([value, at, inserted]) => {
        const text = JSON.stringify(value);
        const index = at % (text.length + 1);
        return text.slice(0, index) + inserted + text.slice(index + 1);
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
});
