// Lookups, searches and previews of the add-on: unknown fields, forms, page caching and cancellation.

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LookupRequest, LookupResponse } from '../../../../shared/api/lookup.ts';
import type { PreviewRequest, PreviewResponse, SearchResponse } from '../../../../shared/api/search.ts';
import { sourceHeader } from '../../../../shared/sources.ts';
import { longIt } from '../../../pick-cases.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { createClient, createToken } from './callers.ts';

const lookup = { family: 'company_clean', by: 'website', keys: ['a1.com'] };
const unknownQuery = { family: 'company_base', text: 'industy:software' };
const pages = { headers: { 'x-total-results': '1', 'x-total-pages': '1' } };

async function createRecordingCaller() {
  const requests: string[] = [];
  const at = createGateway((key, request) => {
    requests.push(new URL(request.url).pathname);
    return request.method === 'GET' ? buildCompanyResponse(key) : Response.json([{ id: 1 }], pages);
  }, 'unknown-fields');
  return { requests, ...(await createClient('unknown-fields', {}, at)) };
}

// "Check fields and query field names before any purchase, and name the nearest right one."
describe('unknown names are rejected before any call to the provider', () => {
  it.each([
    [
      '/lookup',
      { ...lookup, fields: ['name', 'employee_count'] },
      '"employee_count"',
      'size_employees_count',
    ],
    ['/estimate', { ...lookup, fields: ['website'] }, '"website"', 'websites_main'],
    ['/search', unknownQuery, '"industy"', 'industry'],
    ['/preview', unknownQuery, '"industy"', 'industry'],
    ['/preview', { ...unknownQuery, text: 'acme', fields: ['nmae'] }, '"nmae"', 'name'],
    ['/preview', { family: 'job_base', filters: { titel: 'x' } }, '"titel" is not a filter', 'title'],
    [
      '/searches',
      { name: 'A', shared: true, family: 'company_base', query: { text: 'industy:x' } },
      '"industy"',
      'industry',
    ],
    [
      '/requests',
      { family: 'company_base', kind: 'filter', filters: { idustry: 'x' } },
      '"idustry"',
      'industry',
    ],
    ['/requests', { family: 'company_base', kind: 'ids', keys: ['1'], columns: ['nmae'] }, '"nmae"', 'name'],
  ])('POST %s %j', async (path, body, name, meant) => {
    const { problem, requests } = await createRecordingCaller();
    const refused = await problem('POST', path, body);
    expect(refused).toMatchObject({
      status: 422,
      code: 'unknown_field',
      fix: expect.stringContaining('any_fields'),
    });
    expect(refused.detail).toContain(name);
    expect(refused.detail).toContain(`did you mean ${meant}?`);
    expect(requests).toEqual([]);
  });
});

describe('any_fields', () => {
  longIt('allows unknown names in records, previews and queries', async () => {
    const { ok, requests } = await createRecordingCaller();
    const any_fields = true;
    await ok('POST', '/lookup', { ...lookup, fields: ['carbon_footprint'], any_fields });
    await ok('POST', '/search', { family: 'company_clean', text: 'carbon_footprint:low', any_fields });
    const body = {
      family: 'company_clean',
      es_dsl: { match: { carbon: 'low' } },
      fields: ['carbon'],
      any_fields,
    };
    const { columns } = await ok<{ columns: { name: string }[] }>('POST', '/preview', body);
    expect(columns.map(({ name }) => name)).toEqual(['carbon']);
    expect(requests.at(-1)).toBe('/cdapi/v2/company_clean/search/es_dsl/preview');
  });

  it('is not sent to the provider', async () => {
    const bodies: string[] = [];
    const at = createGateway(async (_, request) => {
      bodies.push(await request.text());
      return Response.json([1], pages);
    }, 'unknown-fields-body');
    const { ok } = await createClient('unknown-fields-body', {}, at);
    await ok('POST', '/search', { family: 'company_base', filters: { name: 'x' }, any_fields: true });
    expect(bodies).toEqual(['{"name":"x"}']);
  });
});

/** Creates a caller and a provider whose count depends on the filters. */
async function createSearchCaller(team: string, countMatches: (names: string[]) => number | undefined) {
  const requests: Record<string, unknown>[] = [];
  const at = createGateway(async (_, request) => {
    const filters = (await request.json()) as Record<string, unknown>;
    requests.push(filters);
    const total = countMatches(Object.keys(filters));
    if (total === undefined) return new Response('', { status: 500 });
    const headers = { 'x-total-results': String(total), 'x-total-pages': '1' };
    return Response.json(total === 0 ? [] : [1], { headers });
  }, team);
  const { ok } = await createClient(team, {}, at);
  const search = (filters: Record<string, unknown>, more = {}) =>
    ok<SearchResponse>('POST', '/search', { family: 'company_base', filters, items_per_page: 1, ...more });
  return { requests, search };
}

