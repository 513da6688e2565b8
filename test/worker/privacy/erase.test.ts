// Erasure by any key, from every store, with permanent refusal and proof; others are not affected.
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeyFormat } from '../../../shared/families/index.ts';
import type { RecordKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { lookup } from '../../../worker/gateway/lookup.ts';
import { isErasedKey } from '../../../worker/gateway/refusal-list/erasure-list.ts';
import { fetchPage } from '../../../worker/gateway/search-pages.ts';
import { erase, findCachedRecord } from '../../../worker/privacy/erase.ts';
import { buildPageRequest, buildWebsiteLookup, GatewayHarness } from '../gateway/harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, interceptCalls } from '../platform.ts';

interface Company {
  id: number;
  website: string;
  slug: string;
}

/** Each test uses other companies, because an erasure is permanent. Ids have three digits, so none contains another. */
let nextId = 101;
const newCompany = (): Company => {
  const id = nextId++;
  return { id, website: `website${id}.com`, slug: `slug${id}` };
};

const buildCleanRecord = ({ id, website, slug }: Company) => ({
  id,
  name: `name of ${website}`,
  websites_main: website,
  websites_professional_network: `https://x.com/company/${slug}`,
});
const buildBaseRecord = ({ id, website, slug }: Company) => ({
  id,
  name: `name of ${website}`,
  website,
  company_shorthand_name: slug,
});

/** Creates a provider that knows every company by its keys and an old name. @param previewed - found by previews */
function createHarness(...previewed: Company[]): GatewayHarness {
  return new GatewayHarness((url) => {
    if (url.pathname.endsWith('/preview')) return Response.json(previewed.map(buildCleanRecord));
    const [, , , family = ''] = url.pathname.split('/');
    const key = url.searchParams.get('website') ?? decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const id = Number(/^(?:website|slug|old-slug)?(\d{3})(?:\.com)?$/.exec(key)?.[1]);
    const company = { id, website: `website${id}.com`, slug: `slug${id}` };
    return Response.json(family === 'company_base' ? buildBaseRecord(company) : buildCleanRecord(company));
  });
}

/** Most tests share a provider, because the first erasure of each starts 64 objects. */
const harness = createHarness();
beforeEach(() => {
  delete harness.kv.failing;
});

const toKey = (kind: RecordKey['kind'], value: string | number): RecordKey => ({
  family: 'company_clean',
  kind,
  value: String(value),
});

/** Looks up a key without cached answers in memory. @returns the status or problem */
async function getStatus(
  by: KeyFormat,
  key: string | number,
  family: 'company_clean' | 'company_base' = 'company_clean',
  gateway = harness,
): Promise<string | undefined> {
  const request = { family, by, keys: [String(key)], fields: ['name'] };
  const { rows } = await lookup(request, gateway.createContext());
  return rows[0]?.problem ?? rows[0]?.status;
}

/** Lists the keys of a company in KV. */
async function listKvKeys({ id }: Company): Promise<string[]> {
  return (await harness.listStoredKeys()).filter((key) => key.includes(String(id)));
}

/** Waits for pending KV writes of a company. */
const waitForKv = (company: Company, count: number) =>
  expect.poll(() => listKvKeys(company)).toHaveLength(count);

describe('an erased company', () => {
  it.each<[RecordKey['kind'], (company: Company) => string | number]>([
    ['id', ({ id }) => id],
    ['website', ({ website }) => website],
    ['shorthand_name', ({ slug }) => slug],
  ])('is deleted by %s even if only another key was requested', async (kind, getKey) => {
    const [erased, other] = [newCompany(), newCompany()];
    await getStatus('shorthand_name', `old-${erased.slug}`);
    await lookup(buildWebsiteLookup([other.website]), harness.createContext());
    await waitForKv(erased, 3);
    await waitForKv(other, 3);
    // Single flights have deleted their answers by then.
    clock.now += 3_600_000;
    const { removed } = await erase(toKey(kind, getKey(erased)), harness.createErasureContext());
    expect(removed).toMatchObject({ kv: 3, pages: 0 });
    expect(await listKvKeys(erased)).toEqual([]);
    expect(await listKvKeys(other)).toHaveLength(3);
    const calls = harness.requests.length;
    expect([
      await getStatus('id', erased.id),
      await getStatus('website', erased.website),
      await getStatus('shorthand_name', erased.slug),
    ]).toEqual(['erased', 'erased', 'erased']);
    expect(harness.requests).toHaveLength(calls);
    expect(await getStatus('website', other.website)).toBe('hit');
  });

  it.each([
    ['only in single flights', true],
    ['in KV and single flights', false],
  ])('that is cached %s is deleted under every requested key', async (_, isKvDown) => {
    const [erased, other] = [newCompany(), newCompany()];
    if (isKvDown) harness.kv.failing = 'put';
    const context = harness.createContext();
    for (const slug of [erased.slug, `old-${erased.slug}`]) {
      await lookup({ family: 'company_clean', by: 'shorthand_name', keys: [slug] }, context);
      // KV allows one write per second and key.
      clock.now += 2000;
    }
    await lookup(buildWebsiteLookup([erased.website, other.website]), context);
    if (!isKvDown) await waitForKv(erased, 4);
    await erase(toKey('website', erased.website), harness.createErasureContext());
    const calls = harness.requests.length;
    expect(await getStatus('shorthand_name', erased.slug)).toBe('erased');
    expect(await getStatus('id', erased.id)).toBe('erased');
    expect(await getStatus('shorthand_name', `old-${erased.slug}`)).toBe('erased');
    expect(await getStatus('website', other.website)).toBe('hit');
    expect(harness.requests).toHaveLength(calls);
    expect(await listKvKeys(erased)).toEqual([]);
  });

  it('is deleted in every family of the subject', async () => {
    const company = newCompany();
    await getStatus('website', company.website);
    await getStatus('shorthand_name', company.slug, 'company_base');
    await waitForKv(company, 3 + 2);
    await erase(toKey('website', company.website), harness.createErasureContext());
    expect(await listKvKeys(company)).toEqual([]);
    expect(await getStatus('shorthand_name', company.slug, 'company_base')).toBe('erased');
    expect(await getStatus('id', company.id, 'company_base')).toBe('erased');
  });

  it('that was never cached is refused as soon as an answer identifies it', async () => {
    const company = newCompany();
    await erase(toKey('website', company.website), harness.createErasureContext());
    const calls = harness.requests.length;
    expect(await getStatus('website', company.website)).toBe('erased');
    expect(harness.requests).toHaveLength(calls);
    // Only the provider knows that the id belongs to the website.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await getStatus('id', company.id)).toBe('erased');
      expect(harness.requests).toHaveLength(calls + 1);
    }
    expect(await listKvKeys(company)).toEqual([]);
  });

  it('is refused by restarted single flights and by those of another provider', async () => {
    const company = newCompany();
    await erase(toKey('website', company.website), harness.createErasureContext());
    const calls = harness.requests.length;
    for (let shard = 0; shard < 64; shard += 1)
      await evictDurableObject(env.SINGLE_FLIGHT.getByName(`${harness.identity}:${shard}`));
    expect(await getStatus('website', company.website)).toBe('erased');
    const otherProvider = createHarness();
    expect(await getStatus('website', company.website, 'company_clean', otherProvider)).toBe('erased');
    expect([harness.requests.length, otherProvider.requests]).toEqual([calls, []]);
  });

  it('is deleted with the previews that contain it', async () => {
    const [erased, other] = [newCompany(), newCompany()];
    const previews = createHarness(erased, other);
    await fetchPage(buildPageRequest('preview'), previews.createContext('one'));
    await fetchPage(buildPageRequest('preview', 'page=2'), previews.createContext('two'));
    await expect.poll(() => previews.listStoredKeys()).toHaveLength(2);
    const { removed } = await erase(toKey('shorthand_name', erased.slug), previews.createErasureContext());
    expect(removed).toMatchObject({ pages: 2, kv: 2, flights: 2 });
    expect(await previews.listStoredKeys()).toEqual([]);
    const again = await fetchPage(buildPageRequest('preview'), previews.createContext('one'));
    expect(again).toMatchObject({ outcome: 'fetched', page: { items: [{ id: other.id }] } });
    expect(await getStatus('id', other.id, 'company_clean', previews)).toBe('fetched');
  });
});

