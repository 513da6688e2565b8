// The sample: reproducible, unique, fictional, plausible, and consistent between families.
import { describe, expect, it } from 'vitest';
import { indexFields } from '../../../shared/families/registry.ts';
import type { Properties } from '../../../shared/index-fields/mapping.ts';
import { getKnownValues } from '../../../shared/query/known-values.ts';
import { getCompany, SIZE_RANGES } from '../../../worker/commands/sample/company.ts';
import {
  countSampleRecords,
  generateSample,
  type RecordsByFamily,
  SAMPLE_FAMILIES,
  SAMPLE_SEED,
  type SampleFamily,
  type SampleOptions,
} from '../../../worker/commands/sample/index.ts';
import { DECIDING_LEVELS, getPerson } from '../../../worker/commands/sample/person.ts';
import { formatDay, REFERENCE_S } from '../../../worker/commands/sample/words.ts';

const COMPANIES = 400;
const LAST_DAY = formatDay(REFERENCE_S - 1);

function collectSample(options: Partial<SampleOptions> & { companies: number }) {
  const collected: { [Family in SampleFamily]: RecordsByFamily[Family][] } = {
    company_clean: [],
    company_base: [],
    employee_clean: [],
    employee_base: [],
    job_base: [],
    employee_post: [],
  };
  for (const { family, record } of generateSample({ seed: SAMPLE_SEED, ...options })) {
    const list: object[] = collected[family];
    list.push(record);
  }
  return collected;
}

const records = collectSample({ companies: COMPANIES });
const text = JSON.stringify(records);
const companies = records.company_clean.map((clean, at) => ({ clean, base: records.company_base[at] }));
const people = records.employee_clean.map((clean, at) => ({ clean, base: records.employee_base[at] }));
const companyById = new Map(records.company_clean.map((company) => [company.id, company]));
const personByUrl = new Map(
  records.employee_clean.map((person) => [person.websites_professional_network, person]),
);

function percentOf<T>(items: readonly T[], predicate: (item: T) => boolean): number {
  return (items.filter(predicate).length * 100) / items.length;
}

/** Reads a field that the types of records don't list. */
function readValue(record: object, name: string): unknown {
  return new Map<string, unknown>(Object.entries(record)).get(name);
}

/** Lists fields that records have and the index lacks, or the other way round. */
function findDifferences(items: readonly object[], properties: Properties, path = ''): string[] {
  const seen = new Set(items.flatMap((record) => Object.keys(record)));
  const found = [...seen]
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => `record ${path}${name}`);
  for (const [name, property] of Object.entries(properties)) {
    if (!seen.has(name)) found.push(`index ${path}${name}`);
    if (property.type !== 'nested' && property.type !== 'object') continue;
    const inner = items
      .flatMap((record) => readValue(record, name))
      .filter((item) => typeof item === 'object' && item !== null);
    found.push(...findDifferences(inner, property.properties, `${path}${name}.`));
  }
  return found;
}

