// Names as sellers type them: the right record is accepted, and records of other companies are not. All are fictional.
import { describe, expect, it } from 'vitest';
import { resolveKey } from '../../../shared/keys/index.ts';
import { decide, defaultThreshold } from '../../../shared/matching/decide.ts';
import { hasRightRecord, rightNames, websites, wrongNames } from '../../right-record.ts';

interface RightRecord {
  record: string;
  country: string;
  typed: readonly string[];
  /** Texts in a column of countries. */
  countries?: readonly string[];
}

const right: readonly RightRecord[] = [
  {
    record: 'Nordlys',
    country: 'Denmark',
    typed: ['Nordlys A/S', 'Nordlys AS', 'NORDLYS a/s', 'Nordlys ApS'],
  },
  {
    ...{ record: 'Nordlys', country: 'Denmark', typed: ['Nordlys'] },
    countries: [
      'n/a',
      '-',
      'Unknown',
      'TBD',
      'EMEA',
      '',
      'Danmark',
      'Dänemark',
      'Danimarca',
      'デンマーク',
      'DK',
      'dnk',
    ],
  },
  {
    ...{ record: 'Lojas Aurora', country: 'Brazil' },
    typed: ['Lojas Aurora S/A', 'Lojas Aurora S. A.', 'Lojas Aurora Ltda.', 'LOJAS AURORA LTDA - ME'],
  },
  {
    ...{ record: 'Kovar Strojirny', country: 'Czechia' },
    typed: ['Kovar Strojirny s. r. o.', 'Kovar Strojirny spol. s r.o.', 'Kovář Strojírny, a.s.'],
  },
  {
    ...{ record: 'Lindenfeld', country: 'Austria' },
    typed: [
      'Lindenfeld GmbH u. Co. KG',
      'Lindenfeld GmbH und Co. KG',
      'Lindenfeld Ges.m.b.H.',
      'Lindenfeld G. m. b. H.',
    ],
  },
  {
    record: 'Ромашка',
    country: 'Russia',
    typed: ['ООО «Ромашка»', 'ООО Ромашка', 'АО Ромашка', '"РОМАШКА", ПАО'],
  },
  { record: 'Dalia Impex', country: 'Romania', typed: ['S.C. Dalia Impex S.R.L.', 'SC DALIA IMPEX SRL'] },
  {
    ...{ record: 'Sao Mai', country: 'Vietnam' },
    typed: ['Công ty TNHH Sao Mai', 'Công ty Cổ phần Sao Mai', 'CONG TY TNHH SAO MAI', 'Sao Mai Co., Ltd.'],
  },
  { record: 'สยามดี', country: 'Thailand', typed: ['บริษัท สยามดี จำกัด', 'บริษัทสยามดี จำกัด (มหาชน)'] },
  {
    ...{ record: 'メルカドール', country: 'Japan' },
    typed: [
      '（株）メルカドール',
      'メルカドール（株）',
      '株式会社メルカドール',
      '㈱メルカドール',
      'ﾒﾙｶﾄﾞｰﾙ株式会社',
    ],
  },
  {
    ...{ record: 'Severny Les', country: 'Russia' },
    typed: ['JSC Severny Les', 'PJSC Severny Les', 'OOO Severny Les', 'Severny Les, LLC'],
  },
  { record: 'Vargabolag', country: 'Sweden', typed: ['AB Vargabolag', 'Vargabolag AB (publ)'] },
  {
    ...{ record: 'ABC Tooling Company', country: 'United States' },
    typed: ['A-B-C Tooling Company', 'A B C Tooling Co.', 'A.B.C. Tooling', 'abc tooling'],
  },
  {
    ...{ record: 'Miller & Sons Haulage', country: 'United Kingdom' },
    typed: ['Miller &amp; Sons Haulage', 'Miller &amp;amp; Sons Haulage Ltd', 'Miller and Sons Haulage'],
    countries: ['England', 'Scotland', 'UK', 'U.K.', 'United Kingdom', 'Großbritannien'],
  },
  {
    ...{ record: 'Müllerhof', country: 'Germany' },
    typed: ['M&uuml;llerhof', 'M&#252;llerhof', 'Muellerhof', 'MULLERHOF', 'Müllerhof Deutschland GmbH'],
  },
  {
    record: 'Işık Tekstil',
    country: 'Türkiye',
    typed: ['ISIK TEKSTIL', 'IŞIK TEKSTİL', 'Isik Tekstil San. ve Tic. Ltd. Şti.'],
  },
  { record: 'České dráhy', country: 'Czechia', typed: ['Ceske drahy', 'CESKE DRAHY, a.s.'] },
  { record: 'J.Crewe', country: 'United States', typed: ['J.Crewe', 'J. Crewe', 'J Crewe'] },
  {
    ...{ record: 'Talleres Nuñez', country: 'Spain' },
    typed: [
      'Talleres Nunez, S.L.',
      'Talleres Núñez | Careers',
      'Talleres Nuñez - Madrid',
      'Talleres Nuñez (formerly Nunez Hermanos)',
    ],
  },
  {
    record: 'Acme UK',
    country: 'United Kingdom',
    typed: ['Acme (UK) Ltd', 'Acme United Kingdom', 'Acme Ltd, UK'],
  },
  { record: 'Skagen Brød', country: 'Denmark', typed: ['Skagen Brod', 'Skagen Broed ApS'] },
  { record: 'Harbor Capital Fund 2', country: 'United States', typed: ['Harbor Capital Fund II, L.P.'] },
];