describe('known_values', () => {
  it('translates values to the provider’s spelling', async () => {
    const { requests, search } = await createSearchCaller('known-values', () => 1966);
    const typed = { country: 'USA', size: '11-50' };
    expect(await search(typed, { known_values: true })).toMatchObject({ total: 1966 });
    await search(typed);
    expect(requests).toEqual([
      { country: '(United States) OR (United States of America)', size: '11-50 employees' },
      typed,
    ]);
  });
});

// "“nothing matches” shows the count without each condition"
describe('explain_empty', () => {
  const filters = { country: 'Germany', name: 'acme', founded_year_gte: 2000, founded_year_lte: 2010 };
  const totals = (names: string[]) => (names.includes('country') ? (names.includes('name') ? 0 : 12) : 7);

  it('counts the matches without each condition', async () => {
    const { search } = await createSearchCaller('without-each', totals);
    expect(await search(filters, { explain_empty: true })).toMatchObject({
      total: 0,
      without: [
        { condition: 'country', total: 7 },
        { condition: 'name', total: 12 },
        { condition: 'founded_year', total: 0 },
      ],
    });
  });

  it('makes no additional call if it is off or something matches', async () => {
    const { requests, search } = await createSearchCaller('without-none', totals);
    expect(await search(filters)).not.toHaveProperty('without');
    expect(await search({ name: 'acme' }, { explain_empty: true })).not.toHaveProperty('without');
    expect(requests).toHaveLength(2);
  });

  it('makes at most eight additional calls and leaves out failed counts', async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, 'x']));
    const { requests, search } = await createSearchCaller('without-many', (names) =>
      names.length === 12 ? 0 : names.includes('f0') ? 3 : undefined,
    );
    const { without } = await search(many, { explain_empty: true, any_fields: true, wait_ms: 20_000 });
    expect(without?.map(({ condition }) => condition)).toEqual(['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7']);
    expect(new Set(requests.map((sent) => Object.keys(sent).join())).size).toBe(1 + 8);
  });
});

const PAGE_CREDITS = 10;
const MINUTE_MS = 60_000;

const query = { family: 'company_base', filters: { name: 'acme' }, page: 1 } as const;

/** Creates a caller and a provider with snapshots, which records the requested pages. */
async function createPreviewCaller(team: string) {
  let snapshots = 0;
  const pages: string[] = [];
  const at = createGateway((_, { url }) => {
    const { pathname, searchParams } = new URL(url);
    const headers = { 'x-total-results': '40', 'x-total-pages': '2' };
    if (!pathname.includes('preview')) return Response.json([1], { headers });
    const page = searchParams.get('page') ?? '1';
    const snapshot = searchParams.get('snapshot_token') ?? `snapshot-${++snapshots}`;
    pages.push(`${page} of ${snapshot}`);
    return Response.json([{ id: 1, name: 'Acme' }], {
      headers: { ...headers, 'x-snapshot-token': snapshot },
    });
  }, team);
  const { ok, problem } = await createClient(team, {}, at);
  const preview = async (
    more: Partial<PreviewRequest> = {},
  ): Promise<[spent: number, snapshot: string | null]> => {
    const { credits, snapshot } = await ok<PreviewResponse>('POST', '/preview', { ...query, ...more });
    return [credits.spent, snapshot];
  };
  return { preview, pages, problem, at };
}

it('caches a page at any age, and buys it again for a lower maximum age', async () => {
  const { preview, pages } = await createPreviewCaller('previews');
  expect(await preview()).toEqual([PAGE_CREDITS, 'snapshot-1']);
  clock.now += 5 * MINUTE_MS;
  expect(await preview()).toEqual([0, 'snapshot-1']);
  expect(await preview({ max_age_s: 600 })).toEqual([0, 'snapshot-1']);
  expect(await preview({ max_age_s: 60 })).toEqual([PAGE_CREDITS, 'snapshot-2']);
  expect(await preview({ max_age_s: 60 })).toEqual([0, 'snapshot-2']);
  expect(await preview()).toEqual([0, 'snapshot-2']);
  expect(pages).toEqual(['1 of snapshot-1', '1 of snapshot-2']);
});

it('buys later pages of a newer ranking once', async () => {
  const { preview, pages } = await createPreviewCaller('previews-behind');
  await preview({ pages: 2 });
  clock.now += 5 * MINUTE_MS;
  const [spent, snapshot] = await preview({ max_age_s: 0 });
  expect(spent).toBe(PAGE_CREDITS);
  const behind = { page: 2, max_age_s: 60, ...(snapshot === null ? {} : { snapshot }) };
  expect(await preview(behind)).toEqual([PAGE_CREDITS, 'snapshot-2']);
  expect(await preview(behind)).toEqual([0, 'snapshot-2']);
  expect(pages).toEqual(['1 of snapshot-1', '2 of snapshot-1', '1 of snapshot-2', '2 of snapshot-2']);
});

