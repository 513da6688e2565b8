// Conversion of record values to cells.
import { describe, expect, it } from 'vitest';
import type { Argument, HostOptions } from '../../../addon/dev/host/types.ts';
import {
  createWorkbookIn,
  open,
  readBuiltCode,
  respondWithRecords,
  type Spreadsheet,
  toColumn,
} from '../functions/sheets.ts';

const enrich = (sheet: Spreadsheet, ...args: Argument[]) => sheet.evaluate('CDAPI_ENRICH', ...args);

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
      long: 'x'.repeat(60_000),
    };
    const sheet = await open({
      workbook: createWorkbookIn('America/New_York'),
      fetch: respondWithRecords(() => record),
    });
    const fields =
      'founded,followers,flag,created_at,last_updated,not_a_day,not_a_time,not_an_hour,long_ago,before_sheets,far_off,clocks_back,day_before,specialities,funding_rounds[1].type,funding_rounds.type,nothing,absent,formula,post,long';
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
          'x'.repeat(50_000),
        ],
      ],
    });
  });
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

  it('of 1,000 rows on ten days need eleven calls of parseDate', async () => {
    const first = Date.UTC(2023, 0, 1);
    const days = Array.from({ length: 1000 }, (_, at) =>
      new Date(first + at * 864_000).toISOString().slice(0, 19).replace('T', ' '),
    );
    const parsed: string[] = [];
    const watched = `const { parseDate } = Utilities;
      Utilities = { parseDate: (...args) => (console.log(args[0]), parseDate(...args)) };`;
    const sheet = await dated(days, 'America/New_York', {
      code: await readBuiltCode(watched),
      onLog: ({ text }) => parsed.push(text),
    });
    const result = await enrich(sheet, toColumn(days.map((_, at) => `s${at}.example`)), 'day');
    expect('values' in result && result.values.map(([cell]) => cell)).toEqual(
      days.map((day) => new Date(`${day.replace(' ', 'T')}-05:00`)),
    );
    expect(parsed.toSorted()).toEqual(
      Array.from({ length: 11 }, (_, at) => `2023-01-${String(at + 1).padStart(2, '0')}`),
    );
  });
});
