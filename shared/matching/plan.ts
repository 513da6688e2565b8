// Plans the free searches for a company name, from precise to vague.

import { maxMatchCandidates } from '../limits.ts';
import type { MatchFamily } from './families.ts';
import { foldText, type NormalisedName, normaliseName } from './normalise.ts';
import { expandAbbreviation, getWeight, isFiller } from './words.ts';

/** Index fields that searches use. */
interface SearchFields {
  name: string;
  country: string;
  city: string;
  website: string;
}

const cleanFields: SearchFields = {
  name: 'name',
  country: 'location_hq_country',
  city: 'location_hq_city',
  website: 'websites_main.domain_only',
};

const searchFields: Readonly<Record<MatchFamily, SearchFields>> = {
  company_clean: cleanFields,
  company_base: {
    name: 'name',
    country: 'headquarters_country_parsed',
    city: 'headquarters_city',
    website: 'website.domain_only',
  },
  company_multi_source: cleanFields,
};

/** The name to match, and where the company is. */
export interface NameQuery {
  name: string;
  country?: string | undefined;
  city?: string | undefined;
}

/**
 * Kinds of search, from precise to vague. `exact`: the name as typed. `phrase`: without its legal form. `spelling`: all
 * words, with typing errors, and websites of that name. `abbreviation`: words that begin alike, long forms and initials.
 * `partial`: without words that many companies share. `elsewhere`: in any country.
 */
export const searchKinds = ['exact', 'phrase', 'spelling', 'abbreviation', 'partial', 'elsewhere'] as const;
export type SearchKind = (typeof searchKinds)[number];

type Clause = Record<string, unknown>;

/** A free search for a name. */
export interface MatchSearch {
  kind: SearchKind;
  /** A clause of the query DSL. */
  query: Clause;
  /** Maximum number of hits that become candidates, best first. */
  limit: number;
}

const limits: Readonly<Record<SearchKind, number>> = {
  exact: maxMatchCandidates,
  phrase: maxMatchCandidates,
  spelling: 2,
  abbreviation: 2,
  partial: 2,
  elsewhere: 2,
};

const MIN_PREFIX_LENGTH = 3;
const MIN_INITIALS = 3;

/** More words make a query too long, and no name needs them. */
const MAX_WORDS = 12;

/** A word as the index has it: with accents, and with full stops and apostrophes between letters. */
const INDEX_WORD = /[\p{L}\p{M}\p{N}]+(?:['’.][\p{L}\p{M}\p{N}]+)*/gu;

const anyOf = (clauses: readonly Clause[]): Clause => ({ bool: { should: clauses } });
const allOf = (clauses: readonly Clause[]): Clause => ({ bool: { must: clauses } });

function listWords(name: NormalisedName): string[] {
  const all = Array.from(name.core.matchAll(INDEX_WORD), ([word]) => word.toLowerCase());
  const proper = all.filter((word) => !isFiller(foldText(word)));
  return (proper.length > 0 ? proper : all).slice(0, MAX_WORDS);
}

const buildFuzzyWord = ({ name }: SearchFields, word: string): Clause => ({
  fuzzy: { [name]: { value: word, fuzziness: 'AUTO' } },
});

/** Finds words that a typed word abbreviates. */
function buildAbbreviatedWord(fields: SearchFields, word: string): Clause {
  const short = foldText(word).replace(/[^\p{L}\p{N}]/gu, '');
  const forms = expandAbbreviation(short);
  return anyOf([
    buildFuzzyWord(fields, word),
    ...(short.length < MIN_PREFIX_LENGTH ? [] : [{ prefix: { [fields.name]: { value: short } } }]),
    ...(forms.length === 0 ? [] : [{ terms: { [fields.name]: forms } }]),
  ]);
}

function buildSpelling(fields: SearchFields, name: NormalisedName, words: readonly string[]): Clause {
  const fuzzy = allOf(words.map((word) => buildFuzzyWord(fields, word)));
  const joined = name.joined;
  return anyOf([
    fuzzy,
    ...(words.length > 1 ? [buildFuzzyWord(fields, joined)] : []),
    // A host is one word of the index.
    { prefix: { [fields.website]: { value: `${joined}.` } } },
  ]);
}

function buildAbbreviation(fields: SearchFields, words: readonly string[]): Clause | undefined {
  if (words.length < 2) return undefined;
  const initials = words.map((word) => foldText(word)[0]).join('');
  const cut = allOf(words.map((word) => buildAbbreviatedWord(fields, word)));
  return initials.length < MIN_INITIALS ? cut : anyOf([cut, { term: { [fields.name]: initials } }]);
}

function buildPartial(fields: SearchFields, words: readonly string[]): Clause | undefined {
  const proper = words.filter((word) => getWeight(foldText(word)) === 1);
  if (proper.length === 0 || proper.length === words.length) return undefined;
  return allOf(proper.map((word) => buildFuzzyWord(fields, word)));
}

function buildClauses(fields: SearchFields, typed: string): [SearchKind, Clause][] {
  const name = normaliseName(typed);
  const words = listWords(name);
  if (words.length === 0) return [];
  const isCut = name.core.toLowerCase() !== typed.trim().toLowerCase();
  const clauses: [SearchKind, Clause | undefined][] = [
    ['exact', isCut ? { match_phrase: { [fields.name]: typed.trim() } } : undefined],
    ['phrase', { match_phrase: { [fields.name]: name.core } }],
    ['spelling', buildSpelling(fields, name, words)],
    ['abbreviation', buildAbbreviation(fields, words)],
    ['partial', buildPartial(fields, words)],
  ];
  return clauses.flatMap(([kind, clause]) => (clause === undefined ? [] : [[kind, clause]]));
}

/**
 * Plans the searches for a name. They are free and return ids only, best hits first.
 * @returns from precise to vague; empty if the name has no letter or digit. A country is a `match` clause in the top-level
 *   `bool.filter`, where known values are expanded
 */
export function planSearches(family: MatchFamily, { name, country, city }: NameQuery): MatchSearch[] {
  const fields = searchFields[family];
  // A city only ranks: records name the headquarters, and lists any branch.
  const should = city === undefined ? {} : { should: [{ match: { [fields.city]: { query: city } } }] };
  const filter =
    country === undefined ? {} : { filter: [{ match: { [fields.country]: { query: country } } }] };
  const clauses = buildClauses(fields, name);
  const toSearch = (kind: SearchKind, clause: Clause, isLocal: boolean): MatchSearch => ({
    kind,
    query: { bool: { must: [clause], ...should, ...(isLocal ? filter : {}) } },
    limit: limits[kind],
  });
  const searches = clauses.map(([kind, clause]) => toSearch(kind, clause, true));
  const [, spelling] = clauses.find(([kind]) => kind === 'spelling') ?? [];
  if (country === undefined || spelling === undefined) return searches;
  return [...searches, toSearch('elsewhere', spelling, false)];
}
