// What companies say about themselves: descriptions, summaries, website titles and posts.
import { REFERENCE_YEAR } from './data/catalogue.ts';
import * as english from './data/prose/english.ts';
import { BUSINESS_WORDS, PROSE } from './data/prose/index.ts';
import type { CompanyFacts } from './facts.ts';
import { type Random, randomFor } from './random.ts';
import {
  allowed,
  american,
  capital,
  filled,
  grouped,
  inWords,
  listed,
  type Slots,
  withArticle,
} from './text.ts';
import type { Prose, Trade } from './vocabulary.ts';

const LONGEST = 1200;
const SHORTEST = 50;

/** Trades that the sentences of their sector in other languages do not fit well. */
const APART: ReadonlySet<Trade> = new Set<Trade>([
  ...(['games', 'telecom', 'hotel', 'fitness', 'vets', 'insurance', 'banking', 'recruiting'] as const),
  ...(['travel', 'events', 'mining', 'college', 'biotech', 'restaurant', 'drinks'] as const),
]);

/**
 * Writes English the way the company's country does.
 *
 * @param facts the company
 * @param text British English, without names
 * @returns the text, in American spelling for companies of the United States
 */
export function spelt(facts: CompanyFacts, text: string): string {
  return facts.offices[0].country.iso2 === 'US' ? american(text) : text;
}

/** Draws sentences that are true of the company, none of them twice. */
class Draw {
  readonly #facts: CompanyFacts;
  readonly #slots: Slots;
  readonly #random: Random;
  readonly #used = new Set<string>();

  constructor(facts: CompanyFacts, slots: Slots, random: Random) {
    this.#facts = facts;
    this.#slots = slots;
    this.#random = random;
  }

