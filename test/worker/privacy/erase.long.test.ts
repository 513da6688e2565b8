// Erasure by any key, from every store, with permanent refusal and proof; others are not affected.
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeyFormat } from '../../../shared/families/index.ts';
import type { RecordKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { MAX_PREFETCH_AGE_MS } from '../../../worker/gateway/cache/prefetch.ts';
import { lookup } from '../../../worker/gateway/lookup.ts';
import { isErasedKey } from '../../../worker/gateway/refusal-list/erasure-list.ts';
import { findErasure } from '../../../worker/gateway/refusal-list/erasure-repository.ts';
import { fetchPage } from '../../../worker/gateway/search-pages.ts';
import { shards } from '../../../worker/gateway/single-flight/client.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import { findCachedRecord } from '../../../worker/privacy/key-finder.ts';
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

/** Most tests share a provider, because the first erasure of each starts all its objects. */
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
    for (const shard of shards)
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
    expect(removed).toMatchObject({ pages: 2, kv: 2, single_flight: 2 });
    expect(await previews.listStoredKeys()).toEqual([]);
    const again = await fetchPage(buildPageRequest('preview'), previews.createContext('one'));
    expect(again).toMatchObject({ outcome: 'fetched', page: { items: { value: [{ id: other.id }] } } });
    expect(await getStatus('id', other.id, 'company_clean', previews)).toBe('fetched');
  });
});

describe('an erasure', () => {
  it('stores a proof with pseudonyms, counts and the time of completion', async () => {
    const company = newCompany();
    await getStatus('website', company.website);
    await waitForKv(company, 3);
    const key = toKey('id', company.id);
    const { id, at, completeAt, removed } = await erase(key, harness.createErasureContext());
    expect(Number(completeAt) - at).toBeGreaterThanOrEqual(120_000 + MAX_PREFETCH_AGE_MS);
    expect(removed).toEqual({ keys: 3, kv: 3, single_flight: 1, pages: 0, mentions: 0, rows: 0 });
    const proof = await env.DB.prepare('SELECT * FROM erasures WHERE id = ?').bind(id).first();
    expect(proof).toEqual({
      id,
      at,
      subject: 'company',
      request: null,
      allowed_at: null,
      removed: JSON.stringify(removed),
      complete_at: completeAt,
      // It contained the keys.
      work: null,
    });
    const { results } = await env.DB.prepare('SELECT * FROM erased_keys WHERE erasure_id = ?').bind(id).all();
    expect(results).toHaveLength(3);
    for (const { pseudonym } of results) expect(pseudonym).toMatch(/^[0-9a-f]{64}$/);
    expect(await isErasedKey(env, toKey('website', company.website))).toBe(true);
    expect(await isErasedKey(env, { ...key, family: 'company_base' })).toBe(true);
    expect(await isErasedKey(env, { ...key, family: 'employee_base' })).toBe(false);
  });

  it('is not certified if KV cannot be read', async () => {
    const company = newCompany();
    await getStatus('website', company.website);
    await waitForKv(company, 3);
    await harness.expireAnswers();
    captureErrorLog();
    harness.kv.failing = 'get';
    const context = harness.createErasureContext();
    expect(await erase(toKey('website', company.website), context)).toMatchObject({ completeAt: null });
    const RECORDS = interceptCalls(env.RECORDS, (method) => {
      if (method === 'get') throw new Error('KV is down');
    });
    const broken = harness.createErasureContext({ env: { ...env, RECORDS } });
    await expect(findCachedRecord(toKey('website', company.website), broken)).rejects.toThrow('KV');
  });

  it('that was interrupted is completed by the cron', async () => {
    const company = newCompany();
    await getStatus('shorthand_name', company.slug, 'company_base');
    await getStatus('shorthand_name', `old-${company.slug}`);
    await waitForKv(company, 2 + 3);
    captureErrorLog();
    harness.kv.failing = 'delete';
    const { id, completeAt } = await erase(toKey('website', company.website), harness.createErasureContext());
    expect(completeAt).toBe(null);
    expect(await findErasure(env.DB, id)).toMatchObject({ id, completeAt: null });
    expect((await listKvKeys(company)).length).toBeGreaterThan(0);
    delete harness.kv.failing;
    await harness.runErasures();
    expect((await findErasure(env.DB, id))?.completeAt).not.toBe(null);
    expect(await listKvKeys(company)).toEqual([]);
    expect(await getStatus('id', company.id)).toBe('erased');
    const { results } = await env.DB.prepare('SELECT 1 FROM erasures WHERE work IS NOT NULL').all();
    expect(results).toEqual([]);
  });
});
