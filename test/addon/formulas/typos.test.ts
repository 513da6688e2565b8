// Fields that nobody knows: told where they are misspelt, blank where they may well exist.
import { beforeAll, describe, expect, it } from 'vitest';
import { cellsOf, open, recordsFor, sampleWebsites, spentBy } from './sheets.ts';

let website = '';
beforeAll(async () => {
  [website = ''] = await sampleWebsites();
});

describe('a field that no record has', () => {
  it.each([
    ['industri', 'industry'],
    ['nmae', 'name'],
    ['Founded', 'founded'],
    ['locatoin_hq_country', 'location_hq_country'],
    ['fundng_rounds[0].last_round_type', 'funding_rounds'],
  ])('such as %s is told the name that was probably meant', async (typo, meant) => {
    const sheet = await open();
    expect(await sheet.formula('CDAPI_ENRICH', website, `id, ${typo}`)).toMatchObject({
      error: `"${typo.split('[')[0]}" is not a field of company_clean: did you mean ${meant}?`,
    });
    const spent = await spentBy(async () => {
      const right = await sheet.formula('CDAPI_ENRICH', website, `id, ${meant}`);
      expect(cellsOf(right)[0]?.[0]).toEqual(expect.any(Number));
    });
    expect(spent).toBe(0);
  });

  it('and that is like no other is left blank: the provider may have it', async () => {
    const sheet = await open();
    const result = await sheet.formula('CDAPI_ENRICH', website, 'id, carbon_footprint');
    expect(result).toEqual({ values: [[expect.any(Number), '']] });
  });

  it('is no typo where some record has it', async () => {
    const sheet = await open({
      fetch: recordsFor((key) => (key === 'a.com' ? { industri: 'x' } : {})),
    });
    expect(await sheet.formula('CDAPI_ENRICH', [['a.com'], ['b.com']], 'industri')).toEqual({
      values: [['x'], ['']],
    });
    expect(sheet.sent).toHaveLength(1);
  });

  it('is none either where a known field is empty', async () => {
    const sheet = await open({ fetch: recordsFor(() => ({ industry: null })) });
    expect(await sheet.formula('CDAPI_ENRICH', 'a.com', 'industry')).toEqual({ values: [['']] });
    expect(sheet.sent).toHaveLength(1);
  });

  it('never fails the formula because the known ones can’t be had', async () => {
    const sheet = await open({ fetch: recordsFor(() => ({ id: 1 })) });
    expect(await sheet.formula('CDAPI_ENRICH', 'a.com', 'id, industri')).toEqual({ values: [[1, '']] });
    expect(sheet.sent.map(({ url }) => url.split('/sheets/v1/')[1])).toEqual([
      'lookup',
      'fields/company_clean',
    ]);
  });
});
