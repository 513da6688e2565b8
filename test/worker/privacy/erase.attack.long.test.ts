// Attacks on the privacy of an erased person or company: each was possible once.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family, KeyFormat } from '../../../shared/families/index.ts';
import { operations, type QueryOperation } from '../../../shared/operations.ts';
import { lookup } from '../../../worker/gateway/lookup.ts';
import { fetchPage } from '../../../worker/gateway/search-pages.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import { findCachedRecord } from '../../../worker/privacy/key-finder.ts';
import { buildPageRequest, GatewayHarness } from '../gateway/harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock } from '../platform.ts';

const OTHERS_POST = '7200000000000000002';

/** A person and a company of one test: erasures are permanent. */
interface World {
  harness: GatewayHarness;
  /** The shorthand name of Jane, and the id of her post. */
  jane: string;
  post: string;
  /** The website of Acme, and its id. */
  acme: string;
  acmeId: number;
}
let worlds = 0;

/** Builds the provider's records by family and key. */
function buildRecords({ jane, post, acme, acmeId }: Omit<World, 'harness'>): Record<string, DataRecord> {
  const janesUrl = `https://network.example/in/${jane}`;
  return {
    [`employee_clean/${jane}`]: {
      id: 500 + worlds,
      full_name: 'Jane Doe',
      websites_professional_network: janesUrl,
    },
    [`employee_post/${post}`]: {
      id: post,
      author_name: 'Jane Doe',
      author_profile_url: `${janesUrl}/`,
      article_body: 'Hello',
    },
    [`employee_post/${OTHERS_POST}`]: {
      id: OTHERS_POST,
      author_name: 'Max',
      author_profile_url: 'https://network.example/in/max',
      comments: [
        { author_name: 'Jane Doe', author_profile_url: janesUrl, comment: 'Great' },
        { author_name: 'Anna', author_profile_url: 'https://network.example/in/anna', comment: 'Nice' },
      ],
      mentions: [{ full_name: 'Jane Doe', url: janesUrl }],
    },
    'company_base/9': { id: 9, name: 'Other', company_featured_employees_collection: [{ url: janesUrl }] },
    [`company_clean/${acme}`]: { id: acmeId, name: 'Acme', websites_main: acme },
    'employee_base/9': {
      id: 9,
      full_name: 'Max',
      experience: [
        { title: 'Engineer', company_name: 'Acme', company_website: `https://www.${acme}` },
        { title: 'Trainee', company_name: 'Beta', company_website: 'beta.example' },
      ],
    },
    'job_base/3': { id: 3, title: 'Baker', company_name: 'Acme', job_company_website: acme },
  };
}

function createWorld(): World {
  worlds += 1;
  const names = {
    jane: `jane-doe-${worlds}`,
    post: `73000000000000000${10 + worlds}`,
    acme: `acme${worlds}.example`,
    acmeId: 700 + worlds,
  };
  const records = buildRecords(names);
  const harness = new GatewayHarness((url) => {
    const [, , , family = '', operation] = url.pathname.split('/');
    if (operation === 'search') return Response.json([4, names.acmeId, 1200]);
    const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const record = records[`${family}/${key}`];
    return record === undefined
      ? Response.json({ detail: 'Not found' }, { status: 404 })
      : Response.json(record);
  });
  return { harness, ...names };
}

/** Reads a record with all its fields. @returns the record as text, or the problem */
async function read(harness: GatewayHarness, family: Family, by: KeyFormat, key: string): Promise<string> {
  const request = { family, by, keys: [key], fields: ['*'] };
  const { rows } = await lookup(request, harness.createContext());
  return rows[0]?.problem ?? JSON.stringify(rows[0]);
}

const eraseJane = ({ harness, jane }: World) =>
  erase({ family: 'employee_clean', kind: 'shorthand_name', value: jane }, harness.createErasureContext());
const eraseAcme = ({ harness, acme }: World) =>
  erase({ family: 'company_clean', kind: 'website', value: acme }, harness.createErasureContext());

/** Lets the single flights forget their answers, so that only KV has them. */
async function expireAnswers(harness: GatewayHarness, kvEntries: number): Promise<void> {
  await expect.poll(() => harness.listStoredKeys()).toHaveLength(kvEntries);
  await harness.expireAnswers();
}

