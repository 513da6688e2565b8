// Whatever a record holds lands in a cell as what it is, and nothing of it is ever run.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { isSameValue, toCellEntry, toDateTimeEntry } from '../../../../worker/tables/push/cells.ts';
import { PushHarness } from './harness.ts';

let desk: PushHarness;
beforeEach(() => {
  desk = new PushHarness();
  desk.columns = ['id', 'name'].map((heading) => ({ heading }));
});

/** Pushes values into a column and reads what stands there. */
async function landed(values: readonly unknown[]): Promise<unknown[]> {
  desk.sheet.rows = values.length + 1;
  const report = await desk.push(values.map((value, at) => [String(at), value]));
  expect(report).toMatchObject({ outcome: 'done', appended: values.length });
  return values.map((_, at) => desk.sheet.cell(at + 2, 2)?.value ?? '');
}

describe('a text', () => {
  const nasty = ['=', '+', '-', '@', '\t', '\r', '\n', "'"].flatMap((first) =>
    ['', '1', '1+1', 'HYPERLINK("https://evil.example","x")', ' =1', 'cmd|’/c calc’!A1'].map(
      (rest) => first + rest,
    ),
  );
  const numbers = ['1234567890123456789', '0012', '1e9', 'TRUE', '1/2', '12:30', '31.12.2025', '#REF!', '$5'];

  it.each([
    ['looks like a formula', nasty],
    ['looks like a number, a date or an error', numbers],
  ])('that %s lands as it is', async (_, texts) => {
    expect(await landed(texts)).toEqual(texts);
    expect(desk.sheet.formulaCount).toBe(0);
  });

  it('of any kind lands as it is, and pushed again is the same', async () => {
    const starts = fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", '"', '\\', '\u2028', '');
    const texts = fc.array(
      fc.tuple(starts, fc.string({ unit: 'grapheme', maxLength: 20 })).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        desk = new PushHarness();
        desk.columns = ['id', 'name'].map((heading) => ({ heading }));
        expect(await landed(values)).toEqual(values);
        expect(desk.sheet.formulaCount).toBe(0);
        const again = await desk.push(values.map((value, at) => [String(at), value]));
        expect(again).toMatchObject({ unchanged: values.length, updated: 0 });
      }),
      { numRuns: 25 },
    );
  });

  it('is cut at what a cell holds, never within a character, and without what no cell holds', () => {
    expect(toCellEntry('x'.repeat(60_000)).value).toHaveLength(50_000);
    const cut = toCellEntry(`x${'😀'.repeat(30_000)}`).value;
    expect(cut).toHaveLength(50_000);
    expect(String(cut).isWellFormed()).toBe(true);
    expect(toCellEntry('a\u0000b\u001bc\td\ne').value).toBe('abc\td\ne');
  });
});

describe('a value', () => {
  it.each([
    [42, 42],
    [-0.5, -0.5],
    [true, true],
    [false, false],
    [null, ''],
    [undefined, ''],
    [Number.NaN, ''],
    [Number.POSITIVE_INFINITY, ''],
    [999_999_999_999_999, 999_999_999_999_999],
    [1_000_000_000_000_000, '1000000000000000'],
    [2 ** 63, '9223372036854775808'],
    [['a', null, 1, { b: 2 }], 'a; 1; {"b":2}'],
    [{ a: [1] }, '{"a":[1]}'],
    [['=1'], '=1'],
  ])('%j becomes %j', (value, cell) => {
    expect(toCellEntry(value)).toEqual({ value: cell });
  });

  it.each([
    ['1900-01-01', 2, 'date'],
    ['1970-01-01', 25_569, 'date'],
    ['2024-02-29', 45_351, 'date'],
    ['2025-12-31 18:00:00', 46_022.75, 'dateTime'],
    ['9999-12-31', 2_958_465, 'date'],
  ])('%s is a date by its serial number', (text, value, format) => {
    expect(toCellEntry(text)).toEqual({ value, format });
  });

  it.each([
    '1899-12-31',
    '2025-02-29',
    '2025-13-01',
    '2025-01-01 24:00:00',
    '2025-01-01T10:00:00Z',
    '2025-1-1',
  ])('%s stays a text', (text) => {
    expect(toCellEntry(text)).toEqual({ value: text });
  });

  it('of any kind becomes what a cell can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { value: cell } = toCellEntry(value);
        expect(
          typeof cell === 'number' ? Number.isFinite(cell) : ['string', 'boolean'].includes(typeof cell),
        ).toBe(true);
        if (typeof value === 'string') expect(typeof cell).toBe('string');
      }),
    );
  });

  it('is the same whatever way Sheets writes it', () => {
    expect(isSameValue('a\r\nb', 'a\nb')).toBe(true);
    expect(isSameValue(46_022.123_456_789_1, 46_022.123_456_789_2)).toBe(true);
    expect(isSameValue(1, 2)).toBe(false);
    expect(isSameValue(1, '1')).toBe(false);
    expect(isSameValue('', false)).toBe(false);
  });
});

describe('a date with time', () => {
  it.each([
    ['Europe/Berlin', 13],
    ['Asia/Kolkata', 17.5],
    ['Etc/UTC', 12],
    ['Nowhere/At all', 12],
  ])('is shown as the clocks of %s have it', (zone, hours) => {
    const { value, format } = toDateTimeEntry(Date.UTC(2026, 0, 1, 12), zone);
    expect(format).toBe('dateTime');
    expect(value).toBeCloseTo(46_023 + hours / 24, 9);
  });
});
