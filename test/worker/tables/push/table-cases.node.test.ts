// The shared tables through the Sheets API, in a closed sheet.
import { expect, it } from 'vitest';
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

/** Writes the first rows, changes the sheet, and writes the others. */
async function write({ changes, typed = [], rows }: TableCase, mode: 'append' | 'update') {
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
  const report = await harness.push(rows, { mode, synced: false });
  return { report, sheet: harness.sheet };
}

// A push neither replaces rows nor keeps changed cells.
const pushed = tableCases.flatMap(({ mode, ...table }) =>
  mode === 'replace' || table.keepsChanges ? [] : [{ ...table, mode }],
);

it.each(pushed)('$name: in a closed sheet as in an open one', async (table) => {
  const { report, sheet } = await write(table, table.mode);
  const { expected } = table;
  if (expected instanceof RegExp) {
    expect(report).toMatchObject({ outcome: 'failed', appended: 0, updated: 0 });
    expect(report.problem?.detail).toMatch(expected);
    return;
  }
  const shown = Array.from({ length: sheet.rows }, (_, row) =>
    describeRow(Array.from({ length: sheet.columns }, (_, column) => sheet.cell(row + 1, column + 1) ?? {})),
  );
  while (shown.at(-1) === '') shown.pop();
  expect(shown).toEqual(expected);
});