describe('the sample', () => {
  it('depends only on the seed, the index and the number of companies', () => {
    const few = collectSample({ companies: 5 });
    expect(collectSample({ companies: 5 })).toEqual(few);
    expect(collectSample({ companies: 5, seed: 7 }).company_clean[0]?.name).not.toBe(
      few.company_clean[0]?.name,
    );
    expect(getCompany(SAMPLE_SEED, 300).id).toBe(records.company_clean[300]?.id);
    expect(getPerson(SAMPLE_SEED, 777, COMPANIES).id).toBe(records.employee_clean[777]?.id);
  });

  it('has the announced number of records of each family, or only the requested families', () => {
    expect(countSampleRecords(2000)).toMatchObject({
      employee_base: 10_000,
      job_base: 5_000,
      employee_post: 3_000,
    });
    const counts = Object.entries(records).map(([family, list]) => [family, list.length]);
    expect(Object.fromEntries(counts)).toEqual(countSampleRecords(COMPANIES));
    const one = collectSample({ companies: 1 });
    expect(Object.values(one).map((list) => list.length)).toEqual([1, 1, 5, 5, 3, 2]);
    const jobs = collectSample({ companies: 1, families: ['job_base'] });
    expect(jobs).toMatchObject({ company_clean: [], job_base: one.job_base });
  });

  it.each(SAMPLE_FAMILIES)('has the fields of the index in its records of %s', (family) => {
    expect(findDifferences(records[family], indexFields[family].properties)).toEqual([]);
  });

  it('has ascending ids and unique shorthand names and websites', () => {
    for (const family of SAMPLE_FAMILIES) {
      const ids = records[family].map(({ id }) => BigInt(id));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)));
    }
    expect(records.employee_post.every(({ id }) => /^\d{19}$/.test(id))).toBe(true);
    expect(personByUrl.size).toBe(people.length);
    expect(records.employee_base.some(({ shorthand_name }) => /^\d+$/.test(shorthand_name))).toBe(true);
    // Names repeat after 33,280 companies, with a number behind them.
    const indexes = [0, 33_280, 66_560].flatMap((first) =>
      Array.from({ length: 1_500 }, (_, at) => first + at),
    );
    const hosts = new Set(indexes.map((index) => getCompany(SAMPLE_SEED, index).host.replaceAll('-', '')));
    expect(hosts.size).toBe(indexes.length);
  });

  it('is fictional: hosts end in .example, telephone numbers are reserved for fiction', () => {
    const hosts = [...text.matchAll(/https?:\/\/([^/"\s\\]+)|[\w.+-]+@([\w.-]+)/g)].map(
      ([, url, mail]) => url ?? mail,
    );
    expect(hosts.filter((host) => !host?.endsWith('.example'))).toEqual([]);
    const reserved =
      /^\+(1 \d{3}-555-01\d\d|44 20 7946 0\d{3}|353 20 915 \d{4}|49 30 23125 \d{3}|33 1 99 00 \d\d \d\d|46 8 465 004 \d\d|61 2 5550 \d{4})$/;
    const numbers = records.company_clean.flatMap(({ phone_numbers }) => phone_numbers ?? []);
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers.filter((number) => !reserved.test(number))).toEqual([]);
  });

  it('has no unfilled slots and no undefined values', () => {
    const found = /\{\w+\}|undefined|NaN|\[object/.exec(text);
    expect(found && text.slice(found.index - 40, found.index + 40)).toBeNull();
  });

  it('has only values that forms offer', () => {
    const rounds = companies.flatMap(({ clean }) => clean.funding_rounds ?? []);
    const valuesByField: Readonly<Record<string, readonly unknown[]>> = {
      management_level: people.map(({ clean }) => clean.management_level),
      department: people.map(({ clean }) => clean.department),
      size_range: companies.map(({ clean }) => clean.size_range),
      location_hq_country: companies.map(({ clean }) => clean.location_hq_country),
      employment_type: records.job_base.map((job) => job.employment_type),
      last_round_type: rounds.map((round) => round.last_round_type),
    };
    for (const [field, values] of Object.entries(valuesByField)) {
      const known = getKnownValues(field);
      expect(
        [...new Set(values)].filter((value) => value !== null && !known.includes(String(value))),
      ).toEqual([]);
    }
  });

  it('lacks values about as often as real records, and has companies of every size', () => {
    expect(percentOf(companies, ({ clean }) => clean.founded === null)).toBeGreaterThan(15);
    expect(percentOf(companies, ({ clean }) => clean.enriched_summary === undefined)).toBeGreaterThan(10);
    expect(percentOf(people, ({ clean }) => clean.description === null)).toBeGreaterThan(30);
    expect(percentOf(companies, ({ clean }) => (clean.size_employees_count ?? 0) <= 50)).toBeGreaterThan(50);
    expect(new Set(companies.map(({ clean }) => clean.size_range)).size).toBe(SIZE_RANGES.length + 1);
  });
});

describe('both variants of a record', () => {
  it('agree on a company', () => {
    for (const { clean, base } of companies) {
      expect(base).toMatchObject({
        id: clean.id,
        name: clean.name,
        website: clean.websites_main_original,
        employees_count: clean.size_employees_count,
        industry: clean.industry,
        founded: clean.founded === null ? null : Number(clean.founded),
        headquarters_country_parsed: clean.location_hq_country,
        company_specialties_collection: clean.specialities.map((specialty) => ({ specialty })),
        company_locations_collection: clean.locations_full.map(({ location_address }) => ({
          location_address,
        })),
        company_updates_collection: (clean.updates ?? []).map(({ urn }) => ({ urn })),
      });
      expect(base?.last_updated.slice(0, 10)).toBe(clean.last_updated);
    }
  });

  it('agree on an employee', () => {
    for (const { clean, base } of people) {
      expect(base).toMatchObject({
        id: clean.id,
        full_name: clean.full_name,
        profile_url: clean.websites_professional_network,
        country: clean.location_country,
        region: [clean.location_regions].flat()[0] ?? null,
        experience: clean.experience.map(({ title, date_from, date_to }) => ({
          title,
          date_from,
          date_to: date_to ?? null,
        })),
        skills: clean.skills.map((skill) => ({ skill })),
      });
      expect((base?.created_at ?? '') <= (base?.updated_at ?? '')).toBe(true);
    }
  });
});

describe('companies', () => {
  it('have the size of their staff, one headquarters and chronological dates', () => {
    for (const { clean, base } of companies) {
      const range = SIZE_RANGES.find(({ label }) => label === clean.size_range);
      const count = clean.size_employees_count;
      if (range !== undefined && count !== null) expect(count >= range.low && count <= range.high).toBe(true);
      expect(clean.locations_full.filter(({ is_primary }) => is_primary)).toHaveLength(
        clean.location_hq_country === null ? 0 : 1,
      );
      expect(clean.locations_full[0]?.city ?? null).toBe(clean.location_hq_city);
      expect(clean.created_at <= clean.last_updated && clean.last_updated <= LAST_DAY).toBe(true);
      expect((clean.founded ?? '1900') <= clean.created_at.slice(0, 4)).toBe(true);
      for (const item of [
        ...(base?.company_similar_collection ?? []),
        ...(base?.company_updates_collection ?? []),
      ]) {
        const [created, updated] = ['created', 'last_updated'].map((name) => String(readValue(item, name)));
        expect([base?.created, created, updated].toSorted()).toEqual([base?.created, created, updated]);
      }
    }
  });

  it('refer to companies and employees of the sample', () => {
    const urls = new Set(companies.map(({ base }) => base?.canonical_url));
    const similar = companies.flatMap(({ base }) => base?.company_similar_collection ?? []);
    expect(similar.length).toBeGreaterThan(100);
    expect(similar.filter(({ url }) => !urls.has(url))).toEqual([]);
    for (const { base } of companies) {
      for (const { url } of base?.company_featured_employees_collection ?? []) {
        expect(personByUrl.get(url)?.experience[0]?.company_id).toBe(base?.id);
      }
    }
  });
});

it('employees have chronological careers at companies of the sample', () => {
  for (const { clean } of people) {
    expect(clean.experience.length).toBeGreaterThan(0);
    for (const [at, job] of clean.experience.entries()) {
      const company = companyById.get(job.company_id);
      expect(job).toMatchObject({
        order_in_profile: at + 1,
        company_name: company?.name,
        company_website: company?.websites_main_original,
        company_location_hq_country: company?.location_hq_country,
      });
      expect(job.date_from >= (company?.founded ?? '')).toBe(true);
      expect(job.date_to === undefined || job.date_from <= job.date_to).toBe(true);
      expect(job.date_from <= LAST_DAY && (job.date_to ?? '') <= LAST_DAY).toBe(true);
      const previous = clean.experience[at + 1];
      if (previous !== undefined) expect((previous.date_to ?? '9999') <= job.date_from).toBe(true);
    }
    const current = clean.experience.find(({ is_current }) => is_current === 1);
    expect(clean).toMatchObject({
      is_working: current === undefined ? 0 : 1,
      job_title: current?.title ?? null,
      company_id: current?.company_id ?? null,
      is_decision_maker: DECIDING_LEVELS.includes(current?.management_level ?? '') ? 1 : 0,
    });
  }
});

// Service: "Records span from August 2020 to the present. Active postings are revisited within 24 hours."
it('job postings belong to companies of the sample, span from August 2020, and active ones are current', () => {
  for (const job of records.job_base) {
    const company = companyById.get(job.company_id);
    expect(job).toMatchObject({
      company_name: company?.name,
      company_url: company?.websites_professional_network,
      job_company_website: company?.websites_main_original,
      job_industry_collection: [{ job_industry_list: { industry: company?.industry } }],
    });
    expect(job.created >= '2020-08-01' && job.created <= job.last_updated).toBe(true);
    if (job.application_active === 1) expect(job.last_updated.slice(0, 10)).toBe(LAST_DAY);
  }
  expect(percentOf(records.job_base, ({ application_active }) => application_active === 1)).toBeGreaterThan(
    15,
  );
});

it('posts are written, mentioned and commented by employees of the sample', () => {
  for (const post of records.employee_post) {
    const author = personByUrl.get(post.author_profile_url);
    expect(post).toMatchObject({
      employee_parent_id: String(author?.id),
      author_name: author?.full_name,
      author_headline: author?.headline,
    });
    for (const { url, full_name } of post.mentions) expect(personByUrl.get(url)?.full_name).toBe(full_name);
    for (const comment of post.comments) {
      expect(personByUrl.get(comment.author_profile_url)?.full_name).toBe(comment.author_name);
      expect(comment.date_published >= post.date_published).toBe(true);
    }
    for (const tag of post.hashtags) expect(post.article_body ?? tag).toContain(tag);
    expect(post.date_published <= post.created_at && post.date_published <= LAST_DAY).toBe(true);
  }
});
