// Generates the lists of an employee's profile, such as schools and certificates, for both variants of the record.
import { capitalize, getCompany, NETWORK, writeSentence } from './company.ts';
import { formatMonth, type Month, REFERENCE_S, toMonth } from './dates.ts';
import { getPersonName, type Person } from './person.ts';
import { Random } from './random.ts';
import { words } from './words.ts';

const { lists } = words;
const TWO_YEARS = 24;

interface Period {
  date_from: string | null;
  date_to: string | null;
}

function createPeriod(random: Random, earliest: Month, latest: Month): Period {
  const from = random.int(earliest, latest);
  const to = random.int(from, latest);
  return { date_from: formatMonth(from), date_to: random.chance(30) ? null : formatMonth(to) };
}

/** Creates a school with a coined name, like those of companies. */
function createSchool(random: Random, seed: number, firstJob: Month, years: number) {
  const { country, offices, slug } = getCompany(seed, random.int(0, 400));
  const [stem = ''] = slug.split('-');
  const name = random.pick([
    `${capitalize(stem)} University`,
    `${capitalize(stem)} College`,
    `Institute of ${capitalize(stem)}`,
  ]);
  const end = Math.floor(firstJob / 12) - years;
  return {
    institution_name: offices[0] === undefined ? name : `${name}, ${country.name}`,
    institution_url: random.orNull(25, `${NETWORK}/school/${stem}`),
    degree: random.orNull(10, random.pick(lists.degrees)),
    program_name: random.orNull(8, random.pick(lists.subjects)),
    date_from: random.orNull(10, String(end - random.int(2, 5))),
    date_to: random.orNull(10, String(end)),
    description: random.chance(12)
      ? `Thesis on ${random.pick(lists.subjects).toLowerCase()} in practice.`
      : null,
    activities_and_societies: random.chance(12) ? random.pick(lists.activities) : null,
  };
}

/** Creates a list that is empty except in `percent` of profiles. */
function createList<T>(random: Random, percent: number, maxLength: number, make: () => T): T[] {
  return random.chance(percent) ? Array.from({ length: random.int(1, maxLength) }, make) : [];
}

/** Creates the lists of a profile. @param companies - number of companies in the sample */
export function createProfile(seed: number, person: Person, companies: number) {
  const random = new Random(seed, 'profile', person.index);
  const now = toMonth(REFERENCE_S) - 1;
  const firstJob = person.positions.at(-1)?.from ?? now;
  const [latest] = person.positions;
  const pickSkill = () => random.pick(person.skills.length === 0 ? ['Teamwork'] : person.skills);
  const pickMonth = (): string => formatMonth(random.int(firstJob, now));
  const createJobPeriod = (): Period => createPeriod(random, Math.min(firstJob, now - 1), now);
  const pickColleagueName = () => getPersonName(seed, random.int(0, companies * 5 - 1), companies).full;
  let schools = 0;
  return {
    education: createList(random, 82, 2, () => {
      schools += 1;
      return createSchool(random, seed, firstJob, schools * 3 - 3);
    }),
    languages: random.chance(45)
      ? random
          .pickSome(lists.languages, 1, 3)
          .map((language) => ({ language, proficiency: random.orNull(20, random.pick(lists.proficiencies)) }))
      : [],
    certifications: createList(random, 25, 3, () => ({
      title: `Certified in ${pickSkill()}`,
      issuer: random.pick(lists.issuers),
      issuer_url: random.orNull(40, `${NETWORK}/company/open-skills-board`),
      certificate_id: random.orNull(50, random.digits('########')),
      certificate_url: random.orNull(60, `https://certificates.example/${random.hex(12)}`),
      date_from: pickMonth(),
      date_to: random.chance(70) ? null : formatMonth(now + TWO_YEARS),
    })),
    courses: createList(random, 14, 3, () => ({
      title: `Introduction to ${pickSkill()}`,
      organizer: random.orNull(30, random.pick(lists.issuers)),
    })),
    awards: createList(random, 10, 2, () => ({
      title: random.pick(['Employee of the Year', 'Innovation Award', 'Best Newcomer', 'Team Prize']),
      issuer: random.orNull(20, latest?.company.name ?? ''),
      description: random.orNull(60, `For outstanding work on ${pickSkill()}.`),
      date: random.orNull(10, pickMonth()),
    })),
    recommendations: createList(random, 12, 2, () => ({
      recommendation: `${person.name.first} is a pleasure to work with and knows ${pickSkill()} like few others.`,
      referee_full_name: pickColleagueName(),
    })),
    activity: createList(random, 35, 3, () => ({
      activity_url: `${NETWORK}/feed/update/urn:li:activity:7${random.digits('##################')}`,
      title: latest === undefined ? '' : writeSentence(random, latest.company, 'en', 'news'),
      action: `${random.pick(['Liked', 'Shared', 'Commented on'])} by ${person.name.full}`,
    })),
    organizations: createList(random, 8, 2, () => ({
      name: random.pick(lists.clubs),
      position: random.orNull(20, random.pick(['Member', 'Board Member', 'Treasurer'])),
      description: random.orNull(70, 'Monthly meetings and a summer school.'),
      ...createJobPeriod(),
    })),
    patents: createList(random, 3, 2, () => ({
      title: `Method for ${random.pick(latest?.company.industry.products ?? ['tools'])}`,
      status: random.pick(['Granted', 'Pending']),
      inventors: random.orNull(30, `${person.name.full}, ${pickColleagueName()}`),
      description: random.orNull(50, 'A method that saves material and time.'),
      patent_number: random.digits('EP#######'),
      date: random.orNull(20, pickMonth()),
    })),
    projects: createList(random, 10, 2, () => ({
      name: `${pickSkill()} for everybody`,
      description: random.orNull(30, `A project on ${pickSkill()} with colleagues from three departments.`),
      ...createJobPeriod(),
    })),
    publications: createList(random, 5, 2, () => ({
      title: `Notes on ${pickSkill()}`,
      publisher: random.orNull(20, 'Journal of Applied Practice'),
      authors: random.orNull(20, `${person.name.full}, ${pickColleagueName()}`),
      description: random.orNull(50, 'What worked, what did not, and why.'),
      date: random.orNull(10, pickMonth()),
    })),
    volunteering_positions: createList(random, 9, 2, () => ({
      organization_name: random.pick(['Food Bank', 'Reading Friends', 'City Gardeners', 'Animal Shelter']),
      role: random.pick(['Volunteer', 'Coordinator', 'Mentor']),
      cause: random.orNull(15, random.pick(lists.causes)),
      description: random.orNull(60, 'Every second Saturday.'),
      ...createJobPeriod(),
    })),
  };
}

/** Adds each item's position, starting at 1. */
export function addOrder<T extends object>(items: readonly T[]) {
  return items.map((item, index) => ({ order_in_profile: index + 1, ...item }));
}

/** Adds positions to the items of a base record, which may be deleted. */
export function addBaseOrder<T extends object>(items: readonly T[], isDeleted: (index: number) => boolean) {
  return items.map((item, index) => ({
    order_in_profile: index + 1,
    deleted: isDeleted(index) ? (1 as const) : (0 as const),
    ...item,
  }));
}
