// Developer metadata: where scripts may put it, what finds it, and how it moves.
import { describe, expect, test } from 'vitest';
import { METADATA_CHARACTERS, NOT_A_LINE } from '../../../../addon/dev/host/sheets/developer-metadata.ts';
import type { MetadataEntry, Workbook } from '../../../../addon/dev/host/types.ts';
import {
  createHost,
  createSmallWorkbook,
  evaluateCell,
  OWNER,
  runAndRecord,
  runAsMenu,
  SHEET,
} from './host.ts';

const BOOK = createSmallWorkbook();

const run = (body: string, workbook: Workbook = BOOK) => runAsMenu(`${SHEET} ${body}`, { workbook });

/** Returns key and place of each entry after a script has run. */
async function listPlaces(body: string, workbook: Workbook = BOOK): Promise<string[]> {
  const { book } = await runAndRecord(body, workbook);
  return (book.metadata ?? []).map(({ key, location }) => {
    if (location.type === 'SPREADSHEET') return key;
    return location.type === 'SHEET' ? `${key} ${location.sheet}` : `${key} ${location.type} ${location.at}`;
  });
}

function tagColumn(at: number, entry: Partial<MetadataEntry> = {}): MetadataEntry {
  return {
    ...{ id: at, key: `k${at}`, value: null, visibility: 'DOCUMENT' },
    ...{ location: { type: 'COLUMN', sheet: 1, at }, ...entry },
  };
}

describe('places', () => {
  test.each([
    ['a column', 'sheet.getRange("B:B")', 'k COLUMN 2'],
    ['a column by numbers', 'sheet.getRange(1, 3, 6)', 'k COLUMN 3'],
    ['a row', 'sheet.getRange("2:2")', 'k ROW 2'],
    ['a sheet', 'sheet', 'k 1'],
    ['the spreadsheet', 'book', 'k'],
  ])('are %s', async (_, object, place) => {
    expect(await listPlaces(`${object}.addDeveloperMetadata("k")`)).toEqual([place]);
  });

  test.each(['A1', 'A1:A5', 'B2:B6', 'A:B', '1:2', 'A1:C6'])('are not %s', async (range) => {
    await expect(run(`sheet.getRange("${range}").addDeveloperMetadata("k")`)).rejects.toThrow(NOT_A_LINE);
    expect(await run(`return sheet.getRange("${range}").getDeveloperMetadata()`)).toEqual([]);
  });
});

test('an entry has a value and a location, each read by one call', async () => {
  const host = createHost(
    `const D = SpreadsheetApp.DeveloperMetadataVisibility;
    function add() {
      SpreadsheetApp.getActiveSheet().getRange('B:B').addDeveloperMetadata('k', 'v', D.PROJECT);
    }
    const find = () => SpreadsheetApp.getActiveSpreadsheet().createDeveloperMetadataFinder().withKey('k').find();
    function locate() { return find().length; }
    function read() {
      const [entry] = find();
      const location = entry.getLocation();
      return [
        entry.getValue(), location.getColumn().getA1Notation(), location.getRow(), location.getSheet(),
        location.getSpreadsheet(),
      ];
    }`,
    { workbook: BOOK },
  );
  await host.run('add');
  const count = async (name: string): Promise<number> => {
    const before = host.usage.serviceCalls;
    await host.run(name);
    return host.usage.serviceCalls - before;
  };
  expect(await host.run('read')).toEqual(['v', 'B1:B6', null, null, null]);
  expect((await count('read')) - (await count('locate'))).toBe(3);
});

test('defaults are no value and the visibility DOCUMENT', async () => {
  const { book } = await runAndRecord(
    `sheet.addDeveloperMetadata('a').addDeveloperMetadata('b', SpreadsheetApp.DeveloperMetadataVisibility.PROJECT);
    sheet.getDeveloperMetadata()[0].setValue('v');`,
    BOOK,
  );
  expect(book.metadata).toMatchObject([
    { key: 'a', value: 'v', visibility: 'DOCUMENT' },
    { key: 'b', value: null, visibility: 'PROJECT' },
  ]);
});

