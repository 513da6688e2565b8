// =CDAPI_ENRICH
import { beforeAll, describe, expect, it } from 'vitest';
import type { Argument } from '../../../addon/dev/host/types.ts';
import { getSampleWebsites, open, parseBody, type Spreadsheet, toColumn } from './sheets.ts';

let websites: string[] = [];
beforeAll(async () => {
  websites = await getSampleWebsites();
});
const enrich = (sheet: Spreadsheet, ...args: Argument[]) => sheet.evaluate('CDAPI_ENRICH', ...args);

describe('a range of websites', () => {
  it('returns a row for each website in one call', async () => {
    const sheet = await open();
    const [one = '', two = ''] = websites;
    const cells = [one, '', `https://www.${two.toUpperCase()}/about`, 'nobody.example', 'not a website', one];
    const result = await enrich(sheet, toColumn(cells), 'id, websites_main');
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
    expect(sheet.requests.map((request) => parseBody(request).wait_ms)).toEqual([24_000]);
    expect(sheet.requests.map((request) => parseBody(request).keys)).toEqual([[one, two, 'nobody.example']]);
  });
});

describe('a single website', () => {
  it('returns the default fields, with a heading on request', async () => {
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
