// In-memory gateway with fictional companies, real prices and a purchase count.
import type { HostRequest, HostResponse } from '../../addon/dev/host/types.ts';
import type { MeResponse, SignInResponse } from '../../shared/api/account.ts';
import type {
  AccountCountsRequest,
  AccountCountsResponse,
  AccountsEstimateResponse,
  AccountsRequest,
} from '../../shared/api/accounts.ts';
import type { DataRecord } from '../../shared/api/common.ts';
import type { LookupRequest, LookupRow } from '../../shared/api/lookup.ts';
import type { MatchEstimateResponse, MatchRequest, MatchResponse } from '../../shared/api/match.ts';
import type { Run } from '../../shared/api/saved-searches.ts';
import type {
  AskRequest,
  AskResponse,
  PreviewEstimateRequest,
  PreviewEstimateResponse,
  PreviewRequest,
  SearchRequest,
} from '../../shared/api/search.ts';
import type { UsageResponse } from '../../shared/api/usage.ts';
import { getPreviewColumns, getRecordColumns } from '../../shared/families/columns.ts';
import { families, familyNames } from '../../shared/families/index.ts';
import { previewPageSize } from '../../shared/families/previews.ts';
import { getPreviewPrice, getRecordPrice } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { relaxQuery } from '../../shared/query/query-conditions.ts';
import { sourceHeader } from '../../shared/sources.ts';
import { createProblemResponse, TestLists } from './gateway-lists.ts';
import { TestRequests } from './gateway-requests.ts';
import { createResponse } from './spreadsheet.ts';

/** 120 companies: every third in mining, the others in software; 63 in Germany, 50 in France, the last seven in Canada. */
const companies: readonly DataRecord[] = Array.from({ length: 120 }, (_, at) => ({
  id: at + 1,
  name: `Company ${at + 1}`,
  website: `https://company-${at + 1}.example`,
  industry: at % 3 === 0 ? 'mining' : 'software',
  location_hq_country: at < 63 ? 'Germany' : at < 113 ? 'France' : 'Canada',
  canonical_url: `https://www.professional-network.example/company/${at + 1}`,
}));

/**
 * Finds companies by the queries of the tests: all, `industry:*ing`, its negation, `zzzz` for none, industries and countries of
 * the form, and without some ids.
 */
