// Rows whose id is in the sheet: they are left as they are, or updated with a mark on what changes.
import { beforeEach, describe, expect, it } from 'vitest';
import { changedCellColour } from '../../../../shared/sheets/change-notes.ts';
import { companies, PushHarness } from './harness.ts';

let desk: PushHarness;
beforeEach(() => {
  desk = new PushHarness();
});

const day = '2026-03-01';
const was = (value: string): string => `Was “${value}” until ${day}`;

/** The same companies, some of what they hold replaced. */
const changed = (count: number, change: (row: unknown[], at: number) => unknown[]): unknown[][] =>
  companies(count).map(change);

describe('rows that are left as they are', () => {
  it('stay so in every cell, and those that are new come behind them', async () => {
    await desk.push(companies(3));
    desk.sheet.set(3, 2, { value: 'My own name' });
    const before = desk.sheet.values().slice(0, 4);
    const next = changed(5, ([id, , ...rest]) => [id, 'Other', ...rest]);
    const report = await desk.push(next, { existing: 'keep' });
    expect(report).toMatchObject({ outcome: 'done', unchanged: 3, updated: 0, appended: 2, left: 0 });
    expect(desk.sheet.values().slice(0, 4)).toEqual(before);
    const added = desk.sheet.values().slice(4);
    expect(added.map(([id, name]) => [id, name])).toEqual(next.slice(3).map(([id]) => [id, 'Other']));
  });
});

describe('rows that are updated', () => {
  it('have what they held in a note, and a light background, where a value changed', async () => {
    await desk.push(companies(3), { existing: 'mark' });
    const next = changed(3, ([id, name, founded, seen], at) =>
      at === 1 ? [id, 'Other', founded, '2026-02-28'] : [id, name, founded, seen],
    );
    const report = await desk.push(next, { existing: 'mark' });
    expect(report).toMatchObject({ outcome: 'done', unchanged: 2, updated: 1, appended: 0 });
    expect(desk.sheet.cell(3, 2)).toEqual({
      value: 'Other',
      note: was('Company 000002'),
      background: changedCellColour,
    });
    expect(desk.sheet.cell(3, 4)).toMatchObject({ note: was('2025-12-31'), background: changedCellColour });
    for (const [row, column] of [
      [2, 2],
      [3, 1],
      [3, 3],
      [4, 4],
    ] as const) {
      expect(desk.sheet.cell(row, column)?.note).toBeUndefined();
      expect(desk.sheet.cell(row, column)?.background).toBeUndefined();
    }
  });

  it('lose the mark of an earlier day where nothing changes any more, and keep colours and notes of people', async () => {
    await desk.push(companies(2));
    desk.sheet.setFormat(2, 2, { background: '#ff0000' });
    desk.sheet.setFormat(2, 3, { note: 'ask again', background: 'ACCENT1' });
    desk.sheet.setFormat(3, 3, { background: '#ffffff' });
    const other = changed(2, ([id, , founded, seen]) => [id, 'Other', Number(founded) + 1, seen]);
    await desk.push(other, { existing: 'mark' });
    expect(desk.sheet.cell(2, 2)).toMatchObject({ note: was('Company 000001'), background: '#ff0000' });
    expect(desk.sheet.cell(2, 3)).toMatchObject({ note: was('1990'), background: 'ACCENT1' });
    expect(desk.sheet.cell(3, 3)).toMatchObject({ note: was('1991'), background: changedCellColour });
    desk.sheet.setFormat(3, 4, { note: 'mine', background: changedCellColour });
    desk.now += 86_400_000;
    await desk.push(other, { existing: 'mark' });
    expect(desk.sheet.cell(2, 2)).toEqual({ value: 'Other', background: '#ff0000' });
    expect(desk.sheet.cell(3, 3)).toEqual({ value: 1992 });
    // It looks like a mark but says something else.
    expect(desk.sheet.cell(3, 4)).toMatchObject({ note: 'mine', background: changedCellColour });
  });

  it('have a note of 500 characters at most, and a blank for what was blank', async () => {
    await desk.push([['1', 'x'.repeat(40_000), null, null]]);
    await desk.push([['1', 'short', 5, null]], { existing: 'mark' });
    expect(desk.sheet.cell(2, 2)?.note).toBe(was('x'.repeat(500)));
    expect(desk.sheet.cell(2, 3)?.note).toBe(was(''));
  });

  it('are as many as a part can have, in bodies that Google takes', async () => {
    desk.sheet.rows = 2_001;
    await desk.push(companies(2_000).map(([id, , ...rest]) => [id, '€'.repeat(400), ...rest]));
    const next = companies(2_000).map(([id, name]) => [id, name, 'x', 'y']);
    const report = await desk.push(next, { existing: 'mark' });
    expect(report).toMatchObject({ outcome: 'done', updated: 2_000 });
    expect(desk.sheet.cell(2_001, 2)?.note).toBe(was('€'.repeat(400)));
    expect(Math.max(...desk.google.calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_000_000);
  });

  it('are marked though the write breaks in between, and once', async () => {
    await desk.push(companies(2));
    const next = changed(2, ([id, , ...rest]) => [id, 'Other', ...rest]);
    desk.google.faults.set(desk.google.count('write') + 2, { applied: true, outcome: 'lost' });
    expect(await desk.push(next, { existing: 'mark' })).toMatchObject({ unclear: 2 });
    expect(desk.sheet.cell(2, 2)).toMatchObject({ value: 'Other', note: was('Company 000001') });
    expect(await desk.push(next, { existing: 'mark' })).toMatchObject({ outcome: 'done', unchanged: 2 });
    expect(desk.sheet.cell(2, 2)).toMatchObject({ value: 'Other', note: was('Company 000001') });
  });
});
