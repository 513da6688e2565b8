// People and open jobs at companies: packed pages, prices, and companies that fail.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type {
  AccountCountsRequest,
  AccountCountsResponse,
  AccountsEstimateResponse,
  AccountsRequest,
} from '../../../../shared/api/accounts.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { shards } from '../../../../worker/gateway/single-flight/client.ts';
import { longIt } from '../../../pick-cases.ts';
import { createGateway, type Gateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { everybody, list } from './accounts.ts';
import { type ApiClient, createClient } from './callers.ts';
import { newTeam } from './fixtures.ts';

const PAGE_CREDITS = 10;
const PAGE_SIZE = 20;
/** Authentication, rate limit, usage. */
const OTHER_CALLS = 20;

interface Scripted {
  client: ApiClient;
  team: string;
  /** Bodies of the searches. */
  searches: string[];
  /** Ids of the bought pages. */
  pages: number[][];
  listBindingCalls: Gateway['listBindingCalls'];
}

/**
 * Creates a caller and a provider with companies `c1.example`, `c2.example` …
 * @param sizes - matches of each company; undefined: its search fails
 */
async function createScripted(sizes: readonly (number | undefined)[]): Promise<Scripted> {
  const team = newTeam();
  const searches: string[] = [];
  const pages: number[][] = [];
  const at = createGateway(async (_, request) => {
    const body = await request.text();
    if (request.url.includes('/preview')) {
      const { query } = JSON.parse(body) as { query: { terms: { id: number[] } } };
      pages.push(query.terms.id);
      return Response.json(query.terms.id.map((id) => ({ id, full_name: `P${id}` })));
    }
    searches.push(body);
    const company = Number(/c(\d+)\.example/.exec(body)?.[1]);
    const total = sizes[company - 1];
    if (total === undefined) return new Response('', { status: 500 });
    const limit = Number(new URL(request.url).searchParams.get('items_per_page'));
    const ids = Array.from({ length: Math.min(total, limit) }, (_, index) => company * 1000 + index);
    return Response.json(ids, { headers: { 'x-total-results': String(total), 'x-total-pages': '1' } });
  }, team);
  const { listBindingCalls } = at;
  return { client: await createClient(team, {}, at), team, searches, pages, listBindingCalls };
}

const namesOf = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, at) => `c${at + from}.example`);

const estimate = (client: ApiClient, body: Partial<AccountsRequest>) =>
  client.ok<AccountsEstimateResponse>('POST', '/accounts/people/estimate', body);

