// The lists of a sample employee's profile, each once for both variants of the record: schools, certificates and so on.
import { capitalised, companyAt, NETWORK, writeSentence } from './company.ts';
import { type Month, monthOf, monthText, REFERENCE_S } from './dates.ts';
import { type Person, personName } from './person.ts';
import { list, Random } from './random.ts';

const LANGUAGES = list(
  'English; German; French; Spanish; Italian; Portuguese; Dutch; Polish; Ukrainian; Japanese; Chinese; Korean; Arabic; Hindi',
);
const PROFICIENCIES = list(
  'Native or bilingual; Full professional; Professional working; Limited working; Elementary',
);
const DEGREES = list('BSc; BA; MSc; MA; MBA; PhD; Diploma; Vocational Training');
const SUBJECTS = list(
  'Computer Science; Business Administration; Mechanical Engineering; Economics; Design; Law; Biology; Nursing; Architecture; Marketing; Linguistics; Logistics',
);
const ISSUERS = list(
  'Open Skills Board; Institute for Applied Practice; Guild of Professionals; Trade Academy',
);
const CAUSES = list('Environment; Education; Children; Animal Welfare; Health; Arts and Culture');
const CLUBS = list(
  'Society for Quality; Alumni Association; Chamber of Young Professionals; Regional Trade Circle',
);
const ACTIVITIES = list('Rowing Club; Student Council; Debating Society; Choir');
const TWO_YEARS = 24;

interface Period {
  date_from: string | null;
  date_to: string | null;
}

function period(random: Random, earliest: Month, latest: Month): Period {
  const from = random.int(earliest, latest);
  const to = random.int(from, latest);
  return { date_from: monthText(from), date_to: random.chance(30) ? null : monthText(to) };
}

/** A school with a coined name: those of companies sound alike. */
function makeSchool(random: Random, seed: number, firstJob: Month, years: number) {
  const { country, offices, slug } = companyAt(seed, random.int(0, 400));
  const [stem = ''] = slug.split('-');
  const name = random.pick([
    `${capitalised(stem)} University`,
    `${capitalised(stem)} College`,
    `Institute of ${capitalised(stem)}`,
  ]);
  const end = Math.floor(firstJob / 12) - years;
  return {
    institution_name: offices[0] === undefined ? name : `${name}, ${country.name}`,
    institution_url: random.orNull(25, `${NETWORK}/school/${stem}`),
    degree: random.orNull(10, random.pick(DEGREES)),
    program_name: random.orNull(8, random.pick(SUBJECTS)),
    date_from: random.orNull(10, String(end - random.int(2, 5))),
    date_to: random.orNull(10, String(end)),
    description: random.chance(12) ? `Thesis on ${random.pick(SUBJECTS).toLowerCase()} in practice.` : null,
    activities_and_societies: random.chance(12) ? random.pick(ACTIVITIES) : null,
  };
}

/** A list that is there in so many of a hundred profiles. */
function some<T>(random: Random, percent: number, most: number, make: () => T): T[] {
  return random.chance(percent) ? Array.from({ length: random.int(1, most) }, make) : [];
}

/**
 * The lists of a profile.
 * @param companies - in the sample
 */
