// Plans the free searches for a company name, from precise to vague.

import { isPlaceholder } from '../lib/is-placeholder.ts';
import { maxMatchCandidates } from '../limits.ts';
import { countries } from '../query/countries.ts';
import { findCountry } from '../query/find-country.ts';
import { type Fact, factFields, type MatchFamily } from './families.ts';
import { listPhrases, listTerms } from './index-spellings.ts';
import { anyCountry } from './legal-forms.ts';
import { type NameWord, normaliseName } from './normalise.ts';
import { acceptsErrors } from './spelling-errors.ts';
import { expandAbbreviation, getWeight, isFiller, listAbbreviations } from './words.ts';

/** Index fields that searches use. */
type SearchFields = Readonly<Record<Exclude<Fact, 'size'>, string>>;

function getSearchFields(family: MatchFamily): SearchFields {
  const getField = (fact: Fact): string => factFields[family][fact].slice(-1).join('');
  return {
    name: getField('name'),
    country: getField('country'),
    city: getField('city'),
    website: `${getField('website')}.domain_only`,
  };
}

/** The name to match, and where the company is. */
export interface NameQuery {
  name: string;
  country?: string | undefined;
  city?: string | undefined;
}

/**
 * Kinds of search, from precise to vague. `name`: the name in all its spellings. `spelling`: all words, with typing errors,
 * and websites of that name. `abbreviation`: words that begin alike, long forms and initials. `partial`: without words
 * that many companies share. `elsewhere`: in any country.
 */
export const searchKinds = ['name', 'spelling', 'abbreviation', 'partial', 'elsewhere'] as const;
export type SearchKind = (typeof searchKinds)[number];

type Clause = Record<string, unknown>;

/** A free search for a name. */
export interface MatchSearch {
  kind: SearchKind;
  query: Clause;
  /** Maximum number of hits that become candidates, best first. */
  limit: number;
}

const limits: Readonly<Record<SearchKind, number>> = {
  name: maxMatchCandidates,
  spelling: maxMatchCandidates,
  abbreviation: 2,
  partial: 2,
  elsewhere: 2,
};

const MIN_PREFIX_LENGTH = 3;
const MIN_INITIALS = 3;

/** A fuzzy clause allows two accents. Words with more are found by the letters that have none in any language. */
const MIN_ACCENTED_LENGTH = 6;
const ACCENTED_LETTERS = /(?<=.)[aceinorstuyz]/g;
/** Other letters that such a word needs: more if nothing else of the name agrees. */
const MIN_PLAIN_LETTERS = 3;
const MIN_PLAIN_LETTERS_ALONE = 4;

/** More words make a query too long, and no name needs them. */
const MAX_WORDS = 12;

/** Letters of all spellings of a name in a query, which has at most 15,000. */
const MAX_LETTERS = 5000;
const MAX_TERMS = 200;
/** Punctuation of a term in JSON. */
const TERM_OVERHEAD = 3;

/** Words that the index has as a whole. It splits those of other scripts into characters. */
const WHOLE_WORD =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{M}\p{N}'’.]+$/u;

const anyOf = (clauses: readonly Clause[]): Clause => {
  const [only, ...more] = clauses;
  return only !== undefined && more.length === 0 ? only : { bool: { should: clauses } };
};
const allOf = (clauses: readonly Clause[]): Clause => ({ bool: { must: clauses } });

/** A word of a name, and the clause that finds it in all its spellings. */
interface SearchedWord extends NameWord {
  clause: Clause;
}

interface SearchedName {
  fields: SearchFields;
  words: readonly SearchedWord[];
  joined: string;
  phrases: readonly string[];
  country: string | undefined;
}

/** Finds a word that lacks many accents: `g?d?ll??` for `godolloi`. */
function buildAccentedWord({ name }: SearchFields, typed: string, isAlone: boolean): Clause[] {
  const pattern = typed.replace(ACCENTED_LETTERS, '?');
  const plain = pattern.replace(/\?/g, '').length;
  const least = isAlone ? MIN_PLAIN_LETTERS_ALONE : MIN_PLAIN_LETTERS;
  if (!/^[a-z]+$/.test(typed) || typed.length < MIN_ACCENTED_LENGTH || plain < least) return [];
  return [{ wildcard: { [name]: { value: pattern } } }];
}

/** Finds a word with typing errors and without accents. */
function buildFuzzyWord(fields: SearchFields, word: SearchedWord, isAlone = false): Clause {
  const { text, typed, clause } = word;
  if (!acceptsErrors(text)) return clause;
  const fuzzy = { fuzzy: { [fields.name]: { value: typed, fuzziness: 'AUTO' } } };
  return anyOf([fuzzy, ...buildAccentedWord(fields, typed, isAlone)]);
}

function buildAbbreviatedWord(fields: SearchFields, word: SearchedWord): Clause {
  const { name } = fields;
  const forms = [...expandAbbreviation(word.text), ...listAbbreviations(word.text)];
  return anyOf([
    buildFuzzyWord(fields, word),
    ...(word.text.length < MIN_PREFIX_LENGTH ? [] : [{ prefix: { [name]: { value: word.text } } }]),
    ...(forms.length === 0 ? [] : [{ terms: { [name]: forms } }]),
  ]);
}

