// What is true of a company: the facts from which both variants of its record are written.
import { EXCHANGES, REFERENCE_S, REFERENCE_YEAR, SIZE_RANGES, type SizeRange } from './data/catalogue.ts';
import { type City, COUNTRIES, type Country } from './data/places.ts';
import { factsOf } from './data/trades.ts';
import { DAY_S, yearStart } from './dates.ts';
import { type Identity, identityAt } from './names.ts';
import { hashText, mix32, type Random, randomFor, shuffled, type Weighted } from './random.ts';
import type { Language, TradeFacts } from './vocabulary.ts';

/** An office; the first of a company is its headquarters. */
export interface Office {
  city: City;
  country: Country;
  street: string;
  zip: string | null;
}

/** A website in the spellings that records give it. */
export interface Site {
  host: string;
  /** as the company wrote it */
  shown: string;
  /** scheme and host only */
  main: string;
  /** where it ends up; null when it does not answer */
  resolved: string | null;
}

/** Everything that is decided once per company. */
export interface CompanyFacts {
  seed: number;
  index: number;
  id: number;
  sourceId: number;
  identity: Identity;
  /** as shown, with legal form and the like */
  name: string;
  trade: TradeFacts;
  /** language of descriptions and posts */
  language: Language;
  /** in that language's script where the company has such a name */
  spoken: string;
  offices: readonly [Office, ...Office[]];
  staff: number;
  size: SizeRange;
  year: number;
  type: string;
  listed: { ticker: string; exchange: string } | null;
  site: Site | null;
  followers: number;
  /** when the record was first and last read, seconds since 1970 */
  createdS: number;
  updatedS: number;
  /** the profile is gone */
  gone: boolean;
  /** the profile is still known under its number as well */
  numbered: boolean;
  /** what the record leaves out */
  missing: Readonly<Record<'year' | 'size' | 'staff' | 'industry' | 'type' | 'followers' | 'place', boolean>>;
}

/** Countries where even companies with local names mostly describe themselves in English. */
const ENGLISH_FIRST: ReadonlySet<string> = new Set(['AE', 'IN']);

const BY_KEY: ReadonlyMap<string, Country> = new Map(COUNTRIES.map((country) => [country.key, country]));
const ANYWHERE: Weighted<Country> = COUNTRIES.map((country) => [country, country.weight]);
/** Years that a company needs, at the least, to reach each size category. */
const YEARS_TO_GROW = [1, 1, 3, 5, 7, 10, 14, 20];

