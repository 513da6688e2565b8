// What people write about themselves: headlines, summaries, and notes under their positions.
import * as english from '../data/people/voices/english-profile.ts';
import { VOICES } from '../data/people/voices/index.ts';
import { PROSE } from '../data/prose/index.ts';
import type { CompanyFacts } from '../facts.ts';
import { type Random, randomFor } from '../random.ts';
import { inWords, listed, type Slots, type Standing, withArticle } from '../text.ts';
import type { Language } from '../vocabulary.ts';
import { type Career, type Position, presentOf } from './career.ts';
import type { Person } from './person.ts';
import { isAmerican, lowered, Phrases } from './phrases.ts';
import type { School } from './schooling.ts';
import { dutyIn } from './verbs.ts';
import type { Level, Voice } from './vocabulary.ts';

const LONGEST_HEADLINE = 120;

/** Levels at which nobody leads a team. */
const FOLLOWING: ReadonlySet<Level> = new Set<Level>(['Intern', 'Specialist', 'Senior']);
const LEADER: Standing = { staff: 10, year: 1970 };
const FOLLOWER: Standing = { staff: 1, year: 1970 };

/** Everything that is known of a person when texts are written. */
export interface Profile {
  person: Person;
  career: Career;
  skills: readonly string[];
  schools: readonly School[];
}

/** A company's name as people of a language write it. */
export function nameIn(language: Language, facts: CompanyFacts): string {
  const { family, plain, latin } = facts.identity;
  return family.language === language ? plain : latin;
}

/** Whether a language can put the number in front of its word for years without bending the word. */
function years(language: Language, count: number): string | undefined {
  if (count < 3) return undefined;
  const few = count % 10 >= 1 && count % 10 <= 4 && (count < 11 || count > 14);
  if ((language === 'pl' || language === 'uk') && few) return undefined;
  if (language === 'ar' && count < 11) return undefined;
  return language === 'en' ? inWords(count) : String(count);
}

/**
 * Values for the slots of sentences about a person at work.
 *
 * @param profile the person
 * @param position where the person works or worked; null for nobody's employees
 * @param language the language of the sentences
 * @param random picks among what the company makes
 * @param experience years of experience at the time of writing
 * @returns the slots; those that cannot be filled are left out
 */
export function slotsOf(
  profile: Profile,
  position: Position | null,
  language: Language,
  random: Random,
  experience: number,
): Slots {
  const { person, skills, schools } = profile;
  const facts = position?.company ?? person.employer;
  const { trade } = facts;
  const makes = random.sample(trade.makes, 3);
  const local = person.country.tongue === language;
  const title =
    position === null ? profile.career.calling.base : language === 'en' ? position.english : position.title;
  const [skill = trade.does, skill2 = trade.category, skill3 = trade.does] = random.sample(
    skills.slice(0, 6),
    3,
  );
  const school = schools[0];
  const city = local ? person.city.own : person.city.name;
  const prose = PROSE.get(language);
  return {
    title,
    aTitle: withArticle(title),
    company: position === null ? undefined : nameIn(language, facts),
    city,
    in: inCity(language, city, local ? person.city.locative : null),
    country: person.country.spoken,
    does: prose === undefined ? trade.does : prose.does[trade.trade],
    verb: trade.verb[0],
    verbs: trade.verb[1],
    makes: listed(makes),
    make: makes[0],
    other: makes[1],
    buyers: random.pick(trade.buyers),
    special: random.pick(trade.special),
    skill,
    skill2,
    skill3,
    skillLower: lowered(skill),
    skill2Lower: lowered(skill2),
    years: years(language, experience),
    count: experience >= 3 ? String(experience) : undefined,
    school: school?.name,
    subject: school?.subject ?? undefined,
  };
}

/** "In that city", bent where the language asks for it. */
export function inCity(language: Language, city: string, locative: string | null): string {
  const patterns: Partial<Record<Language, string>> = {
    de: `in ${city}`,
    pl: locative ?? `w mieście ${city}`,
    uk: locative ?? `у місті ${city}`,
    tr: locative ?? `${city} şehrinde`,
  };
  return patterns[language] ?? city;
}

/** How many whole years of experience somebody has by now. */
export function experienceOf(career: Career): number {
  return Math.floor((career.now - career.begun) / 12);
}

/**
 * The line under a person's name.
 *
 * @param profile the person
 * @returns the headline; null for the share of people who have none
 */
export function headlineOf(profile: Profile): string | null {
  const { person, career } = profile;
  const random = randomFor(person.seed, 'headline', person.index);
  if (random.chance(34)) return null;
  const present = presentOf(career);
  const latest = present ?? career.positions[0] ?? null;
  const voice = VOICES.get(person.language);
  const slots = slotsOf(profile, latest, person.language, random, experienceOf(career));
  const phrases = new Phrases({ random, slots, woman: person.woman, american: isAmerican(person.employer) });
  const table =
    latest === null
      ? voice === undefined
        ? english.HEADLINES_STUDENT
        : english.HEADLINES_ANYWHERE.student
      : present === null
        ? voice === undefined
          ? english.HEADLINES_SEEKING
          : english.HEADLINES_ANYWHERE.seeking
        : (voice?.headlines ?? english.HEADLINES);
  const text = phrases.one(table) ?? latest?.title ?? null;
  if (text === null || text.length > LONGEST_HEADLINE) return latest?.title ?? null;
  return text;
}

