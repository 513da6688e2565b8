// MemberReader finds the same members as JSON.parse, and validates the whole line.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemberReader } from '../../../../worker/data-requests/ingest/member-reader.ts';
import { encode } from './files.ts';

const LEVELS = 6;
const names = ['id', 'website'];
const reader = new MemberReader(names, LEVELS);

/** Parses the whole line. @returns the requested members; undefined if the line is no object */
function parseWhole(line: Uint8Array): Record<string, unknown> | undefined {
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

/** Objects with and without white space, whose names need no escapes. */
const validLine = fc
  .tuple(fc.dictionary(name, value), fc.constantFrom(undefined, 1, '\t'))
  .map(([object, space]) => encode(JSON.stringify(object, null, space)));

/** Bytes with a meaning in JSON or UTF-8, and any others. */
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

/** Valid lines with a few replaced, added or removed bytes. */
const damagedLine = fc
  .tuple(validLine, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.array(byte, { maxLength: 2 }))))
  .map(([line, changes]) => {
    const bytes = [...line];
    for (const [at, removed, added] of changes) bytes.splice(at % (bytes.length + 1), removed, ...added);
    return Uint8Array.from(bytes);
  });

it('finds the same members as JSON.parse', () => {
  fc.assert(
    fc.property(validLine, (line) => {
      expect(read(line)).toEqual(parseWhole(line));
    }),
    { numRuns: 300 },
  );
});

it('accepts a line exactly if all of it is JSON in UTF-8', () => {
  fc.assert(
    fc.property(damagedLine, (line) => {
      // A damaged name may contain an escape, which the reader leaves to JSON.parse.
      if (reader.read(line) === undefined && line.includes(0x5c)) return;
      expect(read(line)).toEqual(parseWhole(line));
    }),
    { numRuns: 1_000 },
  );
});

it('keeps the digits, spelling and repetitions of members', () => {
  const json = '{ "id" : 7160958129345265665, "other": {"id": 3}, "id":"\\u0034" }';
  expect(reader.read(encode(json))).toBe('{"id" : 7160958129345265665,"id":"\\u0034"}');
});

it('returns undefined for escaped names and deep nesting', () => {
  expect(reader.read(encode('{"\\u0069d":1}'))).toBeUndefined();
  const nest = (levels: number) => encode(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
  expect(reader.read(nest(LEVELS))).toBe('{}');
  expect(reader.read(nest(LEVELS + 1))).toBeUndefined();
});