describe('the price', () => {
  it('is that of pages that companies share, and nothing the second time', async () => {
    const { client, searches, pages } = await createScripted(Array(12).fill(50));
    const body = { ...everybody, companies: namesOf(12), per_company: 3 };
    expect(await estimate(client, body)).toMatchObject({ rows: 36, pages: 2, credits: 2 * PAGE_CREDITS });
    expect(pages).toEqual([]);
    const { accounts, credits } = await list(client, 'people', body);
    expect(credits.spent).toBe(2 * PAGE_CREDITS);
    expect(accounts.map(({ total, rows }) => [total, rows.length])).toEqual(Array(12).fill([50, 3]));
    expect(accounts[4]?.rows[0]?.[0]).toBe('P5000');
    // Neither their order nor duplicates change the pages.
    const again = { ...body, companies: [...body.companies.toReversed(), 'https://www.c3.example'] };
    expect(await estimate(client, again)).toMatchObject({ cached: 2, to_fetch: 0, credits: 0 });
    const second = await list(client, 'people', again);
    expect(second.credits).toMatchObject({ spent: 0, saved: 2 * PAGE_CREDITS });
    expect(second.accounts.map(({ rows }) => rows.length)).toEqual(Array(13).fill(3));
    expect(pages.map(({ length }) => length).toSorted()).toEqual([16, PAGE_SIZE]);
    expect(searches).toHaveLength(12);
  });

  longIt('of a company that is added does not include full pages of the others', async () => {
    const { client, pages } = await createScripted([45, 45, 45]);
    const body = { ...everybody, companies: namesOf(2, 2), per_company: 40 };
    await list(client, 'people', body);
    expect(pages).toHaveLength(4);
    const { credits } = await list(client, 'people', { ...body, companies: namesOf(3) });
    expect(credits.spent).toBe(2 * PAGE_CREDITS);
  });

  it('may not exceed max_credits', async () => {
    const { client, pages } = await createScripted([25]);
    const body = { ...everybody, companies: namesOf(1), per_company: 25 };
    expect(await client.problem('POST', '/accounts/people', { ...body, max_credits: 19 })).toMatchObject({
      status: 409,
      code: 'price_changed',
      detail: 'The price changed from 19 to 20 credits.',
    });
    expect(pages).toEqual([]);
    expect((await list(client, 'people', { ...body, max_credits: 20 })).credits.spent).toBe(20);
    expect((await list(client, 'people', { ...body, max_credits: 0 })).credits.spent).toBe(0);
  });

  it('is paid with one read for each search, two for each page, and a call of each shard for each step', async () => {
    const companies = 20;
    const { client, pages, listBindingCalls } = await createScripted(Array(companies).fill(50));
    const body = { ...everybody, companies: namesOf(companies), per_company: 10 };
    const { accounts } = await list(client, 'people', body);
    expect(accounts.every(({ rows }) => rows.length === body.per_company)).toBe(true);
    expect(pages).toHaveLength((companies * body.per_company) / PAGE_SIZE);
    const reads = companies + 2 * pages.length;
    expect(listBindingCalls().length).toBeLessThan(reads + 3 * shards.length + OTHER_CALLS);
  });

  it('is charged once for simultaneous calls', async () => {
    const { client, pages } = await createScripted([5, 5]);
    const body = { ...everybody, companies: namesOf(2) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => list(client, 'people', body)));
    expect(answers.reduce((sum, { credits }) => sum + credits.spent, 0)).toBe(PAGE_CREDITS);
    expect(pages).toHaveLength(1);
  });

  longIt('is that of a page again for a lower maximum age', async () => {
    const { client, pages } = await createScripted([5]);
    const body = { ...everybody, companies: namesOf(1) };
    await list(client, 'people', body);
    clock.now += 5 * 60_000;
    expect((await list(client, 'people', { ...body, max_age_s: 600 })).credits.spent).toBe(0);
    expect((await list(client, 'people', { ...body, max_age_s: 60 })).credits.spent).toBe(PAGE_CREDITS);
    expect(pages).toHaveLength(2);
  });
});

describe('a company that fails', () => {
  it('has a problem, and the others have rows', async () => {
    const { client } = await createScripted([2, undefined, 0]);
    const companies = [...namesOf(3), 'https://linkedin.com/company/acme', ' '];
    const { accounts } = await list(client, 'people', { ...everybody, companies });
    expect(accounts.map(({ rows, problem }) => [rows.length, problem])).toEqual([
      [2, undefined],
      [0, 'provider_unavailable'],
      [0, 'not_found'],
      [0, 'invalid_key'],
      [0, 'invalid_key'],
    ]);
  });

  it('has the rows that the budget allows', async () => {
    const { client, team, pages } = await createScripted([20, 20]);
    await getLedger(env, team).setBudget({ caps: { day: PAGE_CREDITS } });
    const body = { ...everybody, companies: namesOf(2), per_company: 20 };
    const { accounts, credits } = await list(client, 'people', body);
    expect(accounts.map(({ rows, problem }) => `${rows.length} ${problem}`).toSorted()).toEqual([
      '0 over_budget',
      '20 undefined',
    ]);
    expect(credits.spent).toBe(PAGE_CREDITS);
    expect(pages).toHaveLength(1);
  });

  it('is pending if it could not be counted in time, and counts as most expensive', async () => {
    const { client } = await createScripted([5]);
    const body = { ...everybody, companies: namesOf(1), per_company: 25, wait_ms: 0 };
    expect(await estimate(client, body)).toMatchObject({
      accounts: [{ rows: 0, problem: 'pending' }],
      credits: 2 * PAGE_CREDITS,
    });
    expect((await list(client, 'people', body)).accounts).toMatchObject([{ problem: 'pending' }]);
  });

  it('keeps pages from being bought for others, if the caller wants only complete answers', async () => {
    const { client, pages } = await createScripted([5, 5]);
    await estimate(client, { ...everybody, companies: namesOf(1) });
    const body = { ...everybody, companies: namesOf(2), wait_ms: 0, only_complete: true };
    const { accounts, credits } = await list(client, 'people', body);
    expect(accounts.map(({ total, problem }) => [total, problem])).toEqual([
      [5, undefined],
      [0, 'pending'],
    ]);
    expect([credits.spent, pages.length]).toEqual([0, 0]);
  });
});

