// Rows of a table get into a spreadsheet, once each, and nothing else is touched.
import { beforeEach, describe, expect, it } from 'vitest';
import { googleError } from './fake-google.ts';
import { companies, PushHarness, START } from './harness.ts';

let desk: PushHarness;
beforeEach(() => {
  desk = new PushHarness();
});

/** 2025-12-31 and the start of the tests, in days as Sheets counts them. */
const DAY = 46_022;
const NOON = 46_082.5;
const HEAD = ['id', 'name', 'founded', 'seen', '', 'Last synced', NOON];
const row = (nth: number): unknown[] => [...(companies(1, nth)[0] ?? []).slice(0, 2), 1990, DAY];
const rows = (count: number): unknown[][] =>
  Array.from({ length: count }, (_, at) => [...row(at + 1).slice(0, 2), 1990 + at, DAY]);

describe('a first push', () => {
  it('writes headings, rows and when they were synced into an empty sheet', async () => {
    const report = await desk.push(companies(3));
    expect(report).toMatchObject({
      outcome: 'done',
      appended: 3,
      updated: 0,
      left: 0,
      headingRow: 1,
      syncedAt: START,
    });
    expect(desk.sheet.values()).toEqual([HEAD, ...rows(3)]);
    expect(desk.sheet.cell(2, 4)?.format).toBe('yyyy-mm-dd');
    expect(desk.sheet.cell(1, 7)?.format).toBe('yyyy-mm-dd hh:mm:ss');
    expect(desk.spreadsheet.sheets[0]?.values()).toEqual([]);
  });

  it('counts rows without an id and rows that come twice, of which the last counts', async () => {
    const [first = []] = companies(1);
    const report = await desk.push([
      first,
      [null, 'nobody'],
      ['', 'nobody'],
      [first[0], 'New name', 1990, '2025-12-31'],
    ]);
    expect(report).toMatchObject({ appended: 1, withoutId: 2, repeated: 1, left: 0, outcome: 'done' });
    expect(desk.sheet.cell(2, 2)?.value).toBe('New name');
  });
});

describe('a second push', () => {
  it('of the same rows changes nothing but the time', async () => {
    await desk.push(companies(5));
    const before = desk.sheet.snapshot();
    const writes = desk.google.count('write');
    const report = await desk.push(companies(5));
    expect(report).toMatchObject({ outcome: 'done', unchanged: 5, updated: 0, appended: 0, left: 0 });
    expect(desk.sheet.snapshot()).toEqual(before);
    expect(desk.google.count('write')).toBe(writes + 1);
  });

  it('updates what differs and appends what is new, also where the rows were sorted', async () => {
    await desk.push(companies(4));
    desk.sheet.reverseRows(1);
    const next = companies(5).map(([id, name, ...rest], at) => [id, at === 1 ? null : name, ...rest]);
    const report = await desk.push(next);
    expect(report).toMatchObject({ updated: 1, unchanged: 3, appended: 1, left: 0 });
    const [one, two, three, four, five] = rows(5);
    expect(desk.sheet.values().slice(1)).toEqual([four, three, [two?.[0], '', 1991, DAY], one, five]);
  });

  it('leaves other columns, other rows and number formats of others alone', async () => {
    await desk.push(companies(2));
    desk.sheet.reorderColumns([1, 8, 2, 9, 3, 4, 5, 6, 7, 10]);
    desk.sheet.set(1, 2, { value: 'My notes' });
    desk.sheet.set(2, 2, { value: 'call', formula: '="call"' });
    desk.sheet.set(3, 6, { value: 1, format: 'd. mmmm' });
    desk.sheet.set(5, 2, { value: 'below' });
    await desk.push(companies(3).map(([id, , , seen]) => [id, 'Other', 5, seen]));
    const [one, two, three] = rows(3).map(([id]) => id);
    expect(desk.sheet.values().slice(1)).toEqual([
      [one, 'call', 'Other', '', 5, DAY],
      [two, '', 'Other', '', 5, DAY],
      [],
      ['', 'below'],
      [three, '', 'Other', '', 5, DAY],
    ]);
    expect(desk.sheet.cell(2, 2)?.formula).toBe('="call"');
    expect(desk.sheet.cell(3, 6)?.format).toBe('d. mmmm');
    expect(desk.sheet.formulaCount).toBe(1);
  });

  it('finds the table where its columns were reordered, its sheet renamed and rows put above it', async () => {
    await desk.push(companies(2));
    desk.sheet.reorderColumns([6, 7, 4, 10, 2, 1, 3, 5, 8, 9]);
    desk.sheet.title = "It's 'another' name!";
    const report = await desk.push(companies(3));
    expect(report).toMatchObject({ outcome: 'done', unchanged: 2, appended: 1, headingRow: 1 });
    const [, , third] = rows(3);
    expect(desk.sheet.values()[3]).toEqual(['', '', DAY, '', third?.[1], third?.[0], third?.[2]]);
    expect(desk.sheet.cell(1, 2)?.value).toBe(NOON);
  });

  it('finds headings that stand lower down, and a label that a person wrote', async () => {
    desk.sheet.fill(1, 1, [['Last synced'], [], ['name', 'id'], ['Old', 42]]);
    const report = await desk.push([
      [42, 'New', 1, null],
      ['43', 'Other', 2, null],
    ]);
    expect(report).toMatchObject({
      outcome: 'done',
      updated: 1,
      appended: 1,
      missing: ['founded', 'seen'],
      headingRow: 3,
    });
    expect(desk.sheet.values()).toEqual([
      ['Last synced', NOON],
      [],
      ['name', 'id'],
      ['New', 42],
      ['Other', '43'],
    ]);
  });
});

