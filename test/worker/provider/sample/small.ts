// A small sample that the tests of people, postings and posts look at, and what they ask of texts.

import type { Properties } from '../../../../shared/index-fields/mapping.ts';
import { companyAt } from '../../../../worker/provider/sample/companies.ts';
import { REFERENCE_S } from '../../../../worker/provider/sample/data/catalogue.ts';
import { dateText } from '../../../../worker/provider/sample/dates.ts';
import { employeeAt, type SampleEmployee } from '../../../../worker/provider/sample/employees.ts';
import { SAMPLE_SEED, sampleCounts } from '../../../../worker/provider/sample/index.ts';
import type { CompanyClean } from '../../../../worker/provider/sample/types.ts';

export const SEED = SAMPLE_SEED;
export const COMPANIES = 500;
export const COUNTS = sampleCounts(COMPANIES);
export const LAST_DAY = dateText(REFERENCE_S - 1);

/** Clean companies by id. */
export const COMPANY_BY_ID: ReadonlyMap<number, CompanyClean> = new Map(
  Array.from({ length: COMPANIES }, (_, index) => {
    const { clean } = companyAt(SEED, index);
    return [clean.id, clean] as const;
  }),
);

/** All employees of the sample. */
export function employees(): SampleEmployee[] {
  return Array.from({ length: COUNTS.employee_clean }, (_, index) =>
    employeeAt(SEED, index, { companies: COMPANIES }),
  );
}

/** The share, per mille, for which something holds. */
export function perMille<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return Math.round((items.filter(holds).length * 1000) / items.length);
}

/** All strings inside a record. */
export function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(strings);
}

/** Slots, choices, marks and the like that ought to have been replaced. */
export const SEAMS = /[{}]|\|\||undefined|NaN|\bnull\b|\[object|@[a-z]+,|^#\d+ |\*[a-z]/;

/** Paths of fields that a record has and the mapping does not, or the other way round. */
export function differences(records: readonly object[], properties: Properties, path = ''): string[] {
  const seen = new Set(records.flatMap((record) => Object.keys(record)));
  const known = new Set(Object.keys(properties));
  const found = [...seen].filter((name) => !known.has(name)).map((name) => `record ${path}${name}`);
  for (const [name, property] of Object.entries(properties)) {
    if (!seen.has(name)) found.push(`mapping ${path}${name}`);
    if (property.type !== 'nested' && property.type !== 'object') continue;
    const inner = records
      .flatMap((record) => new Map<string, unknown>(Object.entries(record)).get(name))
      .filter((item) => typeof item === 'object' && item !== null);
    found.push(...differences(inner, property.properties, `${path}${name}.`));
  }
  return found;
}
