// Conversion of record values to cells.
import { describe, expect, it } from 'vitest';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { toIdCell } from '../../../shared/table/cells.ts';
import {
  createWorkbookIn,
  enrich,
  open,
  readBuiltCode,
  respondWithRecords,
  toColumn,
} from '../functions/sheets.ts';

const toDateTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** An engine that ignores the time zone. */
const WRONG_INTL = `const { DateTimeFormat } = Intl;
  Intl.DateTimeFormat = function (locale, options) { return new DateTimeFormat(locale, { ...options, timeZone: 'UTC' }); };`;

/** Logs each call of a service, also of the objects that services return. */
const COUNTED_SERVICES = `
  const watch = (path, object) => new Proxy({}, { get: (_, name) => {
    const member = object[name];
    if (typeof member !== 'function') return member;
    return (...args) => { console.log(path + '.' + name); return watchResult(path + '.' + name, member(...args)); };
  } });
  const watchResult = (path, result) => {
    if (Array.isArray(result)) return result.map((item) => watchResult(path, item));
    const isService = Object.values(result ?? {}).some((member) => typeof member === 'function');
    return isService ? watch(path, result) : result;
  };
  for (const name of ['CacheService', 'LockService', 'PropertiesService', 'SpreadsheetApp', 'UrlFetchApp', 'Utilities'])
    globalThis[name] = watch(name, globalThis[name]);`;

describe('record values', () => {
  it('become cells: numbers, dates, lists, blanks and long texts, never formulas', async () => {
    const record = {
      founded: '1999',
      followers: 12,
      flag: false,
      created_at: '2024-02-29',
      last_updated: '2024-02-29 13:14:15',
      not_a_day: '2024-02-30',
      not_a_time: '2024-02-29 10:99:00',
      not_an_hour: '2024-02-29 24:00:00',
      long_ago: '0050-01-01',
      before_sheets: '1899-12-31',
      far_off: '9999-12-31 23:59:59',
      clocks_back: '2024-11-03 12:00:00',
      day_before: '2024-11-02 12:00:00',
      specialities: ['a', null, 'b'],
      funding_rounds: [{ type: 'Seed' }, { type: 'Series A' }],
      nothing: null,
      formula: '=1+1',
      post: '7123456789012345678',
      digits_15: 999_999_999_999_999,
      digits_16: -1_000_000_000_000_000,
      long: 'x'.repeat(60_000),
    };
    const sheet = await open({
      workbook: createWorkbookIn('America/New_York'),
      fetch: respondWithRecords(() => record),
    });
    const fields =
      'founded,followers,flag,created_at,last_updated,not_a_day,not_a_time,not_an_hour,long_ago,before_sheets,far_off,clocks_back,day_before,specialities,funding_rounds[1].type,funding_rounds.type,nothing,absent,formula,post,digits_15,digits_16,long';
    const result = await enrich(sheet, 'a.com', fields);
    expect(result).toEqual({
      values: [
        [
          '1999',
          12,
          false,
          new Date('2024-02-29T05:00:00Z'),
          new Date('2024-02-29T18:14:15Z'),
          '2024-02-30',
          '2024-02-29 10:99:00',
          '2024-02-29 24:00:00',
          '0050-01-01',
          '1899-12-31',
          new Date('+010000-01-01T04:59:59Z'),
          new Date('2024-11-03T17:00:00Z'),
          new Date('2024-11-02T16:00:00Z'),
          'a; b',
          'Series A',
          'Seed; Series A',
          '',
          '',
          '=1+1',
          '7123456789012345678',
          999_999_999_999_999,
          '-1000000000000000',
          'x'.repeat(49_999),
        ],
      ],
    });
  });
});

it.each([
  ['999999999999999', 999_999_999_999_999],
  ['1000000000000000', '1000000000000000'],
  ['9007199254740993', '9007199254740993'],
  ['007', '007'],
])('the id %s becomes the cell %j', (id, cell) => {
  expect(toIdCell(id)).toBe(cell);
});

