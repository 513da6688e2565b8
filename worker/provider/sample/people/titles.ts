// Job titles: from role and level, in English and in the language of the profile.
import { VOICES } from '../data/people/voices/index.ts';
import type { CompanyFacts } from '../facts.ts';
import type { Random } from '../random.ts';
import { capital } from '../text.ts';
import type { Language, Trade, TradeFacts } from '../vocabulary.ts';
import { forGender, usualIn } from './phrases.ts';
import type { Level, Role, RoleFacts, Voice } from './vocabulary.ts';

/** Titles that cannot take "Senior" in front. */
const BEGINNERS =
  /^(?:Junior|Assistant|Associate|Trainee|Commis|Inside|Senior|Lead|Head|Principal)\b|Assistant$/;

/** Roles whose local titles fit one trade alone; elsewhere they are called as in English. */
const ONLY_IN: ReadonlyMap<Role, Trade> = new Map<Role, Trade>([
  ['host', 'hotel'],
  ['nurse', 'hospital'],
  ['physician', 'hospital'],
  ['teacher', 'school'],
]);

/** Roles that one can have on one's own account. */
const CRAFTS: ReadonlySet<Role> = new Set<Role>([
  ...(['architect', 'lawyer', 'vet', 'physician', 'physio', 'designer'] as const),
  ...(['cook', 'tax', 'electrician', 'editor', 'trainer', 'consultant'] as const),
]);

const FOUNDERS = [
  'Founder',
  'Co-Founder',
  'Founder & CEO',
  'Co-Founder & CEO',
  'Founder and Managing Director',
];
const OWNERS = ['Owner', 'Owner', 'Owner and Managing Director', 'Proprietor', 'Managing Director and Owner'];
const PARTNERS = ['Partner', 'Partner', 'Managing Partner', 'Equity Partner', 'Senior Partner'];
const CHIEFS = ['Chief Executive Officer', 'CEO', 'Managing Director', 'General Manager'];
const CIVIC_CHIEFS = ['Executive Director', 'Director', 'Chief Executive'];

/** A role as one person has it: the same words in every position. */
export interface Calling {
  role: RoleFacts;
  /** the title without rank */
  base: string;
}

/** The titles of a table that exist in a trade. */
function usual(table: readonly string[], trade: TradeFacts): string[] {
  return usualIn(table, [trade.trade, trade.sector]);
}

/**
 * Decides what somebody of a role calls the work in a trade.
 *
 * @param role the role
 * @param trade the trade
 * @param random where the choice comes from
 * @param before what the same person called it elsewhere, kept where the trade knows it
 * @returns the role with its title
 */
export function callingOf(role: RoleFacts, trade: TradeFacts, random: Random, before?: Calling): Calling {
  const titles = usual(role.titles, trade);
  if (before !== undefined && titles.includes(before.base)) return before;
  return { role, base: titles.length > 0 ? random.pick(titles) : `${role.name} Assistant` };
}

/**
 * A title in English.
 *
 * @param calling role and its words
 * @param level the management level
 * @param junior whether a specialist has just begun
 * @param facts the company
 * @param random where the choice comes from
 * @returns such as `Head of Quality`
 */
export function englishTitle(
  calling: Calling,
  level: Level,
  junior: boolean,
  facts: CompanyFacts,
  random: Random,
): string {
  const { role, base } = calling;
  switch (level) {
    case 'Intern':
      return random.pick([
        `${role.name} Intern`,
        `Intern`,
        `Working Student ${role.name}`,
        `${base} Trainee`,
      ]);
    case 'Specialist':
      return junior && !BEGINNERS.test(base) && random.chance(420) ? `Junior ${base}` : base;
    case 'Senior': {
      const able = BEGINNERS.test(base)
        ? (usual(role.titles, facts.trade).find((title) => !BEGINNERS.test(title)) ?? base)
        : base;
      const front =
        role.area === 'build' || role.area === 'study'
          ? ['Senior', 'Senior', 'Lead', 'Principal']
          : ['Senior'];
      return `${random.pick(front)} ${able}`;
    }
    case 'Manager':
      return random.pick(usual(role.leads, facts.trade));
    case 'Head':
      return role.heads === undefined ? `Head of ${role.name}` : random.pick(usual(role.heads, facts.trade));
    case 'Director':
      return role.heads === undefined
        ? random.pick([`Director of ${role.name}`, `${role.name} Director`, `Director, ${role.name}`])
        : random.pick(usual(role.heads, facts.trade));
    case 'President/Vice President':
      return random.pick([
        `VP ${role.name}`,
        `Vice President of ${role.name}`,
        `Vice President, ${role.name}`,
        `VP of ${role.name}`,
      ]);
    case 'C-Level':
      if (role.chiefs.length > 0 && random.chance(640))
        return random.pick(role.chiefs.filter((title) => !title.startsWith('Co-Founder')));
      return random.pick(facts.trade.sector === 'civic' ? CIVIC_CHIEFS : CHIEFS);
    case 'Partner':
      return random.pick(PARTNERS);
    case 'Founder':
      return role.role === 'software' && random.chance(400) ? 'Co-Founder & CTO' : random.pick(FOUNDERS);
    case 'Owner':
      return CRAFTS.has(role.role) && random.chance(500)
        ? random.pick([`Owner / ${base}`, `${base} and Owner`])
        : random.pick(OWNERS);
  }
}

function localTitle(voice: Voice, calling: Calling, level: Level, junior: boolean, woman: boolean): string {
  const { role } = calling;
  const own = (text: string) => forGender(text, woman);
  const base = own(voice.titles[role.role]);
  const ranked = (pattern: string) =>
    capital(own(pattern).replace('{t}', base).replace('{f}', voice.fields[role.field]));
  switch (level) {
    case 'Intern':
      return ranked(voice.ranks.intern);
    case 'Specialist':
      return junior ? ranked(voice.ranks.junior) : capital(base);
    case 'Senior':
      return ranked(voice.ranks.senior);
    case 'Manager':
      return ranked(voice.ranks.lead);
    case 'Head':
      return ranked(voice.ranks.head);
    case 'Director':
    case 'President/Vice President':
      return ranked(voice.ranks.director);
    case 'C-Level':
      return capital(own(voice.top.chief));
    case 'Partner':
      return capital(own(voice.top.partner));
    case 'Founder':
      return capital(own(voice.top.founder));
    case 'Owner':
      return capital(own(voice.top.owner));
  }
}

/**
 * A title in the language of a profile or posting.
 *
 * @param language the language
 * @param english the same title in English
 * @param calling role and its words
 * @param level the management level
 * @param options the company's trade, whether a specialist has just begun, and whether it is a woman's
 * @returns the title; the English one where there is no other
 */
export function titleIn(
  language: Language,
  english: string,
  calling: Calling,
  level: Level,
  options: { trade: Trade; junior: boolean; woman: boolean },
): string {
  const voice = VOICES.get(language);
  const only = ONLY_IN.get(calling.role.role);
  if (voice === undefined || (only !== undefined && only !== options.trade)) return english;
  return localTitle(voice, calling, level, options.junior, options.woman);
}
