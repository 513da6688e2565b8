// =CDAPI_ENRICH as the built add-on answers it, in the strict host, from a running Worker.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Argument } from '../../../addon/host/types.ts';
import { bodyOf, column, open, recordsFor, type Spreadsheet, sampleWebsites } from './sheets.ts';

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

  it('of 1,000 rows is one call, of 5,000 rows five', async () => {
    const sheet = await open({ fetch: recordsFor((key) => ({ name: key })) });
    const cells = (count: number) => column(Array.from({ length: count }, (_, at) => `shop${at}.example`));
    await enrich(sheet, cells(1000), 'name');
    expect(sheet.host.usage.urlFetch).toBe(1);
    const result = await enrich(sheet, cells(5000), 'name');
    expect(sheet.host.usage.urlFetch).toBe(6);
    expect(result).toMatchObject({ values: { length: 5000 } });
    expect('values' in result && result.values[4999]).toEqual(['shop4999.example']);
  });

  it('that is all blank asks nobody', async () => {
    const sheet = await open();
    expect(await enrich(sheet, column(['', ' ']), 'name')).toEqual({ values: [[''], ['']] });
    expect(sheet.sent).toEqual([]);
  });

  it('of cells that are no websites is #INVALID_KEY in each row, and nobody is asked', async () => {
    const sheet = await open();
    const cells = [
      42,
      3.14,
      true,
      new Date(0),
      'a sentence of words',
      'sales@a.com',
      'javascript:alert(1)',
      'x'.repeat(10_000),
      '#REF!',
    ];
    expect(await enrich(sheet, column(cells), 'name, id')).toEqual({
      values: cells.map(() => ['#INVALID_KEY', '']),
    });
    expect(sheet.sent).toEqual([]);
  });

  it('of 26 columns is #INVALID_KEY in the rows that hold anything', async () => {
    const sheet = await open();
    const blank = Array.from({ length: 26 }, () => '');
    const wide = [blank.with(0, websites[0] ?? ''), blank, blank.with(25, 'x')];
    expect(await enrich(sheet, wide, 'name')).toEqual({ values: [['#INVALID_KEY'], [''], ['#INVALID_KEY']] });
    expect(sheet.sent).toEqual([]);
  });
});

describe('a single website', () => {
  it('gives one value for one field, and a row for several', async () => {
    const sheet = await open();
    const [website = ''] = websites;
    const single = await enrich(sheet, website, 'name');
    expect(single).toEqual({ values: [[expect.stringMatching(/./)]] });
    expect(await enrich(sheet, website, 'name, id')).toMatchObject({ values: [{ length: 2 }] });
    expect(await enrich(sheet, 'nobody.example', 'name')).toEqual({ values: [['#NOT_FOUND']] });
  });

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

  it('takes fields from a range', async () => {
    const sheet = await open();
    expect(await enrich(sheet, websites[0], [['id', 'name', '']])).toEqual({
      values: [[expect.any(Number), expect.any(String)]],
    });
  });
});
