// Generates job postings.

import { formatPlace } from './career.ts';
import { type Company, capitalize, getCompany, NETWORK, writeSentence } from './company.ts';
import { DAY_S, formatTime, getMonthStart, REFERENCE_S } from './dates.ts';
import { OFFICE_ROLES } from './industries.ts';
import { Random, splitList } from './random.ts';

export const JOBS_PER_TWO_COMPANIES = 5;
/** Provider API: "Records span from August 2020 to the present." */
const FIRST_S = getMonthStart(2020, 8);

const EMPLOYMENT = [
  { name: 'Full-time', weight: 74 },
  { name: 'Part-time', weight: 10 },
  { name: 'Contract', weight: 8 },
  { name: 'Temporary', weight: 4 },
  { name: 'Internship', weight: 3 },
  { name: 'Volunteer', weight: 1 },
];
const SENIORITIES = splitList(
  'Entry level; Associate; Mid-Senior level; Director; Executive; Not Applicable',
);
const FUNCTIONS: Readonly<Record<string, string>> = {
  'Engineering and Technical': 'Engineering; Information Technology',
  'Finance & Accounting': 'Finance; Accounting/Auditing',
  Sales: 'Sales; Business Development',
  Marketing: 'Marketing; Public Relations',
  'Human Resources': 'Human Resources',
  'Customer Service': 'Customer Service',
  Design: 'Design; Art/Creative',
};
const OTHER_FUNCTIONS = 'Management; Other';

function pickJobCompany(random: Random, seed: number, index: number, companies: number): Company {
  if (random.chance(40)) return getCompany(seed, Math.floor(index / 2.5) % companies);
  const choices = Array.from({ length: 2 }, () => getCompany(seed, random.int(0, companies - 1)));
  return choices.reduce((largest, other) => (other.staff > largest.staff ? other : largest));
}

/** Inserts a control character, as scraped texts occasionally contain. */
function insertControlCharacter(random: Random, text: string): string {
  const at = random.int(0, text.length);
  return `${text.slice(0, at)}${random.pick(['\u0007', '\u000b', '\u001f'])}${text.slice(at)}`;
}

/**
 * Creates job posting number `index`. Ids ascend with the index.
 * @param companies - number of companies in the sample
 * @returns a record of `job_base`
 */
export function createJob(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'job', index);
  const company = pickJobCompany(random, seed, index, companies);
  const { industry, country, offices, name, slug, host, website } = company;
  const role = random.pick(random.chance(35) ? OFFICE_ROLES : industry.roles);
  const level = random.pick(['', '', '', 'Senior ', 'Junior ']);
  const title = `${level}${role.title}${random.chance(10) ? ` | ${random.pick(industry.products)}` : ''}`;
  // Most postings are recent: old ones are closed.
  const created = REFERENCE_S - 1 - random.skewed(0, REFERENCE_S - FIRST_S - DAY_S, 2.5);
  const isActive = created > REFERENCE_S - 120 * DAY_S && random.chance(75);
  const closed = Math.min(REFERENCE_S - 1, created + random.int(3, 90) * DAY_S);
  // Provider API: "Active postings are revisited within 24 hours."
  const updated = isActive ? Math.max(created, REFERENCE_S - 1 - random.int(0, DAY_S - 1)) : closed;
  const language = random.chance(55) ? country.language : 'en';
  const sentences = ['posting', 'about', 'more'] as const;
  const text = sentences
    .slice(0, random.int(1, 3))
    .map((kind) =>
      capitalize(
        writeSentence(random, company, language, kind, { title, skill: random.pick(industry.skills) }),
      ),
    )
    .join('\n\n');
  const networkId = 1_900_000_000 + index * 3;
  const applicationUrl = random.chance(45)
    ? null
    : `https://apply.hiring-desk.example/${slug}/${random.hex(8)}`;
  const place = offices.length === 0 ? undefined : random.pick(offices);
  const salary = random.int(24, 90) * 1000;
  return {
    id: 30_000_000 + index * 3,
    created: formatTime(created),
    last_updated: formatTime(updated),
    time_posted: random.orNull(10, `${random.int(1, 4)} weeks ago`),
    title,
    description: random.orNull(3, random.chance(2) ? insertControlCharacter(random, text) : text),
    seniority: random.orNull(12, random.pick(SENIORITIES)),
    employment_type: random.orNull(6, random.pickWeighted(EMPLOYMENT).name),
    location: place === undefined ? country.name : formatPlace(place.city, country),
    country: random.orNull(4, country.name),
    url: `${NETWORK}/jobs/view/${title.toLowerCase().replace(/[^a-z]+/g, '-')}-at-${slug}-${networkId}`,
    hash: random.hex(32),
    company_id: company.id,
    company_name: name,
    company_url: company.url,
    job_company_website: website,
    external_url: applicationUrl,
    redirected_url:
      applicationUrl === null
        ? null
        : random.chance(60)
          ? applicationUrl
          : `https://careers.${host}/jobs/${networkId}`,
    deleted: !isActive && random.chance(15) ? (1 as const) : (0 as const),
    application_active: isActive ? (1 as const) : (0 as const),
    salary: random.chance(80) ? null : `${salary} - ${Math.round(salary * 1.3)} a year`,
    applicants_count: random.orNull(
      15,
      random.chance(40) ? 'Be among the first 25 applicants' : `${random.int(26, 200)} applicants`,
    ),
    professional_network_job_id: networkId,
    job_industry_collection: [{ job_industry_list: { industry: industry.name } }],
    job_functions_collection: [...splitList(FUNCTIONS[role.department] ?? OTHER_FUNCTIONS)].slice(
      0,
      random.int(0, 2),
    ),
  };
}

export type JobBase = ReturnType<typeof createJob>;
