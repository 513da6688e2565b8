// Planned searches for company names.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSearches, searchKinds } from '../../../shared/matching/plan.ts';
import { unicodeText } from '../../unicode-text.ts';

/** A query has at most this length (provider API, "Credits and limits"). */
const MAX_QUERY = 15_000;

const kinds = (name: string, country?: string): string[] =>
  planSearches('company_clean', { name, country }).map(({ kind }) => kind);

describe('the searches for a name', () => {
  it.each([
    ['CircuitHub', ['name', 'spelling']],
    ['CircuitHub, Inc.', ['name', 'spelling']],
    ['Acme Foods', ['name', 'spelling', 'abbreviation', 'partial']],
    ['!!!', []],
    ['', []],
    ['n/a', []],
    ['Unknown', []],
  ])('%j: %j', (name, expected) => {
    expect(kinds(name)).toEqual(expected);
  });

  it('are limited to a country first', () => {
    expect(kinds('CircuitHub', 'UK')).toEqual(['name', 'spelling', 'elsewhere']);
    const searches = planSearches('company_base', { name: 'CircuitHub', country: 'UK', city: 'London' });
    const filters = searches.map(({ query }) =>
      JSON.stringify(query).includes('headquarters_country_parsed'),
    );
    expect(filters).toEqual([true, true, false]);
    expect(JSON.stringify(searches[0]?.query)).toContain('"headquarters_city":{"query":"London"}');
  });

  it('look for long forms and beginnings of abbreviations', () => {
    const abbreviation = planSearches('company_clean', { name: 'Acme Intl. Mach.' }).find(
      ({ kind }) => kind === 'abbreviation',
    );
    const query = JSON.stringify(abbreviation?.query);
    expect(query).toContain('"international"');
    expect(query).toContain('{"prefix":{"name":{"value":"mach"}}}');
  });

  it.each([
    ['Danmark', 'Denmark'],
    ['UAE', 'United Arab Emirates'],
    ['日本', 'Japan'],
    ['n/a', undefined],
    ['EMEA', undefined],
  ])('are limited to the country that %s names: %s', (typed, country) => {
    const [search] = planSearches('company_clean', { name: 'Acme', country: typed });
    const filter = [{ match: { location_hq_country: { query: country } } }];
    expect(search?.query).toMatchObject({ bool: country === undefined ? {} : { filter } });
    expect(JSON.stringify(search?.query).includes('location_hq_country')).toBe(country !== undefined);
  });

  it.each([
    ['Ceske drahy', '"české"', '"dráhy"'],
    ['ISIK', '"ışık"', '"isik"'],
    ['Lodz Zaluzje', '"łódź"', '"żaluzje"'],
    ['Muellerhof', '"müllerhof"', '"muellerhof"'],
    ['Skagen Brød', '"brod"', '"broed"'],
    ['Aabenraa Bro', '"åbenrå"', '"bro"'],
    ['A.B.C. Tooling', '"A B C Tooling"', '"abc tooling"'],
    ['ABC Tooling', '"A.B.C Tooling"', '"A B C Tooling"'],
    ['A-B-C Tooling', '"a.b.c"', '"abc tooling"'],
    ['J. Crewe', '"J.Crewe"', '"jcrewe"'],
    ['CircuitHub', '"Circuit Hub"', '"circuithub"'],
    ["Levi's", '"levi’s"', '"levis"'],
    ['Harbor Fund II', '"2"', '"ii"'],
    ['Miller &amp; Sons', '"Miller & Sons"', '"sons"'],
    ['S.C. Dalia S.R.L.', '"Dalia"', '"S.C. Dalia S.R.L."'],
    ['Acme Deutschland GmbH', '"Acme"', '"Acme Deutschland"'],
    ['Acme (formerly Beta Labs)', '"Acme"', '"Beta Labs"'],
    ['株式会社トヨタ', '"トヨタ"', '"株式会社 トヨタ"'],
  ])('for %s look for %s and %s', (name, one, other) => {
    const [search] = planSearches('company_clean', { name });
    const query = JSON.stringify(search?.query);
    expect(query).toContain(one);
    expect(query).toContain(other);
  });

  it('for Vietnamese names without accents look for all of them', () => {
    const [search] = planSearches('company_clean', { name: 'Duong Viet', country: 'Vietnam' });
    const query = JSON.stringify(search?.query);
    for (const word of ['"đường"', '"dương"', '"việt"']) expect(query).toContain(word);
  });

  it('can be planned for any text, from precise to vague, within the limits of the provider', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aceilnorsuyz ş'), minLength: 20, maxLength: 200 });
    const names = fc.oneof(unicodeText({ maxLength: 200 }), letters);
    const countries = fc.option(fc.constantFrom('VN', 'Poland', 'x'), { nil: undefined });
    fc.assert(
      fc.property(names, countries, (name, country) => {
        const planned = planSearches('company_clean', { name, country });
        const order = planned.map(({ kind }) => searchKinds.indexOf(kind));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        for (const { query } of planned) {
          const body = { query, sort: ['_score'], known_values: true };
          expect(JSON.stringify(body).length).toBeLessThan(MAX_QUERY);
        }
      }),
    );
  });
});
