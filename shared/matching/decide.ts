// Decides which candidate is the company with a name: a match, an ambiguous case or none.

import { foldToKey } from '../lib/fold-text.ts';
import { isPlaceholder } from '../lib/is-placeholder.ts';
import { findCountry } from '../query/find-country.ts';
import { compareNames, correctDifferently } from './compare.ts';
import { type NamePlace, type NormalisedName, normaliseName } from './normalise.ts';
import { isSameCity } from './places.ts';
import type { NameQuery, SearchKind } from './plan.ts';

/** What is known about a candidate besides its id. */
export interface CandidateFacts {
  name: string;
  country?: string | undefined;
  city?: string | undefined;
  website?: string | undefined;
  /** Number of employees, or a range such as `51-200 employees`. */
  size?: string | undefined;
}

/** A search that found a candidate, and how many records it found. */
export interface SearchHit {
  kind: SearchKind;
  total: number;
}

/** A record that may be the company. */
export interface Candidate {
  id: string;
  /** The most precise search that found it. */
  hit: SearchHit;
  /** Absent if only its id is known. */
  facts?: CandidateFacts | undefined;
}

/** A candidate with the probability that it is the company, 0 to 1. */
export interface ScoredCandidate extends Candidate {
  confidence: number;
}

/** The decision about a name. */
export interface Decision {
  state: 'match' | 'ambiguous' | 'none';
  /** The best candidate's; 0 without one. */
  confidence: number;
  /** Plausible candidates, best first. */
  candidates: ScoredCandidate[];
}

/** Confidence above which a match is accepted by default. */
export const defaultThreshold = 0.85;

/** Less plausible candidates are not shown. */
export const minConfidence = 0.5;

/** A match must be better than the next candidate by this. */
const MARGIN = 0.03;

/** Confidence of a candidate whose name is not known, if its search found nothing else. */
const hitConfidence: Readonly<Record<SearchKind, number>> = {
  name: 0.86,
  spelling: 0.6,
  abbreviation: 0.55,
  partial: 0.5,
  elsewhere: 0.5,
};

/** Other companies with near names are in the same country, too: it confirms nothing. */
const UNKNOWN_COUNTRY = -0.02;
const OTHER_COUNTRY = -0.3;
const SAME_CITY = 0.03;
/** Records name the headquarters, and lists any branch. */
const OTHER_CITY = -0.02;

/**
 * A place that only one name has, if the company is there: as a note (`Acme - Berlin`), or in the name (`Acme Berlin`). A note
 * is believed unless the company is elsewhere.
 */
const NOTED_PLACE = 0.97;
const NAMED_PLACE = 0.9;
/** The same if the company is elsewhere, or, for a city in the name, its city is not known: it may be a branch or another company. */
const UNCONFIRMED_PLACE = 0.8;
/** Names with different places are different companies. */
const OTHER_PLACE = 0.6;

const INTERNAL_DIGITS = 1e4;

/** Where a company is: countries (ISO 3166-1) and a city, if they are known. */
interface Location {
  country: string | undefined;
  city: string | undefined;
}

function parseLocation({ country, city }: Pick<CandidateFacts, 'country' | 'city'>): Location {
  return {
    country: country === undefined ? undefined : findCountry(country),
    city: city === undefined || isPlaceholder(city) ? undefined : city,
  };
}

function scoreLocation(typed: Location, record: Location): number {
  let score = 0;
  if (typed.country !== undefined) {
    if (record.country === undefined) score += UNKNOWN_COUNTRY;
    else if (typed.country !== record.country) score += OTHER_COUNTRY;
  }
  if (typed.city !== undefined && record.city !== undefined) {
    score += isSameCity(typed.city, record.city) ? SAME_CITY : OTHER_CITY;
  }
  return score;
}

/** Scores a place that one of the names has. The other company is there if its location says so. */
function scorePlace({ country, city, isNote }: NamePlace, location: Location): number {
  if (location.country !== country) return UNCONFIRMED_PLACE;
  if (city === undefined) return isNote ? NOTED_PLACE : NAMED_PLACE;
  const isSame = location.city === undefined ? isNote : isSameCity(city, location.city);
  if (!isSame) return UNCONFIRMED_PLACE;
  return isNote ? NOTED_PLACE : NAMED_PLACE;
}

