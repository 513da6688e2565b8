// The tools of /mcp: prices first, charges within max_credits, and what the answers say.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { callMethod, callTool } from '../../../mcp-client.ts';
import { createGateway, type Gateway } from '../../harness.ts';
import { createToken } from '../sheets/callers.ts';
import { newTeam } from '../sheets/fixtures.ts';

const TOTAL = 90;
const PAGE_SIZE = 20;

interface Bench {
  gateway: Gateway;
  token: string;
  /** Paid calls: pages and records. */
  paid: string[];
}

/** Creates a caller, and a provider with 90 matches of every query. */
async function createBench(): Promise<Bench> {
  const paid: string[] = [];
  const headers = { 'x-total-results': String(TOTAL), 'x-total-pages': '5', 'x-snapshot-token': 'ranking' };
  const gateway = createGateway(async (key, request) => {
    const url = new URL(request.url);
    const body = await request.text();
    if (!url.pathname.includes('/search/')) {
      paid.push(key);
      return Response.json({ id: 7, name: `Name of ${key}`, websites_main: key });
    }
    if (url.pathname.endsWith('/preview')) {
      const page = Number(url.searchParams.get('page') ?? 1);
      paid.push(`page ${page}`);
      const { query } = z
        .object({ query: z.object({ terms: z.object({ id: z.array(z.number()) }).optional() }) })
        .parse(JSON.parse(body));
      const first = (page - 1) * PAGE_SIZE;
      const ids = query.terms?.id ?? Array.from({ length: PAGE_SIZE }, (_, at) => first + at + 1);
      return Response.json(
        ids.map((id) => ({ id, name: `C${id}`, full_name: `P${id}`, title: `J${id}` })),
        { headers },
      );
    }
    const limit = Number(url.searchParams.get('items_per_page') ?? PAGE_SIZE);
    return Response.json(
      Array.from({ length: limit }, (_, at) => at + 1),
      { headers },
    );
  });
  return { gateway, token: await createToken(newTeam()), paid };
}

const text = 'name:acme';
const everybody = { companies: ['c1.example', 'c2.example'] };

/** A call of each tool that can spend, its price and the number of paid calls. */
const spendingCalls: readonly [string, Record<string, unknown>, number, number][] = [
  ['search_companies', { text }, 10, 1],
  ['search_people', { text: 'full_name:jo', pages: 2 }, 20, 2],
  ['search_jobs', { text: 'title:baker' }, 10, 1],
  ['enrich_companies', { keys: ['a.example', 'b.example'] }, 20, 2],
  ['get_record', { family: 'company_clean', key: 'a.example' }, 10, 1],
  ['get_people_at_companies', { ...everybody, per_company: 5 }, 10, 1],
  ['match_companies', { companies: [{ name: 'C1' }] }, 10, 1],
];

describe('a tool that can spend', () => {
  for (const [name, args, price, calls] of spendingCalls) {
    it(`${name} buys nothing without max_credits, and charges its price with it, once`, async () => {
      const { gateway, token, paid } = await createBench();
      const estimate = await callTool(gateway, token, name, args);
      expect(estimate).toMatchObject({ spending: { price, charged: 0 } });
      expect(paid).toEqual([]);
      expect(await callTool(gateway, token, 'estimate_price', { tool: name, arguments: args })).toMatchObject(
        { spending: { price, charged: 0 } },
      );

      const bought = await callTool(gateway, token, name, { ...args, max_credits: price });
      expect(bought).toMatchObject({
        spending: { charged: price, cached_share: 0, remaining: 1000 - price },
      });
      expect(paid).toHaveLength(calls);

      const again = await callTool(gateway, token, name, { ...args, max_credits: price });
      expect(again).toMatchObject({ spending: { charged: 0, cached_share: 1 } });
      expect(await callTool(gateway, token, name, args)).toMatchObject({ spending: { price: 0 } });
      expect(paid).toHaveLength(calls);
    });

    it(`${name} never charges more than max_credits`, async () => {
      const { gateway, token, paid } = await createBench();
      for (const max of [0, price - 1]) {
        await callTool(gateway, token, name, { ...args, max_credits: max });
        const { spending } = z
          .object({ spending: z.object({ remaining: z.number() }) })
          .parse(await callTool(gateway, token, 'get_budget'));
        expect(1000 - spending.remaining).toBeLessThanOrEqual(max);
      }
      expect(paid.length * 10).toBeLessThan(price);
    });
  }
});

