// Finds candidates for company names with free searches, from precise to vague.
import type { NamedCompany } from '../../shared/api/match.ts';
import { namesPerson } from '../../shared/keys/email.ts';
import type { SearchHit } from '../../shared/matching/decide.ts';
import type { MatchFamily } from '../../shared/matching/families.ts';
import { type MatchSearch, planSearches } from '../../shared/matching/plan.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import type { GatewayContext } from '../gateway/context.ts';
import { buildProviderQuery, throwSharedProblem } from '../gateway/query.ts';
import { fetchPages, type PageOptions, type PageResult } from '../gateway/search-pages.ts';

export interface NameCandidates {
  company: NamedCompany;
  /** Ids, best first. */
  ids: string[];
  /** The search that found them. Absent without candidates. */
  hit?: SearchHit;
  /** Why there may be others. */
  problem?: ProblemCode;
}

interface NameSearch {
  found: NameCandidates;
  left: MatchSearch[];
}

/** Identifies companies with the same name and place, which are searched once. */
export const toCompanyKey = ({ name, country = '', city = '' }: NamedCompany): string =>
  JSON.stringify([name.trim(), country.trim(), city.trim()]);

function buildPage(family: MatchFamily, { query, limit }: MatchSearch) {
  const search = buildProviderQuery('search', family, {
    es_dsl: { query, sort: ['_score'] },
    known_values: true,
  });
  search.parameters.set('items_per_page', String(limit));
  return { ...search, since: 0 };
}

function acceptAnswer({ found }: NameSearch, { kind, limit }: MatchSearch, answer: PageResult): void {
  if (answer.outcome === 'failed') {
    throwSharedProblem(answer);
    found.problem = answer.problem;
    return;
  }
  const { items, headers } = answer.page;
  const ids = items.value.map(String).slice(0, limit);
  if (ids.length === 0) return;
  found.ids = ids;
  found.hit = { kind, total: Number(headers['x-total-results'] ?? ids.length) };
}

/**
 * Searches for candidates of each distinct company: from precise to vague, until a search finds some. Free.
 * @returns by {@link toCompanyKey}
 * @throws ProblemError if no search can succeed
 */
export async function findCandidates(
  family: MatchFamily,
  companies: readonly NamedCompany[],
  { waitMs, cancelId }: Pick<PageOptions, 'waitMs' | 'cancelId'>,
  context: GatewayContext,
): Promise<Map<string, NameCandidates>> {
  const deadline = context.now() + waitMs;
  const searches = new Map<string, NameSearch>();
  for (const company of companies) {
    const found: NameCandidates = { company, ids: [] };
    if (Object.values(company).some(namesPerson)) found.problem = 'invalid_key';
    searches.set(toCompanyKey(company), { found, left: planSearches(family, company) });
  }
  const isOpen = ({ found: { ids, problem }, left }: NameSearch): boolean =>
    ids.length === 0 && problem === undefined && left.length > 0;
  for (let open = [...searches.values()].filter(isOpen); open.length > 0; open = open.filter(isOpen)) {
    const current = open.flatMap((name) => {
      const search = name.left.shift();
      return search === undefined ? [] : [{ name, search }];
    });
    const pages = current.map(({ search }) => buildPage(family, search));
    const options = { waitMs: Math.max(0, deadline - context.now()), cancelId };
    const answers = await fetchPages(pages, options, context);
    current.forEach(({ name, search }, at) => {
      const answer = answers[at];
      if (answer !== undefined) acceptAnswer(name, search, answer);
    });
  }
  return new Map([...searches].map(([key, { found }]) => [key, found]));
}
