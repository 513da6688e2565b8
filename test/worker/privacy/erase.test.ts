// Erasing: by any key, from every layer, refused from then on, with proof; and nobody else is touched.
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { KeyFormat } from '../../../shared/families/index.ts';
import type { RecordKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { lookup } from '../../../worker/gateway/lookup.ts';
import { isErasedKey } from '../../../worker/gateway/refusal-list/erasure-list.ts';
import { fetchPage } from '../../../worker/gateway/search-pages.ts';
import { erase, findCachedRecord } from '../../../worker/privacy/erase.ts';
import { buildPageRequest, buildWebsiteLookup, GatewayHarness } from '../gateway/harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, interceptCalls } from '../platform.ts';

/** Companies of which each test has its own: a refusal holds for every provider of a deployment. */
let companies = 0;

interface Company {
  id: number;
  website: string;
  slug: string;
}

const newCompany = (): Company => {
  companies += 1;
  return { id: companies, website: `website${companies}.com`, slug: `slug${companies}` };
};

const clean = ({ id, website, slug }: Company) => ({
  id,
  name: `name of ${website}`,
  websites_main: website,
  websites_professional_network: `https://x.com/company/${slug}`,
});
const base = ({ id, website, slug }: Company) => ({
  id,
  name: `name of ${website}`,
  website,
  company_shorthand_name: slug,
});

/** A provider that knows some companies by all their keys, and one by an old name. */
function houseOf(...all: Company[]): GatewayHarness {
  return new GatewayHarness((url) => {
    if (url.pathname.endsWith('/preview')) return Response.json(all.map(clean));
    const [, , , family = ''] = url.pathname.split('/');
    const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const found = all.find(({ id, website, slug }) =>
      [String(id), website, slug, `old-${slug}`].includes(key),
    );
    if (found === undefined) return Response.json({ detail: 'Company not found' }, { status: 404 });
    return Response.json(family === 'company_base' ? base(found) : clean(found));
  });
}

const keyOf = (kind: RecordKey['kind'], value: string | number): RecordKey => ({
  family: 'company_clean',
  kind,
  value: String(value),
});

/** What a caller gets for a key, in an isolate that remembers nothing. */
async function status(
  house: GatewayHarness,
  by: KeyFormat,
  key: string | number,
  family: 'company_clean' | 'company_base' = 'company_clean',
): Promise<string | undefined> {
  const request = { family, by, keys: [String(key)], fields: ['name'] };
  const { rows } = await lookup(request, house.createContext());
  return rows[0]?.problem ?? rows[0]?.status;
}

/** Has everything written down that is on its way to KV. */
const written = (house: GatewayHarness, entries: number) =>
  expect.poll(() => house.listStoredKeys()).toHaveLength(entries);

describe('somebody', () => {
  const kinds: [string, RecordKey['kind'], (one: Company) => string | number][] = [
    ['id', 'id', ({ id }) => id],
    ['website', 'website', ({ website }) => website],
    ['shorthand name', 'shorthand_name', ({ slug }) => slug],
  ];

  it.each(kinds)('is erased by the %s, though only another key was ever asked', async (_, kind, read) => {
    const [one, other] = [newCompany(), newCompany()];
    const house = houseOf(one, other);
    await lookup(
      { family: 'company_clean', by: 'shorthand_name', keys: [`old-${one.slug}`] },
      house.createContext(),
    );
    await lookup(buildWebsiteLookup([other.website]), house.createContext());
    await written(house, 3 + 3);
    // Flights forget after a while: then only KV knows.
    clock.now += 3_600_000;
    const { removed } = await erase(keyOf(kind, read(one)), house.createErasureContext());
    expect(removed).toMatchObject({ kv: 3, pages: 0 });
    const left = await house.listStoredKeys();
    expect(left).toEqual([
      `alias:company_clean:shorthand_name:${other.slug}`,
      `alias:company_clean:website:${other.website}`,
      `record:company_clean:id:${other.id}`,
    ]);
    const before = house.requests.length;
    for (const [, by, own] of kinds) {
      if (by !== 'verbatim') expect([by, await status(house, by, own(one))]).toEqual([by, 'erased']);
    }
    expect(house.requests).toHaveLength(before);
    expect(await status(house, 'website', other.website)).toBe('hit');
  });

  it.each([
    ['that flights know and KV does not yet', true],
    ['that stands in KV and in flights', false],
  ])('%s is gone from both at once, under every key that was asked', async (_, kvDown) => {
    const [one, other] = [newCompany(), newCompany()];
    const house = houseOf(one, other);
    if (kvDown) house.kv.failing = 'put';
    const context = house.createContext();
    for (const slug of [one.slug, `old-${one.slug}`]) {
      await lookup({ family: 'company_clean', by: 'shorthand_name', keys: [slug] }, context);
      // KV takes one write a second for a key.
      clock.now += 2000;
    }
    await lookup(buildWebsiteLookup([one.website, other.website]), context);
    if (!kvDown) await written(house, 4 + 3);
    await erase(keyOf('website', one.website), house.createErasureContext());
    const before = house.requests.length;
    expect(await status(house, 'shorthand_name', one.slug)).toBe('erased');
    expect(await status(house, 'id', one.id)).toBe('erased');
    // The old name stood in a flight's answer, which told whose it is.
    expect(await status(house, 'shorthand_name', `old-${one.slug}`)).toBe('erased');
    expect(await status(house, 'website', other.website)).toBe('hit');
    expect(house.requests).toHaveLength(before);
    expect((await house.listStoredKeys()).join()).not.toContain(String(one.website));
  });

  it('is erased in every family of the subject', async () => {
    const one = newCompany();
    const house = houseOf(one);
    await status(house, 'website', one.website);
    await status(house, 'shorthand_name', one.slug, 'company_base');
    await written(house, 3 + 2);
    await erase(keyOf('website', one.website), house.createErasureContext());
    expect(await house.listStoredKeys()).toEqual([]);
    expect(await status(house, 'shorthand_name', one.slug, 'company_base')).toBe('erased');
    expect(await status(house, 'id', one.id, 'company_base')).toBe('erased');
  });

  it('of whom nothing is remembered is refused all the same, under any key, when the provider tells who it is', async () => {
    const one = newCompany();
    const house = houseOf(one);
    await erase(keyOf('website', one.website), house.createErasureContext());
    expect(await status(house, 'website', one.website)).toBe('erased');
    expect(house.requests).toEqual([]);
    // Only the provider knows that this is the same.
    expect(await status(house, 'id', one.id)).toBe('erased');
    expect(house.requests).toHaveLength(1);
    expect(await status(house, 'id', one.id)).toBe('erased');
    expect(house.requests).toHaveLength(1);
    expect(await house.listStoredKeys()).toEqual([]);
  });

  it('is refused by a provider’s flights that were made anew or were never there', async () => {
    const one = newCompany();
    const house = houseOf(one);
    await erase(keyOf('website', one.website), house.createErasureContext());
    for (let shard = 0; shard < 64; shard += 1) {
      await evictDurableObject(env.SINGLE_FLIGHT.getByName(`${house.identity}:${shard}`));
    }
    expect(await status(house, 'website', one.website)).toBe('erased');
    const moved = houseOf(one);
    expect(await status(moved, 'website', one.website)).toBe('erased');
    expect([...house.requests, ...moved.requests]).toEqual([]);
  });

  it('leaves the previews in which they stand, and other previews stay', async () => {
    const [one, other] = [newCompany(), newCompany()];
    const house = houseOf(one, other);
    await fetchPage(buildPageRequest('preview'), house.createContext('one'));
    await fetchPage(buildPageRequest('preview', 'page=2'), house.createContext('two'));
    const strangers = houseOf(newCompany());
    await fetchPage(buildPageRequest('preview'), strangers.createContext());
    await written(house, 2);
    const { removed } = await erase(keyOf('shorthand_name', one.slug), house.createErasureContext());
    expect(removed).toMatchObject({ pages: 2, kv: 2, flights: 2 });
    expect(await house.listStoredKeys()).toEqual([]);
    const again = await fetchPage(buildPageRequest('preview'), house.createContext('one'));
    expect(again).toMatchObject({ outcome: 'fetched', page: { items: [{ id: other.id }] } });
    // Whoever stood beside them is not erased.
    expect(await status(house, 'id', other.id)).toBe('fetched');
  });
});

describe('an erasure', () => {
  it('is proven: who by pseudonyms only, when, how much, and by when it is gone everywhere', async () => {
    const one = newCompany();
    const house = houseOf(one);
    await status(house, 'website', one.website);
    await written(house, 3);
    const { id, at, goneEverywhereBy, removed } = await erase(
      keyOf('id', one.id),
      house.createErasureContext(),
    );
    expect(goneEverywhereBy - at).toBeGreaterThanOrEqual(120_000);
    expect(removed).toEqual({ keys: 3, kv: 3, flights: 1, pages: 0 });
    const proof = await env.DB.prepare('SELECT * FROM erasures WHERE id = ?').bind(id).first();
    expect(proof).toEqual({
      id,
      at,
      subject: 'company',
      removed: JSON.stringify(removed),
      gone_by: goneEverywhereBy,
    });
    const { results } = await env.DB.prepare('SELECT * FROM erased_keys WHERE erasure_id = ?').bind(id).all();
    expect(results).toHaveLength(3);
    for (const { pseudonym } of results) expect(pseudonym).toMatch(/^[0-9a-f]{64}$/);
    expect(await isErasedKey(env.DB, keyOf('website', one.website))).toBe(true);
    expect(await isErasedKey(env.DB, { ...keyOf('id', one.id), family: 'company_base' })).toBe(true);
    expect(await isErasedKey(env.DB, { ...keyOf('id', one.id), family: 'employee_base' })).toBe(false);
  });

  it('that can’t read KV proves nothing and says so', async () => {
    const one = newCompany();
    const house = houseOf(one);
    await status(house, 'website', one.website);
    await written(house, 3);
    const down = interceptCalls(env.RECORDS, (method) => {
      if (method === 'get') throw new Error('KV is down');
    });
    const erasing = house.createErasureContext({ env: { ...env, RECORDS: down } });
    await expect(erase(keyOf('website', one.website), erasing)).rejects.toThrow('KV');
    await expect(findCachedRecord(keyOf('website', one.website), erasing)).rejects.toThrow('KV');
  });

  it('that broke off in the middle is finished by the same call, whatever it had removed already', async () => {
    const one = newCompany();
    const house = houseOf(one);
    await status(house, 'shorthand_name', one.slug, 'company_base');
    await status(house, 'shorthand_name', `old-${one.slug}`);
    await written(house, 2 + 3);
    let deletes = 2;
    const breaking = interceptCalls(env.RECORDS, (method) => {
      if (method === 'delete') deletes -= 1;
      if (deletes < 0) throw new Error('KV is down');
    });
    const erasing = house.createErasureContext({ env: { ...env, RECORDS: breaking } });
    await expect(erase(keyOf('website', one.website), erasing)).rejects.toThrow('KV is down');
    expect((await house.listStoredKeys()).length).toBeGreaterThan(0);
    await erase(keyOf('website', one.website), house.createErasureContext());
    expect(await house.listStoredKeys()).toEqual([]);
    expect(await status(house, 'id', one.id)).toBe('erased');
  });

  it('waits for KV where it was written a moment ago', async () => {
    const one = newCompany();
    const house = houseOf(one);
    await status(house, 'website', one.website);
    await written(house, 3);
    const lines = captureErrorLog();
    const refused = new Set<string>();
    const pauses: number[] = [];
    const busy = interceptCalls(env.RECORDS, (method, [place]) => {
      if (method !== 'delete' || refused.has(String(place))) return;
      refused.add(String(place));
      throw new Error('KV DELETE failed: 429 Too Many Requests');
    });
    await erase(
      keyOf('id', one.id),
      house.createErasureContext({
        env: { ...env, RECORDS: busy },
        after: async (ms) => void pauses.push(ms),
      }),
    );
    expect(await house.listStoredKeys()).toEqual([]);
    expect(pauses.every((ms) => ms > 1000)).toBe(true);
    expect(lines).toMatchObject(Array(refused.size).fill({ event: 'kv_delete_failed', error: 'Error' }));
  });
});
