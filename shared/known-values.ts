// Values that some fields are known to take: what a form offers while a person types. Others are taken as well.

/** Contract, "Records": employee_clean. */
const managementLevels = [
  'C-Level',
  'Director',
  'Founder',
  'Head',
  'Intern',
  'Manager',
  'Owner',
  'Partner',
  'President/Vice President',
  'Senior',
  'Specialist',
] as const;

const departments = [
  'Administrative',
  'C-Suite',
  'Consulting',
  'Customer Service',
  'Design',
  'Education',
  'Engineering and Technical',
  'Finance & Accounting',
  'General Management',
  'Human Resources',
  'Legal',
  'Marketing',
  'Medical',
  'Operations',
  'Other',
  'Product',
  'Project Management',
  'Real Estate',
  'Research',
  'Sales',
  'Trades',
] as const;

/** Contract, "Records": company_base shows the form; the steps are those that records hold. */
const sizes = [
  '1-10 employees',
  '11-50 employees',
  '51-200 employees',
  '201-500 employees',
  '501-1,000 employees',
  '1,001-5,000 employees',
  '5,001-10,000 employees',
  '10,001+ employees',
] as const;

const rounds = [
  'Pre seed',
  'Seed',
  'Series A',
  'Series B',
  'Series C',
  'Series D',
  'Series E',
  'Angel',
  'Convertible note',
  'Corporate round',
  'Debt financing',
  'Equity crowdfunding',
  'Grant',
  'Private equity',
] as const;

const countries = [
  'Australia',
  'Austria',
  'Belgium',
  'Brazil',
  'Canada',
  'China',
  'Czech Republic',
  'Denmark',
  'Finland',
  'France',
  'Germany',
  'India',
  'Ireland',
  'Israel',
  'Italy',
  'Japan',
  'Mexico',
  'Netherlands',
  'New Zealand',
  'Norway',
  'Poland',
  'Portugal',
  'Singapore',
  'South Africa',
  'South Korea',
  'Spain',
  'Sweden',
  'Switzerland',
  'Turkey',
  'Ukraine',
  'United Arab Emirates',
  'United Kingdom',
  'United States',
] as const;

const employment = ['Contract', 'Full-time', 'Internship', 'Part-time', 'Temporary', 'Volunteer'] as const;

/** By how a field's path ends, whichever family it is in. */
const byEnd: readonly (readonly [RegExp, readonly string[]])[] = [
  [/management_level$/, managementLevels],
  [/department$/, departments],
  [/size(?:_range)?$/, sizes],
  [/last_round_type$/, rounds],
  [/country(?:_parsed)?$/, countries],
  [/employment_type$/, employment],
];

/**
 * Values to offer for a field.
 * @param path - of an index field, such as `experience.management_level`
 * @returns none where nobody knows any
 */
export function knownValues(path: string): readonly string[] {
  return byEnd.find(([end]) => end.test(path))?.[1] ?? [];
}
