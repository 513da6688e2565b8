// The text of employees' posts: what they write, when, and about which time of their career.
import { REFERENCE_S } from '../data/catalogue.ts';
import { LONG_POSTS, POST_CLOSINGS, POST_OPENINGS, POSTS } from '../data/people/voices/english-post.ts';
import { VOICES } from '../data/people/voices/index.ts';
import { DAY_S } from '../dates.ts';
import { type Month, monthOf, type Position } from '../people/career.ts';
import { type Person, personAt } from '../people/person.ts';
import { isAmerican, Phrases } from '../people/phrases.ts';
import { type Profile, slotsOf } from '../people/texts.ts';
import { dutyIn } from '../people/verbs.ts';
import type { PostKind, Voice } from '../people/vocabulary.ts';
import type { Random, Weighted } from '../random.ts';
import { allowed, inWords } from '../text.ts';
import type { Language } from '../vocabulary.ts';

/** What a post says, and when. */
export interface Written {
  body: string;
  hashtags: string[];
  mentions: Person[];
  language: Language;
  kind: PostKind;
}

const KINDS: Weighted<PostKind> = [
  ['lesson', 40],
  ['hiring', 14],
  ['event', 15],
  ['start', 9],
  ['milestone', 11],
  ['team', 11],
];
const LATEST_S = REFERENCE_S - DAY_S;
/** Posts are not older than this. */
const EARLIEST: Month = 2018 * 12;
/** People mention others inside a circle of this many. */
const CIRCLE = 200;

const TAGS: Readonly<Record<PostKind, readonly string[]>> = {
  start: ['newjob', 'newbeginnings', 'career', 'FirstDay'],
  hiring: ['hiring', 'jobs', 'wearehiring', 'joinus', 'careers', 'nowhiring'],
  event: ['tradefair', 'conference', 'networking', 'event', 'community'],
  lesson: ['leadership', 'learning', 'worklife', 'experience', 'management', 'culture'],
  team: ['teamwork', 'proud', 'thankyou', 'colleagues', 'leadership'],
  milestone: ['milestone', 'anniversary', 'proud', 'teamwork', 'grateful'],
};

/** The moment on which a month begins. */
function startOf(month: Month): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;
}

interface Moment {
  kind: PostKind;
  position: Position | null;
  atS: number;
  /** whole years in the position, for anniversaries */
  here: number | null;
}

/** A time at which a post of the kind would be true; falls back to a kind that is true at any time. */
function momentOf(profile: Profile, random: Random): Moment {
  const { positions, now } = profile.career;
  const kind = random.weighted(KINDS);
  const dated = positions.filter((position) => !position.undated);
  if (kind === 'start') {
    const recent = dated.filter(({ from }) => from >= EARLIEST && startOf(from) < LATEST_S - 3 * DAY_S);
    if (recent.length > 0) {
      const position = random.pick(recent);
      const atS = Math.min(LATEST_S, startOf(position.from) + random.int(DAY_S, 36 * DAY_S));
      return { kind, position, atS, here: null };
    }
  }
  if (kind === 'milestone') {
    const long = dated.filter(({ from, to }) => (to ?? now) - from >= 25 && (to ?? now) >= EARLIEST + 30);
    if (long.length > 0) {
      const position = random.pick(long);
      const last = Math.floor(((position.to ?? now) - position.from) / 12);
      const first = Math.max(2, Math.ceil((EARLIEST - position.from) / 12));
      if (first <= last) {
        const here = random.int(first, last);
        const atS = startOf(position.from + here * 12) + random.int(0, 12 * DAY_S);
        if (atS <= LATEST_S) return { kind, position, atS, here };
      }
    }
  }
  const atS = LATEST_S - random.lowish(0, 5 * 365 * DAY_S, 1);
  const month = monthOf(atS);
  const position = dated.find(({ from, to }) => from < month && month < (to ?? now + 12)) ?? null;
  const lasting = kind === 'start' || kind === 'milestone' || position === null ? 'lesson' : kind;
  return { kind: lasting, position, atS, here: null };
}

/** Somebody else of the circle who writes in the same language, if possible of the same country. */
function colleagueOf({ person }: Profile, employees: number, random: Random): Person | null {
  const start = person.index - (person.index % CIRCLE);
  let found: Person | null = null;
  for (let attempt = 0; attempt < 9; attempt += 1) {
    const index = start + random.int(0, CIRCLE - 1);
    if (index === person.index || index >= employees) continue;
    const other = personAt(person.seed, index, person.companies);
    if (other.language !== person.language || other.gone || other.hidden) continue;
    found = other;
    if (other.country.iso2 === person.country.iso2) break;
  }
  return found;
}