describe('a push that breaks off', () => {
  const many = (count: number): unknown[][] =>
    companies(count).map(([id, , ...rest]) => [id, `${String(id)} ${'x'.repeat(4_000)}`, ...rest]);

  it('says what landed, and pushed again writes what is missing and nothing twice', async () => {
    await desk.push([]);
    // The rows, then their formats and sizes, are each a write: the second body of rows is lost.
    desk.google.faults.set(desk.google.count('write') + 4, { applied: false, outcome: 'lost' });
    const report = await desk.push(many(800));
    expect(report).toMatchObject({ outcome: 'partial', problem: { code: 'google_unavailable' } });
    expect(report.appended).toBeGreaterThan(300);
    expect(report.unclear).toBeGreaterThan(300);
    expect(report.appended + report.unclear + report.left).toBe(800);
    expect(report.syncedAt).toBeUndefined();
    expect(desk.sheet.values()).toHaveLength(1 + report.appended);
    const again = await desk.push(many(800));
    expect(again).toMatchObject({ outcome: 'done', unchanged: report.appended, left: 0, unclear: 0 });
    expect(again.appended).toBe(800 - report.appended);
    expect(
      desk.sheet
        .values()
        .slice(1)
        .map(([id]) => id),
    ).toEqual(many(800).map(([id]) => id));
  });

  it('writes nothing twice where a write had landed but its answer was lost', async () => {
    await desk.push([]);
    desk.google.faults.set(desk.google.count('write') + 2, { applied: true, outcome: 'lost' });
    const report = await desk.push(companies(10));
    expect(report).toMatchObject({ outcome: 'failed', appended: 0, unclear: 10, left: 0 });
    expect(await desk.push(companies(10))).toMatchObject({ outcome: 'done', unchanged: 10, appended: 0 });
    expect(desk.sheet.values()).toHaveLength(11);
  });

  it('writes nothing twice where Google fails after the work, and is asked again', async () => {
    await desk.push([]);
    const outcome = googleError(503, 'The service is currently unavailable.');
    desk.google.faults.set(desk.google.count('write') + 2, { applied: true, outcome });
    expect(await desk.push(companies(10))).toMatchObject({ outcome: 'done', appended: 10 });
    expect(desk.sheet.values().slice(1)).toEqual(rows(10));
  });
});

describe('a sheet that is not as it should be', () => {
  it('cannot get a table without a column of ids', async () => {
    desk.target = { ...desk.target, idHeading: 'number' };
    const report = await desk.push(companies(2));
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'invalid_request' } });
    expect(desk.google.calls).toEqual([]);
  });

  it('that was deleted is named, and nothing is written', async () => {
    desk.target = { ...desk.target, sheetId: 99 };
    const report = await desk.push(companies(1));
    expect(report).toMatchObject({ outcome: 'failed', left: 1, problem: { code: 'sheet_missing' } });
    expect(report.problem?.detail).toBe('The sheet of this table was deleted.');
    expect(desk.google.count('write')).toBe(0);
  });

  it.each([
    ['without the heading of the ids', [['name', 'founded', 'seen']], 'first 50 rows'],
    ['of somebody else', [['Dear diary'], ['id']], 'first 50 rows'],
    [
      'with a heading twice',
      [['id', 'name', 'founded', 'name']],
      'The heading “name” stands more often in row 1',
    ],
    [
      'with the same table below',
      [
        ['id', 'name'],
        ['1', 'a'],
        ['id', 'name'],
        ['2', 'b'],
      ],
      'no room',
    ],
  ])('%s is left as it is, and why is said', async (_, cells, words) => {
    desk.sheet.fill(1, 1, cells);
    const before = desk.sheet.snapshot();
    const report = await desk.push(companies(1));
    expect(report).toMatchObject({ outcome: 'failed', left: 1, problem: { code: 'sheet_refused' } });
    expect(report.problem?.detail).toContain(words);
    expect(desk.sheet.snapshot()).toEqual(before);
  });
});