const toCase = ({ record, country, typed, countries = [] }: RightRecord) =>
  typed.flatMap((name) =>
    [undefined, ...countries].map((typedCountry) => ({ name, typedCountry, record, country })),
  );

describe('the right record', () => {
  it.each(right.flatMap(toCase))(
    '$name in $typedCountry is $record',
    ({ name, typedCountry, record, country }) => {
      const candidate = {
        id: '1',
        hit: { kind: 'name' as const, total: 1 },
        facts: { name: record, country },
      };
      const found = decide({ name, country: typedCountry }, [candidate]);
      expect(found.state).toBe('match');
      expect(found.confidence).toBeGreaterThanOrEqual(defaultThreshold);
    },
  );
});

describe('the record of another company', () => {
  it.each([
    ['バンク フーズ', 'ハンク フーズ'],
    ['パンク フーズ', 'ハンク フーズ'],
    ['パナテック', 'ハナテック'],
    ['กสิกร', 'กสกร'],
    ['टाटा स्टील', 'टट सटल'],
    ['রবি', 'রব'],
    ['கோபி', 'கப'],
    ['Meridian Growth Fund 2019', 'Meridian Growth Fund 2018'],
    ['Meridian Growth Fund', 'Meridian Growth Fund 2018'],
    ['Harbor Capital Fund III', 'Harbor Capital Fund II'],
    ['Harbor Capital Fund (III)', 'Harbor Capital Fund (II)'],
    ['Harbor Capital 3rd Fund', 'Harbor Capital 2nd Fund'],
    ['1234568 Ontario Inc', '1234567 Ontario Inc'],
    ['Riverbend Storage 1244', 'Riverbend Storage 1234'],
    ['第二製作所', '第一製作所'],
    ['شركة ٢٠١٩', 'شركة ٢٠١٨'],
    ['Wave', 'Weave'],
    ['Wave Foods', 'Weave Foods'],
    ['AB InBev', 'InBev'],
    ['S. C. Johnson', 'Johnson'],
    ['SIA Partners', 'Partners'],
    ['Harmony Day Spa', 'Harmony Day'],
    ['Acme France SAS', 'Acme Deutschland GmbH'],
    ['Acme (India) Pvt Ltd', 'Acme (UK) Ltd'],
    ['Air France', 'Air India'],
    ['Bank of Ruritania', 'Bank of Borduria'],
    ['Thompson Partners', 'Thomson Partners'],
    ['Nova Bio', 'Nova Biologics'],
    ['Orbit+', 'Orbit'],
    ['Acme Holdings', 'Acme'],
    ['Mercury (Records)', 'Mercury (Insurance)'],
    ['Second National Bank', 'First National Bank'],
    ['National First Bank', 'First National Bank'],
    ['Чайка', 'Чаика'],
    ['Hanssen', 'Hansen'],
    ['Philips', 'Phillips'],
    ['Hofmann', 'Hoffmann'],
    ['Mathews', 'Matthews'],
    ['Kaufman', 'Kaufmann'],
    ['Petersson Logistics', 'Peterson Logistics'],
    ['Davison', 'Davidson'],
    ['Robison', 'Robinson'],
    ['Nicolson', 'Nicholson'],
    ['Simmons', 'Simmonds'],
    ['Jonson', 'Johnson'],
    ['Sanders', 'Saunders'],
    ['Collins', 'Collings'],
  ])('is not accepted for %s: %s', (typed, record) => {
    const candidate = {
      id: '1',
      hit: { kind: 'name' as const, total: 1 },
      facts: { name: record, country: 'United States' },
    };
    expect(decide({ name: typed }, [candidate]).state).not.toBe('match');
    expect(decide({ name: record }, [{ ...candidate, facts: { name: typed } }]).state).not.toBe('match');
  });
});

describe.skipIf(!hasRightRecord)('in ../shared/data/right-record.json', () => {
  const decideAbout = (query: { name: string; country?: string }, record: string, country?: string) =>
    decide(query, [{ id: '1', hit: { kind: 'name', total: 1 }, facts: { name: record, country } }]);

  it('each name is its record', () => {
    for (const { record, country, companies } of rightNames) {
      for (const company of companies)
        expect([company, decideAbout(company, record, country).state]).toEqual([company, 'match']);
    }
  });

  it('no name is the record of another company', () => {
    for (const { record, typed } of wrongNames) {
      for (const name of typed)
        expect([name, decideAbout({ name }, record).state]).not.toEqual([name, 'match']);
    }
  });

  it('each cell is its website, or none', () => {
    const resolve = (text: string) => resolveKey('company_clean', 'website', text);
    for (const [host, cells] of Object.entries(websites.same_host)) {
      for (const cell of cells)
        expect([cell, resolve(cell)]).toMatchObject([cell, { ok: true, value: host }]);
    }
    for (const cell of websites.no_company) expect(resolve(cell)).toMatchObject({ ok: false, is: 'mail' });
    for (const cell of websites.names_not_hosts) {
      expect(resolve(cell)).toMatchObject({ ok: false, is: 'name' });
      expect(resolveKey('company_base', 'auto', cell).ok).toBe(false);
    }
    for (const [page, host] of Object.entries(websites.own_page_of_a_website)) {
      expect(resolve(page)).toMatchObject({ ok: true, value: host });
      for (const family of ['company_base', 'employee_clean'] as const)
        expect(resolveKey(family, 'auto', page).ok).toBe(false);
    }
  });
});
