// Dates of scripts: they use the script's time zone, never the machine's.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { evaluateCell, evaluateCells } from './host.ts';

const MACHINE = 'Asia/Tokyo';
const options = (timeZone: string) => ({ manifest: { timeZone } });

beforeEach(() => {
  vi.stubEnv('TZ', MACHINE);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** All local-time features of Date, around clock changes. */
const LOCAL = `const moments = [0, -1, 1710054000000, 1710053999999, 1711846799999, 1711846800000, 1730012400000, 1730613599000,
    1730617200000, -2208988800000, 253402300799000, NaN];
  const texts = ['2024-02-29T13:14:15', '2024-02-29 13:14:15', 'Feb 29, 2024', '02/29/2024 10:00 PM', '2024-02-29', '2024-02',
    '2024-02-29T13:14:15Z', '2024-02-29T13:14:15.678+05:30', 'Thu Feb 29 2024 13:14:15 GMT-0200 (somewhere)',
    'Feb 29 2024 13:14:15 EST', 'no date'];
  const parts = [[2024, 1, 29], [2024, 2, 10, 2, 30], [2024, 2, 31, 2, 30], [2024, 10, 3, 1, 30], [2024, 9, 27, 2, 30],
    [99, 0], [2024, 12, 1, 25, 61, 61, 1001], [2024, NaN]];
  const getters = ['getFullYear', 'getYear', 'getMonth', 'getDate', 'getDay', 'getHours', 'getMinutes', 'getSeconds',
    'getMilliseconds', 'getTimezoneOffset', 'toString', 'toDateString', 'toTimeString', 'toLocaleString',
    'toLocaleDateString', 'toLocaleTimeString'];
  const setters = [['setFullYear', 2023, 1, 29], ['setYear', 99], ['setMonth', 13], ['setDate', 31], ['setHours', 2, 30],
    ['setMinutes', -1], ['setSeconds', 3600], ['setMilliseconds', 1500]];
  const got = moments.flatMap((at) => getters.map((name) => name + ' of ' + at + ': ' + new Date(at)[name]()));
  const set = moments.flatMap((at) => setters.map(([name, ...args]) => {
    const date = new Date(at);
    return name + ' of ' + at + ': ' + date[name](...args) + ' ' + date.getTime();
  }));
  const read = texts.flatMap((text) => [text + ': ' + new Date(text).getTime(), text + ': ' + Date.parse(text)]);
  const constructed = parts.map((part) => part + ': ' + new Date(...part).getTime());
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
  return [...got, ...set, ...read, ...constructed, format.resolvedOptions().timeZone, format.format(0),
    new Date(0).toLocaleString('en', { timeZone: 'Asia/Kolkata' }), String(new Date(5)), new Date(5) + 1,
    JSON.stringify(new Date(5)), new Date(new Date(7)).getTime(), Date.UTC(2024, 1), Date.length]`;

test.each(['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Etc/UTC'])(
  'matches the native Date of an engine in %s',
  async (zone) => {
    expect(new Date(0).getTimezoneOffset()).toBe(-540);
    const inScript = (await evaluateCells(LOCAL, options(zone))).flat();
    vi.stubEnv('TZ', zone);
    const native: unknown[] = new Function(LOCAL)();
    expect(inScript).toEqual(native);
    expect(inScript.length).toBeGreaterThan(300);
  },
);

test.each([
  ['2024-02-29', 'America/New_York', 'yyyy-MM-dd', '2024-02-29T05:00:00Z'],
  ['2024-02-29 13:14:15', 'Europe/Berlin', 'yyyy-MM-dd HH:mm:ss', '2024-02-29T12:14:15Z'],
  ['29/2/2024 at 1', 'GMT', "d/M/yyyy 'at' H", '2024-02-29T01:00:00Z'],
  ['20240229T1314', 'Asia/Kolkata', "yyyyMMdd'T'HHmm", '2024-02-29T07:44:00Z'],
  ["7 o'clock", 'GMT', "H 'o''clock'", '1970-01-01T07:00:00Z'],
  ["7'", 'GMT', "H''", '1970-01-01T07:00:00Z'],
  // Lenient like SimpleDateFormat: days and minutes roll over, trailing text is ignored.
  ['2024-02-30 10:99', 'GMT', 'yyyy-MM-dd HH:mm', '2024-03-01T11:39:00Z'],
  ['2024-02-29T10:00:00Z', 'Asia/Tokyo', 'yyyy-MM-dd', '2024-02-28T15:00:00Z'],
  // Skipped and repeated hours.
  ['2024-03-10 02:30', 'America/New_York', 'yyyy-MM-dd HH:mm', '2024-03-10T07:30:00Z'],
  ['2024-03-31 02:30', 'Europe/Berlin', 'yyyy-MM-dd HH:mm', '2024-03-31T01:30:00Z'],
  ['2024-11-03 01:30', 'America/New_York', 'yyyy-MM-dd HH:mm', '2024-11-03T06:30:00Z'],
  ['2024-10-27 02:30', 'Europe/Berlin', 'yyyy-MM-dd HH:mm', '2024-10-27T01:30:00Z'],
  ['2018-11-04', 'America/Sao_Paulo', 'yyyy-MM-dd', '2018-11-04T03:00:00Z'],
])('parses "%s" in %s by %s', async (text, zone, pattern, expected) => {
  const read = await evaluateCell('return Utilities.parseDate(a, b, c)', {}, [text, zone, pattern]);
  expect(read).toEqual(new Date(expected));
});

test.each([
  ['"x", "GMT", "yyyy"', 'Unparseable date: "x"'],
  ['"2024/01/01", "GMT", "yyyy-MM-dd"', 'Unparseable date: "2024/01/01"'],
  ['"2024-01-01", "Nowhere/Land", "yyyy-MM-dd"', 'Invalid argument: timeZone'],
  ['"1 Feb 2024", "GMT", "d MMM yyyy"', 'not emulated: Utilities.parseDate with MMM'],
  ['"24", "GMT", "yy"', 'not emulated: Utilities.parseDate with yy'],
  ['"AM", "GMT", "a"', 'not emulated: Utilities.parseDate with a'],
  ['5, "GMT", "yyyy"', "The parameters (number,String,String) don't match"],
])('rejects parseDate(%s)', async (args, message) => {
  await expect(evaluateCell(`Utilities.parseDate(${args})`)).rejects.toThrow(message);
});
