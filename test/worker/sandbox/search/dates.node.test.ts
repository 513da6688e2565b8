// Dates in text: formats, time zones and date math.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveDate } from '../../../../worker/sandbox/search/date-math.ts';
import { findZone, getDateFormat, parseDate, ValueError } from '../../../../worker/sandbox/search/dates.ts';

const parse = (format: string | undefined, text: string): string =>
  new Date(parseDate(getDateFormat(format), text)).toISOString();

describe('a format', () => {
  it.each([
    [undefined, '2024-01-02T03:04:05.678Z', '2024-01-02T03:04:05.678Z'],
    [undefined, '2024-01-02T03:04:05,6', '2024-01-02T03:04:05.600Z'],
    [undefined, '2024-01-02T03:04:05.123456789+01:30', '2024-01-02T01:34:05.123Z'],
    [undefined, '2024-01-02T03-08', '2024-01-02T11:00:00.000Z'],
    [undefined, '2024-02', '2024-02-01T00:00:00.000Z'],
    [undefined, '-1', '1969-12-31T23:59:59.999Z'],
    ['strict_date_time', '2024-01-02T03:04:05.678+00:00', '2024-01-02T03:04:05.678Z'],
    ['basic_date', '20240102', '2024-01-02T00:00:00.000Z'],
    ['epoch_second', '1.5', '1970-01-01T00:00:01.500Z'],
    ['yyyy-MM-dd HH:mm:ss', '0099-01-02 03:04:05', '0099-01-02T03:04:05.000Z'],
    ['d/M/yyyy', '2/1/2024', '2024-01-02T00:00:00.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSX", '2024-01-02T03:04:05.678+01', '2024-01-02T02:04:05.678Z'],
    ["yyyy 'o''clock' HH", "2024 o'clock 07", '2024-01-01T07:00:00.000Z'],
    ['yyyy-MM-dd[ HH:mm]', '2024-01-02 03:04', '2024-01-02T03:04:00.000Z'],
    ['yyyy-MM-dd[ HH:mm]', '2024-01-02', '2024-01-02T00:00:00.000Z'],
    ['yyyy.MM.dd', '2024.01.02', '2024-01-02T00:00:00.000Z'],
  ])('%s parses %s as %s', (format, text, expected) => {
    expect(parse(format, text)).toBe(expected);
  });

  it.each([
    ['yyyy.MM.dd', '2024x01x02'],
    ['yyyy-MM-dd[ HH:mm]', '2024-01-02 '],
    ['strict_date_time', '2024-01-02T03:04:05Z'],
    ['epoch_millis', '8640000000000001'],
    ['epoch_millis', '1e3'],
    ['d/M/yyyy', '31/4/2024'],
  ])('%s rejects %s', (format, text) => {
    expect(() => parse(format, text)).toThrow(ValueError);
  });

  it('parses any text to a date or throws a ValueError', () => {
    const piece = fc.constantFrom(..."y yyyy MM M dd HH S SSS X [ ] ' - || Q ( .".split(' '));
    const text = fc.string({ unit: fc.constantFrom(...'0123456789-:T. Z+'), maxLength: 70 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), text, (pattern, date) => {
        try {
          expect(Number.isFinite(parseDate(getDateFormat(pattern.join('')), date))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ValueError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a time zone', () => {
  const resolve = (text: string, roundUp = false): string => {
    const scope = { format: getDateFormat(), now: () => 0, zone: findZone('Europe/Paris') };
    return new Date(resolveDate(scope, text, { roundUp })).toISOString();
  };

  it.each([
    ['Z', 0],
    ['UTC', 0],
    ['+02:00', 120],
    ['-5', -300],
    ['+0530', 330],
    ['UTC+1', 60],
    ['UT-03:30', -210],
    ['+18:00', 1080],
    ['Asia/Kolkata', 330],
    ['America/New_York', -300],
  ])('%s is %d minutes east of UTC in January', (name, minutes) => {
    const winter = Date.parse('2024-01-15T12:00:00.123Z');
    expect(findZone(name).toLocalTime(winter)).toBe(winter + minutes * 60_000);
    expect(findZone(name).toInstant(winter + minutes * 60_000)).toBe(winter);
  });

  it.each([
    ...['', ' ', 'Mars', 'Mars/Olympus', '+19:00', '+01:60', '+1:2:3:4', 'Europe/Paris '],
    'x'.repeat(9999),
  ])('%j is rejected', (name) => {
    expect(() => findZone(name)).toThrow(ValueError);
  });

  it.each([
    ['summer time', '2024-07-02T00:00:00', '2024-07-01T22:00:00.000Z'],
    ['winter time', '2024-12-02T00:00:00', '2024-12-01T23:00:00.000Z'],
    ['a skipped hour, which is later', '2024-03-31T02:30:00', '2024-03-31T01:30:00.000Z'],
    ['a repeated hour, the first one', '2024-10-27T02:30:00', '2024-10-27T00:30:00.000Z'],
    ['a text with a zone', '2024-07-02T00:00:00Z', '2024-07-02T00:00:00.000Z'],
    ['a calendar day', '2024-03-30T12:00:00||+1d', '2024-03-31T10:00:00.000Z'],
    ['24 hours', '2024-03-30T12:00:00||+24h', '2024-03-31T11:00:00.000Z'],
    ['the start of a day', '2024-03-31T12:00:00||/d', '2024-03-30T23:00:00.000Z'],
    ['the start of a month', '2024-03-31T12:00:00||/M', '2024-02-29T23:00:00.000Z'],
    ['the start of a repeated hour', '2024-10-27T01:30:00Z||/h', '2024-10-27T01:00:00.000Z'],
    ['steps from left to right', '2024-10-26T02:30:00||+1d+1h', '2024-10-27T01:30:00.000Z'],
  ])('resolves %s', (_, text, expected) => {
    expect(resolve(text)).toBe(expected);
  });

  it('rounds a day of 23 hours up to its last millisecond', () => {
    expect(resolve('2024-03-31T12:00:00||/d', true)).toBe('2024-03-31T21:59:59.999Z');
  });

  it.each(['now-200000y', 'now+200000y', 'now-2000000000y', '0001||/y'])('resolves %s', (text) => {
    expect(resolve(text)).toMatch(/Z$/);
  });
});
