// Matches company names to records: free searches, comparison of the candidates, then the records of the matches.

import type { LookupRequest } from '../../shared/api/lookup.ts';
import type {
  MatchCandidate,
  MatchEstimateResponse,
  MatchRequest,
  MatchResponse,
  NamedCompany,
} from '../../shared/api/match.ts';
import { defined } from '../../shared/lib/defined.ts';
import { maxWaitMs } from '../../shared/limits.ts';
import {
  type CandidateFacts,
  type Decision,
  decide,
  defaultThreshold,
  type ScoredCandidate,
  scoreFacts,
} from '../../shared/matching/decide.ts';
import { listFactFields, readFacts } from '../../shared/matching/facts.ts';
import { findRecordOperation } from '../../shared/operations.ts';
import { createProjection } from '../../shared/query/field-paths.ts';
import { computeSince } from '../gateway/cache/freshness.ts';
import { readCachedRecords } from '../gateway/cached-records.ts';
import type { GatewayContext } from '../gateway/context.ts';
import { estimate, requireConfirmation } from '../gateway/estimate.ts';
import { lookup } from '../gateway/lookup.ts';
import { findCandidates, type NameCandidates, toCompanyKey } from './find-candidates.ts';
import {
  type BoughtRecords,
  buyRecordPages,
  planRecordPages,
  type RecordPages,
  splitIntoPages,
  throwIfRevoked,
} from './record-pages.ts';

/** A response without its stamp, which the route adds. */
export type MatchResult = Omit<MatchResponse, 'stamp'>;

type MatchRow = MatchResult['matches'][number];

/** Candidates of each company, and what it takes to compare them. */
interface MatchPlan extends RecordPages {
  /** By {@link toCompanyKey}. */
  names: Map<string, NameCandidates>;
  /** Facts from cached records, by id. */
  facts: Map<string, CandidateFacts>;
  /** Milliseconds since 1970. */
  deadline: number;
}

/** Reads facts from records that the gateway has. */
async function readCachedFacts(
  { family, max_age_s }: MatchRequest,
  ids: readonly string[],
  context: GatewayContext,
): Promise<MatchPlan['facts']> {
  const request: LookupRequest = { family, by: 'id', keys: [...ids], ...defined({ max_age_s }) };
  const project = createProjection(listFactFields(family));
  const { names, usable } = await readCachedRecords(request, project, context);
  const facts = ids.map((id, at) => {
    const record = usable.get(names[at] ?? '')?.outcome.record;
    return [id, record === undefined ? undefined : readFacts(family, record)] as const;
  });
  return new Map(facts.filter((entry): entry is [string, CandidateFacts] => entry[1] !== undefined));
}

/** Finds candidates and plans their comparison. Spends nothing. */
async function planMatch(request: MatchRequest, context: GatewayContext): Promise<MatchPlan> {
  const { family, companies, previews = true, max_age_s: maxAge, cancel_id: cancelId } = request;
  const startedAt = context.now();
  const waitMs = request.wait_ms ?? maxWaitMs;
  const names = await findCandidates(family, companies, { waitMs, cancelId }, context);
  const ids = [...new Set([...names.values()].flatMap((found) => found.ids))];
  const facts = await readCachedFacts(request, ids, context);
  // The order of the names does not change the pages.
  const sorted = previews ? ids.sort((a, b) => Number(a) - Number(b)) : [];
  const since = computeSince(maxAge, startedAt);
  const planPages = (of: readonly string[]) => planRecordPages(family, splitIntoPages(of), since, context);
  const unknown = sorted.filter((id) => !facts.has(id));
  let pages = await planPages(unknown);
  if (pages.credits > 0 && unknown.length < sorted.length) {
    // The same names have been compared before, and the records of the matches were bought afterwards.
    const earlier = await planPages(sorted);
    if (earlier.credits === 0) pages = earlier;
  }
  return { names, facts, ...pages, deadline: startedAt + waitMs };
}