export function profileOf(seed: number, person: Person, companies: number) {
  const random = new Random(seed, 'profile', person.index);
  const now = monthOf(REFERENCE_S) - 1;
  const firstJob = person.positions.at(-1)?.from ?? now;
  const [latest] = person.positions;
  const skill = () => random.pick(person.skills.length === 0 ? ['Teamwork'] : person.skills);
  const month = (): string => monthText(random.int(firstJob, now));
  const during = (): Period => period(random, Math.min(firstJob, now - 1), now);
  const colleague = () => personName(seed, random.int(0, companies * 5 - 1), companies).full;
  let schools = 0;
  return {
    education: some(random, 82, 2, () => {
      schools += 1;
      return makeSchool(random, seed, firstJob, schools * 3 - 3);
    }),
    languages: random.chance(45)
      ? random
          .some(LANGUAGES, 1, 3)
          .map((language) => ({ language, proficiency: random.orNull(20, random.pick(PROFICIENCIES)) }))
      : [],
    certifications: some(random, 25, 3, () => ({
      title: `Certified in ${skill()}`,
      issuer: random.pick(ISSUERS),
      issuer_url: random.orNull(40, `${NETWORK}/company/open-skills-board`),
      certificate_id: random.orNull(50, random.digits('########')),
      certificate_url: random.orNull(60, `https://certificates.example/${random.hex(12)}`),
      date_from: month(),
      date_to: random.chance(70) ? null : monthText(now + TWO_YEARS),
    })),
    courses: some(random, 14, 3, () => ({
      title: `Introduction to ${skill()}`,
      organizer: random.orNull(30, random.pick(ISSUERS)),
    })),
    awards: some(random, 10, 2, () => ({
      title: random.pick(['Employee of the Year', 'Innovation Award', 'Best Newcomer', 'Team Prize']),
      issuer: random.orNull(20, latest?.company.name ?? ''),
      description: random.orNull(60, `For outstanding work on ${skill()}.`),
      date: random.orNull(10, month()),
    })),
    recommendations: some(random, 12, 2, () => ({
      recommendation: `${person.name.first} is a pleasure to work with and knows ${skill()} like few others.`,
      referee_full_name: colleague(),
    })),
    activity: some(random, 35, 3, () => ({
      activity_url: `${NETWORK}/feed/update/urn:li:activity:7${random.digits('##################')}`,
      title: latest === undefined ? '' : writeSentence(random, latest.company, 'en', 'news'),
      action: `${random.pick(['Liked', 'Shared', 'Commented on'])} by ${person.name.full}`,
    })),
    organizations: some(random, 8, 2, () => ({
      name: random.pick(CLUBS),
      position: random.orNull(20, random.pick(['Member', 'Board Member', 'Treasurer'])),
      description: random.orNull(70, 'Monthly meetings and a summer school.'),
      ...during(),
    })),
    patents: some(random, 3, 2, () => ({
      title: `Method for ${random.pick(latest?.company.industry.products ?? ['tools'])}`,
      status: random.pick(['Granted', 'Pending']),
      inventors: random.orNull(30, `${person.name.full}, ${colleague()}`),
      description: random.orNull(50, 'A method that saves material and time.'),
      patent_number: random.digits('EP#######'),
      date: random.orNull(20, month()),
    })),
    projects: some(random, 10, 2, () => ({
      name: `${skill()} for everybody`,
      description: random.orNull(30, `A project on ${skill()} with colleagues from three departments.`),
      ...during(),
    })),
    publications: some(random, 5, 2, () => ({
      title: `Notes on ${skill()}`,
      publisher: random.orNull(20, 'Journal of Applied Practice'),
      authors: random.orNull(20, `${person.name.full}, ${colleague()}`),
      description: random.orNull(50, 'What worked, what did not, and why.'),
      date: random.orNull(10, month()),
    })),
    volunteering_positions: some(random, 9, 2, () => ({
      organization_name: random.pick(['Food Bank', 'Reading Friends', 'City Gardeners', 'Animal Shelter']),
      role: random.pick(['Volunteer', 'Coordinator', 'Mentor']),
      cause: random.orNull(15, random.pick(CAUSES)),
      description: random.orNull(60, 'Every second Saturday.'),
      ...during(),
    })),
  };
}

/** Adds the place of each item in its list, which begins with 1. */
export function inOrder<T extends object>(items: readonly T[]) {
  return items.map((item, index) => ({ order_in_profile: index + 1, ...item }));
}

/** The same for base records, whose items may be deleted. */
export function inBaseOrder<T extends object>(items: readonly T[], isDeleted: (index: number) => boolean) {
  return items.map((item, index) => ({
    order_in_profile: index + 1,
    deleted: isDeleted(index) ? (1 as const) : (0 as const),
    ...item,
  }));
}
