// Sample job postings: fictional, seeded, of the sample companies, each a pure function of seed and number.
import { REFERENCE_S } from './data/catalogue.ts';
import { LOCAL_PROFILES, WITHOUT_VOICE } from './data/people/cultures.ts';
import { rolesOf } from './data/people/roles.ts';
import * as english from './data/people/voices/english-job.ts';
import { VOICES } from './data/people/voices/index.ts';
import { DAY_S, momentText, yearStart } from './dates.ts';
import type { CompanyFacts, Office } from './facts.ts';
import { jobDescription, type Opening, openingSlots } from './jobs/description.ts';
import { salaryOf } from './jobs/salary.ts';
import { companyIn, neighbourhoodOf } from './people/neighbourhood.ts';
import { isAmerican, Phrases } from './people/phrases.ts';
import { callingOf, englishTitle, titleIn } from './people/titles.ts';
import type { Level } from './people/vocabulary.ts';
import type { JobBase } from './people-types.ts';
import { profileUrl } from './presence.ts';
import { hashText, mix32, type Random, randomFor, shuffled, type Weighted } from './random.ts';
import { slugOf } from './text.ts';
import type { Language } from './vocabulary.ts';

/** Postings for every two companies. */
export const JOBS_PER_TWO_COMPANIES = 5;
const MOST_JOBS = 10_000_000;
/** Postings are known from August 2020 on. Service description, "What the service does". */
const FIRST_S = Date.UTC(2020, 7, 1) / 1000;
/** An active posting is younger than this. */
const ACTIVE_S = 70 * DAY_S;
const NUMBERS_A_DAY = 400_000;
/** Programs that take applications in. */
const HIRING_HOSTS = ['apply.hiring-desk.example', 'jobs.talentpipe.example', 'careers.staffgarden.example'];

/** How large the data set is. */
export interface JobSetting {
  /** how many companies there are */
  companies: number;
}

const LEVELS: Weighted<Level> = [
  ['Specialist', 62],
  ['Senior', 17],
  ['Manager', 10],
  ['Intern', 6],
  ['Head', 2],
  ['Director', 3],
  ['President/Vice President', 1],
];

const SENIORITY: Readonly<Record<Level, readonly string[]>> = {
  Intern: ['Internship'],
  Specialist: ['Entry level', 'Associate', 'Mid-Senior level', 'Entry level'],
  Senior: ['Mid-Senior level'],
  Manager: ['Mid-Senior level', 'Director'],
  Head: ['Director'],
  Director: ['Director', 'Executive'],
  'President/Vice President': ['Executive'],
  'C-Level': ['Executive'],
  Partner: ['Executive'],
  Founder: ['Executive'],
  Owner: ['Executive'],
};

function levelOf(facts: CompanyFacts, ceiling: 1 | 2 | 3, random: Random): Level {
  const level = random.weighted(LEVELS);
  const high = level === 'Head' || level === 'Director' || level === 'President/Vice President';
  if (high && (ceiling < 3 || facts.staff < 40)) return 'Specialist';
  if (level === 'Manager' && (ceiling < 2 || facts.staff < 5)) return 'Specialist';
  return level;
}

function languageOf(facts: CompanyFacts, office: Office, random: Random): Language {
  const { tongue, key } = office.country;
  if (tongue === null || !VOICES.has(tongue) || WITHOUT_VOICE.has(key)) return 'en';
  const willing = facts.language === tongue ? 880 : Math.floor((LOCAL_PROFILES.get(tongue) ?? 0) / 2);
  return random.chance(willing) ? tongue : 'en';
}

interface Times {
  createdS: number;
  updatedS: number;
  active: boolean;
  deleted: boolean;
}