function findCompanies(query: object): readonly DataRecord[] {
  const text = JSON.stringify(query);
  if (text.includes('zzzz')) return [];
  const excluded = new Set(/"terms":{"id":\[([\d,]+)/.exec(text)?.[1]?.split(','));
  const left = companies.filter(({ id }) => !excluded.has(String(id)));
  const named = [...text.matchAll(/"(industry|location_hq_country)":(?:\{"query":)?"([^"]+)"/g)];
  if (named.length > 0) {
    const alternatives = Map.groupBy(named, ([, field = '']) => field);
    return left.filter((company) =>
      [...alternatives].every(([field, values]) => values.some(([, , value]) => value === company[field])),
    );
  }
  if (!text.includes('industry:*ing')) return left;
  const isMining = !text.includes('NOT industry');
  return left.filter(({ industry }) => (industry === 'mining') === isMining);
}

/** Counts the matches without each condition, if a search has none and asks for it. */
function explainEmpty(
  query: SearchRequest | PreviewEstimateRequest,
): Pick<PreviewEstimateResponse, 'without'> {
  if (query.explain_empty !== true || findCompanies(query).length > 0) return {};
  const without = relaxQuery(query).map(({ condition, query: relaxed }) => ({
    condition,
    total: findCompanies(relaxed).length,
  }));
  return { without };
}

const normalizeKey = (key: string): string => key.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/.*$/, '');

/** Bodies of calls that the gateway does not compute: without an answer of the test, they fail. */
interface Exchanges {
  'GET usage': [undefined, UsageResponse];
  'POST accounts/jobs/counts': [AccountCountsRequest, AccountCountsResponse];
  'POST accounts/people/estimate': [AccountsRequest, AccountsEstimateResponse];
  'POST ask': [AskRequest, AskResponse];
  'POST match': [MatchRequest, MatchResponse];
  'POST match/estimate': [MatchRequest, MatchEstimateResponse];
  'POST sign-in': [unknown, SignInResponse];
}

export class TestGateway {
  /** Spent credits. */
  spent = 0;
  /** Remaining credits. */
  budget = Number.POSITIVE_INFINITY;
  /** Number of `pending` responses before the record of a key. */
  readonly pendingCounts = new Map<string, number>();
  readonly lookups: LookupRequest[] = [];
  readonly previews: PreviewRequest[] = [];
  /** Purchases of each record and page. */
  readonly bought = new Map<string, number>();
  now: () => number = Date.now;
  /** Replaces members of the account. */
  account: Partial<MeResponse> = {};
  readonly lists = new TestLists((key, family, limit) => this.#row(key, { family }, limit));
  readonly requests = new TestRequests();
  /** Answers of tests by call, such as `POST lookup`. */
  readonly #answers = new Map<string, (body: unknown) => HostResponse>();
  readonly #boughtAt = new Map<string, number>();
  readonly #runs: Run[] = [];

  reset(): void {
    this.spent = 0;
    this.budget = Number.POSITIVE_INFINITY;
    this.now = Date.now;
    this.lookups.length = 0;
    this.previews.length = 0;
    this.#runs.length = 0;
    this.account = {};
    this.requests.reset();
    this.lists.reset();
    for (const kept of [this.pendingCounts, this.bought, this.#boughtAt, this.#answers]) kept.clear();
  }

  /**
   * Answers calls that the gateway does not compute.
   * @param create - gets the request's body
   */
  answer<C extends keyof Exchanges>(call: C, create: (body: Exchanges[C][0]) => Exchanges[C][1]): void {
    this.#answers.set(call, (body) => createResponse(200, create(body as Exchanges[C][0])));
  }

  /**
   * Refuses a call, such as `POST preview`, until `allow`.
   * @param detail - what happened; default: the title of the problem
   */
  refuse(call: string, code: ProblemCode, detail?: string): void {
    this.#answers.set(call, () => createProblemResponse(code, detail));
  }

  /** Ends a refusal. */
  allow(call: string): void {
    this.#answers.delete(call);
  }

  /** Null without a limit. */
  get #remaining(): number | null {
    return Number.isFinite(this.budget) ? this.budget : null;
  }

  #isCached(id: string, maxAgeS = Number.POSITIVE_INFINITY): boolean {
    const at = this.#boughtAt.get(id);
    return at !== undefined && this.now() - at < maxAgeS * 1000;
  }

  #buy(id: string, price: number): void {
    this.spent += price;
    this.budget -= price;
    this.bought.set(id, (this.bought.get(id) ?? 0) + 1);
    this.#boughtAt.set(id, this.now());
  }

  #row(
    key: string,
    { family, max_age_s }: Pick<LookupRequest, 'family' | 'max_age_s'>,
    limit: number,
  ): LookupRow {
    const waits = this.pendingCounts.get(key) ?? 0;
    if (waits > 0) {
      this.pendingCounts.set(key, waits - 1);
      return { key, status: 'pending', problem: 'pending', credits: 0 };
    }
    if (key.includes('nobody')) {
      const domain = /^[^.]+\.([^.]+\.[^.]+)$/.exec(key)?.[1];
      const suggestion = domain === undefined ? {} : { suggestion: domain };
      return { key, status: 'not_found', problem: 'not_found', credits: 0, ...suggestion };
    }
    const id = `${family} ${normalizeKey(key)}`;
    const credits = this.#isCached(id, max_age_s) ? 0 : getRecordPrice(family);
    if (credits > Math.min(limit, this.budget))
      return { key, status: 'over_budget', problem: 'over_budget', credits: 0 };
    if (credits > 0) this.#buy(id, credits);
    const record = {
      name: `Name of ${normalizeKey(key)}`,
      founded: 1999,
      industry: 'software',
      description: `About ${key}`,
    };
    const fetched_at = new Date(this.#boughtAt.get(id) ?? 0).toISOString();
    return { key, status: credits > 0 ? 'fetched' : 'hit', record, fetched_at, credits };
  }

  /** Tells whether a formula has to be confirmed first, as the gateway does. */
  #needsConfirmation({ family, keys, max_credits, max_age_s }: LookupRequest, source: string): boolean {
    const { formula_max_credits: limit } = this.account;
    if (typeof limit !== 'number' || source !== 'formula' || max_credits !== undefined) return false;
    const missing = keys.filter((key) => !this.#isCached(`${family} ${normalizeKey(key)}`, max_age_s));
    return missing.length * getRecordPrice(family) > limit;
  }

  #lookup(body: LookupRequest, source: string): HostResponse {
    this.lookups.push(body);
    let spent = 0;
    const isAsking = this.#needsConfirmation(body, source);
    const rows = body.keys.map((key): LookupRow => {
      if (isAsking && !this.#isCached(`${body.family} ${normalizeKey(key)}`))
        return { key, status: 'over_budget', problem: 'confirm_price', credits: 0 };
      const row = this.#row(key, body, (body.max_credits ?? Number.POSITIVE_INFINITY) - spent);
      spent += row.credits;
      return row;
    });
    return createResponse(200, {
      rows,
      credits: { spent, saved: 0, remaining: this.#remaining },
      stamp: 'x',
    });
  }

  #estimate({ family, keys, max_age_s, fields = [] }: LookupRequest): HostResponse {
    if (fields.includes('nope'))
      return createResponse(400, { code: 'unknown_field', detail: '"nope" is not a field.', fix: '' });
    const ids = new Set(keys.map((key) => `${family} ${normalizeKey(key)}`));
    const to_fetch = [...ids].filter((id) => !this.#isCached(id, max_age_s)).length;
    return createResponse(200, {
      keys: keys.length,
      distinct: ids.size,
      cached: ids.size - to_fetch,
      stale: 0,
      found: ids.size - to_fetch,
      to_fetch,
      credits: to_fetch * getRecordPrice(family),
    });
  }

  #pageId({ text, filters, es_dsl }: Record<string, unknown>, page: number): string {
    return `page ${page} of ${JSON.stringify([text, filters, es_dsl])}`;
  }

  #previewEstimate(body: PreviewEstimateRequest): HostResponse {
    const total = findCompanies(body).length;
    const pages = Math.min(body.pages, Math.ceil(total / previewPageSize));
    const ids = Array.from({ length: pages }, (_, at) => this.#pageId({ ...body }, at + 1));
    const to_fetch = ids.filter((id) => !this.#isCached(id, body.max_age_s)).length;
    const credits = to_fetch * getPreviewPrice(body.family);
    return createResponse(200, {
      total,
      pages,
      cached: pages - to_fetch,
      to_fetch,
      credits,
      ...explainEmpty(body),
    });
  }

  #preview(body: PreviewRequest): HostResponse {
    this.previews.push(body);
    const { page = 1, fields = [], family } = body;
    const price = getPreviewPrice(family);
    const id = this.#pageId({ ...body }, page);
    const isFree = this.#isCached(id, body.max_age_s);
    const spent = isFree ? 0 : price;
    if (spent > Math.min(body.max_credits ?? price, this.budget))
      return createResponse(402, {
        code: 'over_budget',
        detail: 'The budget is used up.',
        fix: 'Ask your admin.',
      });
    if (!isFree) this.#buy(id, price);
    const found = findCompanies(body);
    const shown = found.slice((page - 1) * previewPageSize, page * previewPageSize);
    return createResponse(200, {
      columns: fields.map((name) => ({ name, type: 'text' })),
      rows: shown.map((company) => fields.map((name) => company[name] ?? null)),
      page,
      total_pages: Math.ceil(found.length / previewPageSize),
      total: found.length,
      snapshot: null,
      credits: { spent, saved: price - spent, remaining: this.#remaining },
      stamp: 'x',
    });
  }

  #fields(path: string): HostResponse | undefined {
    const family = familyNames.find((name) => path === `fields/${name}`);
    if (family === undefined) return undefined;
    const { defaultFields: defaults } = families[family];
    const [columns, preview] = [getRecordColumns(family), getPreviewColumns(family)];
    return createResponse(200, { family, columns, preview, defaults });
  }

  /** Handles a request. Unused paths return 404. */
  readonly fetch = async (request: HostRequest): Promise<HostResponse> => {
    const method = request.method.toUpperCase();
    const path = request.url.replace(/^.*\/sheets\/v1\//, '').replace(/\?.*$/, '');
    const sent = request.body === null ? {} : JSON.parse(new TextDecoder().decode(request.body));
    const answer = this.#answers.get(`${method} ${path}`);
    if (answer !== undefined) return answer(sent);
    switch (path) {
      case 'lookup':
        return this.#lookup(sent, request.headers[sourceHeader] ?? '');
      case 'estimate':
        return this.#estimate(sent);
      case 'search':
        return createResponse(200, {
          ids: findCompanies(sent)
            .slice(0, sent.items_per_page)
            .map(({ id }) => String(id)),
          total: findCompanies(sent).length,
          pages: 1,
          after: null,
          ...explainEmpty(sent),
        });
      case 'preview':
        return this.#preview(sent);
      case 'preview/estimate':
        return this.#previewEstimate(sent);
      case 'runs':
        if (method === 'POST') this.#runs.unshift(sent);
        return createResponse(200, { runs: this.#runs });
      case 'me':
        return createResponse(200, {
          team: 'Development',
          budget: { day: null, month: null },
          spent: { day: this.spent, month: this.spent },
          saved: { day: 0, month: 0 },
          records: { cached: { day: 0, month: 0 }, fetched: { day: 0, month: 0 } },
          remaining: this.#remaining,
          spending: true,
          mode: 'sandbox',
          scopes: { families: null, operations: null },
          stamp: 'x',
          ...this.account,
        });
      case 'assistant-codes':
        return createResponse(201, { code: 'a-code', url: 'https://gateway.example/mcp' });
      default:
        return (
          this.#fields(path) ??
          this.requests.answer(request, this.now()) ??
          this.lists.answer({ method, path, body: sent, now: this.now() }) ??
          createProblemResponse('unknown_address')
        );
    }
  };
}