function tagOf(words: string): string {
  return words.replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

function tagsOf(profile: Profile, moment: Moment, language: Language, random: Random): string[] {
  if (!random.chance(520)) return [];
  const trade = (moment.position?.company ?? profile.person.employer).trade;
  const voice = VOICES.get(language);
  const words =
    voice === undefined
      ? [
          ...TAGS[moment.kind],
          ...TAGS[moment.kind],
          trade.does,
          random.pick(trade.special),
          ...profile.skills.slice(0, 4),
        ]
      : [...voice.skills, ...voice.skills, random.pick(trade.special), ...profile.skills.slice(0, 3)];
  const low = random.chance(350);
  const tags = random
    .sample(words, random.lowish(1, 6, 1))
    .map((word) => (low ? tagOf(word).toLowerCase() : tagOf(word)));
  return [...new Set(tags)].filter((tag) => tag !== '').map((tag) => `#${tag}`);
}

/** A sentence of the trade that is true of the company. */
function tradeLine(table: readonly string[], position: Position | null, random: Random): string | undefined {
  if (position === null) return undefined;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const fit = allowed(random.pick(table), position.company);
    if (fit !== null && !/\{(?!n:|w:|N:|W:)/.test(fit)) return fit;
  }
  return undefined;
}

/** Puts a beginning or an end to some posts. */
function framed(
  core: string,
  kind: PostKind,
  voice: Voice | undefined,
  phrases: Phrases,
  random: Random,
): string {
  const thoughtful = kind === 'lesson';
  const opening = voice === undefined && thoughtful && random.chance(200) ? phrases.one(POST_OPENINGS) : null;
  const closing = thoughtful && random.chance(420) ? phrases.one(voice?.closings ?? POST_CLOSINGS) : null;
  const gap = core.includes('\n') || random.chance(600) ? '\n\n' : (voice?.gap ?? ' ');
  return [opening, core, closing].filter((part) => part !== null).join(gap);
}

/**
 * What somebody posts, when it was true.
 *
 * @param profile the author
 * @param employees how many employees the data set has
 * @param random where the choices come from
 * @returns the moment, seconds since 1970, and the post; null for one without words of its own
 */
export function writtenBy(
  profile: Profile,
  employees: number,
  random: Random,
): { atS: number; written: Written | null } {
  const { person, career } = profile;
  const moment = momentOf(profile, random);
  const { position, atS } = moment;
  const language: Language = person.language !== 'en' && random.chance(280) ? 'en' : person.language;
  const voice = VOICES.get(language);
  const colleague = moment.kind === 'team' ? colleagueOf(profile, employees, random) : null;
  const kind: PostKind = moment.kind === 'team' && colleague === null ? 'lesson' : moment.kind;
  if (random.chance(28)) return { atS, written: null };

  const experience = Math.max(0, Math.floor((monthOf(atS) - career.begun) / 12));
  const role = position?.calling.role ?? career.calling.role;
  const trade = (position?.company ?? person.employer).trade;
  const slots = {
    ...slotsOf(profile, position, language, random, experience),
    person: colleague?.name.called,
    here: moment.here === null ? undefined : inWords(moment.here),
    hook: tradeLine(trade.hooks, position, random),
    line: tradeLine(trade.lines, position, random),
    duty: dutyIn(random.pick(role.duties), 'ing').replace(/^\w/, (first) => first.toLowerCase()),
  };
  const american = position !== null && isAmerican(position.company);
  const phrases = new Phrases({ random, slots, woman: person.woman, american });
  const posts = voice?.posts ?? POSTS;
  const long = voice === undefined && kind === 'lesson' && random.chance(270);
  const text = phrases.one(long ? LONG_POSTS : posts[kind], position?.company);
  const core = text === null ? null : phrases.fill(text, position?.company);
  if (core === null) return { atS, written: null };
  const whole = framed(core, kind, voice, phrases, random);
  const hashtags = tagsOf(profile, { ...moment, kind }, language, random);
  return {
    atS,
    written: {
      body: hashtags.length > 0 ? `${whole}\n\n${hashtags.join(' ')}` : whole,
      hashtags,
      mentions: colleague === null || kind !== 'team' ? [] : [colleague],
      language,
      kind,
    },
  };
}
