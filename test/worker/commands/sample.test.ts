// The sample: the same everywhere, unique, fictional, plausible.

import { describe, expect, it } from 'vitest';
import { indexFields } from '../../../shared/families/registry.ts';
import type { Properties } from '../../../shared/index-fields/mapping.ts';
import { getKnownValues } from '../../../shared/query/known-values.ts';
import { getCompany, SIZE_RANGES } from '../../../worker/commands/sample/company.ts';
import { countSampleRecords, SAMPLE_FAMILIES, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { getPerson } from '../../../worker/commands/sample/person.ts';
import {
  COMPANIES,
  collectSample,
  companies,
  people,
  percentOf,
  personByUrl,
  records,
} from './sample-records.ts';

/** Paths of fields that records have and the index does not, or the other way round. */
function differences(records: readonly object[], properties: Properties, path = ''): string[] {
  const seen = new Set(records.flatMap((record) => Object.keys(record)));
  const found = [...seen]
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => `record ${path}${name}`);
  for (const [name, property] of Object.entries(properties)) {
    if (!seen.has(name)) found.push(`index ${path}${name}`);
    if (property.type !== 'nested' && property.type !== 'object') continue;
    const inner = records
      .flatMap((record) => new Map<string, unknown>(Object.entries(record)).get(name))
      .filter((item) => typeof item === 'object' && item !== null);
    found.push(...differences(inner, property.properties, `${path}${name}.`));
  }
  return found;
}

describe('the sample', () => {
  it('is the same with the same seed and another with another', () => {
    expect(collectSample({ companies: 5 })).toEqual(collectSample({ companies: 5 }));
    expect(collectSample({ companies: 5, seed: 7 }).company_clean[0]?.name).not.toBe(
      records.company_clean[0]?.name,
    );
    expect(getCompany(SAMPLE_SEED, 400).id).toBe(records.company_clean[400]?.id);
    expect(getPerson(SAMPLE_SEED, 777, COMPANIES).id).toBe(records.employee_clean[777]?.id);
  });

  it('has all families in their numbers, or only those that are wanted', () => {
    expect(countSampleRecords(2000)).toMatchObject({
      employee_base: 10_000,
      job_base: 5_000,
      employee_post: 3_000,
    });
    const counts = Object.entries(records).map(([family, list]) => [family, list.length]);
    expect(Object.fromEntries(counts)).toEqual(countSampleRecords(COMPANIES));
    const jobs = collectSample({ companies: COMPANIES, families: ['job_base'] });
    expect(jobs).toMatchObject({ company_clean: [], job_base: records.job_base });
    expect(Object.values(collectSample({ companies: 1 })).map((list) => list.length)).toEqual([
      1, 1, 5, 5, 3, 2,
    ]);
  });

  it.each(SAMPLE_FAMILIES)('has the fields of the index in its records of %s', (family) => {
    expect(differences(records[family], indexFields[family].properties)).toEqual([]);
  });

  it('has ascending ids, and shorthand names and websites of one record each', () => {
    for (const family of SAMPLE_FAMILIES) {
      const ids = records[family].map(({ id }) => BigInt(id));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)));
    }
    expect(records.employee_post.every(({ id }) => /^\d{19}$/.test(id))).toBe(true);
    expect(personByUrl.size).toBe(people.length);
    expect(records.employee_base.some(({ shorthand_name }) => /^\d+$/.test(shorthand_name))).toBe(true);
    const hosts = new Set<string>();
    for (let index = 0; index < 50_000; index += 1)
      hosts.add(getCompany(SAMPLE_SEED, index).host.replaceAll('-', ''));
    expect(hosts.size).toBe(50_000);
  });

  it('is fictional: hosts end in .example, telephone numbers are reserved for fiction', () => {
    const text = JSON.stringify(records);
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

  it('shows no seams: no open slots, no undefined', () => {
    expect(JSON.stringify(records).match(/[^"]{0,40}(?:\{\w+\}|undefined|NaN|\[object).{0,20}/)).toBeNull();
  });

  it('has the values that forms offer, and no others', () => {
    const beyond = (field: string, values: (string | null)[]) =>
      [...new Set(values)].filter((value) => value !== null && !getKnownValues(field).includes(value));
    expect(
      beyond(
        'management_level',
        people.map(({ clean }) => clean.management_level),
      ),
    ).toEqual([]);
    expect(
      beyond(
        'department',
        people.map(({ clean }) => clean.department),
      ),
    ).toEqual([]);
    expect(
      beyond(
        'size_range',
        companies.map(({ clean }) => clean.size_range),
      ),
    ).toEqual([]);
    expect(
      beyond(
        'location_hq_country',
        companies.map(({ clean }) => clean.location_hq_country),
      ),
    ).toEqual([]);
    expect(
      beyond(
        'employment_type',
        records.job_base.map((job) => job.employment_type),
      ),
    ).toEqual([]);
    const rounds = companies.flatMap(({ clean }) => clean.funding_rounds ?? []);
    expect(
      beyond(
        'last_round_type',
        rounds.map((round) => round.last_round_type),
      ),
    ).toEqual([]);
  });

  it('lacks values about as often as real records do', () => {
    expect(percentOf(companies, ({ clean }) => clean.founded === null)).toBeGreaterThan(15);
    expect(percentOf(companies, ({ clean }) => clean.websites_main === null)).toBeGreaterThan(3);
    expect(percentOf(companies, ({ clean }) => clean.location_hq_country === null)).toBeGreaterThan(3);
    expect(percentOf(companies, ({ clean }) => clean.enriched_summary === undefined)).toBeGreaterThan(10);
    expect(percentOf(people, ({ clean }) => clean.description === null)).toBeGreaterThan(30);
    expect(percentOf(people, ({ clean }) => clean.is_working === 0)).toBeGreaterThan(3);
    expect(percentOf(records.job_base, ({ salary }) => salary === null)).toBeGreaterThan(60);
    expect(percentOf(companies, ({ clean }) => (clean.size_employees_count ?? 0) <= 50)).toBeGreaterThan(50);
    expect(new Set(companies.map(({ clean }) => clean.size_range)).size).toBe(SIZE_RANGES.length + 1);
  });
});
