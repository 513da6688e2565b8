// Pushes of rows into a spreadsheet: upserts, marks, interrupted writes and unsuitable sheets.
import { beforeEach, describe, expect, it } from 'vitest';
import { changedCellColour } from '../../../../shared/table/plan.ts';
import { googleError } from './fake-google.ts';
import { type FakeSheet, markTable } from './fake-sheet.ts';
import { companies, PushHarness } from './harness.ts';

let harness: PushHarness;
beforeEach(() => {
  harness = new PushHarness();
});

/** Serial numbers of 2025-12-31 and of the start of the tests. */
const DAY = 46_022;
const NOON = 46_082.5;
const HEAD = ['id', 'name', 'founded', 'seen', '', 'Last synced', NOON];
const row = (nth: number): unknown[] => [...(companies(1, nth)[0] ?? []).slice(0, 2), 1990, DAY];
const rows = (count: number): unknown[][] =>
  Array.from({ length: count }, (_, at) => [...row(at + 1).slice(0, 2), 1990 + at, DAY]);

describe('a first push', () => {
  it('writes headings, rows and the sync time into an empty sheet', async () => {
    const report = await harness.push(companies(3));
    expect(report).toMatchObject({
      outcome: 'done',
      appended: 3,
      updated: 0,
      headingRow: 1,
    });
    expect(harness.sheet.values()).toEqual([HEAD, ...rows(3)]);
    expect(harness.sheet.cell(2, 4)?.format).toBe('yyyy-mm-dd');
    expect(harness.sheet.cell(1, 7)?.format).toBe('yyyy-mm-dd hh:mm:ss');
    expect(harness.spreadsheet.sheets[0]?.values()).toEqual([]);
  });

  it('counts rows without an id and duplicates, of which the last wins', async () => {
    const [first = []] = companies(1);
    const report = await harness.push([
      first,
      [null, 'nobody'],
      ['', 'nobody'],
      [first[0], 'New name', 1990, '2025-12-31'],
    ]);
    expect(report).toMatchObject({ appended: 1, outcome: 'done' });
    expect(harness.sheet.cell(2, 2)?.value).toBe('New name');
  });
});

describe('a second push', () => {
  it('of the same rows changes only the sync time', async () => {
    await harness.push(companies(5));
    const before = harness.sheet.snapshot();
    const writes = harness.google.count('write');
    const report = await harness.push(companies(5));
    expect(report).toMatchObject({ outcome: 'done', unchanged: 5, updated: 0, appended: 0 });
    expect(harness.sheet.snapshot()).toEqual(before);
    expect(harness.google.count('write')).toBe(writes + 1);
  });

  it('finds the table in a lower row after its headings were renamed, and a sync label that a person wrote', async () => {
    harness.sheet.fill(1, 1, [['Last synced'], [], ['name', 'id'], ['Old', 42]]);
    harness.mark(3);
    harness.sheet.fill(3, 1, [['Firma', 'Nr.']]);
    const report = await harness.push([
      [42, 'New', 1, null],
      ['43', 'Other', 2, null],
    ]);
    expect(report).toMatchObject({
      outcome: 'done',
      updated: 1,
      appended: 1,
      headingRow: 3,
    });
    expect(harness.sheet.values()).toEqual([
      ['Last synced', NOON],
      [],
      ['Firma', 'Nr.'],
      ['New', 42],
      ['Other', 43],
    ]);
  });
});

describe('an interrupted push', () => {
  const many = (count: number): unknown[][] =>
    companies(count).map(([id, , ...rest]) => [id, `${String(id)} ${'x'.repeat(4_000)}`, ...rest]);

  it('reports what was written, and its repetition writes only the rest', async () => {
    await harness.push([]);
    // The second body of values is lost; grid rows and formats are writes too.
    harness.google.faults.set(harness.google.count('write') + 4, { applied: false, outcome: 'lost' });
    const report = await harness.push(many(800));
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'google_unavailable' } });
    const written = harness.sheet.values().length - 1;
    expect(written).toBeGreaterThan(300);
    expect(written).toBeLessThan(800);
    const again = await harness.push(many(800));
    expect(again).toMatchObject({ outcome: 'done', unchanged: written, appended: 800 - written });
    expect(
      harness.sheet
        .values()
        .slice(1)
        .map(([id]) => id),
    ).toEqual(many(800).map(([id]) => id));
  });

  it('writes nothing twice after a lost response', async () => {
    await harness.push([]);
    harness.google.faults.set(harness.google.count('write') + 2, { applied: true, outcome: 'lost' });
    const report = await harness.push(companies(10));
    expect(report).toMatchObject({ outcome: 'failed', appended: 0 });
    expect(await harness.push(companies(10))).toMatchObject({ outcome: 'done', unchanged: 10, appended: 0 });
    expect(harness.sheet.values()).toHaveLength(11);
  });

  it('writes nothing twice when Google fails after applying a write', async () => {
    await harness.push([]);
    const outcome = googleError(503, 'The service is currently unavailable.');
    harness.google.faults.set(harness.google.count('write') + 2, { applied: true, outcome });
    expect(await harness.push(companies(10))).toMatchObject({ outcome: 'done', appended: 10 });
    expect(harness.sheet.values().slice(1)).toEqual(rows(10));
  });
});

