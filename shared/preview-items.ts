// The fields of preview items, by family. Service description, "Search-preview records"; contract, "Records".
import type { Family } from './families.ts';

const companyBase = [
  'id',
  'name',
  'canonical_url',
  'website',
  'size',
  'industry',
  'headquarters_country_parsed',
  '_score',
] as const;

const companyClean = [
  'id',
  'name',
  'websites_professional_network_canonical',
  'website_main',
  'size_range',
  'industry',
  'location_hq_country',
  'logo',
  '_score',
] as const;

const employeeBase = [
  'id',
  'full_name',
  'profile_url',
  'headline',
  'industry',
  'location',
  'country',
  'connections_count',
  'follower_count',
  'experience_count',
  'title',
  'company_name',
  'company_url',
  'company_website',
  'company_industry',
  '_score',
] as const;

const employeeClean = [
  'id',
  'full_name',
  'websites_professional_network',
  'headline',
  'location_full',
  'location_raw_address',
  'location_country',
  'connections_count',
  'follower_count',
  'company_name',
  'company_professional_network_url',
  'company_website',
  'company_industry',
  'job_title',
  'department',
  'management_level',
  'company_location_hq_full_address',
  'company_location_hq_country',
  '_score',
] as const;

const jobBase = ['id', 'created', 'title', 'location', 'company_name', '_score'] as const;

/** In the order of the families. Multi-source previews have the items of the variant that their records have. */
export const previewFields: Readonly<Partial<Record<Family, readonly string[]>>> = {
  company_clean: companyClean,
  company_base: companyBase,
  company_multi_source: companyClean,
  employee_clean: employeeClean,
  employee_base: employeeBase,
  employee_multi_source: employeeClean,
  job_base: jobBase,
  job_multi_source: jobBase,
};

/** Rows on a page of a preview. */
export const previewPageSize = 20;

/** The last page of a preview. */
export const previewMaxPage = 50;

/**
 * Do the previews of a family have the value of a column?
 * @param path - such as `name` or `experience[0].title`
 */
export function isInPreviews(family: Family, path: string): boolean {
  const [field = ''] = path.split(/[.[]/, 1);
  return previewFields[family]?.includes(field) ?? false;
}
