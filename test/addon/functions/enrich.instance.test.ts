// =CDAPI_ENRICH as the built add-on answers it, in the strict host, from a running Worker.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Argument } from '../../../addon/dev/host/types.ts';
import { bodyOf, column, open, type Spreadsheet, sampleWebsites } from './sheets.ts';

let websites: string[] = [];
beforeAll(async () => {
  websites = await sampleWebsites();
});
const enrich = (sheet: Spreadsheet, ...args: Argument[]) => sheet.formula('CDAPI_ENRICH', ...args);

describe('a range of websites', () => {
  it('gives a row for each, in one call, failures in their own row and blanks blank', async () => {
    const sheet = await open();
    const [one = '', two = ''] = websites;
    const cells = [one, '', `https://www.${two.toUpperCase()}/about`, 'nobody.example', 'not a website', one];
    const result = await enrich(sheet, column(cells), 'id, websites_main');
    expect(result).toEqual({
      values: [
        [expect.any(Number), expect.stringContaining(one)],
        ['', ''],
        [expect.any(Number), expect.stringContaining(two)],
        ['#NOT_FOUND', ''],
        ['#INVALID_KEY', ''],
        [expect.any(Number), expect.stringContaining(one)],
      ],
    });
    expect(sheet.sent.map((request) => bodyOf(request).wait_ms)).toEqual([24_000]);
    expect(sheet.sent.map((request) => bodyOf(request).keys)).toEqual([[one, two, 'nobody.example']]);
  });
});

describe('a single website', () => {
  it('without fields gives the short default, with a heading where asked', async () => {
    const sheet = await open();
    const result = await enrich(sheet, websites[0], '', 'header');
    expect(result).toMatchObject({ values: { length: 2 } });
    expect('values' in result && result.values[0]).toEqual([
      'name',
      'industry',
      'size_range',
      'location_hq_country',
      'founded',
    ]);
  });
});