it.each([
  ['right after it was bought', false],
  ['an hour later, when only KV has it', true],
])('reading a post of an erased person %s: refused without a call', async (_, isLate) => {
  const world = createWorld();
  const { harness } = world;
  await read(harness, 'employee_post', 'id', world.post);
  if (isLate) await expireAnswers(harness, 1);
  await eraseJane(world);
  const calls = harness.requests.length;
  expect(await read(harness, 'employee_post', 'id', world.post)).toBe('erased');
  expect(harness.requests).toHaveLength(calls);
  expect(await harness.listStoredKeys()).toEqual([]);
});

it('buying a post of an erased person that nobody had bought: refused, and charged once at most', async () => {
  const world = createWorld();
  const { harness } = world;
  await read(harness, 'employee_clean', 'shorthand_name', world.jane);
  await eraseJane(world);
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await read(harness, 'employee_post', 'id', world.post)).toBe('erased');
  expect(harness.requests.filter((request) => request.includes(world.post))).toHaveLength(1);
  expect(await harness.listStoredKeys()).toEqual([]);
});

it.each([
  ['right after they were bought', false],
  ['an hour later, when only KV has them', true],
])(
  'finding an erased person in records of others %s: removed from them, nothing bought again',
  async (_, isLate) => {
    const world = createWorld();
    const { harness } = world;
    await read(harness, 'employee_post', 'id', OTHERS_POST);
    await read(harness, 'company_base', 'id', '9');
    if (isLate) await expireAnswers(harness, 2);
    const { removed } = await eraseJane(world);
    expect(removed).toMatchObject({ mentions: 2 });
    const calls = harness.requests.length;
    const post = await read(harness, 'employee_post', 'id', OTHERS_POST);
    expect(post).toContain('Anna');
    expect(post).not.toMatch(/jane/i);
    expect(await read(harness, 'company_base', 'id', '9')).not.toMatch(/jane/i);
    expect(harness.requests).toHaveLength(calls);
  },
);

it('buying a record of somebody else that names an erased person: bought without them', async () => {
  const world = createWorld();
  const { harness } = world;
  await eraseJane(world);
  const post = await read(harness, 'employee_post', 'id', OTHERS_POST);
  expect(post).toContain('Anna');
  expect(post).not.toMatch(/jane/i);
  await expect.poll(() => harness.listStoredKeys()).toHaveLength(1);
  const [name = ''] = (await env.RECORDS.list({ prefix: `record:${harness.identity}:` })).keys.map(
    (key) => key.name,
  );
  expect(await env.RECORDS.get(name)).not.toMatch(/jane/i);
});

it('finding an erased company in experience and jobs: removed, and its jobs refused', async () => {
  const world = createWorld();
  const { harness } = world;
  await read(harness, 'company_clean', 'website', world.acme);
  await read(harness, 'employee_base', 'id', '9');
  await read(harness, 'job_base', 'id', '3');
  await eraseAcme(world);
  const calls = harness.requests.length;
  const person = await read(harness, 'employee_base', 'id', '9');
  expect(person).toContain('Beta');
  expect(person).not.toMatch(/acme/i);
  expect(await read(harness, 'job_base', 'id', '3')).toBe('erased');
  expect(harness.requests).toHaveLength(calls);
});

it('finding the id of an erased company in pages of search results: removed from old and new pages', async () => {
  const world = createWorld();
  const { harness } = world;
  const search = async (query: string) => {
    const page = await fetchPage(buildPageRequest('search', query), harness.createContext());
    return 'page' in page ? page.page.items.value : page.problem;
  };
  expect(await search('')).toEqual([4, world.acmeId, 1200]);
  await read(harness, 'company_clean', 'website', world.acme);
  await eraseAcme(world);
  expect(await search('')).toEqual([4, 1200]);
  expect(await search('items_per_page=3')).toEqual([4, 1200]);
});

