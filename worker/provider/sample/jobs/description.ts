// The text of job postings: what is to be done, what is asked for and what is offered.
import * as english from '../data/people/voices/english-job.ts';
import { VOICES } from '../data/people/voices/index.ts';
import { PROSE } from '../data/prose/index.ts';
import { descriptionOf } from '../describe.ts';
import type { CompanyFacts, Office } from '../facts.ts';
import { isAmerican, lowered, Phrases } from '../people/phrases.ts';
import { inCity, nameIn } from '../people/texts.ts';
import { dutyIn } from '../people/verbs.ts';
import type { Level, RoleFacts, Voice } from '../people/vocabulary.ts';
import type { Random } from '../random.ts';
import { listed, type Slots, withArticle } from '../text.ts';
import type { Language } from '../vocabulary.ts';

/** What is known of a posting when its text is written. */
export interface Opening {
  facts: CompanyFacts;
  office: Office;
  role: RoleFacts;
  level: Level;
  /** without additions */
  title: string;
  language: Language;
  /** as the posting's employment type */
  kind: string;
}

/** Control characters that get into texts when they are copied out of other programs. */
const STRAYS = ['\u000b', '\u0007', '\u001f', '\u0002', '\u0085', '\u000c', '\u0010', '\u001d'];
const BULLETS = ['• ', '- ', '* ', '· ', '– ', ''];

/**
 * Values for the slots of sentences in postings.
 *
 * @param opening the posting
 * @param random picks among what the company makes
 * @returns the slots
 */
export function openingSlots(opening: Opening, random: Random): Slots {
  const { facts, office, role, title, language, kind } = opening;
  const { trade } = facts;
  const { city, country } = office;
  const local = country.tongue === language;
  const shown = local ? city.own : city.name;
  const [skill, skill2] = random.sample(role.skills, 2);
  const prose = PROSE.get(language);
  const makes = random.sample(trade.makes, 3);
  return {
    name: nameIn(language, facts),
    company: nameIn(language, facts),
    title,
    wanted: title,
    aWanted: withArticle(title),
    city: shown,
    in: inCity(language, shown, local ? city.locative : null),
    country: country.spoken,
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
    skillLower: lowered(skill ?? ''),
    skill2Lower: lowered(skill2 ?? ''),
    kind,
  };
}

/** One part of a posting: a heading and what is under it. */
function section(heading: string | null, lines: readonly string[], bullet: string): string {
  if (lines.length === 0) return '';
  const list = lines.map((line) => bullet + line).join('\n');
  return heading === null ? list : `${heading}\n${list}`;
}

function localSections(
  opening: Opening,
  voice: Voice,
  phrases: Phrases,
  bullet: string,
  random: Random,
): string[] {
  const { job, duties } = voice;
  const head = (table: readonly string[]) => {
    const heading = random.pick(table);
    return /\p{Script=Latin}$/u.test(heading) && random.chance(450)
      ? heading + (voice.language === 'fr' ? ' :' : ':')
      : heading;
  };
  return [
    phrases.some(job.intros, random.chance(250) ? 2 : 1).join(voice.gap),
    section(head(job.headings.duties), phrases.some(duties[opening.role.area], random.int(3, 4)), bullet),
    section(head(job.headings.wants), phrases.some(job.wants, random.int(3, 5)), bullet),
    random.chance(820)
      ? section(head(job.headings.offers), phrases.some(job.offers, random.int(3, 5)), bullet)
      : '',
    phrases.some(job.closers, random.int(1, 2)).join(voice.gap),
  ];
}

function wantsOf(opening: Opening, phrases: Phrases, random: Random): string[] {
  const { role, level } = opening;
  if (level === 'Intern')
    return [
      ...phrases.some(english.JOB_WANTS_JUNIOR, 2),
      ...phrases.some(english.JOB_WANTS, random.int(1, 2)),
    ];
  const own = phrases.some(role.wants, random.int(2, 4));
  const senior = level === 'Specialist' ? [] : phrases.some(english.JOB_WANTS_SENIOR, random.int(1, 2));
  return [...own, ...senior, ...phrases.some(english.JOB_WANTS, random.int(0, 3))];
}

function englishSections(opening: Opening, phrases: Phrases, bullet: string, random: Random): string[] {
  const { role, facts } = opening;
  const headings = english.JOB_HEADINGS;
  const head = (table: readonly string[]) => phrases.fill(random.pick(table));
  const offers =
    opening.office.country.iso2 === 'US' && random.chance(800) ? english.JOB_OFFERS_US : english.JOB_OFFERS;
  const about = random.chance(480) ? descriptionOf(facts) : null;
  const company = about === null || facts.language !== 'en' ? '' : `${head(headings.about)}\n${about}`;
  const intro = phrases.one(english.JOB_INTROS) ?? '';
  const form = random.chance(930) ? 'plain' : 'ing';
  const duties = role.duties.map((duty) => dutyIn(duty, form));
  return [
    ...(random.chance(500) ? [company, intro] : [intro, company]),
    section(head(headings.duties), phrases.some(duties, random.int(3, 6)), bullet),
    section(head(headings.wants), wantsOf(opening, phrases, random), bullet),
    random.chance(760) ? section(head(headings.offers), phrases.some(offers, random.int(2, 6)), bullet) : '',
    phrases.some(english.JOB_CLOSERS, random.int(1, 2)).join(' '),
  ];
}

/** A posting of two or three sentences. */
function inBrief(opening: Opening, voice: Voice | undefined, phrases: Phrases): string {
  const parts =
    voice === undefined
      ? [phrases.one(english.JOB_INTROS), ...phrases.some(english.JOB_CLOSERS, 2)]
      : [
          phrases.one(voice.job.intros),
          phrases.one(voice.duties[opening.role.area]),
          phrases.one(voice.job.closers),
        ];
  return parts.filter((part) => part !== null).join(voice === undefined ? ' ' : '\n');
}

/** Puts control characters where line breaks or blanks were. */
function littered(text: string, random: Random): string {
  const stray = random.pick(STRAYS);
  let left = random.int(1, 6);
  return text.replace(/[\n ]/g, (gap) => {
    if (left === 0 || !random.chance(90)) return gap;
    left -= 1;
    return stray + (gap === '\n' ? '\n' : '');
  });
}

/**
 * The text of a posting.
 *
 * @param opening the posting
 * @param random where the sentences come from
 * @returns some lines up to a page; null for the few postings whose text was not read
 */
export function jobDescription(opening: Opening, random: Random): string | null {
  if (random.chance(9)) return null;
  const voice = VOICES.get(opening.language);
  const phrases = new Phrases({
    random,
    slots: openingSlots(opening, random),
    american: isAmerican(opening.facts),
  });
  if (random.chance(70)) return inBrief(opening, voice, phrases);
  const bullet = random.pick(BULLETS);
  const sections =
    voice === undefined
      ? englishSections(opening, phrases, bullet, random)
      : localSections(opening, voice, phrases, bullet, random);
  if (voice === undefined && random.chance(70)) sections.push(`Job Type: ${opening.kind}`);
  const text = sections.filter((part) => part !== '').join(random.chance(850) ? '\n\n' : '\n');
  return random.chance(21) ? littered(text, random) : text;
}
