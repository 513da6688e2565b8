// Generates job postings, and posts of employees.

import { indexFields } from '../../../shared/families/registry.ts';
import { DAY_S } from '../../../shared/lib/durations.ts';
import { getCompany, NETWORK, pickLargeCompany, writeSentence } from './company.ts';
import { fillFields, type Subject } from './fill-fields.ts';
import { EMPLOYEES_PER_COMPANY, formatPlace, getPerson } from './person.ts';
import { Random, toBit, toSlug } from './random.ts';
import { formatDay, formatTime, getMonthStart, REFERENCE_S, toMonth, words } from './words.ts';

/** Provider API: "Records span from August 2020 to the present." */
const FIRST_S = getMonthStart(2020, 8);

const functions: Readonly<Record<string, readonly string[]>> = words.jobFunctions;

/**
 * Creates job posting number `index`. Ids ascend with the index.
 * @param companies - number of companies in the sample
 * @returns a record of `job_base`
 */
export function createJob(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'job', index);
  const company = random.chance(40)
    ? getCompany(seed, Math.floor(index / 2.5) % companies)
    : pickLargeCompany(random, seed, companies, 2);
  const { industry, country, offices, name, slug, website } = company;
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
      writeSentence(random, company, language, kind, { title, skill: random.pick(industry.skills) }),
    )
    .join('\n\n');
  const networkId = 1_900_000_000 + index * 3;
  const place = offices.length === 0 ? undefined : random.pick(offices);
  const subject: Subject = { seed, kind: 'job', index, company, topics: industry.skills, created, updated };
  return fillFields(subject, indexFields.job_base.properties, {
    id: 30_000_000 + index * 3,
    created: formatTime(created),
    last_updated: formatTime(updated),
    title,
    // Scraped texts occasionally contain control characters.
    description: random.orNull(3, random.chance(2) ? `${text}\u0007` : text),
    employment_type: random.orNull(6, random.pickWeighted(words.employmentTypes).name),
    location: place === undefined ? country.name : formatPlace(place.city, country),
    country: random.orNull(4, country.name),
    url: `${NETWORK}/jobs/view/${title.toLowerCase().replace(/[^a-z]+/g, '-')}-at-${slug}-${networkId}`,
    company_id: company.id,
    company_name: name,
    company_url: company.url,
    job_company_website: website,
    deleted: toBit(!isActive && random.chance(15)),
    application_active: toBit(isActive),
    professional_network_job_id: networkId,
    job_industry_collection: [{ job_industry_list: { industry: industry.name } }],
    job_functions_collection: functions[role.department] ?? words.jobFunctions.Other,
  });
}

/** Ids have 19 digits and exceed 2^53. */
const FIRST_ID = 7_100_000_000_000_000_000n;
const ID_STEP = 104_729_000_003n;

/**
 * Creates post number `index`. Ids ascend with the index.
 * @param companies - number of companies in the sample, whose employees write
 * @returns a record of `employee_post`
 */
export function createPost(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'post', index);
  const pickPerson = () => getPerson(seed, random.int(0, companies * EMPLOYEES_PER_COMPANY - 1), companies);
  const author = pickPerson();
  const { company } = author;
  const language = random.chance(65) ? author.country.language : 'en';
  const published = REFERENCE_S - 1 - random.skewed(0, 700 * DAY_S, 2);
  const mentioned = random.chance(20) ? [pickPerson()] : [];
  const hashtags = random.chance(50)
    ? random.pickSome(author.skills, 1, 3).map((skill) => `#${toSlug(skill).replaceAll('-', '')}`)
    : [];
  const firstMonth = author.positions.at(-1)?.from ?? toMonth(published);
  const slots = {
    skill: author.skills[0] ?? 'Teamwork',
    years: String(Math.max(1, Math.floor((toMonth(published) - firstMonth) / 12))),
  };
  const kinds = ['post', 'news'] as const;
  const paragraphs = kinds
    .slice(0, random.chance(40) ? 2 : 1)
    .map((kind) => writeSentence(random, company, language, kind, slots));
  paragraphs.push(...mentioned.map(({ name }) => name.full));
  if (hashtags.length > 0) paragraphs.push(hashtags.join(' '));
  const id = String(FIRST_ID + BigInt(index) * ID_STEP + BigInt(random.int(0, 99_999)));
  const comments = Array.from({ length: random.skewed(0, 5, 3) }, () => {
    const { name, url, headline, country } = pickPerson();
    return {
      author_name: name.full,
      author_profile_url: url,
      author_headline: headline,
      comment: random.pick(words.prose[random.chance(60) ? country.language : 'en'].comments),
      date_published: formatDay(Math.min(REFERENCE_S - 1, published + random.int(0, 5) * DAY_S)),
    };
  });
  const subject: Subject = { ...author, seed, kind: 'post', index, topics: company.industry.skills };
  return fillFields(subject, indexFields.employee_post.properties, {
    id,
    employee_parent_id: String(author.id),
    author_name: author.name.full,
    author_profile_url: author.url,
    author_headline: author.headline,
    url: `${NETWORK}/posts/${author.name.shorthand}_activity-${id}`,
    date_published: formatDay(published),
    created_at: formatTime(Math.min(REFERENCE_S - 1, published + random.int(0, DAY_S))),
    article_body: random.orNull(2, paragraphs.join('\n\n')),
    hashtags,
    mentions: mentioned.map(({ name, url }) => ({ full_name: name.full, url })),
    comment_count: comments.length,
    comments,
  });
}