describe('an unsuitable sheet', () => {
  it('is not read for a table without an id column', async () => {
    harness.target = { ...harness.target, keyId: 'number' };
    const report = await harness.push(companies(2));
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'invalid_request' } });
    expect(harness.google.calls).toEqual([]);
  });

  it('is reported as missing when it was deleted', async () => {
    harness.target = { ...harness.target, sheetId: 99 };
    const report = await harness.push(companies(1));
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'sheet_missing' } });
    expect(report.problem?.detail).toBe('The sheet of this table was deleted.');
    expect(harness.google.count('write')).toBe(0);
  });

  const table = [
    ['id', 'name', 'founded', 'seen'],
    ['1', 'a'],
  ];
  it.each<[string, (sheet: FakeSheet) => void, string]>([
    [
      'that holds other things',
      (sheet) => sheet.fill(1, 1, [['Dear diary'], ['id', 'name']]),
      'were deleted',
    ],
    [
      'whose heading row was deleted',
      (sheet) => sheet.shift({ axis: 'row', at: 1, count: -1 }),
      'heading row was deleted',
    ],
    [
      'whose id column was deleted',
      (sheet) => sheet.shift({ axis: 'column', at: 1, count: -1 }),
      'column “id” was deleted',
    ],
    ['whose headings were moved away', (sheet) => sheet.fill(1, 1, [['', '', '', '']]), 'moved or deleted'],
    [
      'with a column that carries the marks of another',
      (sheet) => {
        const [first] = sheet.metadata.filter(({ location }) => location.type === 'COLUMN');
        if (first === undefined) throw new Error('no mark');
        const location = { type: 'COLUMN', sheet: sheet.sheetId, at: 9 } as const;
        sheet.metadata = [...sheet.metadata, { ...first, id: 999, location }];
      },
      'twice',
    ],
    [
      'with another table below',
      (sheet) => {
        sheet.fill(5, 1, [['id', 'name']]);
        markTable(sheet, 'other', harness.columns, 5);
      },
      'no room',
    ],
  ])('%s is refused and stays unchanged', async (_, change, words) => {
    if (words !== 'were deleted') {
      harness.sheet.fill(1, 1, table);
      harness.mark();
    }
    change(harness.sheet);
    const before = harness.sheet.snapshot();
    const report = await harness.push(companies(1));
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'sheet_refused' } });
    expect(report.problem?.detail).toContain(words);
    expect(harness.sheet.snapshot()).toEqual(before);
  });

  it('gets the headings once: a table that was deleted there is not made again', async () => {
    await harness.push(companies(1));
    harness.target = { ...harness.target, create: false };
    harness.sheet.shift({ axis: 'column', at: 1, count: -7 });
    expect(await harness.push(companies(1))).toMatchObject({ problem: { code: 'sheet_refused' } });
    expect(harness.sheet.values()).toEqual([]);
  });

  it('never receives rows because another sheet has the headings or copies of the marks', async () => {
    await harness.push(companies(1));
    harness.target = { ...harness.target, create: false };
    const copy = harness.spreadsheet.copySheet(harness.sheet, 8, true);
    harness.sheet.fill(1, 1, [['Nr.', 'Firma', 'x', 'y']]);
    const before = copy.snapshot();
    expect(await harness.push(companies(2))).toMatchObject({ outcome: 'done', appended: 1 });
    harness.spreadsheet.sheets.splice(1, 1);
    expect(await harness.push(companies(3))).toMatchObject({ problem: { code: 'sheet_missing' } });
    expect(copy.snapshot()).toEqual(before);
  });
});

const was = (value: string): string => `Was “${value}” until 2026-03-01`;

const changeRows = (count: number, change: (row: unknown[], at: number) => unknown[]): unknown[][] =>
  companies(count).map(change);