it('KV fails while an erased person is removed from a young answer: nothing is certified until KV has lost them too', async () => {
  captureErrorLog();
  const world = createWorld();
  const { harness } = world;
  await read(harness, 'employee_post', 'id', OTHERS_POST);
  await expect.poll(() => harness.listStoredKeys()).toHaveLength(1);
  harness.kv.failing = 'put';
  expect(await eraseJane(world)).toMatchObject({ completeAt: null });
  delete harness.kv.failing;
  await harness.runErasures();
  const { results } = await env.DB.prepare('SELECT 1 FROM erasures WHERE work IS NOT NULL').all();
  expect(results).toEqual([]);
  const [{ name } = { name: '' }] = (await env.RECORDS.list({ prefix: `record:${harness.identity}:` })).keys;
  expect(await env.RECORDS.get(name)).not.toMatch(/jane/i);
});

it('an erased person is named by an answer that has expired: the answer goes, and its record can be bought', async () => {
  const world = createWorld();
  const { harness } = world;
  await read(harness, 'company_base', 'id', '9');
  await expect.poll(() => harness.listStoredKeys()).toHaveLength(1);
  clock.now += 400 * 86_400_000;
  await eraseJane(world);
  const company = await read(harness, 'company_base', 'id', '9');
  expect(company).toContain('Other');
  expect(company).not.toMatch(/jane/i);
});

it('erasing a company with the number of an employee: the employee can still be erased from search pages', async () => {
  const { harness, acmeId } = createWorld();
  const search = async () => {
    const { operation, ...request } = buildPageRequest('search');
    const employees = operations.find(
      (other): other is QueryOperation =>
        other.name === operation.name && other.family === 'employee_clean' && 'style' in other,
    );
    const page = await fetchPage({ ...request, operation: employees ?? operation }, harness.createContext());
    return 'page' in page ? page.page.items.value : page.problem;
  };
  expect(await search()).toEqual([4, acmeId, 1200]);
  for (const family of ['company_clean', 'employee_clean'] as const)
    await erase({ family, kind: 'id', value: String(acmeId) }, harness.createErasureContext());
  expect(await search()).toEqual([4, 1200]);
});

it('erasing a company whose website is a social network: other companies with that website stay', async () => {
  const small = { id: 81, name: 'Small', websites_main: 'https://facebook.com' };
  const harness = new GatewayHarness((url) =>
    Response.json(
      url.pathname.includes('/81') ? small : { id: 82, name: 'Large', websites_main: 'facebook.com' },
    ),
  );
  for (const id of ['81', '82']) await read(harness, 'company_clean', 'id', id);
  await erase({ family: 'company_clean', kind: 'id', value: '81' }, harness.createErasureContext());
  expect(await read(harness, 'company_clean', 'id', '81')).toBe('erased');
  expect(await read(harness, 'company_clean', 'id', '82')).toContain('Large');
});

it('one erasure can’t be completed: the others are', async () => {
  captureErrorLog();
  const [broken, healthy] = [createWorld(), createWorld()];
  await read(healthy.harness, 'employee_post', 'id', healthy.post);
  const { harness } = healthy;
  harness.kv.failing = 'delete';
  await eraseJane(healthy);
  delete harness.kv.failing;
  const { id } = await eraseJane(broken);
  await env.DB.prepare("UPDATE erasures SET work = '{}', at = 0 WHERE id = ?").bind(id).run();
  await harness.runErasures();
  const { results } = await env.DB.prepare('SELECT id FROM erasures WHERE work IS NOT NULL').all();
  expect(results).toEqual([{ id }]);
  await env.DB.prepare('UPDATE erasures SET work = NULL WHERE id = ?').bind(id).run();
});

it('looking up a company that names an erased person by another key, before KV has it: bought once', async () => {
  captureErrorLog();
  const world = createWorld();
  const { jane } = world;
  const executives = [{ professional_network_url: `https://network.example/in/${jane}` }];
  const harness = new GatewayHarness(() =>
    Response.json({ id: 90, name: 'B', websites_main: 'b.example', key_executives: executives }),
  );
  await eraseJane(world);
  harness.kv.failing = 'put';
  await read(harness, 'company_clean', 'website', 'b.example');
  // The object of the other key gets the answer without KV.
  const key = { family: 'company_clean', kind: 'id', value: '90' } as const;
  await expect.poll(() => findCachedRecord(key, harness.createErasureContext())).toBeDefined();
  expect(await read(harness, 'company_clean', 'id', '90')).toContain('"B"');
  expect(harness.requests).toHaveLength(1);
});
