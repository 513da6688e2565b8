// The shared tables through the gateway, in a closed sheet.
import { expect, it } from 'vitest';
import {
  caseColumns,
  caseTime,
  describeRow,
  firstRows,
  type TableCase,
  tableCases,
} from '../../../table-cases.ts';
import { PushHarness } from './harness.ts';

/** Writes the first rows, changes the sheet, and writes the others. */
async function write({ changes, mode, rows }: TableCase) {
  const harness = new PushHarness();
  harness.now = caseTime;
  harness.columns = caseColumns;
  harness.target = { ...harness.target, keyId: 'c1' };
  await harness.push(firstRows, { existing: 'keep', synced: false });
  // The label of the last push is not part of the table.
  harness.sheet.set(1, caseColumns.length + 2, undefined);
  for (const change of changes) harness.sheet.shift(change);
  const report = await harness.push(rows, { existing: mode === 'append' ? 'keep' : 'mark', synced: false });
  return { report, sheet: harness.sheet };
}

it.each(tableCases)('$name: in a closed sheet as in an open one', async (table) => {
  const { report, sheet } = await write(table);
  if (table.expected instanceof RegExp) {
    expect(report).toMatchObject({ outcome: 'failed', appended: 0, updated: 0 });
    expect(report.problem?.detail).toMatch(table.expected);
    return;
  }
  const shown = Array.from({ length: sheet.rows }, (_, row) =>
    describeRow(Array.from({ length: sheet.columns }, (_, column) => sheet.cell(row + 1, column + 1) ?? {})),
  );
  while (shown.at(-1) === '') shown.pop();
  expect(shown).toEqual(table.expected);
});