function timesOf(facts: CompanyFacts, random: Random): Times {
  const last = REFERENCE_S - 2 * 3600;
  const age = random.chance(135) ? random.int(0, ACTIVE_S) : random.lowish(0, last - FIRST_S, 1);
  const createdS = Math.min(
    last,
    Math.max(last - age, yearStart(facts.year) + random.int(200 * DAY_S, 300 * DAY_S)),
  );
  const active = last - createdS < ACTIVE_S && random.chance(820);
  const read = createdS + random.lowish(DAY_S, 130 * DAY_S, 1);
  const updatedS = active
    ? Math.max(createdS, REFERENCE_S - random.int(600, 23 * 3600))
    : Math.min(read, last);
  return { createdS, updatedS: Math.max(createdS, updatedS), active, deleted: !active && random.chance(190) };
}

function kindOf(level: Level, facts: CompanyFacts, random: Random): string {
  if (level === 'Intern') return random.chance(860) ? 'Internship' : 'Full-time';
  if (level !== 'Specialist' && random.chance(700)) return 'Full-time';
  return random.weighted([
    ['Full-time', 82],
    ['Part-time', 8],
    ['Contract', 5],
    ['Temporary', 3],
    ['Other', 1],
    ['Volunteer', facts.trade.sector === 'civic' ? 9 : 0],
  ]);
}

function ageText(days: number): string {
  const said = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  if (days === 0) return said(9, 'hour');
  if (days < 7) return said(days, 'day');
  return days < 30 ? said(Math.floor(days / 7), 'week') : said(Math.floor(days / 30), 'month');
}

function applicantsText(random: Random): string | null {
  if (random.chance(320)) return null;
  if (random.chance(350)) return 'Be among the first 25 applicants';
  return random.chance(150) ? 'Over 200 applicants' : `${random.lowish(26, 199, 1)} applicants`;
}

function placeText({ city, country }: Office, random: Random): string {
  const state = city.state === null || city.state === city.name ? null : city.state;
  return random.weighted([
    [[city.name, state, country.name].filter((part) => part !== null).join(', '), 72],
    [`${city.name}, ${country.name}`, 12],
    [`Greater ${city.name} Area`, 6],
    [country.name, 6],
    [city.name, 4],
  ]);
}

/** The title as it is shown: now and then with an addition or in capitals. */
function shownTitle(opening: Opening, random: Random): string {
  const { title, language, facts } = opening;
  const voice = VOICES.get(language);
  if (voice !== undefined) return title + random.pick(voice.job.suffixes);
  const phrases = new Phrases({ random, slots: openingSlots(opening, random), american: isAmerican(facts) });
  const habit = random.int(1, 1000);
  if (habit <= 28) return title.toUpperCase();
  if (habit <= 250) return phrases.fill(`{wanted}${random.pick(english.TITLE_SUFFIXES)}`) ?? title;
  return title;
}

/** Where one applies, and where that leads; both null where one applies on the network itself. */
function applyUrls(facts: CompanyFacts, number: number, random: Random): [string | null, string | null] {
  if (random.chance(430)) return [null, null];
  const own = facts.site !== null && random.chance(460);
  const page = own
    ? `${facts.site?.main}/${random.pick(['careers', 'jobs', 'en/careers', 'vacancies', 'join-us'])}/${number % 100_000}`
    : `https://${random.pick(HIRING_HOSTS)}/${facts.identity.shorthand}/${random.hex(8)}`;
  return [
    random.chance(350) ? `${page}?source=professional-network` : page,
    random.chance(780) ? page : null,
  ];
}

/**
 * Job posting number `index`. Identifiers grow with the index.
 *
 * @param seed a whole number; other seeds give other postings
 * @param index the number of the posting, from 0 to 9,999,999
 * @param setting how large the data set is
 * @returns the record; its company is one of the data set's
 * @throws `RangeError` when a number is out of range
 */