test('ids are unique and in no order; a removed entry can’t be read', async () => {
  const ids = await run(
    `for (const key of 'abcdef') book.addDeveloperMetadata(key);
    return book.getDeveloperMetadata().map((entry) => entry.getId())`,
  );
  const numbers = Array.isArray(ids) ? ids.map(Number) : [];
  expect(new Set(numbers).size).toBe(6);
  expect(numbers.toSorted((a, b) => a - b)).not.toEqual(numbers);
  const removed = 'book.addDeveloperMetadata("k"); const [e] = book.getDeveloperMetadata(); e.remove();';
  await expect(run(`${removed} e.getValue()`)).rejects.toThrow('no longer exists');
});

test('a new execution uses no id of an earlier one', async () => {
  const { book } = await runAndRecord('book.addDeveloperMetadata("a")', BOOK);
  const again = await runAndRecord('book.addDeveloperMetadata("b")', book);
  const ids = again.book.metadata?.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

describe('a finder', () => {
  const book: Workbook = {
    ...BOOK,
    sheets: [...BOOK.sheets, { id: 2, name: 'T', values: [] }],
    metadata: [
      tagColumn(1, { value: 'x' }),
      tagColumn(2, { visibility: 'PROJECT' }),
      tagColumn(3, { location: { type: 'ROW', sheet: 1, at: 3 } }),
      tagColumn(4, { location: { type: 'SHEET', sheet: 1 } }),
      tagColumn(5, { location: { type: 'SPREADSHEET' } }),
      tagColumn(6, { location: { type: 'COLUMN', sheet: 2, at: 1 } }),
      tagColumn(7, { visibility: 'PROJECT', isForeign: true }),
    ],
  };
  test.each([
    ['everything that the project sees', 'book', '', [1, 2, 3, 4, 5, 6]],
    ['the sheet and its rows and columns', 'sheet', '', [1, 2, 3, 4]],
    ['by key', 'book', '.withKey("k3")', [3]],
  ])('finds %s', async (_, object, criteria, ids) => {
    const body = `return ${object}.createDeveloperMetadataFinder()${criteria}.find().map((entry) => entry.getId())`;
    expect(await run(body, book)).toEqual(ids);
  });

  test('checks its arguments', async () => {
    await expect(run('book.createDeveloperMetadataFinder().withKey(1)')).rejects.toThrow(
      "The parameters (number) don't match the method signature",
    );
  });
});

describe('metadata moves with its row or column', () => {
  const book: Workbook = {
    ...BOOK,
    sheets: [...BOOK.sheets, { id: 2, name: 'T', values: [] }],
    metadata: [
      tagColumn(2),
      tagColumn(3, { id: 9, location: { type: 'ROW', sheet: 1, at: 3 }, key: 'row' }),
      tagColumn(4, { location: { type: 'COLUMN', sheet: 2, at: 2 }, key: 'other' }),
      tagColumn(5, { location: { type: 'SHEET', sheet: 2 }, key: 'sheet' }),
    ],
  };
  const REST = ['other COLUMN 2', 'sheet 2'];
  test.each([
    ['insertColumnsBefore(1, 2)', ['k2 COLUMN 4', 'row ROW 3', ...REST]],
    ['insertColumnsBefore(2, 1)', ['k2 COLUMN 3', 'row ROW 3', ...REST]],
    ['insertColumnsAfter(2, 1)', ['k2 COLUMN 2', 'row ROW 3', ...REST]],
    ['deleteColumns(1, 1)', ['k2 COLUMN 1', 'row ROW 3', ...REST]],
    ['deleteColumns(2, 1)', ['row ROW 3', ...REST]],
    ['insertRowsBefore(1, 1)', ['k2 COLUMN 2', 'row ROW 4', ...REST]],
    ['deleteRows(3, 1)', ['k2 COLUMN 2', ...REST]],
    ['clear()', ['k2 COLUMN 2', 'row ROW 3', ...REST]],
    ['moveColumns(sheet.getRange("B1"), 4)', ['k2 COLUMN 3', 'row ROW 3', ...REST]],
    ['moveColumns(sheet.getRange("C:C"), 1)', ['k2 COLUMN 3', 'row ROW 3', ...REST]],
    // Unverified: sorting moves cells, not rows.
    ['getRange("A1:C6").sort(1)', ['k2 COLUMN 2', 'row ROW 3', ...REST]],
    ['setName("U")', ['k2 COLUMN 2', 'row ROW 3', ...REST]],
  ])('%s', async (call, places) => {
    expect(await listPlaces(`sheet.${call}`, book)).toEqual(places);
  });

  test.each([true, false])('and is copied with its sheet if Google copies it: %s', async (copiesMetadata) => {
    const host = createHost(`function go() { ${SHEET} book.getSheetByName("S").copyTo(book) }`, {
      workbook: book,
      copiesMetadata,
    });
    await host.run('go');
    const { sheets, metadata = [] } = host.workbook;
    const copy = sheets.find(({ name }) => name === 'Copy of S')?.id;
    const copies = metadata.filter(({ location }) => 'sheet' in location && location.sheet === copy);
    expect(copies.map(({ key }) => key)).toEqual(copiesMetadata ? ['k2', 'row'] : []);
    expect(new Set(metadata.map(({ id }) => id)).size).toBe(metadata.length);
    expect(metadata).toHaveLength(4 + copies.length);
  });

  test('and goes with a deleted sheet', async () => {
    expect(await listPlaces('book.deleteSheet(book.getSheetByName("T"))', book)).toEqual([
      'k2 COLUMN 2',
      'row ROW 3',
    ]);
  });
});

describe('limits', () => {
  const half = METADATA_CHARACTERS / 2;
  const add = (object: string, length: number) =>
    `${object}.addDeveloperMetadata('k', 'x'.repeat(${length - 1}));`;
  const EXCEEDED = 'characters of developer metadata';

  test('count for each sheet with its rows and columns, and for the spreadsheet alone', async () => {
    const columns = add('sheet.getRange("A:A")', half) + add('sheet', half);
    await run(columns + add('book', half) + add('book', half) + add('book.insertSheet()', half * 2));
    await expect(run(`${columns} sheet.getRange('B:B').addDeveloperMetadata('k')`)).rejects.toThrow(EXCEEDED);
    await expect(run(add('book', half * 2 + 1))).rejects.toThrow(EXCEEDED);
  });

  test('hold for changed values, and keys must not be empty', async () => {
    const long = add('sheet', half * 2);
    const longValue = `sheet.getDeveloperMetadata()[0].setValue('x'.repeat(${half * 2}))`;
    await expect(run(`${long} ${longValue}`)).rejects.toThrow(EXCEEDED);
    await expect(run('book.addDeveloperMetadata("")')).rejects.toThrow('must have a key');
  });
});

test('a protected column refuses it', async () => {
  const protections = [{ area: { row: 1, rows: 6, column: 2, columns: 1 }, editors: [] }];
  const workbook = createSmallWorkbook({ protections });
  await expect(run('sheet.getRange("B:B").addDeveloperMetadata("k")', workbook)).rejects.toThrow('protected');
  const people = { owner: OWNER, viewer: OWNER };
  const body = `${SHEET} sheet.getRange('B:B').addDeveloperMetadata('k'); return 'added'`;
  expect(await runAsMenu(body, { workbook, people })).toBe('added');
});

test('spreadsheets.currentonly authorizes it; a formula can’t search', async () => {
  const oauthScopes = ['https://www.googleapis.com/auth/spreadsheets.currentonly'];
  const body = `${SHEET} book.addDeveloperMetadata('k'); return book.createDeveloperMetadataFinder().find().length`;
  expect(await runAsMenu(body, { manifest: { oauthScopes } })).toBe(1);
  const search = 'SpreadsheetApp.getActiveSpreadsheet().createDeveloperMetadataFinder().find()';
  await expect(evaluateCell(search)).rejects.toThrow('You do not have permission to call find');
  const write = 'SpreadsheetApp.getActiveSpreadsheet().addDeveloperMetadata("k")';
  await expect(evaluateCell(write)).rejects.toThrow(
    'You do not have permission to call addDeveloperMetadata',
  );
});