describe('an erasure', () => {
  it('stores a proof with pseudonyms, counts and the time of completion', async () => {
    const company = newCompany();
    await getStatus('website', company.website);
    await waitForKv(company, 3);
    const key = toKey('id', company.id);
    const { id, at, goneEverywhereBy, removed } = await erase(key, harness.createErasureContext());
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
    expect(await isErasedKey(env.DB, toKey('website', company.website))).toBe(true);
    expect(await isErasedKey(env.DB, { ...key, family: 'company_base' })).toBe(true);
    expect(await isErasedKey(env.DB, { ...key, family: 'employee_base' })).toBe(false);
  });

  /** Creates a context whose KV calls a hook first. */
  const withKvHook = (hook: Parameters<typeof interceptCalls>[1]) =>
    harness.createErasureContext({ env: { ...env, RECORDS: interceptCalls(env.RECORDS, hook) } });

  it('fails if KV cannot be read', async () => {
    const company = newCompany();
    await getStatus('website', company.website);
    await waitForKv(company, 3);
    const context = withKvHook((method) => {
      if (method === 'get') throw new Error('KV is down');
    });
    await expect(erase(toKey('website', company.website), context)).rejects.toThrow('KV');
    await expect(findCachedRecord(toKey('website', company.website), context)).rejects.toThrow('KV');
  });

  it('that was interrupted is completed by repeating it', async () => {
    const company = newCompany();
    await getStatus('shorthand_name', company.slug, 'company_base');
    await getStatus('shorthand_name', `old-${company.slug}`);
    await waitForKv(company, 2 + 3);
    let deletions = 0;
    const context = withKvHook((method) => {
      if (method === 'delete') deletions += 1;
      if (deletions > 2) throw new Error('KV is down');
    });
    await expect(erase(toKey('website', company.website), context)).rejects.toThrow('KV is down');
    expect((await listKvKeys(company)).length).toBeGreaterThan(0);
    await erase(toKey('website', company.website), harness.createErasureContext());
    expect(await listKvKeys(company)).toEqual([]);
    expect(await getStatus('id', company.id)).toBe('erased');
  });

  it('retries deletions of keys that were just written', async () => {
    const company = newCompany();
    await getStatus('website', company.website);
    await waitForKv(company, 3);
    const errors = captureErrorLog();
    const refused = new Set<string>();
    const pauses: number[] = [];
    const context = withKvHook((method, [key]) => {
      if (method !== 'delete' || refused.has(String(key))) return;
      refused.add(String(key));
      throw new Error('KV DELETE failed: 429 Too Many Requests');
    });
    const sleep = async (ms: number) => void pauses.push(ms);
    await erase(toKey('id', company.id), { ...context, sleep });
    expect(await listKvKeys(company)).toEqual([]);
    expect(pauses.every((ms) => ms > 1000)).toBe(true);
    expect(errors).toMatchObject(Array(refused.size).fill({ event: 'kv_delete_failed', error: 'Error' }));
  });
});
