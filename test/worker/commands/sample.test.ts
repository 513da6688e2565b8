// The sample: reproducible, unique, fictional, plausible, and consistent between families.
import { describe, expect, it } from 'vitest';
import { indexFields } from '../../../shared/families/registry.ts';
import type { Properties } from '../../../shared/index-fields/mapping.ts';
import { getKnownValues } from '../../../shared/query/known-values.ts';
import { getCompany } from '../../../worker/commands/sample/company.ts';
import {
  countSampleRecords,
  generateSample,
  type RecordsByFamily,
  SAMPLE_FAMILIES,
  SAMPLE_SEED,
  type SampleFamily,
  type SampleOptions,
} from '../../../worker/commands/sample/index.ts';
import { getPerson } from '../../../worker/commands/sample/person.ts';

const COMPANIES = 400;

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
const personByUrl = new Map(
  records.employee_clean.map((person) => [person.websites_professional_network, person]),
);

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
      .flatMap((record) => new Map<string, unknown>(Object.entries(record)).get(name))
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
    const valuesByField: Readonly<Record<string, readonly (string | null)[]>> = {
      management_level: people.map(({ clean }) => clean.management_level),
      department: people.map(({ clean }) => clean.department),
      size_range: companies.map(({ clean }) => clean.size_range),
      location_hq_country: companies.map(({ clean }) => clean.location_hq_country),
      employment_type: records.job_base.map((job) => job.employment_type),
      last_round_type: rounds.map((round) => round.last_round_type),
    };
    for (const [field, values] of Object.entries(valuesByField)) {
      const known = getKnownValues(field);
      expect([...new Set(values)].filter((value) => value !== null && !known.includes(value))).toEqual([]);
    }
  });
});
