// The families whose companies can be found by name, and the fields that identify a company.
import type { Family } from '../families/names.ts';

export const matchFamilies = [
  'company_clean',
  'company_base',
  'company_multi_source',
] as const satisfies readonly Family[];
export type MatchFamily = (typeof matchFamilies)[number];

/** Checks whether companies of a family can be found by name. */
export const isMatchFamily = (family: Family): family is MatchFamily =>
  matchFamilies.some((each) => each === family);

/** What identifies a company besides its id. */
export type Fact = 'name' | 'country' | 'city' | 'website' | 'size';

const cleanFields: Readonly<Record<Fact, readonly string[]>> = {
  name: ['name'],
  country: ['location_hq_country'],
  city: ['location_hq_city'],
  website: ['website_main', 'websites_main'],
  size: ['size_employees_count', 'size_range'],
};

/**
 * Fields that may hold each fact; the first one with a value counts. Previews and records name some differently, the index
 * like the last one.
 */
export const factFields: Readonly<Record<MatchFamily, typeof cleanFields>> = {
  company_base: {
    name: ['name'],
    country: ['headquarters_country_parsed'],
    city: ['headquarters_city'],
    website: ['website'],
    size: ['employees_count', 'size'],
  },
  company_clean: cleanFields,
  company_multi_source: cleanFields,
};