describe('an answer', () => {
  it('continues with its cursor, with at most 50 rows', async () => {
    const { gateway, token, paid } = await createBench();
    const rows: unknown[] = [];
    let cursor: string | undefined;
    do {
      const answer = await callTool(gateway, token, 'search_companies', {
        text,
        pages: 2,
        fields: ['name'],
        max_credits: 20,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const { data, cursor: next } = z
        .object({ data: z.object({ rows: z.array(z.unknown()).max(50) }), cursor: z.string().nullable() })
        .parse(answer);
      rows.push(...data.rows);
      cursor = next ?? undefined;
    } while (cursor !== undefined);
    expect(rows.map(String)).toEqual(Array.from({ length: 5 * PAGE_SIZE }, (_, at) => `C${at + 1}`));
    expect(paid).toHaveLength(5);
  });

  it('about people continues with the next companies', async () => {
    const { gateway, token } = await createBench();
    const args = { companies: ['a.example', 'b.example', 'c.example'], per_company: 25, max_credits: 100 };
    const first = await callTool(gateway, token, 'get_people_at_companies', args);
    expect(first).toMatchObject({ cursor: '2', data: { accounts: [{ total: TOTAL }, { total: TOTAL }] } });
    const next = { ...args, cursor: '2' };
    expect(await callTool(gateway, token, 'get_people_at_companies', next)).toMatchObject({
      cursor: null,
      data: { accounts: [{ company: 'c.example', total: TOTAL }] },
    });
    expect(await callTool(gateway, token, 'get_people_at_companies', { ...args, cursor: '9' })).toMatchObject(
      {
        error: expect.stringContaining('invalid_request: cursor'),
      },
    );
  });

  it('that is free charges nothing', async () => {
    const { gateway, token, paid } = await createBench();
    const counts = { list: 'people', companies: ['a.example'] };
    expect(await callTool(gateway, token, 'count_at_companies', counts)).toMatchObject({
      data: { accounts: [{ company: 'a.example', total: TOTAL }] },
      spending: { charged: 0 },
    });
    expect(await callTool(gateway, token, 'get_budget')).toMatchObject({ spending: { remaining: 1000 } });
    expect(paid).toEqual([]);
  });

  it('is a line of the ledger with its own source', async () => {
    const { gateway } = await createBench();
    const team = newTeam();
    const token = await createToken(team);
    await callTool(gateway, token, 'search_companies', { text, max_credits: 10 });
    // Charges are booked after the answer.
    await expect
      .poll(() => getLedger(env, team).listEntries({ after: 0, limit: 10 }))
      .toContainEqual(expect.objectContaining({ kind: 'charge', credits: 10, source: 'assistant' }));
  });

  it('of a token without the scope is its problem and what to do', async () => {
    const { gateway } = await createBench();
    const token = await createToken(newTeam(), { families: ['job_base'] });
    const result = await callTool(gateway, token, 'search_companies', { text, max_credits: 10 });
    expect(result).toMatchObject({ error: expect.stringMatching(/^forbidden_scope: .*company_clean/) });
  });
});

const toolSchema = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string().min(1),
      inputSchema: z.object({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()) }),
      outputSchema: z.object({ type: z.literal('object') }),
      annotations: z.object({ readOnlyHint: z.boolean(), destructiveHint: z.literal(false) }),
    }),
  ),
});

describe('the lists', () => {
  it('have every tool with its schemas; only those with max_credits can spend', async () => {
    const { gateway, token } = await createBench();
    const { tools } = toolSchema.parse(await callMethod(gateway, token, 'tools/list'));
    const names = tools.map(({ name }) => name);
    for (const [name] of spendingCalls) expect(names).toContain(name);
    for (const { inputSchema, annotations } of tools)
      if ('max_credits' in inputSchema.properties) expect(annotations.readOnlyHint).toBe(false);
    expect(tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name)).toEqual([
      'count_at_companies',
      'estimate_price',
      'get_budget',
    ]);
  });

  it('have resources with fields, prices and terms, and the prompt', async () => {
    const { gateway, token } = await createBench();
    const read = async (uri: string) =>
      JSON.stringify(await callMethod(gateway, token, 'resources/read', { uri }));
    expect(await read('cdapi://families/company_clean')).toContain('location_hq_country');
    expect(await read('cdapi://prices')).toContain('10 credits for a record');
    expect(await read('cdapi://data-terms')).toContain('do not disclose');
    const prompt = await callMethod(gateway, token, 'prompts/get', {
      name: 'build_prospect_list',
      arguments: { target: 'bakeries', people: 'owners', max_credits: '30' },
    });
    expect(JSON.stringify(prompt)).toContain('at most 30 credits');
  });
});
