// Who a person is: home, employer, language and name, from which everything else about the person follows.

import { REFERENCE_S, REFERENCE_YEAR } from '../data/catalogue.ts';
import {
  ENGLISH_NAMES,
  LOCAL_PROFILES,
  NAMES_OF,
  TONGUE_OF_NAMES,
  WITHOUT_VOICE,
} from '../data/people/cultures.ts';
import type { NameTable } from '../data/people/names-latin.ts';
import { VOICES } from '../data/people/voices/index.ts';
import type { City, Country } from '../data/places.ts';
import { DAY_S, yearStart } from '../dates.ts';
import type { CompanyFacts } from '../facts.ts';
import { profileUrl } from '../presence.ts';
import { randomFor } from '../random.ts';
import type { Language } from '../vocabulary.ts';
import { type PersonName, personName } from './names.ts';
import { companyIn, type Neighbourhood, neighbourhoodOf } from './neighbourhood.ts';

/** How many employees the sample has for each company. */
export const EMPLOYEES_PER_COMPANY = 5;
/** Employees are numbered below this. */
export const MOST_EMPLOYEES = 10_000_000;

/** A person, without the career. */
export interface Person {
  seed: number;
  index: number;
  /** how many companies the data set has */
  companies: number;
  id: number;
  woman: boolean;
  name: PersonName;
  names: NameTable;
  url: string;
  hood: Neighbourhood;
  /** the present or latest employer */
  employer: CompanyFacts;
  country: Country;
  city: City;
  /** language of the profile */
  language: Language;
  /** when the record was first and last read, seconds since 1970 */
  createdS: number;
  updatedS: number;
  /** the profile is gone, or shown to nobody who is not signed in */
  gone: boolean;
  hidden: boolean;
}

/** Names in these scripts are often shown in them, though the profile is in English. */
const PROUD: ReadonlySet<string> = new Set(['greek', 'hebrew', 'thai']);

/**
 * Person number `index`, a pure function of its arguments.
 *
 * @param seed the seed of the data set
 * @param index the number of the person, from 0 to 9,999,999
 * @param companies how many companies the data set has, at least 1
 * @returns the person
 * @throws `RangeError` when a number is out of range
 */
export function personAt(seed: number, index: number, companies: number): Person {
  if (!Number.isInteger(index) || index < 0 || index >= MOST_EMPLOYEES) {
    throw new RangeError(`there is no sample employee number ${index}`);
  }
  if (!Number.isInteger(companies) || companies < 1) {
    throw new RangeError(`nobody can work at ${companies} companies`);
  }
  const random = randomFor(seed, 'person', index);
  const hood = neighbourhoodOf(seed, companies, Math.floor(index / EMPLOYEES_PER_COMPANY) % companies);

  const gone = random.chance(14);
  const createdS = random.int(yearStart(2016), REFERENCE_S - 40 * DAY_S);
  const age = gone ? random.int(60 * DAY_S, 520 * DAY_S) : random.lowish(DAY_S, 400 * DAY_S, 2);
  const updatedS = Math.max(createdS + random.int(3600, 9 * DAY_S), REFERENCE_S - age);

  const fits = (facts: CompanyFacts) => facts.year < REFERENCE_YEAR - 1;
  const employer = companyIn(hood, random, { fits }, 40) ?? hood.all.companies[0];
  if (employer === undefined) throw new RangeError('a neighbourhood without companies');
  const office =
    employer.offices.length > 1 && random.chance(330) ? random.pick(employer.offices) : employer.offices[0];
  const country = office.country;
  const city = random.chance(780)
    ? office.city
    : random.weighted(country.cities.map((found) => [found, found.weight] as const));

  const names = random.weighted(NAMES_OF.get(country.key) ?? ENGLISH_NAMES);
  const tongue = TONGUE_OF_NAMES.get(names.key);
  const local = WITHOUT_VOICE.has(country.key) ? null : country.tongue;
  let language: Language = 'en';
  if (local !== null && VOICES.has(local)) {
    const willing = LOCAL_PROFILES.get(local) ?? 0;
    if (random.chance(tongue === local ? willing : Math.floor(willing / 2))) language = local;
  }
  const native = language === tongue || (PROUD.has(names.key) && random.chance(300));
  const { woman, ...name } = personName(names, native, seed, index, random);
  return {
    seed,
    index,
    companies,
    id: 40_000_000 + index * 53 + random.int(0, 52),
    woman,
    name,
    names,
    url: profileUrl('in', name.shorthand),
    hood,
    employer,
    country,
    city,
    language,
    createdS,
    updatedS,
    gone,
    hidden: !gone && random.chance(18),
  };
}
