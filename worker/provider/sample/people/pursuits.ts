// What only base records tell of a person: memberships, voluntary work, patents, projects, publications.
import * as english from '../data/people/voices/english-profile.ts';
import type { Random } from '../random.ts';
import { capital } from '../text.ts';
import { monthText, presentOf } from './career.ts';
import { monthIn, part } from './extras.ts';
import { Phrases } from './phrases.ts';
import { experienceOf, type Profile, slotsOf } from './texts.ts';

/** A period of a base profile's lists. */
interface Period {
  date_from: string | null;
  date_to: string | null;
}

function periodIn(profile: Profile, random: Random): Period {
  const from = monthIn(profile, random);
  const to = Math.min(profile.career.now, from + random.int(2, 60));
  return {
    date_from: random.chance(860) ? monthText(from) : null,
    date_to: random.chance(560) ? monthText(to) : null,
  };
}

/** What only base records tell: memberships, voluntary work, patents, projects, publications. */
export interface Pursuits {
  organizations: ({ name: string; position: string | null; description: null } & Period)[];
  volunteering: ({ organization_name: string; role: string; cause: string; description: null } & Period)[];
  patents: {
    title: string;
    status: string;
    inventors: string | null;
    description: null;
    patent_number: string;
    date: string | null;
  }[];
  projects: ({ name: string; description: string | null } & Period)[];
  publications: {
    title: string;
    publisher: string;
    authors: string | null;
    description: null;
    date: string | null;
  }[];
}

const PATENTS = [
  'Device for testing {make}',
  'Method for the production of {make}',
  'Arrangement for monitoring {make}',
  'Process and apparatus for {special}',
];
const PROJECTS = [
  'Introduction of {skillLower} at {company}',
  'Relaunch of the website of {company}',
  '{skill} handbook',
  '{make} for {buyers}',
  'Move to the new building',
  'Pilot: {skillLower} and {skill2Lower}',
];
const PAPERS = [
  '{special}: evidence from a field study',
  'On the use of {make} in practice',
  'What {buyers} expect of {make}',
  'A note on {skillLower}',
  '{skill} and {skill2Lower}: a comparison',
];
const JOURNALS = [
  'Journal of Applied Practice',
  'Quarterly of Industry and Craft',
  'Proceedings of the Northern Forum',
  'Trade and Technique',
  'Lantern Hill Working Papers',
];

/**
 * Memberships, voluntary work, patents, projects and publications.
 *
 * @param profile the person
 * @returns mostly empty lists
 */
export function pursuitsOf(profile: Profile): Pursuits {
  const { person, career } = profile;
  const random = part(profile, 'pursuits');
  const phrases = new Phrases({
    random,
    slots: slotsOf(
      profile,
      presentOf(career) ?? career.positions[0] ?? null,
      'en',
      random,
      experienceOf(career),
    ),
  });
  const scholar = career.calling.role.academic === 1000;
  const builder = career.calling.role.area === 'build' || scholar;
  const how = (perMille: number, most: number) =>
    !person.hidden && random.chance(perMille) ? random.lowish(1, most, 1) : 0;
  const dated = () => (random.chance(800) ? monthText(monthIn(profile, random)) : null);
  const authors = () => (random.chance(500) ? person.name.latin : null);
  return {
    organizations: random.sample(english.ASSOCIATIONS, how(62, 2)).map(([name, position]) => ({
      name,
      position,
      description: null,
      ...periodIn(profile, random),
    })),
    volunteering: random.sample(english.VOLUNTEERING, how(96, 3)).map(([name, role, cause]) => ({
      organization_name: name,
      role,
      cause,
      description: null,
      ...periodIn(profile, random),
    })),
    patents: phrases.some(PATENTS, how(builder ? 34 : 2, 3)).map((title) => ({
      title,
      status: random.pick(['Issued', 'Pending']),
      inventors: authors(),
      description: null,
      patent_number: `${random.pick(['EP', 'US', 'DE', 'WO'])} ${random.int(1_000_000, 9_999_999)}`,
      date: dated(),
    })),
    projects: phrases.some(PROJECTS, how(90, 4)).map((name) => ({
      name,
      description: random.chance(380) ? phrases.one(career.calling.role.wins) : null,
      ...periodIn(profile, random),
    })),
    publications: phrases.some(PAPERS, how(scholar ? 260 : 16, 5)).map((title) => ({
      title: capital(title),
      publisher: random.pick(JOURNALS),
      authors: authors(),
      description: null,
      date: dated(),
    })),
  };
}
