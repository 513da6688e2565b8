// Attacks on the memory of an isolate by closed sheets with very many rows: a run reads a bounded part of them.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../shared/table/cells.ts';
import type { EnrichmentRow } from '../../../worker/db/schema.ts';
import { maxClosedRows, readKeyRows } from '../../../worker/tables/enrichments/sheet-rows.ts';
import { findEndRow, readIdColumn } from '../../../worker/tables/push/find-table.ts';
import type { SheetsClient } from '../../../worker/tables/push/sheets-client.ts';

const row: Pick<EnrichmentRow, 'spreadsheet' | 'family' | 'by' | 'query'> = {
  spreadsheet: { id: 'book', sheet_id: 1 },
  family: 'company_clean',
  by: 'website',
  query: null,
};

const locate = (rows: number) => ({
  sheet: { title: 'Sheet', sheetId: 1, rows, columns: 2, timeZone: 'UTC' },
  headingRow: 1,
  columns: [1, 2],
  headings: ['Website', 'Name'],
  idColumn: 1,
  end: undefined,
});

/** Reads a sheet of two columns. @param getKey - of a row; '' for none */
async function read(rows: number, getKey: (at: number) => string, isWanted?: (name: string) => boolean) {
  let calls = 0;
  const client: Pick<SheetsClient, 'getValues'> = {
    getValues: async (_, [range = '']) => {
      calls += 1;
      const [first = 0, last = 0] = [...range.matchAll(/\d+/g)].map(Number);
      return [Array.from({ length: last - first + 1 }, (__, at): CellValue[] => [getKey(first + at), 'x'])];
    },
  };
  const found = readKeyRows(client, row, locate(rows), isWanted === undefined ? {} : { isWanted });
  return { rows: await found.then((list) => list.length, String), calls: () => calls };
}

it('a sheet with as many keys as allowed is read', async () => {
  expect((await read(maxClosedRows + 1, (at) => `c${at}.example`)).rows).toBe(maxClosedRows);
});

it('a closed sheet with a million keys is kept filled: stopped with a sentence, after a few blocks', async () => {
  const { rows, calls } = await read(1_000_000, (at) => `c${at}.example`);
  expect(rows).toContain('more than 25,000 rows with a key');
  expect(calls()).toBeLessThan(8);
});

it('a closed sheet of a million rows with few keys is kept filled: stopped with a sentence', async () => {
  const { rows, calls } = await read(1_000_000, (at) => (at % 1000 === 0 ? `c${at}.example` : ''));
  expect(rows).toContain('more than 200,000 rows');
  expect(calls()).toBeLessThan(45);
});

it('rows that no answer is for are not kept', async () => {
  const { rows } = await read(
    20_000,
    (at) => `c${at}.example`,
    (name) => name === 'website:c7.example',
  );
  expect(rows).toBe(1);
});

describe('a table is refreshed in a closed sheet', () => {
  const target = { spreadsheetId: 'book', sheetId: 1, tableId: 'table', columns: [], keyId: 'id' };

  /** A sheet with cells in some rows. Like Google, it leaves out empty rows at the end of a range. */
  function createClient(used: readonly number[]) {
    const ranges: string[] = [];
    const client: Pick<SheetsClient, 'getValues'> = {
      getValues: async (_, [range = '']) => {
        ranges.push(range);
        const [first = 0, last = 0] = [...range.matchAll(/\d+/g)].map(Number);
        const end = used.findLast((at) => at >= first && at <= last);
        const rows = end === undefined ? 0 : end - first + 1;
        return [Array.from({ length: rows }, (__, at) => (used.includes(first + at) ? [first + at] : []))];
      },
    };
    return { client, ranges };
  }

  it('of many rows: its ids and its end are found block by block, over empty blocks', async () => {
    const { client } = createClient([2, 4, 15_003]);
    const ids = await readIdColumn(client, target, locate(30_000));
    expect([ids.length, ids[0], ids[1], ids[2], ids[15_001]]).toEqual([15_002, 2, '', 4, 15_003]);
    expect(await findEndRow(client, target, locate(30_000).sheet, 4)).toBe(15_004);
  });

  it('of a million rows: stopped with a sentence, after a bounded number of calls', async () => {
    const { client, ranges } = createClient([2]);
    await expect(readIdColumn(client, target, locate(1_000_000))).rejects.toThrow('more than 200,000 rows');
    await expect(findEndRow(client, target, locate(1_000_000).sheet, 4)).rejects.toThrow(
      'more than 200,000 rows',
    );
    expect(ranges.length).toBeLessThanOrEqual(80);
  });
});