describe('a call is rejected before any purchase', () => {
  it.each([
    ['an unknown query field', { text: 'titel:x' }, 'unknown_field'],
    ['an unknown column', { ...everybody, fields: ['nmae'] }, 'unknown_field'],
    ['too many rows', { ...everybody, companies: namesOf(21), per_company: 100 }, 'invalid_request'],
    ['no company', { ...everybody, companies: [] }, 'invalid_request'],
    ['filters that people lack', { filters: { title: 'x' } }, 'invalid_request'],
  ])('for %s', async (_, body, code) => {
    const { client, searches, pages } = await createScripted([1]);
    const whole = { companies: namesOf(1), ...body };
    expect(await client.problem('POST', '/accounts/people', whole)).toMatchObject({ status: 422, code });
    expect(await client.problem('POST', '/accounts/people/estimate', whole)).toMatchObject({ code });
    expect([searches, pages]).toEqual([[], []]);
  });

  it('for a job filter on companies', async () => {
    const { client } = await createScripted([1]);
    const body = { filters: { company_domain: 'x.com' }, companies: namesOf(1) };
    expect(await client.problem('POST', '/accounts/jobs', body)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('company_domain'),
    });
  });

  it('for an unknown list and a token without previews', async () => {
    const { client } = await createScripted([1]);
    const body = { ...everybody, companies: namesOf(1) };
    expect(await client.problem('POST', '/accounts/posts', body)).toMatchObject({ code: 'not_found' });
    const limited = await createClient(newTeam(), { operations: ['search'] });
    for (const path of ['/accounts/people', '/accounts/people/estimate'])
      expect(await limited.problem('POST', path, body)).toMatchObject({ code: 'forbidden_scope' });
  });

  it('for a query that the provider refuses, with its message', async () => {
    const at = createGateway(
      () => Response.json({ detail: 'Failed to parse query [(x]' }, { status: 422 }),
      newTeam(),
    );
    const client = await createClient(newTeam(), {}, at);
    const body = { text: '(x', companies: namesOf(3) };
    expect(await client.problem('POST', '/accounts/people', body)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('Failed to parse query'),
    });
  });
});

describe('counts', () => {
  const count = (client: ApiClient, body: Partial<AccountCountsRequest>) =>
    client.ok<AccountCountsResponse>('POST', '/accounts/people/counts', body);

  it('are free, one for each company, and kept', async () => {
    const { client, team, searches, pages } = await createScripted([7, undefined, 0]);
    const companies = [...namesOf(3), ' ', 'https://www.c1.example'];
    const body = { ...everybody, companies };
    const { accounts } = await count(client, body);
    expect(accounts).toEqual([
      { company: 'c1.example', total: 7 },
      { company: 'c2.example', total: 0, problem: 'provider_unavailable' },
      { company: 'c3.example', total: 0 },
      { company: ' ', total: 0, problem: 'invalid_key' },
      { company: 'https://www.c1.example', total: 7 },
    ]);
    const sent = searches.length;
    await count(client, { ...body, companies: namesOf(1) });
    expect(searches).toHaveLength(sent);
    expect(pages).toEqual([]);
    expect(await getLedger(env, team).getBudget()).toMatchObject({ spent: { day: 0 } });
  });

  longIt('of many companies take one read for a hundred, and a call of each shard', async () => {
    const companies = 101;
    const { client, listBindingCalls } = await createScripted(Array(companies).fill(1));
    const { accounts } = await count(client, { ...everybody, companies: namesOf(companies) });
    expect(accounts.every(({ total }) => total === 1)).toBe(true);
    expect(listBindingCalls().length).toBeLessThan(2 + shards.length + OTHER_CALLS);
  });

  it('that are late are pending', async () => {
    const { client } = await createScripted([5]);
    const { accounts } = await count(client, { ...everybody, companies: namesOf(1), wait_ms: 0 });
    expect(accounts).toEqual([{ company: 'c1.example', total: 0, problem: 'pending' }]);
  });

  it('need the scope of searches, known fields and at most 1,000 companies', async () => {
    const { client, searches } = await createScripted([1]);
    const path = '/accounts/people/counts';
    const body = { ...everybody, companies: namesOf(1) };
    const limited = await createClient(newTeam(), { operations: ['collect'] });
    expect(await limited.problem('POST', path, body)).toMatchObject({ code: 'forbidden_scope' });
    expect(await client.problem('POST', path, { companies: namesOf(1), text: 'titel:x' })).toMatchObject({
      code: 'unknown_field',
    });
    const tooMany = { ...body, companies: namesOf(1001) };
    expect(await client.problem('POST', path, tooMany)).toMatchObject({ code: 'invalid_request' });
    expect(searches).toEqual([]);
  });
});