/** Counts names whose record has to be bought, whichever candidate matches. */
const countUnknown = (names: readonly NameCandidates[], { facts }: MatchPlan): number =>
  names.filter(({ ids }) => ids.some((id) => !facts.has(id))).length;

/** Prices the records of the matches of names that are compared for free. Spends nothing. */
async function priceMatches(
  plan: MatchPlan,
  request: MatchRequest,
  context: GatewayContext,
): Promise<number> {
  // An estimate is no use of the pages.
  const bought = await buyPages(plan, request, { ...context, recordUsage: () => {} });
  const rows = [...plan.names.values()].map((found) => createRow(found, { ...plan, ...bought }, request));
  const matched = rows.filter(({ state }) => state === 'match');
  const keys = [...new Set(matched.flatMap(({ candidates }) => candidates[0]?.id ?? []))];
  if (keys.length === 0) return 0;
  const { family, fields = [], max_age_s } = request;
  const records: LookupRequest = { family, by: 'id', keys, fields: [...fields], ...defined({ max_age_s }) };
  return (await estimate(records, context)).credits;
}

/**
 * Estimates the price of matching. Free.
 * @throws ProblemError if no search can succeed
 */
export async function estimateMatch(
  request: MatchRequest,
  context: GatewayContext,
): Promise<MatchEstimateResponse> {
  const plan = await planMatch(request, context);
  const { names, pages, cached, credits } = plan;
  const all = [...names.values()];
  const unfinished = all.filter(({ problem }) => problem !== undefined).length;
  const isExact = credits === 0 && unfinished === 0 && request.previews !== false;
  const recordPrice = findRecordOperation(request.family, 'id')?.credits ?? 0;
  return {
    companies: all.length,
    found: all.filter(({ ids }) => ids.length > 0).length,
    candidates: pages.reduce((sum, { ids }) => sum + ids.length, 0),
    to_fetch: pages.length - cached,
    comparison: credits,
    records: isExact ? await priceMatches(plan, request, context) : countUnknown(all, plan) * recordPrice,
    is_exact: isExact,
    unfinished,
  };
}

function toCandidate({ id, confidence, facts = { name: '' } }: Omit<ScoredCandidate, 'hit'>): MatchCandidate {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  return { id, confidence, ...Object.fromEntries(known) };
}

/** Decides about a company. */
function decideName(
  { company, ids, hit }: NameCandidates,
  getFacts: (id: string) => CandidateFacts | undefined,
  threshold: number | undefined,
): Decision {
  const candidates = hit === undefined ? [] : ids.map((id) => ({ id, hit, facts: getFacts(id) }));
  return decide(company, candidates, threshold);
}

/** Tells whether the record of the first candidate is bought: of a match, or of a name that only one record has. */
const isBought = ({ state, candidates: [best], problem }: MatchRow, threshold: number): boolean =>
  state === 'match' ||
  (best !== undefined && best.name === undefined && best.confidence >= threshold && problem === undefined);

/**
 * Buys the records of the matches, and of the names that only one record has. These are matches if the record has the name.
 * @param maxCredits - may be spent; undefined for no limit
 */
async function buyMatches(
  request: MatchRequest,
  rows: ReadonlyMap<NamedCompany, MatchRow>,
  { deadline, maxCredits }: { deadline: number; maxCredits: number | undefined },
  context: GatewayContext,
): Promise<{ spent: number; saved: number }> {
  const { family, fields = [], any_fields, max_age_s, cancel_id, threshold = defaultThreshold } = request;
  const matched = [...rows].filter(([, row]) => isBought(row, threshold));
  const keys = [...new Set(matched.flatMap(([, { candidates }]) => candidates[0]?.id ?? []))];
  if (keys.length === 0) return { spent: 0, saved: 0 };
  const answer = await lookup(
    {
      family,
      by: 'id',
      keys,
      fields: [...new Set([...fields, ...listFactFields(family)])],
      wait_ms: Math.max(0, deadline - context.now()),
      ...defined({ any_fields, max_age_s, cancel_id, max_credits: maxCredits }),
    },
    context,
  );
  const byId = new Map(answer.rows.map((row) => [row.key, row]));
  const project = createProjection([...fields]);
  const charged = new Set<string>();
  for (const [company, row] of matched) {
    const found = byId.get(row.candidates[0]?.id ?? '');
    if (found === undefined) continue;
    const { key: _, record, ...result } = found;
    // Several names may match one record, which costs once.
    Object.assign(row, result, charged.has(found.key) ? { credits: 0 } : {});
    charged.add(found.key);
    if (record === undefined) continue;
    if (row.state !== 'match') {
      const facts = readFacts(family, record);
      row.confidence = facts === undefined ? 0 : scoreFacts(company, facts);
      row.candidates = [toCandidate({ id: found.key, confidence: row.confidence, facts })];
      row.state = row.confidence >= threshold ? 'match' : 'mismatch';
    }
    if (row.state === 'match') row.record = project(record);
  }
  return answer.credits;
}

