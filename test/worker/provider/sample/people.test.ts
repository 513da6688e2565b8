// The sample employees: the same everywhere, unique, consistent with the companies and with themselves, plausible.
import { describe, expect, test } from 'vitest';
import { indexMapping } from '../../../../shared/index-fields/index.ts';
import { NAME_TABLES, NAMES_OF } from '../../../../worker/provider/sample/data/people/cultures.ts';
import { roleFacts } from '../../../../worker/provider/sample/data/people/roles.ts';
import { UNIVERSITIES, UNIVERSITY_GROUP } from '../../../../worker/provider/sample/data/people/schools.ts';
import { VOICES } from '../../../../worker/provider/sample/data/people/voices/index.ts';
import { COUNTRIES } from '../../../../worker/provider/sample/data/places.ts';
import { employeeAt } from '../../../../worker/provider/sample/employees.ts';
import { personName } from '../../../../worker/provider/sample/people/names.ts';
import { dutyIn } from '../../../../worker/provider/sample/people/verbs.ts';
import {
  DECIDING_LEVELS,
  LEVELS,
  ROLES,
  TONGUES,
} from '../../../../worker/provider/sample/people/vocabulary.ts';
import { hashText, randomFor } from '../../../../worker/provider/sample/random.ts';
import { withArticle } from '../../../../worker/provider/sample/text.ts';
import { SECTORS, TRADES } from '../../../../worker/provider/sample/vocabulary.ts';
import { countIn, scripts } from '../scripts.ts';
import {
  COMPANIES,
  COMPANY_BY_ID,
  differences,
  employees,
  LAST_DAY,
  perMille,
  SEAMS,
  SEED,
  strings,
} from './small.ts';

const SAMPLE = employees();
const SETTING = { companies: COMPANIES };

/** Months since the year 0. */
function months(text: string): number {
  return Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
}

describe('the same everywhere', () => {
  test('an employee depends on seed, number and the number of companies only', () => {
    employeeAt(SEED + 7, 3, { companies: 9000 });
    employeeAt(SEED, 40_000, { companies: 9000 });
    expect(employeeAt(SEED, 1234, SETTING)).toEqual(SAMPLE[1234]);
    expect(employeeAt(SEED + 1, 1234, SETTING).clean.full_name).not.toBe(SAMPLE[1234]?.clean.full_name);
  });

  test('the first 500 employees have this fingerprint', () => {
    const print = SAMPLE.slice(0, 500).reduce((hash, person) => hashText(JSON.stringify(person), hash), 0);
    expect(print.toString(16)).toBe('d9667d46');
  });

  test('three employees in full view', () => {
    const seen = [62, 777, 2222].map((index) => {
      const { clean } = SAMPLE[index] ?? {};
      const first = clean?.experience[0];
      return [
        clean?.id,
        clean?.full_name,
        clean?.headline,
        clean?.location_city,
        first?.company_name,
        first?.date_from,
      ];
    });
    expect(seen).toEqual([
      [
        40003334,
        'Romain Hautecœur',
        'Senior Event Manager | hotels | Nantes',
        'Nantes',
        'Hôtels Ambroisel',
        '2025-05',
      ],
      [
        40041202,
        'Molly Fenwick',
        'General Manager • Ellerby & Eastlake Wine Merchants • Manchester',
        'Manchester',
        'Ellerby & Eastlake Wine Merchants',
        '2022-10',
      ],
      [
        40117788,
        'George Halloran',
        'Senior Area Sales Manager | regional banking | Detroit',
        'Detroit',
        'Skerry Trust LLC',
        '2022-04',
      ],
    ]);
  });

  test('numbers out of range are refused', () => {
    for (const index of [-1, 0.5, Number.NaN, 10_000_000])
      expect(() => employeeAt(SEED, index, SETTING)).toThrow(RangeError);
    for (const companies of [0, -1, 1.5])
      expect(() => employeeAt(SEED, 0, { companies })).toThrow(RangeError);
  });

  test('a sample of a single company has employees too', () => {
    const { clean } = employeeAt(SEED, 3, { companies: 1 });
    expect(new Set(clean.experience.map((position) => position.company_id)).size).toBeLessThanOrEqual(1);
  });
});