function fillPattern(pattern: string, random: Random): string {
  return pattern.replace(/[#@]/g, (mark) =>
    mark === '#' ? String(random.int(0, 9)) : random.pick([...'ABCDEFGHJKLMNPRSTUVWXY']),
  );
}

function officeIn(country: Country, random: Random): Office {
  const city = random.weighted(country.cities.map((found) => [found, found.weight] as const));
  const number = String(random.lowish(1, 240, 2));
  const street = random.pick(country.streets);
  return {
    city,
    country,
    street: country.house === 'first' ? `${number} ${street}` : `${street} ${number}`,
    zip: country.zip === null ? null : fillPattern(country.zip, random),
  };
}

function officesOf(identity: Identity, staff: number, random: Random): [Office, ...Office[]] {
  const key = identity.family.countries.length > 0 ? random.weighted(identity.family.countries) : null;
  const home = (key === null ? undefined : BY_KEY.get(key)) ?? random.weighted(ANYWHERE);
  const offices: [Office, ...Office[]] = [officeIn(home, random)];
  const wanted =
    staff > 5000
      ? random.int(4, 10)
      : staff > 800
        ? random.lowish(1, 6, 0)
        : random.lowish(0, staff < 12 ? 0 : staff < 50 ? 1 : 3, 2);
  for (let attempt = 0; attempt < wanted * 2 && offices.length <= wanted; attempt += 1) {
    const office = officeIn(
      random.chance(staff > 300 ? 450 : 850) ? home : random.weighted(ANYWHERE),
      random,
    );
    if (offices.every((known) => known.city !== office.city)) offices.push(office);
  }
  return offices;
}

function sizeOf(trade: TradeFacts, identity: Identity, random: Random): { size: SizeRange; staff: number } {
  const small = ['partners', 'phrase', 'product'].includes(identity.family.key);
  const column = small || trade.bulk < 0 ? 0 : trade.bulk === 0 ? 1 : 2;
  const size = random.weighted(SIZE_RANGES.map((range) => [range, range.weights[column]] as const));
  return { size, staff: random.lowish(size.low, size.high, size.high > 10_000 ? 4 : 1) };
}

function yearOf(trade: TradeFacts, identity: Identity, size: SizeRange, random: Random): number {
  const latest = REFERENCE_YEAR - 1 - (YEARS_TO_GROW[SIZE_RANGES.indexOf(size)] ?? 1) + 1;
  const young = identity.family.startup && size.low < 1000;
  const earliest = young ? Math.max(trade.since, 2006) : trade.since;
  const skew = young ? 0 : size.low > 500 ? 0 : size.low > 50 ? 1 : 3;
  return Math.min(latest, latest - random.lowish(0, Math.max(0, latest - earliest), skew));
}

function typeOf(trade: TradeFacts, staff: number, year: number, random: Random): string {
  const age = REFERENCE_YEAR - year;
  switch (trade.trade) {
    case 'charity':
      return 'Nonprofit';
    case 'museum':
      return random.weighted([
        ['Nonprofit', 6],
        ['Government Agency', 2],
        ['Privately Held', 1],
      ]);
    case 'school':
    case 'college':
      return random.weighted([
        ['Educational', 7],
        ['Nonprofit', 2],
        ['Government Agency', 1],
      ]);
    case 'hospital':
      return random.weighted([
        ['Nonprofit', 4],
        ['Privately Held', 4],
        ['Government Agency', 2],
      ]);
    case 'law':
    case 'accounting':
    case 'architects':
      if (staff > 1 && random.chance(480)) return 'Partnership';
      break;
    default:
  }
  if (staff <= 2 && random.chance(380)) return random.pick(['Self-Employed', 'Self-Owned']);
  if (
    trade.sector !== 'advice' &&
    staff > 200 &&
    age > 8 &&
    random.chance(staff > 5000 ? 480 : staff > 1000 ? 260 : 70)
  )
    return 'Public Company';
  return random.chance(50) ? 'Partnership' : 'Privately Held';
}

function siteOf(identity: Identity, trade: TradeFacts, staff: number, random: Random): Site | null {
  if (random.chance(staff < 5 ? 130 : trade.trade === 'farm' ? 110 : 35)) return null;
  const label = random.chance(640) ? identity.shorthand.replace(/-(?!\d+$)/g, '') : identity.shorthand;
  const host = `${label}.example`;
  const scheme = random.chance(740) ? 'https' : 'http';
  const main = `${scheme}://${random.chance(430) ? 'www.' : ''}${host}`;
  const path = random.weighted([
    ['', 60],
    ['/', 34],
    ['/en', 2],
    ['/en/', 2],
    ['/home', 1],
    ['/index.html', 1],
  ]);
  const answers = random.chance(925);
  const secure = `https://${random.chance(360) ? 'www.' : ''}${host}`;
  const end = random.weighted([
    ['/', 82],
    ['/en/', 9],
    ['/home', 3],
    ['', 6],
  ]);
  return { host, shown: main + path, main, resolved: answers ? secure + end : null };
}

/** Legal forms that only companies of some size take. */
const LARGE_FORMS =
  /^(PLC|AG|SA|S\.A\.|S\.p\.A\.|N\.?V\.?|ASA|A\/S|Oyj|AB \(publ\)|a\.s\.|Tbk|PCL|PrJSC|Corp.*|Group .*|S\.A\.E\.)$/;

function nameOf(identity: Identity, trade: TradeFacts, home: Country, staff: number, random: Random): string {
  const { family, plain, latin } = identity;
  let name = plain;
  const civic = trade.sector === 'civic';
  const modest = home.forms.filter((form) => staff > 60 || !LARGE_FORMS.test(form));
  const forms = modest.length > 0 ? modest : home.forms;
  if (family.forms.length > 0 && !civic && random.chance(family.formal)) {
    const [before, behind] = random.pick(family.forms);
    name = before + plain + behind;
  } else if (!family.latin && random.chance(340)) {
    name = random.pick([
      latin,
      `${latin} ${random.pick(forms)}`,
      `${plain} (${latin})`,
      `${plain} | ${latin}`,
    ]);
  } else if (
    family.latin &&
    !civic &&
    !/ (LLP|Co\.|Solicitors)$/.test(plain) &&
    random.chance(family.formal)
  ) {
    name = `${plain}${random.chance(250) && home.iso2 === 'US' ? ',' : ''} ${random.pick(forms)}`;
  }
  const habit = random.int(1, 1000);
  if (habit <= 22) return name.toUpperCase();
  if (habit <= 34 && family.startup) return name.toLowerCase();
  if (habit <= 60 && family.latin && name === plain)
    return `${name} | ${trade.does.charAt(0).toUpperCase()}${trade.does.slice(1)}`;
  if (habit <= 68 && civic) return `The ${name}`;
  if (habit >= 992) return `${name} ${home.iso2 === 'GB' ? '(UK)' : `(${home.name})`}`;
  return name;
}

function tickerOf(core: string, id: number): string {
  const letters = core.replace(/[^a-z]/g, '').toUpperCase();
  const rest = letters.slice(1).replace(/[AEIOU]/g, '');
  const start = `${letters.charAt(0)}${rest}XQZ`.slice(0, 3 + (id % 2));
  return `${start}X`;
}

/**
 * The facts about company number `index`, a pure function of its arguments.
 *
 * @param seed the seed of the data set
 * @param index the number of the company, from 0 to 9,999,999
 * @returns its facts
 */
export function factsAt(seed: number, index: number): CompanyFacts {
  const identity = identityAt(seed, index);
  const trade = factsOf(identity.trade);
  const random = randomFor(seed, 'facts', index);
  const { size, staff } = sizeOf(trade, identity, random);
  const year = yearOf(trade, identity, size, random);
  const offices = officesOf(identity, staff, randomFor(seed, 'places', index));
  const home = offices[0].country;
  const type = typeOf(trade, staff, year, random);
  const id = 1_002_417 + index * 97 + (mix32(seed ^ mix32(index)) % 97);

  const own = identity.family.language;
  const native = own !== 'en';
  const local = native ? own : (home.tongue ?? 'en');
  const willing = native ? 760 : ENGLISH_FIRST.has(home.key) ? 0 : 190;
  const language = random.chance(willing) ? local : 'en';

  const gone = random.chance(9);
  const firstSeen = Math.max(yearStart(2016) + 152 * DAY_S, yearStart(year + 1));
  const createdS = random.int(firstSeen, REFERENCE_S - 45 * DAY_S);
  const age = gone ? random.int(90 * DAY_S, 600 * DAY_S) : random.lowish(2 * DAY_S, 330 * DAY_S, 2);
  const updatedS = Math.max(createdS + random.int(3600, 5 * DAY_S), REFERENCE_S - age);

  const exchange = EXCHANGES[home.iso2];
  const listed = type === 'Public Company' && exchange !== undefined;
  const audience = random.lowish(staff, staff * 14 + 900, 1);
  return {
    seed,
    index,
    id,
    sourceId: 10_000 + shuffled(index, 2 ** 26, mix32(seed ^ hashText('source'))),
    identity,
    name: nameOf(identity, trade, home, staff, randomFor(seed, 'name', index)),
    trade,
    language,
    spoken: native && language === own ? identity.plain : identity.latin,
    offices,
    staff,
    size,
    year,
    type,
    listed: listed ? { ticker: tickerOf(identity.core, id), exchange } : null,
    site: siteOf(identity, trade, staff, randomFor(seed, 'site', index)),
    followers: random.chance(60)
      ? audience * random.int(3, 20)
      : random.chance(120)
        ? random.int(0, 60)
        : audience,
    createdS,
    updatedS,
    gone,
    numbered: random.chance(65),
    missing: {
      year: random.chance(235),
      size: random.chance(45),
      staff: random.chance(25),
      industry: random.chance(30),
      type: random.chance(70),
      followers: random.chance(15),
      place: random.chance(35),
    },
  };
}
