// Whatever people do to a sheet between pushes, each push writes right cells of the right rows, or stops with a sentence; other
// sheets are never written.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MetadataEntry } from '../../../../addon/dev/host/types.ts';
import { pickRuns } from '../../../pick-cases.ts';
import { checkNames, type TableChange, tableChange, toWrite } from '../../../table-changes.ts';
import { companies, PushHarness } from './harness.ts';

/** Makes a change in a closed sheet. */
function applyClosed({ sheet, spreadsheet }: PushHarness, change: TableChange): void {
  const { kind, at } = change;
  const values = sheet.values();
  const columns = Math.max(0, ...values.map(({ length }) => length));
  const heading = sheet.metadata.find(({ location }) => location.type === 'ROW')?.location;
  const top = heading?.type === 'ROW' ? heading.at : 0;
  const write = toWrite(change, sheet.sheetId, { rows: values.length, columns, top });
  const cell = sheet.cell(top, 1 + (at % Math.max(2, columns)));
  if (kind === 'rename' && cell !== undefined) cell.value = `Spalte ${at}`;
  // An editor writes the marks of the table into another sheet.
  else if (kind === 'forge') {
    const [notes] = spreadsheet.sheets;
    const forge = (mark: MetadataEntry, nth: number): MetadataEntry => ({
      ...mark,
      id: 500_000 + at * 50 + nth,
      location: { ...mark.location, sheet: notes?.sheetId } as MetadataEntry['location'],
    });
    if (notes !== undefined && notes.metadata.length === 0) notes.metadata = sheet.metadata.map(forge);
  } else if (write !== undefined) sheet.apply(write);
}

it('a push updates the right cells of the right rows, or stops with a sentence, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tableChange, { minLength: 1, maxLength: 5 }), async (changes) => {
      const harness = new PushHarness();
      const { sheet, spreadsheet } = harness;
      const [notes] = spreadsheet.sheets;
      notes?.fill(1, 1, [
        ['id', 'name'],
        ['1', 'other'],
      ]);
      const names = new Map(companies(4).map(([id, name]) => [id, name]));
      await harness.push(companies(4), { synced: false });
      // The label of the last push is none of the table's cells.
      sheet.set(1, harness.columns.length + 2, undefined);
      // A table is made only once.
      harness.target = { ...harness.target, create: false };
      for (const each of changes) applyClosed(harness, each);
      const others = notes?.snapshot();
      const report = await harness.push(companies(4), { synced: false });
      if (report.outcome === 'failed') expect(report.problem?.detail).toMatch(/deleted|twice|moved/);
      expect(notes?.snapshot()).toEqual(others);
      const seen = checkNames(sheet.values(), names);
      if (report.outcome === 'done') expect(seen).toBe(names.size);
    }),
    { numRuns: pickRuns(50, 500), seed: 35 },
  );
});