it('spends at most max_credits; cached pages are free', async () => {
  const { preview, pages, problem } = await createPreviewCaller('previews-maximum');
  expect(await problem('POST', '/preview', { ...query, max_credits: 9 })).toMatchObject({
    status: 402,
    code: 'max_credits_reached',
  });
  expect(pages).toEqual([]);
  expect(await preview({ pages: 2, max_credits: 10 })).toEqual([PAGE_CREDITS, 'snapshot-1']);
  expect(await preview({ max_credits: 0 })).toEqual([0, 'snapshot-1']);
  expect(pages).toEqual(['1 of snapshot-1']);
});

it('of a formula above the limit of its team buys nothing until max_credits confirms the price', async () => {
  const team = 'previews-formula';
  const { preview, pages, at } = await createPreviewCaller(team);
  const token = await createToken(team);
  await env.DB.prepare('UPDATE teams SET formula_max_credits = 10 WHERE id = ?').bind(team).run();
  const show = async (more: Partial<PreviewRequest>) => {
    const headers = { authorization: `Bearer ${token}`, [sourceHeader]: 'formula' };
    const body = JSON.stringify({ ...query, pages: 2, ...more });
    const response = await at.request('/sheets/v1/preview', { method: 'POST', headers, body });
    return [response.status, (await response.json<{ detail?: string }>()).detail];
  };
  expect(await show({})).toEqual([409, 'This formula costs up to 20 credits.']);
  expect(pages).toEqual([]);
  await preview();
  // The other page costs no more than the limit.
  expect(await show({})).toEqual([200, undefined]);
  expect(await show({ max_age_s: 0, max_credits: 20 })).toEqual([200, undefined]);
});

const ID = '5f1c1d6e-62fb-4a8a-8a32-9c1b5a3f7e10';
const CREDITS = 10;
const RATE_PER_S = 5;

/** A provider with a low rate limit, as the response headers of its first answer say. */
function slowGateway(name: string): Gateway {
  return createGateway(async (key) => {
    const answer = buildCompanyResponse(key);
    answer.headers.set('x-ratelimit-limit-second', String(RATE_PER_S));
    return answer;
  }, name);
}

const createLookup = (count: number): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys: Array.from({ length: count }, (_, at) => `shop${at + 1}.com`),
  fields: ['name'],
});

describe('a lookup of 60 keys at 5 calls a second', () => {
  it('buys nothing more after its cancellation and states what it bought', async () => {
    const at = slowGateway('cancelled');
    const { ok } = await createClient('cancelled', {}, at);
    await ok('POST', '/lookup', { ...createLookup(1), keys: ['first.com'] });
    const before = at.requestedKeys.length;
    const answer = ok<LookupResponse>('POST', '/lookup', { ...createLookup(60), cancel_id: ID });
    await expect.poll(() => at.requestedKeys.length).toBeGreaterThan(before + 2);
    const { withdrawn } = await ok<{ withdrawn: number }>('POST', `/lookups/${ID}/cancel`);
    const { rows, credits } = await answer;
    const bought = at.requestedKeys.length - before;
    expect(bought).toBeLessThan(60);
    expect(withdrawn).toBeGreaterThan(0);
    expect(credits.spent).toBe(bought * CREDITS);
    expect(rows.filter(({ status }) => status === 'fetched')).toHaveLength(bought);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(60 - bought);

    // A later request of the same keys finds exactly those in the cache, and its calls are not cancelled.
    const again = await ok<LookupResponse>('POST', '/lookup', { ...createLookup(60), max_credits: 0 });
    expect(again.rows.filter(({ status }) => status === 'hit')).toHaveLength(bought);
    expect(at.requestedKeys.length - before).toBe(bought);
  });
});

it('rejects an id that is no UUID', async () => {
  const at = slowGateway('no-uuid');
  const { problem } = await createClient('no-uuid', {}, at);
  expect(await problem('POST', '/lookups/one/cancel')).toMatchObject({ status: 404, code: 'not_found' });
  expect(await problem('POST', '/lookup', { ...createLookup(1), cancel_id: 'one' })).toMatchObject({
    status: 422,
    code: 'invalid_request',
  });
});

describe('a search that the provider can’t parse', () => {
  const refuse = (query: string) => () =>
    Response.json({ Error: `Query validation failed: Failed to parse query [${query}]` }, { status: 400 });

  it.each([
    ['AC/DC', 'AC/DC'],
    ['name:AC/DC AND "A/S"', 'AC/DC'],
    ['"x" OR (Nordlys A/S)', 'A/S'],
  ])('%s says which text to put into quotes', async (text, word) => {
    const { problem } = await createClient('slashes', {}, createGateway(refuse(text)));
    for (const path of ['/search', '/preview'])
      expect(await problem('POST', path, { family: 'company_base', text })).toMatchObject({
        code: 'invalid_request',
        detail: expect.stringContaining(text),
        fix: `Put a text with a slash into quotes: "${word}".`,
      });
  });

  it.each(['(a', '"A/S" AND ('])('%s says nothing of slashes if they are no problem', async (text) => {
    const { problem } = await createClient('slashes', {}, createGateway(refuse(text)));
    expect((await problem('POST', '/search', { family: 'company_base', text })).fix).not.toContain('slash');
  });
});