  /** One sentence of a table, or null when none fits; `more` adds to the slots or overrides them. */
  one(table: readonly string[], more: Slots = {}): string | null {
    for (const sentence of this.#random.sample(table, table.length)) {
      if (this.#used.has(sentence)) continue;
      const fit = allowed(sentence, this.#facts);
      const slots = { ...this.#slots, ...more };
      const text = fit === null ? null : filled(spelt(this.#facts, fit), slots, this.#random);
      if (text === null) continue;
      this.#used.add(sentence);
      return text;
    }
    return null;
  }

  /** Up to `count` sentences of a table. */
  some(table: readonly string[], count: number): string[] {
    const found: string[] = [];
    while (found.length < count) {
      const text = this.one(table);
      if (text === null) break;
      found.push(text);
    }
    return found;
  }
}

/** Rounds a number of people down, as one does in speech: 47 to 40, 1,380 to 1,300. */
function roughly(value: number): number {
  const step = value < 100 ? 10 : value < 1000 ? 50 : value < 10_000 ? 100 : 1000;
  return Math.floor(value / step) * step;
}

/** Values of the slots of English sentences. */
function englishSlots(facts: CompanyFacts, random: Random): Slots {
  const { trade, offices, staff, year } = facts;
  const age = REFERENCE_YEAR - year;
  const spell = (text: string) => spelt(facts, text);
  const makes = random.sample(trade.makes, random.chance(560) ? 3 : 2).map(spell);
  const buyers = random.sample(trade.buyers, random.chance(620) ? 2 : 1).map(spell);
  const others = offices.slice(1).map((office) => office.city.name);
  const city = offices[0].city.name;
  // A city with an article of its own can't have another.
  const cityBased = city.startsWith('The ') ? undefined : `${city}-based`;
  return {
    name: facts.spoken,
    does: spell(trade.does),
    anDoes: withArticle(spell(trade.does)),
    verb: spell(trade.verb[0]),
    verbs: spell(trade.verb[1]),
    verbing: spell(trade.verb[2]),
    makes: listed(makes),
    make: makes[0],
    other: makes[1],
    buyers: listed(buyers),
    buyer: buyers[0],
    city,
    cityBased,
    aCityBased: cityBased === undefined ? undefined : withArticle(cityBased),
    country: offices[0].country.spoken,
    land: offices[0].country.name,
    year: String(year),
    age: age >= 3 ? inWords(age) : undefined,
    ageRounded: age >= 10 ? inWords(age - (age % 10)) : undefined,
    staff: staff <= 15 ? inWords(staff) : staff < 100 ? `${staff}` : `about ${grouped(roughly(staff))}`,
    staffFloor: staff >= 20 ? grouped(roughly(staff)) : undefined,
    tag: spell(random.pick(trade.special)).replace(/[^A-Za-z0-9]/g, ''),
    branches: others.length > 1 ? 'are offices' : 'is an office',
    fans: facts.followers >= 500 ? grouped(roughly(facts.followers)) : undefined,
    offices: others.length > 0 ? listed(others.slice(0, 4)) : undefined,
  };
}

function englishSentences(facts: CompanyFacts, random: Random): string[] {
  const slots = englishSlots(facts, random);
  const draw = new Draw(facts, slots, random);
  const { trade } = facts;
  const civic = trade.sector === 'civic';
  const manner = civic
    ? 'civic'
    : random.weighted([
        ['third', 46],
        ['we', 27],
        ['hook', 27],
      ] as const);
  const first: (string | null)[] =
    manner === 'civic' && random.chance(700)
      ? [draw.one(english.OPENERS_CIVIC)]
      : manner === 'third'
        ? [draw.one(english.OPENERS_THIRD)]
        : manner === 'we'
          ? [draw.one(english.OPENERS_WE)]
          : [draw.one(trade.hooks), draw.one(english.AFTER_HOOK)];
  const length = random.weighted([
    [1, 8],
    [2, 20],
    [3, 25],
    [4, 23],
    [5, 15],
    [6, facts.staff > 50 ? 20 : 5],
    [8, facts.staff > 200 ? 16 : 1],
  ] as const);
  const told = first.join(' ').includes(String(facts.year));
  const body: (string | null)[] = [];
  if (!told && !civic && random.chance(260)) body.push(draw.one(english.HISTORY));
  body.push(...draw.some(trade.lines, random.int(1, Math.min(5, length))));
  if (random.chance(300)) body.push(draw.one(english.SECTOR_LINES[trade.sector]));
  if (facts.offices.length > 1 && random.chance(360)) body.push(draw.one(english.OFFICES));
  else if (!civic && random.chance(70)) body.push(draw.one(english.PLACE));
  if (!civic) {
    const general = manner === 'we' && random.chance(800) ? english.GENERAL_WE : english.GENERAL;
    const corporate = trade.b2b === 1 ? [...english.CORPORATE, ...english.CORPORATE_B2B] : english.CORPORATE;
    const plain = random.chance(facts.staff > 150 ? 750 : 330);
    body.push(
      ...draw.some(plain ? corporate : general, length >= 5 ? random.int(1, 3) : random.chance(480) ? 1 : 0),
    );
  }
  const kept = body.filter((text) => text !== null);
  const order = random.chance(500) ? kept : random.sample(kept, kept.length);
  const last = random.chance(130) ? draw.one(civic ? english.CLOSERS_CIVIC : english.CLOSERS) : null;
  return [...first, ...order.slice(0, length), last].filter((text) => text !== null);
}

/** Puts English sentences together, now and then with paragraphs, a list or hashtags. */
function englishText(facts: CompanyFacts, sentences: string[], random: Random): string {
  const layout = random.int(1, 100);
  const head = sentences.slice(0, 1).join(' ');
  const tail = sentences.slice(1).join(' ');
  if (layout <= 16 && sentences.length >= 3) return `${head}\n\n${tail}`;
  if (layout <= 23 && facts.trade.sector !== 'civic') {
    const items = random
      .sample(facts.trade.makes, random.int(3, 5))
      .map((item) => `\n• ${capital(spelt(facts, item))}`);
    return `${sentences.slice(0, 3).join(' ')}\n\n${random.pick(['What we do:', 'Services:', 'Products:', 'Our range:'])}${items.join('')}`;
  }
  if (layout <= 26) {
    const tags = random
      .sample(facts.trade.special, 3)
      .map((tag) => `#${spelt(facts, tag).replace(/[^A-Za-z0-9]/g, '')}`);
    return `${sentences.join(' ')} ${tags.join(' ')}`;
  }
  return sentences.join(' ');
}

function proseSlots(facts: CompanyFacts, prose: Prose): Slots {
  const { city, country } = facts.offices[0];
  const shown = country.tongue === prose.language ? city.own : city.name;
  const inCity: Partial<Record<Prose['language'], string>> = {
    pl: city.locative ?? `w mieście ${shown}`,
    uk: city.locative ?? `у місті ${shown}`,
    tr: city.locative ?? `${shown} şehrinde`,
  };
  return {
    name: facts.spoken,
    does: prose.does[facts.trade.trade],
    city: shown,
    in: inCity[prose.language] ?? shown,
    year: String(facts.year),
  };
}

function proseSentences(facts: CompanyFacts, prose: Prose, random: Random): string[] {
  const draw = new Draw(facts, proseSlots(facts, prose), random);
  const civic = facts.trade.sector === 'civic';
  const suited = (table: readonly string[]) =>
    civic ? table.filter((sentence) => !BUSINESS_WORDS.some((word) => sentence.includes(word))) : table;
  const parts: (string | null)[] = [draw.one(suited(prose.openers))];
  if (random.chance(400)) parts.push(draw.one(suited(prose.born)));
  if (!APART.has(facts.trade.trade))
    parts.push(...draw.some(prose.sectors[facts.trade.sector], random.int(0, 2)));
  parts.push(...draw.some(suited(prose.general), random.int(0, 2)));
  const texts = parts.filter((text) => text !== null);
  const enough = facts.staff > 200 ? 3 : 2;
  while (texts.length < enough || texts.join(prose.gap).length < SHORTEST + 10) {
    const more = draw.one([...suited(prose.general), ...prose.sectors[facts.trade.sector]]);
    if (more === null) break;
    texts.push(more);
  }
  if (random.chance(260)) texts.push(...draw.some(prose.closers, 1));
  return texts.map(capital);
}

/**
 * A company's description of itself: two to ten sentences in its language, 50 to 1,200 characters.
 *
 * @param facts the company
 * @returns the description; null for the share of companies that have written none
 */
export function descriptionOf(facts: CompanyFacts): string | null {
  const random = randomFor(facts.seed, 'description', facts.index);
  if (random.chance(facts.staff < 6 ? 190 : 95)) return null;
  const prose = PROSE.get(facts.language);
  let text: string;
  if (prose === undefined) {
    const sentences = englishSentences(facts, random);
    text = englishText(facts, sentences, random);
  } else {
    const sentences = proseSentences(facts, prose, random);
    const gap = random.chance(120) && sentences.length > 2 ? '\n\n' : prose.gap;
    text = [sentences.slice(0, 1).join(''), sentences.slice(1).join(prose.gap)]
      .filter((part) => part !== '')
      .join(gap);
  }
  if (text.length > LONGEST) text = text.slice(0, text.lastIndexOf('.', LONGEST - 1) + 1);
  return text.length < SHORTEST ? null : text;
}

/**
 * One English sentence that sums the company up, as an outsider would.
 *
 * @param facts the company
 * @returns the sentence
 */
export function summaryOf(facts: CompanyFacts): string {
  const random = randomFor(facts.seed, 'summary', facts.index);
  const slots = { ...englishSlots(facts, random), name: facts.identity.latin };
  const table = facts.trade.sector === 'civic' ? english.SUMMARIES_CIVIC : english.SUMMARIES;
  return new Draw(facts, slots, random).one(table) ?? `${facts.identity.latin}.`;
}

/**
 * Title and search-engine description of the company's website, in the company's language.
 *
 * @param facts the company
 * @returns both texts; the description is null where the site has none
 */
export function websiteTextsOf(facts: CompanyFacts): { title: string; description: string | null } {
  const random = randomFor(facts.seed, 'website', facts.index);
  const prose = PROSE.get(facts.language);
  const draw = new Draw(facts, prose ? proseSlots(facts, prose) : englishSlots(facts, random), random);
  const title = draw.one(prose ? prose.titles : english.TITLES) ?? facts.spoken;
  const described = random.chance(690);
  const description = prose
    ? draw.one(prose.openers)
    : draw.one(facts.trade.sector === 'civic' ? english.META_CIVIC : english.META);
  return { title: capital(title), description: described ? description : null };
}

/**
 * Posts of the company, in its language.
 *
 * @param facts the company
 * @param count how many are wanted
 * @returns up to that many different texts
 */
export function postsOf(facts: CompanyFacts, count: number): string[] {
  const random = randomFor(facts.seed, 'posts', facts.index);
  const prose = PROSE.get(facts.language);
  if (prose !== undefined) {
    return new Draw(facts, proseSlots(facts, prose), random).some(prose.posts, count).map(capital);
  }
  const draw = new Draw(facts, {}, random);
  const { hooks, lines, sector } = facts.trade;
  const posts: string[] = [];
  while (posts.length < count) {
    const slots = { ...englishSlots(facts, random), hook: draw.one(hooks) ?? undefined };
    const line = draw.one(lines, slots) ?? undefined;
    const text = draw.one(sector === 'civic' ? english.POSTS_CIVIC : english.POSTS, { ...slots, line });
    if (text === null) break;
    posts.push(capital(text));
  }
  return posts;
}
