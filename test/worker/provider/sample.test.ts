// The sample companies: the same everywhere, unique, consistent, and nowhere real.
import { describe, expect, test } from 'vitest';
import {
  companies,
  companyAt,
  SAMPLE_SEED,
  type SampleCompany,
} from '../../../worker/provider/sample/companies.ts';
import { SIZE_RANGES } from '../../../worker/provider/sample/data/catalogue.ts';
import { FAMILIES, type NameFamily } from '../../../worker/provider/sample/data/name-families.ts';
import { moneyText } from '../../../worker/provider/sample/funding.ts';
import { identityAt } from '../../../worker/provider/sample/names.ts';
import { hashText, randomFor, shuffled } from '../../../worker/provider/sample/random.ts';
import { COUNT, LAST_DAY, SAMPLE } from './sample-companies.ts';

describe('the same everywhere', () => {
  test('a company depends on seed and number only', () => {
    expect(companyAt(SAMPLE_SEED, 1234)).toEqual(SAMPLE[1234]);
    expect([...companies({ seed: SAMPLE_SEED, count: 3 })]).toEqual(SAMPLE.slice(0, 3));
    expect(companyAt(SAMPLE_SEED + 1, 0).clean.name).not.toBe(SAMPLE[0]?.clean.name);
  });

  test('the first 500 companies have this fingerprint', () => {
    const print = SAMPLE.slice(0, 500).reduce((hash, company) => hashText(JSON.stringify(company), hash), 0);
    expect(print.toString(16)).toBe('cc924172');
  });

  test('three companies in full view', () => {
    const seen = [7, 340, 1999].map((index) => {
      const company = SAMPLE[index];
      return [
        company?.clean.id,
        company?.clean.name,
        company?.base.canonical_shorthand_name,
        company?.clean.websites_main_original,
        company?.clean.industry,
        company?.clean.location_hq_city,
        company?.base.size,
        company?.base.employees_count,
      ];
    });
    expect(seen).toEqual([
      [
        1003127,
        'Cairnshore Assurance',
        'cairnshore-assurance',
        'https://www.cairnshoreassurance.example',
        'Insurance',
        'New York',
        '11-50 employees',
        33,
      ],
      [
        1035405,
        'شركة الغيمة الهادئة للصناعات الغذائية',
        'alghaimaalhadia-foodstuffs',
        'https://alghaimaalhadiafoodstuffs.example/',
        'Food and Beverage Manufacturing',
        'Abu Dhabi',
        '11-50 employees',
        18,
      ],
      [
        1196327,
        'Ulverham Leisure Limited',
        'ulverham-leisure',
        'https://www.ulverhamleisure.example',
        'Hospitality',
        'Sheffield',
        '1-10 employees',
        1,
      ],
    ]);
  });

  test('a number outside the range is refused', () => {
    for (const index of [-1, 1.5, Number.NaN, 10_000_000]) {
      expect(() => companyAt(SAMPLE_SEED, index)).toThrow(RangeError);
    }
  });

  test('shuffling puts every position in a place of its own', () => {
    for (const size of [1, 2, 7, 1000, 4097]) {
      const places = Array.from({ length: size }, (_, position) => shuffled(position, size, 99));
      expect(new Set(places).size).toBe(size);
      expect(Math.max(...places)).toBe(size - 1);
    }
    expect(() => shuffled(5, 5, 1)).toThrow(RangeError);
  });

  test('random numbers stay in their range and follow their weights', () => {
    const random = randomFor(1, 'test', 0);
    const drawn = Array.from({ length: 3000 }, () => random.int(3, 7));
    expect([...new Set(drawn)].sort()).toEqual([3, 4, 5, 6, 7]);
    const heads = Array.from({ length: 3000 }, () =>
      random.weighted([
        ['a', 3],
        ['b', 1],
        ['c', 0],
      ] as const),
    );
    const share = heads.filter((side) => side === 'a').length / 3000;
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
    expect(heads).not.toContain('c');
    expect(random.sample([1, 2, 3], 9).sort()).toEqual([1, 2, 3]);
    expect(() => random.pick([])).toThrow(RangeError);
    expect(() => random.weighted([])).toThrow(RangeError);
  });
});