describe('unique and fictional', () => {
  test('identifiers grow and are unique, and so are shorthand names, old ones included', () => {
    const ids = SAMPLE.map(({ clean }) => clean.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(Math.max(...ids)).toBeLessThan(2 ** 31);
    const names = SAMPLE.flatMap(({ clean }) => clean.shorthand_names);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(perMille(SAMPLE, ({ clean }) => clean.shorthand_names.length > 1)).toBeGreaterThan(20);
    expect(SAMPLE.some(({ base }) => /^\d+$/.test(base.shorthand_name))).toBe(true);
  });

  test('a shorthand name without digits is held by one person, whatever the culture and however many there are', () => {
    const plain = { ...randomFor(0, 'plain names', 0), int: () => 1, chance: () => false };
    const held = new Set<string>();
    let people = 0;
    for (const table of NAME_TABLES) {
      const names = (table.women.length + table.men.length) * table.family.length;
      for (let index = 0; index < names * 2; index += 1) {
        held.add(personName(table, false, SEED, index, plain).shorthand);
        people += 1;
      }
    }
    expect(people).toBeGreaterThan(30_000);
    expect(held.size).toBe(people);
  });

  test('every address ends in .example, and profiles are found under the shorthand name', () => {
    for (const { clean, base } of SAMPLE) {
      const text = JSON.stringify({ clean, base });
      for (const [, host] of text.matchAll(/https?:\/\/([^/"\s]+)/g)) expect(host).toMatch(/\.example$/);
      expect(text).not.toMatch(/[\w.+-]+@[\w-]+\.\w/);
      expect(base.profile_url).toBe(`https://www.professional-network.example/in/${base.shorthand_name}`);
    }
  });
});

describe('consistent', () => {
  test('every experience names a company that exists, with the same data', () => {
    let positions = 0;
    for (const { clean } of SAMPLE) {
      for (const position of clean.experience) {
        positions += 1;
        const company = COMPANY_BY_ID.get(position.company_id);
        expect(company).toBeDefined();
        if (company === undefined) continue;
        expect({
          name: position.company_name,
          url: position.company_professional_network_url,
          shorthand: position.company_shorthand_name,
          website: position.company_website,
          industry: position.company_industry,
          size: position.company_size_range,
          staff: position.company_employees_count,
          followers: position.company_followers,
          founded: position.company_founded,
          type: position.company_type,
          address: position.company_location_hq_full_address,
          country: position.company_location_hq_country,
          iso2: position.company_location_hq_country_iso_2,
          iso3: position.company_location_hq_country_iso_3,
          state: position.company_location_hq_state,
          city: position.company_location_hq_city,
          regions: position.company_location_hq_regions,
          keywords: position.company_categories_and_keywords,
        }).toEqual({
          name: company.name,
          url: company.websites_professional_network_canonical,
          shorthand: company.websites_professional_network_canonical.split('/').pop(),
          website: company.websites_main,
          industry: company.industry,
          size: company.size_range,
          staff: company.size_employees_count,
          followers: company.followers,
          founded: company.founded,
          type: company.type,
          address: company.location_hq_raw_address,
          country: company.location_hq_country,
          iso2: company.location_hq_country_iso_2,
          iso3: company.location_hq_country_iso_3,
          state: company.location_hq_state,
          city: company.location_hq_city,
          regions: company.location_hq_regions,
          keywords: company.specialities,
        });
      }
    }
    expect(positions).toBeGreaterThan(SAMPLE.length * 2);
  });

  test('dates are in order: companies exist, positions follow each other, none is in the future', () => {
    for (const { clean, base } of SAMPLE) {
      const now = months(clean.last_updated);
      expect(clean.last_updated <= LAST_DAY).toBe(true);
      expect(base.created_at < base.updated_at && base.updated_at <= base.checked_at).toBe(true);
      expect(base.checked_at.slice(0, 10) <= LAST_DAY).toBe(true);
      let later = now;
      let worked = 0;
      for (const position of clean.experience) {
        expect(position.order_in_profile).toBe(clean.experience.indexOf(position) + 1);
        if (position.date_from === null) continue;
        const from = months(position.date_from);
        const to = position.date_to === undefined ? now : months(position.date_to ?? '');
        expect(position.is_current === 1).toBe(position.date_to === undefined);
        expect(from <= to && to <= later).toBe(true);
        expect(position.duration_months).toBe(to - from);
        expect(Number(position.company_founded ?? 0) * 12).toBeLessThanOrEqual(from);
        later = from;
        worked += to - from;
      }
      const dated = clean.experience.some((position) => position.date_from !== null);
      expect(clean.total_experience_duration_months).toBe(dated ? worked : null);
      for (const school of clean.education) {
        if (school.date_from !== null && school.date_to !== null)
          expect(school.date_from < school.date_to).toBe(true);
      }
    }
  });

  test('the record says of the present position what the experience says', () => {
    for (const { clean } of SAMPLE) {
      const present = clean.experience.find((position) => position.is_current === 1);
      expect(clean.is_working).toBe(present === undefined ? 0 : 1);
      expect(clean.company_id).toBe(present?.company_id ?? null);
      expect(clean.job_title).toBe(present?.title ?? null);
      expect(clean.job_description).toBe(present?.description ?? null);
      expect(clean.department).toBe(present?.department ?? null);
      expect(clean.management_level).toBe(present?.management_level ?? null);
    }
  });

  test('those who decide are at the levels that decide, and every level occurs', () => {
    for (const { clean } of SAMPLE) {
      const { management_level: level } = clean;
      expect(clean.is_decision_maker).toBe(level !== null && DECIDING_LEVELS.has(level) ? 1 : 0);
      if (level === 'C-Level') expect(clean.department).toBe('C-Suite');
    }
    for (const level of LEVELS)
      expect(
        SAMPLE.some(({ clean }) => clean.experience.some((one) => one.management_level === level)),
        level,
      ).toBe(true);
    const deciding = perMille(SAMPLE, ({ clean }) => clean.is_decision_maker === 1);
    expect(deciding).toBeGreaterThan(70);
    expect(deciding).toBeLessThan(280);
  });

  test('both variants tell the same', () => {
    for (const { clean, base } of SAMPLE) {
      expect(base.id).toBe(clean.id);
      expect(base.historical_ids.map(({ id }) => id)).toContain(base.id);
      expect([base.full_name, base.headline, base.summary]).toEqual([
        clean.full_name,
        clean.headline,
        clean.description,
      ]);
      expect([base.profile_url, base.deleted]).toEqual([
        clean.websites_professional_network,
        clean.is_deleted,
      ]);
      expect([base.connections_count, base.follower_count]).toEqual([
        clean.connections_count,
        clean.follower_count,
      ]);
      expect([base.country, base.location]).toEqual([clean.location_country, clean.location_raw_address]);
      expect(base.regions.map(({ region }) => region)).toEqual(clean.location_regions);
      expect(base.skills.map(({ skill }) => skill)).toEqual(clean.skills);
      expect(base.experience_count).toBe(clean.experience.length);
      expect(base.recommendations_count ?? 0).toBe(clean.recommendations.length);
      const kept = base.experience.filter((position) => position.deleted === 0);
      expect(
        kept.map(({ title, company_id, date_from, date_to }) => [title, company_id, date_from, date_to]),
      ).toEqual(
        clean.experience.map(({ title, company_id, date_from, date_to = null }) => [
          title,
          company_id,
          date_from,
          date_to,
        ]),
      );
      expect(base.education.map((school) => school.institution_name)).toEqual(
        clean.education.map((school) => school.institution_name),
      );
    }
  });

  test('fields are those of the index mappings, nested ones included', () => {
    // What a company says about itself stands in the company's own record and is not repeated in every position.
    expect(
      differences(
        SAMPLE.map(({ clean }) => clean),
        indexMapping('employee_clean').properties,
      ),
    ).toEqual(['mapping experience.company_description']);
    expect(
      differences(
        SAMPLE.map(({ base }) => base),
        indexMapping('employee_base').properties,
      ),
    ).toEqual([]);
  });
});

describe('plausible', () => {
  test('values are missing about as often as in life', () => {
    const bounds: readonly [string, number, number, (person: (typeof SAMPLE)[number]) => boolean][] = [
      ['headline', 15, 60, ({ clean }) => clean.headline === null],
      ['about', 500, 680, ({ clean }) => clean.description === null],
      ['skills', 90, 180, ({ clean }) => clean.skills.length === 0],
      ['education', 120, 300, ({ clean }) => clean.education.length === 0],
      ['experience', 10, 45, ({ clean }) => clean.experience.length === 0],
      ['present work', 80, 190, ({ clean }) => clean.is_working === 0],
      ['picture', 220, 340, ({ clean }) => clean.picture_url === null],
      ['place', 10, 45, ({ clean }) => clean.location_country === null],
      ['followers', 20, 80, ({ clean }) => clean.follower_count === null],
      ['languages', 560, 720, ({ clean }) => clean.languages.length === 0],
      ['certificates', 680, 820, ({ clean }) => clean.certifications.length === 0],
      ['recommendations', 840, 930, ({ clean }) => clean.recommendations.length === 0],
      ['awards', 910, 970, ({ clean }) => clean.awards.length === 0],
      ['deleted profiles', 975, 995, ({ base }) => base.deleted === 0],
      ['hidden profiles', 970, 993, ({ base }) => base.is_hidden === 0],
      ['industry', 70, 150, ({ base }) => base.industry === null],
    ];
    for (const [what, low, high, missing] of bounds) {
      const share = perMille(SAMPLE, missing);
      expect(share, what).toBeGreaterThanOrEqual(low);
      expect(share, what).toBeLessThanOrEqual(high);
    }
    expect(SAMPLE.some(({ base }) => base.experience.some((one) => one.deleted === 1))).toBe(true);
    expect(SAMPLE.some(({ base }) => base.skills.some((one) => one.deleted === 1))).toBe(true);
  });

  test('careers have one to eleven positions, mostly few', () => {
    const counts = SAMPLE.map(({ clean }) => clean.experience.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(16);
    expect(perMille(counts, (count) => count >= 1 && count <= 4)).toBeGreaterThan(550);
    expect(perMille(counts, (count) => count >= 6)).toBeGreaterThan(60);
  });

  test('names come in many scripts', () => {
    const names = SAMPLE.map(({ clean }) => clean.full_name);
    for (const script of scripts) expect(countIn(script, names), script).toBeGreaterThan(0);
  });

  test('no text shows the seams of its making', () => {
    const texts = SAMPLE.flatMap(({ clean, base }) => [...strings(clean), ...strings(base)]);
    expect(texts.length).toBeGreaterThan(100_000);
    expect(texts.filter((text) => SEAMS.test(text))).toEqual([]);
  });

  test('what people say about themselves hardly repeats', () => {
    const texts = SAMPLE.map(({ clean }) => clean.description).filter((text) => text !== null);
    expect(new Set(texts).size / texts.length).toBeGreaterThan(0.97);
  });
});

describe('the tables', () => {
  test('every country has names and schools', () => {
    for (const { key } of COUNTRIES) {
      expect(NAMES_OF.has(key), key).toBe(true);
      expect(UNIVERSITIES[key] ?? UNIVERSITIES[UNIVERSITY_GROUP[key] ?? ''], key).toBeDefined();
    }
  });

  test('roles are at home in trades that exist, and so are their titles', () => {
    const known = new Set<string>([...TRADES, ...SECTORS]);
    for (const role of ROLES) {
      const facts = roleFacts(role);
      const places = [...facts.titles, ...facts.leads, ...(facts.heads ?? [])].flatMap(
        (entry) => entry.split('@')[1]?.split(',') ?? [],
      );
      for (const place of [...facts.fits, ...places]) expect(known.has(place), `${role} ${place}`).toBe(true);
    }
  });

  test('every voice names all languages, and hints under posts are kinds of post', () => {
    for (const [language, voice] of VOICES) {
      expect(voice.tongues.split('; '), language).toHaveLength(TONGUES.length);
      for (const comment of voice.comments)
        expect(comment).toMatch(/^[^@]+(@(start|hiring|event|lesson|team|milestone)(,[a-z]+)*)?$/);
    }
  });

  test('duties can be said in three forms', () => {
    expect(dutyIn('Plan and *run tours', 'plain')).toBe('Plan and run tours');
    expect(dutyIn('Plan and *run tours', 'past')).toBe('Planned and ran tours');
    expect(dutyIn('Write minutes and *chase what was agreed', 'ing')).toBe(
      'Writing minutes and chasing what was agreed',
    );
    expect(dutyIn('Carry boxes', 'past')).toBe('Carried boxes');
  });

  test('titles take the article of their sound', () => {
    expect(
      [
        'HR Assistant',
        'UX Designer',
        'Urban Planner',
        'Underwriter',
        'Order Picker',
        'Nurse',
        'Ålesund-based company',
        'Umeå-based company',
        'Utrecht-based company',
        '18-year guarantee',
        '80 minute walk',
      ].map(withArticle),
    ).toEqual([
      'an HR Assistant',
      'a UX Designer',
      'an Urban Planner',
      'an Underwriter',
      'an Order Picker',
      'a Nurse',
      'an Ålesund-based company',
      'an Umeå-based company',
      'a Utrecht-based company',
      'an 18-year guarantee',
      'an 80 minute walk',
    ]);
  });
});
