// Decides which candidate is the company with a name: a match, an ambiguous case or none.

import { getSpellings } from '../query/known-values.ts';
import { foldText, normaliseName } from './normalise.ts';
import type { NameQuery, SearchKind } from './plan.ts';
import { compareNames } from './similarity.ts';

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
const MIN_CONFIDENCE = 0.5;

/** A match must be better than the next candidate by this. */
const MARGIN = 0.03;

/** Confidence of a candidate whose name is not known, if its search found nothing else. */
const hitConfidence: Readonly<Record<SearchKind, number>> = {
  exact: 0.9,
  phrase: 0.86,
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

/** A website of the typed name confirms a name that is similar at least. */
const SAME_WEBSITE = 0.12;
const MIN_CONFIRMED = 0.5;

const INTERNAL_DIGITS = 1e4;

const FIELD_OF_COUNTRIES = 'location_hq_country';

function isSameCountry(one: string, other: string): boolean {
  const spellings = new Set(getSpellings(FIELD_OF_COUNTRIES, one).map(foldText));
  return [other, ...getSpellings(FIELD_OF_COUNTRIES, other)].some((text) => spellings.has(foldText(text)));
}

function scoreLocation({ country, city }: NameQuery, facts: CandidateFacts): number {
  let score = 0;
  if (country !== undefined) {
    if (facts.country === undefined) score += UNKNOWN_COUNTRY;
    else if (!isSameCountry(country, facts.country)) score += OTHER_COUNTRY;
  }
  if (city !== undefined && facts.city !== undefined) {
    score += foldText(city) === foldText(facts.city) ? SAME_CITY : OTHER_CITY;
  }
  return score;
}

/** Returns the name in a website: `acme` of `https://www.acme.co.uk/about`. */
function getDomainName(website: string): string {
  const host = website.replace(/^[a-z]+:\/\//i, '').replace(/^www\d?\./i, '');
  return foldText(host.split(/[./?#:]/, 1)[0] ?? '').replace(/[^\p{L}\p{N}]/gu, '');
}

const round = (value: number): number =>
  Math.round(Math.min(1, Math.max(0, value)) * INTERNAL_DIGITS) / INTERNAL_DIGITS;

/**
 * Scores a company with known facts.
 * @returns the probability that it is the company with the name, 0 to 1
 */
export function scoreFacts(query: NameQuery, facts: CandidateFacts): number {
  const typed = normaliseName(query.name);
  const similarity = compareNames(typed, normaliseName(facts.name));
  if (similarity === 0) return 0;
  const isConfirmed =
    similarity >= MIN_CONFIRMED &&
    facts.website !== undefined &&
    typed.joined !== '' &&
    getDomainName(facts.website) === typed.joined;
  return round(similarity + scoreLocation(query, facts) + (isConfirmed ? SAME_WEBSITE : 0));
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

/**
 * Decides about a name.
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
    ({ confidence, facts }) => facts === undefined || confidence >= MIN_CONFIDENCE,
  );
  const [best, next] = plausible;
  if (best === undefined) return { state: 'none', confidence: 0, candidates: [] };
  const isClear = next === undefined || best.confidence - next.confidence >= MARGIN;
  const state = best.confidence >= threshold && isClear ? 'match' : 'ambiguous';
  return { state, confidence: best.confidence, candidates: plausible };
}