function buildName(searched: SearchedName): Clause {
  const { fields, words, phrases } = searched;
  return anyOf([
    ...phrases.map((phrase) => ({ match_phrase: { [fields.name]: phrase } })),
    allOf(words.map(({ clause }) => clause)),
  ]);
}

function buildSpelling(searched: SearchedName): Clause {
  const { fields, words, joined } = searched;
  return anyOf([
    ...(words.some(({ text }) => acceptsErrors(text))
      ? [allOf(words.map((word) => buildFuzzyWord(fields, word, words.length === 1)))]
      : []),
    ...(words.length > 1 ? [{ fuzzy: { [fields.name]: { value: joined, fuzziness: 'AUTO' } } }] : []),
    // A host is one word of the index.
    { prefix: { [fields.website]: { value: `${joined}.` } } },
  ]);
}

function buildAbbreviation(searched: SearchedName): Clause | undefined {
  const { fields, words } = searched;
  if (words.length < 2) return undefined;
  const initials = words.map(({ text }) => text[0]).join('');
  const cut = allOf(words.map((word) => buildAbbreviatedWord(fields, word)));
  return initials.length < MIN_INITIALS ? cut : anyOf([cut, { term: { [fields.name]: initials } }]);
}

function buildPartial({ fields, words }: SearchedName): Clause | undefined {
  const proper = words.filter(({ text }) => getWeight(text) === 1);
  if (proper.length === 0 || proper.length === words.length) return undefined;
  return allOf(proper.map((word) => buildFuzzyWord(fields, word, proper.length === 1)));
}

/** @returns undefined if the name has no letter or digit, or is a placeholder */
function parseSearchedName(fields: SearchFields, { name, country }: NameQuery): SearchedName | undefined {
  const iso2 = country === undefined ? undefined : findCountry(country);
  // A form may be a word of the name. Without it, the name is found in either case.
  const short = normaliseName(name, anyCountry);
  if (isPlaceholder(name) || short.words.length === 0) return undefined;
  const exact = normaliseName(name, new Set(iso2 === undefined ? [] : [iso2]));
  const other = [short.head, ...short.otherNames].flatMap((text) => normaliseName(text).phrases.slice(-1));
  const proper = short.words.filter(({ text }) => !isFiller(text));
  const words = (proper.length > 0 ? proper : short.words).slice(0, MAX_WORDS);
  const homes = iso2 === undefined ? short.formCountries : new Set([iso2]);
  const buildWord = (word: NameWord): Clause => {
    if (!WHOLE_WORD.test(word.typed)) return { match_phrase: { [fields.name]: word.typed } };
    const letters = MAX_LETTERS / words.length / (word.typed.length + TERM_OVERHEAD);
    const limit = Math.min(MAX_TERMS, Math.floor(letters));
    return { terms: { [fields.name]: listTerms(word, homes, limit) } };
  };
  return {
    fields,
    words: words.map((word) => ({ ...word, clause: buildWord(word) })),
    joined: short.joined,
    phrases: [...new Set([...listPhrases(exact), ...listPhrases(short), ...other])],
    country: iso2,
  };
}

function buildClauses(searched: SearchedName): [SearchKind, Clause][] {
  const clauses: [SearchKind, Clause | undefined][] = [
    ['name', buildName(searched)],
    ['spelling', buildSpelling(searched)],
    ['abbreviation', buildAbbreviation(searched)],
    ['partial', buildPartial(searched)],
  ];
  return clauses.flatMap(([kind, clause]) => (clause === undefined ? [] : [[kind, clause]]));
}

/**
 * Plans the searches for a name. They are free and return ids only, best hits first.
 * @returns from precise to vague; empty if the name has no letter or digit. A country is a `match` clause in the top-level
 *   `bool.filter`, where known values are expanded
 */
export function planSearches(family: MatchFamily, query: NameQuery): MatchSearch[] {
  const fields = getSearchFields(family);
  const searched = parseSearchedName(fields, query);
  if (searched === undefined) return [];
  const { city } = query;
  // A city only ranks: records name the headquarters, and lists any branch.
  const should =
    city === undefined || isPlaceholder(city)
      ? {}
      : { should: [{ match: { [fields.city]: { query: city } } }] };
  const country = countries.find(({ iso2 }) => iso2 === searched.country)?.names[0];
  const filter =
    country === undefined ? {} : { filter: [{ match: { [fields.country]: { query: country } } }] };
  const toSearch = (kind: SearchKind, clause: Clause, isLocal: boolean): MatchSearch => ({
    kind,
    query: { bool: { must: [clause], ...should, ...(isLocal ? filter : {}) } },
    limit: limits[kind],
  });
  const searches = buildClauses(searched).map(([kind, clause]) => toSearch(kind, clause, true));
  if (country === undefined) return searches;
  const elsewhere = anyOf([buildName(searched), buildSpelling(searched)]);
  return [...searches, toSearch('elsewhere', elsewhere, false)];
}