describe('existing rows', () => {
  it('stay unchanged in mode `keep`, with new rows after them', async () => {
    await harness.push(companies(3));
    harness.sheet.set(3, 2, { value: 'My own name' });
    const before = harness.sheet.values().slice(0, 4);
    const next = changeRows(5, ([id, , ...rest]) => [id, 'Other', ...rest]);
    const report = await harness.push(next, { mode: 'append' });
    expect(report).toMatchObject({ outcome: 'done', unchanged: 3, updated: 0, appended: 2 });
    expect(harness.sheet.values().slice(0, 4)).toEqual(before);
    const added = harness.sheet.values().slice(4);
    expect(added.map(([id, name]) => [id, name])).toEqual(next.slice(3).map(([id]) => [id, 'Other']));
  });

  it('get a note with the previous value and a light background in mode `mark`', async () => {
    await harness.push(companies(3));
    const next = changeRows(3, ([id, name, founded, seen], at) =>
      at === 1 ? [id, 'Other', founded, '2026-02-28'] : [id, name, founded, seen],
    );
    const report = await harness.push(next);
    expect(report).toMatchObject({ outcome: 'done', unchanged: 2, updated: 1, appended: 0 });
    expect(harness.sheet.cell(3, 2)).toEqual({
      value: 'Other',
      note: was('Company 000002'),
      background: changedCellColour,
    });
    expect(harness.sheet.cell(3, 4)).toMatchObject({
      note: was('2025-12-31'),
      background: changedCellColour,
    });
    for (const [row, column] of [
      [2, 2],
      [3, 1],
      [3, 3],
      [4, 4],
    ] as const) {
      expect(harness.sheet.cell(row, column)?.note).toBeUndefined();
      expect(harness.sheet.cell(row, column)?.background).toBeUndefined();
    }
  });

  it('lose marks of an earlier day and keep colours and notes of people', async () => {
    await harness.push(companies(2));
    harness.sheet.setFormat(2, 2, { background: '#ff0000' });
    harness.sheet.setFormat(2, 3, { note: 'ask again', background: 'ACCENT1' });
    harness.sheet.setFormat(3, 3, { background: '#ffffff' });
    const other = changeRows(2, ([id, , founded, seen]) => [id, 'Other', Number(founded) + 1, seen]);
    await harness.push(other);
    expect(harness.sheet.cell(2, 2)).toMatchObject({ note: was('Company 000001'), background: '#ff0000' });
    expect(harness.sheet.cell(2, 3)).toMatchObject({ note: was('1990'), background: 'ACCENT1' });
    expect(harness.sheet.cell(3, 3)).toMatchObject({ note: was('1991'), background: changedCellColour });
    harness.sheet.setFormat(3, 4, { note: 'mine', background: changedCellColour });
    harness.now += 86_400_000;
    await harness.push(other);
    expect(harness.sheet.cell(2, 2)).toEqual({ value: 'Other', background: '#ff0000' });
    expect(harness.sheet.cell(3, 3)).toEqual({ value: 1992 });
    expect(harness.sheet.cell(3, 4)).toMatchObject({ note: 'mine', background: changedCellColour });
  });

  it('get notes of at most 500 characters', async () => {
    await harness.push([['1', 'x'.repeat(40_000), null, null]]);
    await harness.push([['1', 'short', 5, null]]);
    expect(harness.sheet.cell(2, 2)?.note).toBe(was('x'.repeat(500)));
    expect(harness.sheet.cell(2, 3)?.note).toBe(was(''));
  });

  it('are marked in bodies of at most 2 MB', async () => {
    harness.sheet.rows = 2_001;
    await harness.push(companies(2_000).map(([id, , ...rest]) => [id, '€'.repeat(400), ...rest]));
    const next = companies(2_000).map(([id, name]) => [id, name, 'x', 'y']);
    const report = await harness.push(next);
    expect(report).toMatchObject({ outcome: 'done', updated: 2_000 });
    expect(harness.sheet.cell(2_001, 2)?.note).toBe(was('€'.repeat(400)));
    expect(Math.max(...harness.google.calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_000_000);
  });

  it('get links with short texts, in bodies of at most 2 MB', async () => {
    harness.sheet.rows = 1_001;
    const toUrl = (at: number): string => `https://www.acme.example/${at}/${'€'.repeat(400)}/`;
    await harness.push(companies(1_000).map(([id, , ...rest], at) => [id, toUrl(at), ...rest]));
    expect(harness.sheet.cell(1_001, 2)).toMatchObject({
      value: `acme.example/999/${'€'.repeat(400)}`,
      link: toUrl(999),
    });
    expect(Math.max(...harness.google.calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_000_000);
    const writes = harness.google.count('write');
    await harness.push(
      companies(1_000).map(([id, , ...rest], at) => [id, toUrl(at), ...rest]),
      { synced: false },
    );
    expect(harness.google.count('write')).toBe(writes);
  });

  it('are marked once when a write is interrupted', async () => {
    await harness.push(companies(2));
    const next = changeRows(2, ([id, , ...rest]) => [id, 'Other', ...rest]);
    harness.google.faults.set(harness.google.count('write') + 2, { applied: true, outcome: 'lost' });
    expect(await harness.push(next)).toMatchObject({ outcome: 'failed' });
    expect(harness.sheet.cell(2, 2)).toMatchObject({ value: 'Other', note: was('Company 000001') });
    expect(await harness.push(next)).toMatchObject({ outcome: 'done', unchanged: 2 });
    expect(harness.sheet.cell(2, 2)).toMatchObject({ value: 'Other', note: was('Company 000001') });
  });
});
