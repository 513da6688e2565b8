// Generates job postings, and posts of employees.

import { DAY_S } from '../../../shared/lib/durations.ts';
import {
  type Company,
  capitalize,
  getCompany,
  MEDIA,
  NETWORK,
  pickLargeCompany,
  writeSentence,
} from './company.ts';
import { EMPLOYEES_PER_COMPANY, formatPlace, getPerson, type Person } from './person.ts';
import { Random, toBit } from './random.ts';
import { formatDay, formatTime, getMonthStart, REFERENCE_S, toMonth, words } from './words.ts';

export const JOBS_PER_TWO_COMPANIES = 5;
/** Provider API: "Records span from August 2020 to the present." */
const FIRST_S = getMonthStart(2020, 8);

const functions: Readonly<Record<string, readonly string[]>> = words.jobFunctions;

function pickJobCompany(random: Random, seed: number, index: number, companies: number): Company {
  if (random.chance(40)) return getCompany(seed, Math.floor(index / 2.5) % companies);
  return pickLargeCompany(random, seed, companies, 2);
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
  const role = random.pick(random.chance(35) ? words.lists.officeRoles : industry.roles);
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
    seniority: random.orNull(12, random.pick(words.lists.seniorities)),
    employment_type: random.orNull(6, random.pickWeighted(words.employmentTypes).name),
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
    deleted: toBit(!isActive && random.chance(15)),
    application_active: toBit(isActive),
    salary: random.chance(80) ? null : `${salary} - ${Math.round(salary * 1.3)} a year`,
    applicants_count: random.orNull(
      15,
      random.chance(40) ? 'Be among the first 25 applicants' : `${random.int(26, 200)} applicants`,
    ),
    professional_network_job_id: networkId,
    job_industry_collection: [{ job_industry_list: { industry: industry.name } }],
    job_functions_collection: (functions[role.department] ?? words.jobFunctions.Other).slice(
      0,
      random.int(0, 2),
    ),
  };
}

export const POSTS_PER_TWO_COMPANIES = 3;
/** Ids have 19 digits and exceed 2^53. */
const FIRST_ID = 7_100_000_000_000_000_000n;
const ID_STEP = 104_729_000_003n;

function formatHashtag(text: string): string {
  return `#${text.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
}

/**
 * Creates post number `index`. Ids ascend with the index.
 * @param companies - number of companies in the sample, whose employees write
 * @returns a record of `employee_post`
 */
export function createPost(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'post', index);
  const pickPerson = (): Person =>
    getPerson(seed, random.int(0, companies * EMPLOYEES_PER_COMPANY - 1), companies);
  const author = pickPerson();
  const [position] = author.positions;
  if (position === undefined) throw new Error('An employee without a position.');
  const { company } = position;
  const language = random.chance(65) ? author.country.language : 'en';
  const published = REFERENCE_S - 1 - random.skewed(0, 700 * DAY_S, 2);
  const mentioned = [
    ...new Set(Array.from({ length: random.chance(20) ? random.int(1, 2) : 0 }, pickPerson)),
  ];
  const hashtags = random.chance(50) ? random.pickSome(author.skills, 1, 3).map(formatHashtag) : [];
  const firstMonth = author.positions.at(-1)?.from ?? toMonth(published);
  const writeSentenceOf = (kind: 'post' | 'news') =>
    capitalize(
      writeSentence(random, company, language, kind, {
        skill: author.skills[0] ?? 'Teamwork',
        years: String(Math.max(1, Math.floor((toMonth(published) - firstMonth) / 12))),
      }),
    );
  const paragraphs = [writeSentenceOf('post'), ...(random.chance(40) ? [writeSentenceOf('news')] : [])];
  if (mentioned.length > 0) paragraphs.push(mentioned.map(({ name }) => name.full).join(', '));
  if (hashtags.length > 0) paragraphs.push(hashtags.join(' '));
  const id = String(FIRST_ID + BigInt(index) * ID_STEP + BigInt(random.int(0, 99_999)));
  const comments = Array.from({ length: random.skewed(0, 5, 3) }, () => {
    const { name, url, headline, country } = pickPerson();
    return {
      author_name: name.full,
      author_profile_url: url,
      author_headline: headline,
      comment: random.pick(words.prose[random.chance(60) ? country.language : 'en'].comments),
      reaction_count: random.skewed(0, 12, 3),
      date_published: formatDay(Math.min(REFERENCE_S - 1, published + random.int(0, 5) * DAY_S)),
    };
  });
  return {
    id,
    employee_parent_id: String(author.id),
    author_name: author.name.full,
    author_profile_url: author.url,
    author_headline: author.headline,
    author_posts_count: random.skewed(1, 600, 3),
    url: `${NETWORK}/posts/${author.name.shorthand}_activity-${id}`,
    date_published: formatDay(published),
    created_at: formatTime(Math.min(REFERENCE_S - 1, published + random.int(0, DAY_S))),
    article_body: random.orNull(2, paragraphs.join('\n\n')),
    image_url: random.chance(60) ? null : `${MEDIA}/feedshare-shrink_800/${random.hex(16)}.jpg`,
    hashtags,
    mentions: mentioned.map(({ name, url }) => ({ full_name: name.full, url })),
    reaction_count: random.skewed(0, 900, 4),
    comment_count: comments.length,
    comments,
  };
}
