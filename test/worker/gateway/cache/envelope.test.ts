// What is remembered comes back as it was, or not at all.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Content,
  decodeAlias,
  decodeEnvelope,
  type Envelope,
  encodeAlias,
  encodeEnvelope,
  encodeRecord,
  type RecordContent,
} from '../../../../worker/gateway/cache/envelope.ts';

const record = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
const content: fc.Arbitrary<Content> = fc.oneof(
  record.map((value): Content => ({ kind: 'record', record: value })),
  fc.string().map((body): Content => ({ kind: 'missing', body })),
  fc
    .tuple(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }))
    .map(([items, headers]): Content => ({ kind: 'page', items, headers })),
);
const envelope: fc.Arbitrary<Envelope> = fc.record({
  content,
  fetchedAt: fc.nat(),
  freshUntil: fc.nat(),
  keepUntil: fc.integer({ min: 1, max: 2 ** 45 }),
});

describe('an envelope', () => {
  it('comes back as it was, until its time is over', () => {
    fc.assert(
      fc.property(envelope, (one) => {
        const text = encodeEnvelope(one);
        // As JSON has it: -0 is 0 there.
        const { content: written, ...times } = JSON.parse(JSON.stringify(one));
        expect(decodeEnvelope(text, one.keepUntil - 1)).toEqual({ content: written, ...times });
        expect(decodeEnvelope(text, one.keepUntil)).toBeUndefined();
        expect(decodeAlias(text)).toBeUndefined();
      }),
    );
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
  ])('is not what %j says', (text) => {
    expect(decodeEnvelope(text, 0)).toBeUndefined();
  });
});

describe('the text of a record', () => {
  it('is the same whether it was stored or comes from the provider', () => {
    fc.assert(
      fc.property(record, fc.nat(), (value, fetchedAt) => {
        const content: RecordContent = { kind: 'record', record: value };
        const text = encodeEnvelope({ content, fetchedAt, freshUntil: 1, keepUntil: 2 });
        const read = decodeEnvelope(text, 0)?.content;
        expect(read?.kind === 'record' && encodeRecord(read)).toBe(encodeRecord(content));
      }),
    );
  });

  it('may hold what ends an envelope', () => {
    const content: RecordContent = {
      kind: 'record',
      record: { a: {}, fetched_at: 1, fresh_until: 2, keep_until: 3 },
    };
    const text = encodeEnvelope({ content, fetchedAt: 4, freshUntil: 5, keepUntil: 6 });
    expect(decodeEnvelope(text, 0)).toEqual({ content, fetchedAt: 4, freshUntil: 5, keepUntil: 6 });
  });
});

describe('an alias', () => {
  it('leads to the name that was written', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(decodeAlias(encodeAlias(name))).toBe(name);
      }),
    );
  });

  it.each(['', '{"record_name":7}', '{"record_name":"a"', '"record_name"', ' '])(
    'is not what %j says',
    (text) => {
      expect(decodeAlias(text)).toBeUndefined();
    },
  );
});
