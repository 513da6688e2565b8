// CSV is read as spreadsheets save it, and what the exports write can be read.
import { describe, expect, it } from 'vitest';
import { csvStart, formatCsvRow, readCsv } from '../../../shared/lib/csv.ts';

describe('CSV', () => {
  it.each([',', ';', '\t'])('with %j between cells, quotes, line breaks and empty lines', (separator) => {
    const text = ['a,b', '"1,;\t""x""","2\r\n3"', '', ',', 'c,'].join('\n').replaceAll(/,(?!;)/g, separator);
    expect(readCsv(csvStart + text)).toEqual({
      rows: [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1,;\t"x"', '2\r\n3'] },
        { line: 6, cells: ['c'] },
      ],
    });
  });

  it.each([
    ['a,b\n1,"2', 2],
    ['a,b\n1,"2"3\n', 2],
    ['a,b\n1,2"3"\n', 2],
  ])('%j names the broken line', (text, brokenLine) => {
    expect(readCsv(text)).toEqual({ rows: [{ line: 1, cells: ['a', 'b'] }], brokenLine });
  });

  it('returns the texts of an export without their guards', () => {
    const cells = ['=1', '+1@acme.com', ' -x', '@', "'quoted", 'a"b,c'];
    expect(readCsv(formatCsvRow(cells)).rows[0]?.cells).toEqual(cells);
  });

  it('reads a long line in linear time', () => {
    const text = `"${'""'.repeat(200_000)}"`;
    expect(readCsv(text).rows[0]?.cells[0]).toHaveLength(200_000);
    expect(readCsv('"'.repeat(300_001)).brokenLine).toBe(1);
  });
});
