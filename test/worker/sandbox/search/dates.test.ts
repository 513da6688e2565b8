// Dates as text: formats by name and by pattern.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getDateFormat, parseDate } from '../../../../worker/sandbox/search/dates.ts';
import { ValueError } from '../../../../worker/sandbox/search/value-error.ts';

const read = (format: string | undefined, text: string): string =>
  new Date(parseDate(getDateFormat(format), text)).toISOString();

describe('a date', () => {
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
  ])('%s: %s is %s', (format, text, expected) => {
    expect(read(format, text)).toBe(expected);
  });

  it.each([
    ['yyyy.MM.dd', '2024x01x02'],
    ['yyyy-MM-dd[ HH:mm]', '2024-01-02 '],
    ['strict_date_time', '2024-01-02T03:04:05Z'],
    ['epoch_millis', '8640000000000001'],
    ['epoch_millis', '1e3'],
    ['d/M/yyyy', '31/4/2024'],
  ])('%s: %s is none', (format, text) => {
    expect(() => read(format, text)).toThrow(ValueError);
  });

  it('any text under any format is a date or a ValueError', () => {
    const piece = fc.constantFrom(
      'y',
      'yyyy',
      'MM',
      'M',
      'dd',
      'HH',
      'S',
      'SSS',
      'X',
      '[',
      ']',
      "'",
      '-',
      '||',
      'Q',
      '(',
      '.',
    );
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789-:T. Z+'), maxLength: 70 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), digits, (pattern, text) => {
        try {
          expect(Number.isFinite(parseDate(getDateFormat(pattern.join('')), text))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ValueError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