/** Returns the most that the places in two names allow. */
function comparePlaces(
  typed: NormalisedName,
  record: NormalisedName,
  [here, there]: [Location, Location],
): number {
  if (typed.place === undefined) return record.place === undefined ? 1 : scorePlace(record.place, here);
  if (record.place === undefined) return scorePlace(typed.place, there);
  if (typed.place.country !== record.place.country) return OTHER_PLACE;
  if (typed.place.city === record.place.city) return 1;
  const isPart = typed.place.city === undefined || record.place.city === undefined;
  return isPart ? UNCONFIRMED_PLACE : OTHER_PLACE;
}

/** Returns the name in a website: `acme` of `https://www.acme.co.uk/about`. */
function getDomainName(website: string): string {
  const host = website.replace(/^[a-z]+:\/\//i, '').replace(/^www\d?\./i, '');
  return foldToKey(host.split(/[./?#:]/, 1)[0] ?? '');
}

const round = (value: number): number =>
  Math.round(Math.min(1, Math.max(0, value)) * INTERNAL_DIGITS) / INTERNAL_DIGITS;

/**
 * Scores a company with known facts.
 * @returns the probability that it is the company with the name, 0 to 1
 */
export function scoreFacts(query: NameQuery, facts: CandidateFacts): number {
  const [here, there] = [parseLocation(query), parseLocation(facts)] as const;
  const countries = new Set([here.country, there.country].filter((country) => country !== undefined));
  const typed = normaliseName(query.name, countries);
  const record = normaliseName(facts.name, countries);
  const website = facts.website === undefined ? undefined : getDomainName(facts.website);
  const similarity = compareNames(typed, record, website);
  if (similarity === 0) return 0;
  return round(
    Math.min(similarity, comparePlaces(typed, record, [here, there])) + scoreLocation(here, there),
  );
}

function scoreCandidate(query: NameQuery, candidate: Candidate): ScoredCandidate {
  const { facts, hit } = candidate;
  const confidence =
    facts === undefined ? round(hitConfidence[hit.kind] / Math.max(1, hit.total)) : scoreFacts(query, facts);
  return { ...candidate, confidence };
}

const getSize = ({ facts }: Candidate): number =>
  Number.parseInt(facts?.size?.replace(/[,.\s]/g, '') ?? '0', 10) || 0;

/** Orders candidates: the most probable first, then the largest. */
function compareCandidates(one: ScoredCandidate, other: ScoredCandidate): number {
  return (
    other.confidence - one.confidence ||
    getSize(other) - getSize(one) ||
    one.id.length - other.id.length ||
    (one.id < other.id ? -1 : 1)
  );
}

/** Checks whether another candidate has another correction of a mistyped word. */
function hasOtherCorrection(query: NameQuery, best: Candidate, candidates: readonly Candidate[]): boolean {
  if (best.facts === undefined) return false;
  const typed = normaliseName(query.name);
  const record = normaliseName(best.facts.name);
  return candidates.some(
    ({ facts }) => facts !== undefined && correctDifferently(typed, record, normaliseName(facts.name)),
  );
}

/**
 * Decides about a name. A candidate whose name is not known is no match.
 * @param candidates - with distinct ids
 * @param threshold - minimum confidence of a match, 0 to 1
 */
export function decide(
  query: NameQuery,
  candidates: readonly Candidate[],
  threshold = defaultThreshold,
): Decision {
  const scored = candidates.map((candidate) => scoreCandidate(query, candidate)).sort(compareCandidates);
  // A candidate with a known name that differs is not offered. Without a name, many hits make each improbable.
  const plausible = scored.filter(
    ({ confidence, facts }) => facts === undefined || confidence >= minConfidence,
  );
  const [best, next] = plausible;
  if (best === undefined) return { state: 'none', confidence: 0, candidates: [] };
  const isClear =
    (next === undefined || best.confidence - next.confidence >= MARGIN) &&
    !hasOtherCorrection(query, best, scored);
  const isCertain = best.facts !== undefined && best.confidence >= threshold;
  const state = isCertain && isClear ? 'match' : 'ambiguous';
  return { state, confidence: best.confidence, candidates: plausible };
}