/**
 * What a person says about herself or himself.
 *
 * @param profile the person
 * @returns one to seven sentences; null for the greater share, who say nothing
 */
export function summaryOf(profile: Profile): string | null {
  const { person, career } = profile;
  const random = randomFor(person.seed, 'about', person.index);
  if (person.hidden || !random.chance(430)) return null;
  const present = presentOf(career);
  const leads = present !== null && !FOLLOWING.has(present.level);
  const voice = VOICES.get(person.language);
  const slots = slotsOf(profile, present, person.language, random, experienceOf(career));
  const phrases = new Phrases({ random, slots, woman: person.woman, american: isAmerican(person.employer) });
  const [first, more] = voice ? [voice.about, voice.more] : [english.ABOUT_FIRST, english.ABOUT_MORE];
  const sentences = [
    ...phrases.some(first, random.chance(260) ? 2 : 1),
    ...phrases.some(more, random.lowish(0, 5, 0), leads ? LEADER : FOLLOWER),
  ];
  const duties = random.chance(140) ? dutyLines(profile, presentOf(career), 0, phrases, voice, random) : [];
  if (sentences.length === 0 && duties.length === 0) return null;
  const gap = voice?.gap ?? ' ';
  const body =
    sentences.length > 3 && random.chance(420)
      ? `${sentences.slice(0, 2).join(gap)}\n\n${sentences.slice(2).join(gap)}`
      : sentences.join(gap);
  return [body, ...duties.map((duty) => `• ${duty}`)].filter((part) => part !== '').join('\n');
}

/** Two to five things that somebody does in a position; positions of one person tell different ones. */
function dutyLines(
  profile: Profile,
  position: Position | null,
  at: number,
  phrases: Phrases,
  voice: Voice | undefined,
  random: Random,
): string[] {
  const { person } = profile;
  const role = position?.calling.role ?? profile.career.calling.role;
  const table = voice === undefined ? role.duties : voice.duties[role.area];
  const order = randomFor(person.seed, role.role, person.index).sample(table, table.length);
  const count = random.int(2, Math.min(5, Math.max(2, table.length - 1)));
  const form = position !== null && position.to !== null ? 'past' : random.chance(500) ? 'plain' : 'ing';
  const lines: string[] = [];
  for (let line = 0; line < count; line += 1) {
    const duty = order[(at * 3 + line) % order.length] ?? '';
    const text = phrases.fill(voice === undefined ? dutyIn(duty, form) : duty);
    if (text !== null) lines.push(text);
  }
  return lines;
}

const COMMAS: Partial<Record<Language, string>> = { ja: '、', zh: '，', ar: '، ' };

/** Several phrases in one line. */
function inOneLine(lines: readonly string[], voice: Voice | undefined): string {
  if (voice !== undefined) return lines.join(COMMAS[voice.language] ?? ', ');
  return lines.map((line, at) => (at === 0 ? line : line.charAt(0).toLowerCase() + line.slice(1))).join(', ');
}

/**
 * The note under a position.
 *
 * @param profile the person
 * @param position the position
 * @param at its place in the career, 0 being the latest
 * @returns the note; null for the greater share, who wrote none
 */
export function noteOf(profile: Profile, position: Position, at: number): string | null {
  const { person } = profile;
  const random = randomFor(person.seed, `note ${at}`, person.index);
  if (person.hidden || !random.chance(at === 0 ? 420 : 340)) return null;
  const voice = VOICES.get(person.language);
  const slots = slotsOf(profile, position, person.language, random, position.years);
  const us = isAmerican(position.company);
  const phrases = new Phrases({ random, slots, woman: person.woman, american: us });
  if (voice === undefined && random.chance(240)) return phrases.one(english.POSITION_NOTES, position.company);
  const lines = dutyLines(profile, position, at, phrases, voice, random);
  const { wins } = position.calling.role;
  const worked = (position.to ?? profile.career.now) - position.from;
  if (voice === undefined && worked >= 18 && random.chance(430)) {
    lines.push(...phrases.some(wins, 1).map((win) => win.replace(/\.$/, '')));
  }
  if (lines.length === 0) return null;
  const layout = random.int(1, 100);
  if (layout <= 38) return lines.map((line) => `• ${line}`).join('\n');
  if (layout <= 56) return lines.map((line) => `- ${line}`).join('\n');
  if (layout <= 74 && voice === undefined) return `${lines.join('. ')}.`;
  if (layout <= 90) return inOneLine(lines.slice(0, 3), voice);
  return lines.join('\n');
}