describe('unique and fictional', () => {
  test('identifiers, shorthand names and websites are unique, and identifiers grow', () => {
    const ids = SAMPLE.map(({ clean }) => clean.id);
    expect(new Set(ids).size).toBe(COUNT);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set(SAMPLE.map(({ base }) => base.source_id)).size).toBe(COUNT);
    expect(new Set(SAMPLE.map(({ base }) => base.canonical_shorthand_name)).size).toBe(COUNT);
    expect(new Set(SAMPLE.map(({ base }) => base.company_shorthand_name)).size).toBe(COUNT);
    const sites = SAMPLE.map(({ clean }) => clean.websites_main_original).filter((site) => site !== null);
    const hosts = sites.map((site) => new URL(site).hostname.replace(/^www\./, ''));
    expect(new Set(hosts).size).toBe(sites.length);
  });

  test('50,000 companies share no shorthand name, and none when hyphens are left out as in websites', () => {
    const names = new Set<string>();
    const labels = new Set<string>();
    for (let index = 0; index < 50_000; index += 1) {
      const { shorthand } = identityAt(SAMPLE_SEED, index);
      names.add(shorthand);
      labels.add(shorthand.replace(/-(?!\d+$)/g, ''));
    }
    expect(names.size).toBe(50_000);
    expect(labels.size).toBe(50_000);
  });

  test('no core of a name belongs to two families, and none can be read two ways', () => {
    expect(FAMILIES.reduce((sum, family) => sum + family.weight, 0)).toBe(1000);
    const owners = new Map<string, string>();
    const doubles: string[] = [];
    const shared: Readonly<Record<string, string>> = { 'german-places': 'german' };
    for (const family of FAMILIES) {
      for (const core of coresOf(family)) {
        if (owners.has(core)) doubles.push(core);
        owners.set(core, shared[family.key] ?? family.key);
      }
    }
    expect(doubles).toEqual([]);
  });

  test('shorthand names are small Latin letters, digits and hyphens', () => {
    for (const { base } of SAMPLE) {
      expect(base.canonical_shorthand_name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  test('every address in a record ends in .example', () => {
    for (const company of SAMPLE) {
      const text = JSON.stringify(company);
      for (const [, host] of text.matchAll(/https?:\/\/([^/"\s]+)/g)) expect(host).toMatch(/\.example$/);
      for (const [, host] of text.matchAll(/[\w.+-]+@([\w.-]+)/g)) expect(host).toMatch(/\.example$/);
    }
  });

  test('every telephone number is from a range that is reserved for fiction', () => {
    const reserved =
      /^\+(1 \d{3}-555-01\d\d|44 20 7946 0\d{3}|353 20 915 \d{4}|49 30 23125 \d{3}|33 1 99 00 \d\d \d\d|46 8 465 004 \d\d|61 2 5550 \d{4})$/;
    const numbers = SAMPLE.flatMap(({ clean }) => clean.phone_numbers ?? []);
    expect(numbers.length).toBeGreaterThan(300);
    for (const number of numbers) expect(number).toMatch(reserved);
  });

  test('websites are written in the ways of life', () => {
    const sites = SAMPLE.map(({ clean }) => clean.websites_main_original ?? '');
    for (const way of [/^http:/, /^https:/, /\/\/www\./, /e\/$/, /example$/, /example\/[a-z]/]) {
      expect(sites.some((site) => way.test(site))).toBe(true);
    }
  });
});

describe('consistent', () => {
  test('both variants tell the same', () => {
    for (const { clean, base } of SAMPLE) {
      expect(base.id).toBe(clean.id);
      expect(base.name).toBe(clean.name);
      expect(base.website).toBe(clean.websites_main_original);
      expect(base.size).toBe(clean.size_range);
      expect(base.employees_count).toBe(clean.size_employees_count);
      expect(base.industry).toBe(clean.industry);
      expect(base.description).toBe(clean.description);
      expect(base.followers).toBe(clean.followers);
      expect(base.type).toBe(clean.type);
      expect(base.founded === null ? null : String(base.founded)).toBe(clean.founded);
      expect(base.headquarters_country_parsed).toBe(clean.location_hq_country);
      expect(base.canonical_url).toBe(clean.websites_professional_network_canonical);
      expect(base.url).toBe(clean.websites_professional_network);
      expect(String(base.source_id)).toBe(clean.professional_network_source_id);
      expect(base.last_updated.slice(0, 10)).toBe(clean.last_updated);
      expect(base.created.slice(0, 10)).toBe(clean.created_at);
      expect(base.company_specialties_collection.map((item) => item.specialty)).toEqual(clean.specialities);
      expect(base.company_updates_collection.map((item) => item.urn)).toEqual(
        (clean.updates ?? []).map((item) => item.urn),
      );
      expect(base.company_locations_collection.map((item) => item.location_address)).toEqual(
        clean.locations_full.map((item) => item.location_address),
      );
      expect(base.company_stock_info_collection[0]?.ticker ?? null).toBe(clean.ticker);
    }
  });

  test('the size category holds the number of employees', () => {
    for (const { clean } of SAMPLE) {
      const range = SIZE_RANGES.find((found) => found.label === clean.size_range);
      if (range === undefined || clean.size_employees_count === null) continue;
      expect(clean.size_employees_count).toBeGreaterThanOrEqual(range.low);
      expect(clean.size_employees_count).toBeLessThanOrEqual(range.high);
    }
  });

  test('the headquarters are the first and only primary location', () => {
    for (const { clean, base } of SAMPLE) {
      if (clean.location_hq_country === null) {
        expect(clean.locations_full).toEqual([]);
        continue;
      }
      expect(clean.locations_full[0]?.country).toBe(clean.location_hq_country);
      expect(clean.locations_full[0]?.city).toBe(clean.location_hq_city);
      expect(clean.locations_full[0]?.regions.map((item) => item.region)).toEqual(clean.location_hq_regions);
      expect(clean.locations_full.filter((place) => place.is_primary)).toHaveLength(1);
      expect(base.company_locations_collection.filter((place) => place.is_primary === 1)).toHaveLength(1);
    }
  });

  test('dates are in order and none is younger than the reference date', () => {
    for (const { clean, base } of SAMPLE) {
      expect(base.created <= base.last_updated).toBe(true);
      expect(clean.last_updated <= LAST_DAY).toBe(true);
      expect(base.last_updated_ux).toBe(Date.parse(`${base.last_updated.replace(' ', 'T')}Z`) / 1000);
      if (base.founded !== null) {
        expect(base.founded).toBeGreaterThanOrEqual(1890);
        expect(base.founded).toBeLessThanOrEqual(2025);
        expect(base.founded <= Number(base.created.slice(0, 4))).toBe(true);
      }
      for (const item of clean.technologies ?? []) {
        expect(item.first_verified_at <= item.last_verified_at).toBe(true);
        expect(item.last_verified_at <= clean.last_updated).toBe(true);
      }
      for (const item of collectionItems(base)) {
        expect(item.company_id).toBe(base.id);
        expect(item.created >= base.created && item.created <= item.last_updated).toBe(true);
        expect(item.last_updated <= base.last_updated).toBe(true);
      }
    }
  });

  test('funding rounds come in the order of time, counted, and with the same money in both variants', () => {
    let rounds = 0;
    for (const { clean, base } of SAMPLE) {
      const told = clean.funding_rounds ?? [];
      rounds += told.length;
      expect(base.company_funding_rounds_collection).toHaveLength(told.length);
      told.forEach((round, at) => {
        const same = base.company_funding_rounds_collection[at];
        expect(round.total_rounds_count).toBe(at + 1);
        expect(round.last_round_date <= clean.last_updated).toBe(true);
        expect(round.last_round_date >= (clean.founded ?? '0')).toBe(true);
        expect(round.last_round_date >= (told[at - 1]?.last_round_date ?? '0')).toBe(true);
        expect(same?.last_round_date).toBe(`${round.last_round_date} 00:00:00`);
        expect(same?.last_round_type).toBe(round.last_round_type);
        const money = round.last_round_money_raised;
        expect(same?.last_round_money_raised).toBe(money === null ? null : moneyText(money));
        expect(money ?? 0).toBeLessThan(2 ** 31);
      });
    }
    expect(rounds).toBeGreaterThan(150);
    expect(moneyText(27_000_000)).toBe('US$ 27.0M');
    expect(moneyText(850_000)).toBe('US$ 850.0K');
    expect(moneyText(1_300_000)).toBe('US$ 1.3M');
  });

  test('similar companies are companies of the sample', () => {
    const known = new Set(SAMPLE.map(({ base }) => base.canonical_url));
    const links = SAMPLE.flatMap(({ base }) => base.company_similar_collection.map((item) => item.url));
    expect(links.length).toBeGreaterThan(1000);
    expect(links.every((link) => known.has(link))).toBe(true);
  });
});

/** Every core that a family can make, as written in addresses. */
function coresOf(family: NameFamily): string[] {
  let cores = [''];
  family.parts.forEach((part, at) => {
    const glue = at === 0 ? '' : family.slugGlue;
    cores = cores.flatMap((core) => part.map((word) => core + glue + word.slug));
  });
  return cores;
}

/** All items of all collections of a base record. */
function collectionItems(base: SampleCompany['base']) {
  return [
    ...base.company_affiliated_collection,
    ...base.company_also_viewed_collection,
    ...base.company_featured_employees_collection,
    ...base.company_featured_investors_collection,
    ...base.company_funding_rounds_collection,
    ...base.company_locations_collection,
    ...base.company_similar_collection,
    ...base.company_specialties_collection,
    ...base.company_stock_info_collection,
    ...base.company_updates_collection,
  ];
}
