// Record values in cells: types stay and formulas never run.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { isSameValue, toCell, toTimeCell } from '../../../../shared/table/cells.ts';
import { PushHarness, toColumns } from './harness.ts';

let harness: PushHarness;
beforeEach(() => {
  harness = new PushHarness();
  harness.columns = toColumns('id', 'name');
});

/** Pushes values into a column. @returns the values of its cells */
async function pushAndRead(values: readonly unknown[]): Promise<unknown[]> {
  harness.sheet.rows = values.length + 1;
  const report = await harness.push(values.map((value, at) => [String(at), value]));
  expect(report).toMatchObject({ outcome: 'done', appended: values.length });
  return values.map((_, at) => harness.sheet.cell(at + 2, 2)?.value ?? '');
}

describe('a text', () => {
  const formulaLike = ['=', '+', '-', '@', '\t', '\r', '\n', "'"].flatMap((first) =>
    ['', '1', '1+1', 'HYPERLINK("https://evil.example","x")', ' =1', 'cmd|’/c calc’!A1'].map(
      (rest) => first + rest,
    ),
  );
  const numbers = ['1234567890123456789', '0012', '1e9', 'TRUE', '1/2', '12:30', '31.12.2025', '#REF!', '$5'];

  it.each([
    ['looks like a formula', formulaLike],
    ['looks like a number, a date or an error', numbers],
  ])('that %s stays the same text', async (_, texts) => {
    expect(await pushAndRead(texts)).toEqual(texts);
    expect(harness.sheet.formulaCount).toBe(0);
  });

  it('of any kind stays the same, also when pushed again', async () => {
    const starts = fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", '"', '\\', '\u2028', '');
    const texts = fc.array(
      fc.tuple(starts, fc.string({ unit: 'grapheme', maxLength: 20 })).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        harness = new PushHarness();
        harness.columns = toColumns('id', 'name');
        expect(await pushAndRead(values)).toEqual(values);
        expect(harness.sheet.formulaCount).toBe(0);
        const again = await harness.push(values.map((value, at) => [String(at), value]));
        expect(again).toMatchObject({ unchanged: values.length, updated: 0 });
      }),
      { numRuns: 25 },
    );
  });

  it('is truncated at the cell limit between characters and loses control characters', () => {
    expect(toCell('x'.repeat(60_000)).value).toHaveLength(49_999);
    const truncated = toCell(`x${'😀'.repeat(30_000)}`).value;
    expect(truncated).toHaveLength(49_999);
    expect(String(truncated).isWellFormed()).toBe(true);
    expect(toCell('a\u0000b\u001bc\td\ne').value).toBe('abc\td\ne');
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
    expect(toCell(value)).toEqual({ value: cell });
  });

  it.each([
    ['1900-01-01', 2, 'date'],
    ['2024-02-29', 45_351, 'date'],
    ['2025-12-31 18:00:00', 46_022.75, 'dateTime'],
    ['9999-12-31', 2_958_465, 'date'],
  ])('%s becomes a serial number', (text, value, format) => {
    expect(toCell(text)).toEqual({ value, format });
  });

  it('of an invalid date stays text', () => {
    const texts = ['1899-12-31', '2025-02-29', '2025-01-01 24:00:00', '2025-01-01T10:00:00Z', '2025-1-1'];
    for (const text of texts) expect(toCell(text)).toEqual({ value: text });
  });

  it('of any JSON type becomes a string, a boolean or a finite number', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { value: cell } = toCell(value);
        expect(
          typeof cell === 'number' ? Number.isFinite(cell) : ['string', 'boolean'].includes(typeof cell),
        ).toBe(true);
        if (typeof value === 'string') expect(typeof cell).toBe('string');
      }),
    );
  });

  it.each([
    ['a\r\nb', 'a\nb', true],
    [46_022.123_456_789_1, 46_022.123_456_789_2, true],
    [1, 2, false],
    [1, '1', false],
    ['', false, false],
    ['acme.example', 'https://www.acme.example/', true],
    ['acme.example', 'https://acme.example/jobs', false],
    ['', 'https://acme.example', false],
  ])('%j and %j are the same: %s', (left, right, isSame) => {
    expect(isSameValue(left, right)).toBe(isSame);
  });
});

it('a count gets thousands separators; years and ids do not', async () => {
  harness.columns = toColumns('id', 'followers', 'founded').map((column) => ({ ...column, path: column.id }));
  await harness.push([['1', 12_345, 1999]]);
  expect([1, 2, 3].map((column) => harness.sheet.cell(2, column)?.format ?? '')).toEqual(['', '#,##0', '']);
});

describe('a time', () => {
  it.each([
    ['Europe/Berlin', 13],
    ['Asia/Kolkata', 17.5],
    ['Etc/UTC', 12],
    ['Nowhere/At all', 12],
  ])('becomes the local time of %s', (zone, hours) => {
    const { value, format } = toTimeCell(Date.UTC(2026, 0, 1, 12), zone);
    expect(format).toBe('dateTime');
    expect(value).toBeCloseTo(46_023 + hours / 24, 9);
  });
});
