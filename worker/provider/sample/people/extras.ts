// What fuller profiles have beside positions and schools: certificates, courses, awards, praise, activity and more.
import { HOSTS } from '../data/catalogue.ts';
import { POSTS } from '../data/people/voices/english-post.ts';
import * as english from '../data/people/voices/english-profile.ts';
import { VOICES } from '../data/people/voices/index.ts';
import type { Activity, Award, Certification, Course, Recommendation } from '../people-types.ts';
import { type Random, randomFor } from '../random.ts';
import { slugOf } from '../text.ts';
import { type Month, monthText, presentOf } from './career.ts';
import { personAt } from './person.ts';
import { isAmerican, Phrases } from './phrases.ts';
import { experienceOf, nameIn, type Profile, slotsOf } from './texts.ts';
import { POST_KINDS } from './vocabulary.ts';

/** People praise each other inside a circle of this many. */
const CIRCLE = 50;
const LONGEST_TITLE = 96;

/**
 * Opens the stream of random numbers of one part of a profile.
 *
 * @param profile the person
 * @param name the part
 * @returns the stream at its beginning
 */
export function part(profile: Profile, name: string): Random {
  return randomFor(profile.person.seed, name, profile.person.index);
}

function phrasesFor(profile: Profile, random: Random): Phrases {
  const { person, career } = profile;
  const slots = slotsOf(profile, presentOf(career), person.language, random, experienceOf(career));
  return new Phrases({ random, slots, woman: person.woman, american: isAmerican(person.employer) });
}

/**
 * A month in the career, the later the likelier.
 *
 * @param profile the person
 * @param random where the choice comes from
 * @returns the month
 */
export function monthIn(profile: Profile, random: Random): Month {
  const { begun, now } = profile.career;
  return now - random.lowish(0, Math.max(1, now - begun), 1);
}

function addressOf(name: string): string {
  return `https://${HOSTS.professional}/company/${slugOf(name)}`;
}

/**
 * Certificates.
 *
 * @param profile the person
 * @returns none for most people
 */
export function certificatesOf(profile: Profile): Certification[] {
  const random = part(profile, 'certificates');
  if (profile.person.hidden || !random.chance(265)) return [];
  const { role, area } = profile.career.calling.role;
  const table = english.CERTIFICATES.filter(([, , fits]) =>
    fits.split(' ').some((fit) => fit === role || fit === area),
  );
  return random.sample(table, random.lowish(1, 4, 1)).map(([title, issuer]) => {
    const from = monthIn(profile, random);
    const runs = random.chance(270);
    const id = random.chance(450)
      ? `${random.pick(['C', 'CERT-', 'No. ', ''])}${random.int(10_000, 9_999_999)}`
      : null;
    return {
      title,
      issuer,
      issuer_url: random.chance(620) ? addressOf(issuer) : null,
      certificate_id: id,
      certificate_url:
        id !== null && random.chance(480)
          ? `https://certificates.${slugOf(issuer).replace(/-/g, '')}.example/${random.hex(8)}`
          : null,
      date_from: random.chance(900) ? monthText(from) : null,
      date_to: runs ? monthText(from + 12 * random.int(1, 3)) : null,
    };
  });
}

/**
 * Courses.
 *
 * @param profile the person
 * @returns none for most people
 */
export function coursesOf(profile: Profile): Course[] {
  const random = part(profile, 'courses');
  if (profile.person.hidden || !random.chance(120)) return [];
  return random.sample(english.COURSES, random.lowish(1, 5, 1)).map(([title, organizer]) => ({
    title,
    organizer: organizer === '' ? nameIn('en', profile.person.employer) : organizer,
  }));
}

/**
 * Awards: of an employer while the person worked there, of a school while the person studied there.
 *
 * @param profile the person
 * @returns none for most people
 */
export function awardsOf(profile: Profile): Award[] {
  const random = part(profile, 'awards');
  if (profile.person.hidden || !random.chance(88)) return [];
  const { career, schools } = profile;
  const position = career.positions[0];
  const school = schools[0];
  const worked = position === undefined ? 0 : (position.to ?? career.now) - position.from;
  return random.sample(english.AWARDS, random.lowish(1, 3, 1)).flatMap(([title, issuer]) => {
    const dated = random.chance(780);
    if (issuer === '{school}') {
      if (school === undefined) return [];
      const date = dated && school.to !== null ? String(school.to - random.int(0, 1)) : null;
      return [{ title, issuer: school.name, description: null, date }];
    }
    if (issuer === '{company}') {
      if (position === undefined || worked < 10 || position.company.staff < 8) return [];
      const at = position.from + random.int(8, worked);
      return [
        {
          title,
          issuer: position.company.name,
          description: null,
          date: dated && !position.undated ? monthText(at) : null,
        },
      ];
    }
    return [{ title, issuer, description: null, date: dated ? monthText(monthIn(profile, random)) : null }];
  });
}

/**
 * What others have written about the person; each of them is an employee of the sample.
 *
 * @param profile the person
 * @returns none for most people
 */
export function praiseOf(profile: Profile): Recommendation[] {
  const { person } = profile;
  const random = part(profile, 'praise');
  if (person.hidden || !random.chance(125)) return [];
  const voice = VOICES.get(person.language);
  const slots = {
    ...slotsOf(profile, null, person.language, random, experienceOf(profile.career)),
    person: person.name.first,
  };
  const phrases = new Phrases({ random, slots, woman: person.woman, american: isAmerican(person.employer) });
  const start = person.index - (person.index % CIRCLE);
  const circle = random.sample(
    Array.from({ length: CIRCLE }, (_, at) => start + at).filter((index) => index !== person.index),
    14,
  );
  const wanted = random.lowish(1, 4, 1);
  const found: Recommendation[] = [];
  for (const index of circle) {
    if (found.length === wanted) break;
    const referee = personAt(person.seed, index, person.companies);
    if (referee.language !== person.language) continue;
    const recommendation = phrases.one(voice?.praise ?? english.PRAISE);
    if (recommendation !== null) found.push({ recommendation, referee_full_name: referee.name.full });
  }
  return found;
}

/**
 * What the person has lately liked, shared or commented on.
 *
 * @param profile the person
 * @returns none for most people
 */
export function activityOf(profile: Profile): Activity[] {
  const { person } = profile;
  const random = part(profile, 'activity');
  if (person.hidden || !random.chance(240)) return [];
  const voice = VOICES.get(person.language);
  const phrases = phrasesFor(profile, random);
  const found: Activity[] = [];
  for (let count = random.lowish(1, 9, 1); count > 0; count -= 1) {
    const kind = random.pick(POST_KINDS);
    const table =
      voice === undefined && random.chance(500) ? english.ACTIVITY_TITLES : (voice?.posts ?? POSTS)[kind];
    const text = phrases.one(table)?.replace(/\s+/g, ' ');
    if (text === undefined) continue;
    found.push({
      activity_url: `https://${HOSTS.professional}/feed/update/urn:activity:7${random.int(100_000_000, 499_999_999)}${random.int(100_000_000, 999_999_999)}`,
      title:
        text.length > LONGEST_TITLE
          ? `${[...text]
              .slice(0, LONGEST_TITLE - 6)
              .join('')
              .trimEnd()}…`
          : text,
      action: `${random.pick(['Liked by', 'Liked by', 'Shared by', 'Commented on by'])} ${person.name.full}`,
    });
  }
  return found;
}