export function jobAt(seed: number, index: number, setting: JobSetting): JobBase {
  const { companies } = setting;
  if (
    !Number.isInteger(index) ||
    index < 0 ||
    index >= MOST_JOBS ||
    !Number.isInteger(companies) ||
    companies < 1
  ) {
    throw new RangeError(`there is no sample job posting number ${index} of ${companies} companies`);
  }
  const random = randomFor(seed, 'job', index);
  const hood = neighbourhoodOf(seed, companies, Math.floor((index * 2) / JOBS_PER_TWO_COMPANIES) % companies);
  const fits = (found: CompanyFacts) => found.staff > 1;
  const facts = companyIn(hood, random, { fits }, 30) ?? companyIn(hood, random, {}, 1);
  if (facts === null) throw new RangeError('a neighbourhood without companies');

  const office = random.chance(760) ? facts.offices[0] : random.pick(facts.offices);
  const { country } = office;
  const role = random.weighted(rolesOf(facts.trade, facts.staff));
  const level = levelOf(facts, role.ceiling, random);
  const calling = callingOf(role, facts.trade, random);
  const language = languageOf(facts, office, random);
  const junior = random.chance(120);
  const englishName = englishTitle(calling, level, junior, facts, random);
  const options = {
    trade: facts.trade.trade,
    junior: junior && random.chance(500),
    woman: random.chance(110),
  };
  const opening: Opening = {
    facts,
    office,
    role,
    level,
    title: titleIn(language, englishName, calling, level, options),
    language,
    kind: kindOf(level, facts, random),
  };
  const title = shownTitle(opening, random);
  const { createdS, updatedS, active, deleted } = timesOf(facts, random);
  const day = Math.floor((createdS - FIRST_S) / DAY_S);
  const number =
    1_100_000_000 +
    day * NUMBERS_A_DAY +
    shuffled(index % NUMBERS_A_DAY, NUMBERS_A_DAY, mix32(seed ^ hashText('job number')));
  const [externalUrl, redirectedUrl] = applyUrls(facts, number, random);
  const slug = slugOf(title).slice(0, 60).replace(/-$/, '') || 'job';
  return {
    id: 30_000_000 + index * 61 + random.int(0, 60),
    created: momentText(createdS),
    last_updated: momentText(updatedS),
    time_posted: random.chance(40) ? null : ageText(random.lowish(0, 40, 2)),
    title,
    description: jobDescription(opening, random),
    seniority: random.chance(90)
      ? null
      : random.chance(130)
        ? 'Not Applicable'
        : random.pick(SENIORITY[level]),
    employment_type: random.chance(35) ? null : opening.kind,
    location: random.chance(12) ? null : placeText(office, random),
    country: random.chance(25) ? null : country.name,
    url: `https://www.professional-network.example/jobs/view/${slug}-at-${facts.identity.shorthand}-${number}`,
    hash: random.hex(32),
    company_id: facts.id,
    company_name: facts.name,
    company_url: profileUrl('company', facts.identity.shorthand),
    job_company_website: facts.site?.main ?? null,
    external_url: externalUrl,
    redirected_url: redirectedUrl,
    deleted: deleted ? 1 : 0,
    application_active: active ? 1 : 0,
    salary: salaryOf(role, level, country.iso2, language, random),
    applicants_count: applicantsText(random),
    professional_network_job_id: number,
    job_industry_collection: random.chance(30)
      ? []
      : [{ job_industry_list: { industry: facts.trade.industry } }, ...furtherIndustries(facts, random)],
    job_functions_collection: random.chance(60)
      ? []
      : random.sample(role.functions, random.int(1, role.functions.length)),
  };
}

const FURTHER: Readonly<Record<string, string>> = {
  software: 'Software Development',
  industry: 'Manufacturing',
  building: 'Construction',
  food: 'Food and Beverage Services',
  health: 'Hospitals and Health Care',
  advice: 'Professional Services',
  retail: 'Retail',
  transport: 'Transportation, Logistics, Supply Chain and Storage',
  civic: 'Education',
  media: 'Media Production',
  energy: 'Utilities',
};

/** Industries that a posting names beside that of its company. */
function furtherIndustries(
  facts: CompanyFacts,
  random: Random,
): { job_industry_list: { industry: string } }[] {
  const industry = FURTHER[facts.trade.sector];
  if (industry === undefined || industry === facts.trade.industry || !random.chance(300)) return [];
  return [{ job_industry_list: { industry } }];
}
