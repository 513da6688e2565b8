// What is found of a record without reading all of it is what reading all of it would have found.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemberReader } from '../../../../worker/data-requests/ingest/member-reader.ts';
import { encode } from './files.ts';

const LEVELS = 6;
const names = ['id', 'website'];
const reader = new MemberReader(names, LEVELS);

/** The wanted members, found by reading all of it; undefined where it is no object. */
function readWhole(line: Uint8Array): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
  } catch {
    return undefined;
  }
}

function read(line: Uint8Array): unknown {
  const text = reader.read(line);
  return text === undefined ? undefined : JSON.parse(text);
}

const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
const name = fc.oneof(fc.constantFrom(...names), fc.stringMatching(/^[ a-z{}[\],:]{0,6}$/));

/** Objects whose names need no escapes, with or without white space. */
const record = fc
  .tuple(fc.dictionary(name, value), fc.constantFrom(undefined, 1, '\t'))
  .map(([object, space]) => encode(JSON.stringify(object, null, space)));

/** Bytes that mean something in JSON or in UTF-8, and any others. */
const byte = fc.oneof(
  fc.constantFrom(
    ...encode('"\\{}[],:0-+.eEu1tfn \t\r\n'),
    0,
    0x1f,
    0x7f,
    0x80,
    0xbf,
    0xc0,
    0xed,
    0xf4,
    0xff,
  ),
  fc.nat({ max: 255 }),
);

/** A line in which a few bytes are others, more or fewer. */
const damaged = fc
  .tuple(record, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.array(byte, { maxLength: 2 }))))
  .map(([line, changes]) => {
    const bytes = [...line];
    for (const [at, removed, put] of changes) bytes.splice(at % (bytes.length + 1), removed, ...put);
    return Uint8Array.from(bytes);
  });

const text = (json: string): unknown => reader.read(encode(json));

describe('a record', () => {
  it('has the members that reading all of it finds', () => {
    fc.assert(
      fc.property(record, (line) => {
        expect(read(line)).toEqual(readWhole(line));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is one exactly where all of it is JSON in UTF-8', () => {
    fc.assert(
      fc.property(damaged, (line) => {
        const whole = readWhole(line);
        // Where a name is escaped nothing is said; the changes may have put a backslash into one.
        if (reader.read(line) === undefined && line.includes(0x5c)) return;
        expect(read(line)).toEqual(whole);
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps the digits and the spelling of its members, as often as they come', () => {
    const json = '{ "id" : 7160958129345265665, "other": {"id": 3}, "id":"\\u0034" }';
    expect(text(json)).toBe('{"id" : 7160958129345265665,"id":"\\u0034"}');
  });

  it('is read as a whole where one of its names is escaped, or where it is nested deeper than it may be', () => {
    expect(text('{"\\u0069d":1}')).toBeUndefined();
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(text(nested(LEVELS))).toBe('{}');
    expect(text(nested(LEVELS + 1))).toBeUndefined();
  });
});
