// The shared tables through the Sheets API, in a closed sheet.
import { expect, it } from 'vitest';
import {
  type CellValue,
  isSameValue,
  type TableCell,
  toCell,
  toIdText,
} from '../../../../shared/table/cells.ts';
import { matchRows, placeRows, planRows } from '../../../../shared/table/plan.ts';
import { applyWrites } from '../../../../worker/tables/push/apply-writes.ts';
import { findTable, readIdColumn } from '../../../../worker/tables/push/find-table.ts';
import {
  caseColumns,
  caseTime,
  caseZone,
  describeRow,
  firstRows,
  type TableCase,
  tableCases,
} from '../../../table-cases.ts';
import { PushHarness } from './harness.ts';

const blank = { id: '', entries: caseColumns.map(() => ({ value: '' })) };

/** Writes rows as a push never does: in place of all others, or without cells of a person. */
async function writePlan(
  { pusher: { client }, sheet, target }: PushHarness,
  { mode, keepsChanges, typed = [], rows }: TableCase,
): Promise<void> {
  const table = { ...target, columns: caseColumns };
  const location = await findTable(client, table);
  const ids = await readIdColumn(client, table, location);
  const first = location.headingRow + 1;
  const getColumn = (at: number): number => location.columns[at] ?? 0;
  const records = rows.map((values) => ({
    id: toIdText(values[0]),
    entries: values.map((value, at) => toCell(at === 0 ? Number(value) : value, caseColumns[at]?.path)),
  }));
  const all = [...records, ...ids.slice(records.length).map(() => blank)];
  const read = (row: number) =>
    caseColumns.map((_, at) => sheet.cell(first + row, getColumn(at))?.value ?? '');
  const plan = planRows(
    mode === 'replace' ? placeRows(all, 0, ids.length) : matchRows(records, ids),
    { read, end: ids.length },
    {
      mode,
      columns: caseColumns.map((_, at) => at),
      idColumn: 0,
      isEqual: (cell: CellValue, { value }: TableCell) => isSameValue(cell, value),
      isKept: (row, at) =>
        keepsChanges === true &&
        typed.some((cell) => cell.row === first + row && cell.column === getColumn(at)),
    },
  );
  const writes = plan.map(({ record, row, changed }) => ({
    row: first + row,
    cells: record.entries.map((entry, at) => (changed.includes(at) ? entry : undefined)),
    previous: read(row),
  }));
  await applyWrites(client, target.spreadsheetId, location, writes);
}

/** Writes the first rows, changes the sheet, and writes the others. */
async function write(table: TableCase) {
  const { changes, typed = [], mode, keepsChanges, rows } = table;
  const harness = new PushHarness();
  harness.now = caseTime;
  harness.spreadsheet.timeZone = caseZone;
  harness.columns = caseColumns;
  harness.target = { ...harness.target, keyId: 'c1' };
  await harness.push(firstRows, { mode: 'append', synced: false });
  // The label of the last push is not part of the table.
  harness.sheet.set(1, caseColumns.length + 2, undefined);
  for (const change of changes) harness.sheet.shift(change);
  for (const { row, column, value } of typed)
    harness.sheet.set(row, column, value === '' ? undefined : { value });
  if (mode === 'replace' || keepsChanges === true) {
    await writePlan(harness, table);
    return { sheet: harness.sheet };
  }
  const report = await harness.push(rows, { mode, synced: false });
  return { report, sheet: harness.sheet };
}

it.each(tableCases)('$name: in a closed sheet as in an open one', async (table) => {
  const { report, sheet } = await write(table);
  const { expected } = table;
  if (expected instanceof RegExp) {
    expect(report).toMatchObject({ outcome: 'failed', appended: 0, updated: 0 });
    expect(report?.problem?.detail).toMatch(expected);
    return;
  }
  const shown = Array.from({ length: sheet.rows }, (_, row) =>
    describeRow(Array.from({ length: sheet.columns }, (_, column) => sheet.cell(row + 1, column + 1) ?? {})),
  );
  while (shown.at(-1) === '') shown.pop();
  // Marks of changes come with a push.
  const lines =
    report === undefined ? expected.map((line) => line.replaceAll(/ \(Was .*?\)/g, '')) : expected;
  expect(shown).toEqual(lines);
});