describe('dates', () => {
  const dated = (days: readonly string[], timeZone: string, options: Partial<HostOptions> = {}) =>
    open({
      ...options,
      workbook: createWorkbookIn(timeZone),
      fetch: respondWithRecords((_, at) => ({ day: days[at] })),
    });

  it.each(['Pacific/Honolulu', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Kiritimati'])(
    'are shown unchanged in a spreadsheet of %s',
    async (timeZone) => {
      const days = [
        '2024-02-29',
        '2024-07-01 00:30:00',
        '1969-12-31 23:59:59',
        '2024-11-03',
        '2000-01-01 23:00:00',
      ];
      const sheet = await dated(days, timeZone);
      const result = await enrich(sheet, toColumn(days.map((_, at) => `s${at}.example`)), 'day');
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      const shown =
        'values' in result ? result.values.map(([cell]) => cell instanceof Date && clock.format(cell)) : [];
      expect(shown).toEqual(days.map((day) => (day.length === 10 ? `${day} 00:00:00` : day)));
    },
  );

  it('of 1,000 rows are the same if Intl is missing or wrong', async () => {
    const first = Date.UTC(2023, 0, 1);
    const days = Array.from({ length: 1000 }, (_, at) => toDateTime(first + at * 864_000));
    const expected = days.map((day) => new Date(`${day.replace(' ', 'T')}-05:00`));
    for (const change of ['', 'delete Intl.DateTimeFormat;', WRONG_INTL]) {
      const code = await readBuiltCode(change);
      const sheet = await dated(days, 'America/New_York', { code });
      const result = await enrich(sheet, toColumn(days.map((_, at) => `s${at}.example`)), 'day');
      expect('values' in result && result.values.map(([cell]) => cell)).toEqual(expected);
    }
  });
});

describe('a formula with 1,000 rows and two columns of dates and times', () => {
  it('calls services at most 25 times, parseDate once', async () => {
    const first = Date.UTC(2020, 0, 1, 12);
    const calls: string[] = [];
    const sheet = await open({
      workbook: createWorkbookIn('Europe/Berlin'),
      code: await readBuiltCode(COUNTED_SERVICES),
      onLog: ({ text }) => calls.push(text),
      fetch: respondWithRecords(
        (_, at) => ({
          created_at: toDateTime(first + at * 86_401_000),
          last_updated: toDateTime(first + at * 86_500_000),
        }),
        { stamp: 's' },
      ),
    });
    const keys = Array.from({ length: 1000 }, (_, at) => `s${at}.example`);
    const result = await enrich(sheet, toColumn(keys), 'created_at, last_updated');
    const cells = 'values' in result ? result.values.flat() : [];
    expect(cells).toHaveLength(2000);
    expect(cells.every((cell) => cell instanceof Date)).toBe(true);
    const counts: Record<string, number> = {};
    for (const name of calls) counts[name] = (counts[name] ?? 0) + 1;
    expect(counts).toEqual({
      'CacheService.getDocumentCache': 1,
      'CacheService.getDocumentCache.get': 1,
      'CacheService.getDocumentCache.getAll': 1,
      'CacheService.getDocumentCache.put': 1,
      'CacheService.getDocumentCache.putAll': 1,
      'PropertiesService.getDocumentProperties': 2,
      'PropertiesService.getDocumentProperties.getProperty': 2,
      'SpreadsheetApp.getActiveSpreadsheet': 2,
      'SpreadsheetApp.getActiveSpreadsheet.getId': 1,
      'SpreadsheetApp.getActiveSpreadsheet.getSpreadsheetTimeZone': 1,
      'UrlFetchApp.fetchAll': 1,
      'UrlFetchApp.fetchAll.getContentText': 1,
      'UrlFetchApp.fetchAll.getResponseCode': 1,
      'Utilities.base64EncodeWebSafe': 2,
      'Utilities.computeDigest': 2,
      'Utilities.parseDate': 1,
    });
    expect(calls.length).toBeLessThanOrEqual(25);
  });
});
