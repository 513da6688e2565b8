// Countries in typed cells.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countries } from '../../../shared/query/countries.ts';
import { findCountry } from '../../../shared/query/find-country.ts';

describe('a country', () => {
  it.each([
    ['Danmark', 'DK'],
    ['Dänemark', 'DK'],
    ['DÄNEMARK', 'DK'],
    ['Danemark', 'DK'],
    ['DK', 'DK'],
    ['dnk', 'DK'],
    ['U.S.A.', 'US'],
    ['U. S.', 'US'],
    ['Polen', 'PL'],
    ['UAE', 'AE'],
    ['الإمارات', 'AE'],
    ['KSA', 'SA'],
    ['Kingdom of Saudi Arabia', 'SA'],
    ['England', 'GB'],
    ['Scotland', 'GB'],
    ['Grande-Bretagne', 'GB'],
    ['ROK', 'KR'],
    ['대한민국', 'KR'],
    ['Oesterreich', 'AT'],
    ['Osterreich', 'AT'],
    ['Turkiye', 'TR'],
    ['日本', 'JP'],
    ['中國', 'CN'],
    ['Россия', 'RU'],
    ['ประเทศไทย', 'TH'],
    ['Bosnia & Herzegovina', 'BA'],
    ['Berlin, Germany', 'DE'],
    ['San Francisco, CA, USA', 'US'],
    ['Germany (DE)', 'DE'],
    ['Namibia', 'NA'],
    ...[
      'n/a',
      'N/A',
      'NA',
      '#N/A',
      '-',
      '',
      'Unknown',
      'EMEA',
      'APAC',
      'TBD',
      'none',
      'Remote',
      'Global',
    ].map((text): [string, undefined] => [text, undefined]),
    ['Austria/Germany', undefined],
  ])('%j is %s', (text, iso2) => {
    expect(findCountry(text)).toBe(iso2);
  });

  it('is found by each of its names and codes', () => {
    for (const { iso2, iso3, names, aliases } of countries) {
      for (const name of [...names, ...aliases, iso3])
        expect([name, findCountry(name)]).toEqual([name, iso2]);
    }
  });

  it('is one, or none, for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => /^[A-Z]{2}$/.test(findCountry(text) ?? 'XX')));
  });
});