function createRow(
  found: NameCandidates,
  { facts, records, problems }: MatchPlan & BoughtRecords,
  { family, threshold }: MatchRequest,
): MatchRow {
  const decision = decideName(
    found,
    (id) => facts.get(id) ?? (records.has(id) ? readFacts(family, records.get(id)) : undefined),
    threshold,
  );
  const failed = found.ids.find((id) => problems.has(id));
  const problem = found.problem ?? (failed === undefined ? undefined : problems.get(failed));
  return {
    name: found.company.name,
    ...decision,
    // A candidate that could not be compared may be the better one.
    ...(problem !== undefined && decision.state === 'match' ? { state: 'ambiguous' as const } : {}),
    candidates: decision.candidates.map(toCandidate),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Buys the pages that `max_credits` allows. Cached pages are free. */
async function buyPages(
  { pages, deadline }: MatchPlan,
  { max_credits: maxCredits = Number.POSITIVE_INFINITY, cancel_id: cancelId }: MatchRequest,
  context: GatewayContext,
): Promise<BoughtRecords> {
  let left = maxCredits;
  const affordable = pages.filter(({ isCached, operation: { credits } }) => {
    if (isCached) return true;
    if (credits > left) return false;
    left -= credits;
    return true;
  });
  const bought = await buyRecordPages(affordable, deadline, cancelId, context);
  for (const page of pages) {
    if (affordable.includes(page)) continue;
    for (const id of page.ids) bought.problems.set(id, 'max_credits_reached');
  }
  return bought;
}

/**
 * Matches company names to records. A name that fails does not affect the others.
 * @throws ProblemError if no search can succeed; `confirm_price` if a formula's comparison costs more than its limit
 */
export async function matchNames(request: MatchRequest, context: GatewayContext): Promise<MatchResult> {
  const plan = await planMatch(request, context);
  const { max_credits: maxCredits, companies } = request;
  requireConfirmation(plan.credits, request, context);
  const bought = await buyPages(plan, request, context);
  throwIfRevoked(bought);
  const rows = new Map<NamedCompany, MatchRow>();
  const byKey = new Map<string, MatchRow>();
  for (const [key, found] of plan.names) {
    const row = createRow(found, { ...plan, ...bought }, request);
    byKey.set(key, row);
    rows.set(found.company, row);
  }
  const getLeft = (credits: number | undefined): number | undefined =>
    credits === undefined ? undefined : Math.max(0, credits - bought.spent - bought.pending);
  const limits = { deadline: plan.deadline, maxCredits: getLeft(maxCredits) };
  const ofRecords = { ...context, formulaMaxCredits: getLeft(context.formulaMaxCredits) };
  const records =
    request.fields === undefined
      ? { spent: 0, saved: 0 }
      : await buyMatches(request, rows, limits, ofRecords);
  return {
    matches: companies.flatMap((company) => byKey.get(toCompanyKey(company)) ?? []),
    credits: {
      spent: bought.spent + records.spent,
      saved: bought.saved + records.saved,
      remaining: context.remaining,
    },
  };
}
