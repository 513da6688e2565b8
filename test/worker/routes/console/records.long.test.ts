// Records in the console: look-up, refresh, and erasure with a preview and a proof. Keys are never in an address.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ErasureList, ErasurePreview, RefusedKeyList } from '../../../../shared/api/admin-erasures.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { Browser } from './browser.ts';

const RECORDS = '/console/records';

let gateway: Gateway;
let browser: Browser;
let company = 0;
/** A website that no other test uses, because an erasure is permanent. */
let website = '';

beforeEach(async () => {
  gateway = createGateway(buildCompanyResponse);
  browser = new Browser({ fetch: gateway.request });
  await browser.signIn(env.ADMIN_TOKEN ?? '');
  company += 1;
  website = `console-records-77${company}.example`;
});

const buy = () => gateway.lookup({ family: 'company_clean', by: 'website', keys: [website] });

async function lookUp(key = website) {
  await browser.open(RECORDS);
  return browser.submit(RECORDS, { family: 'company_clean', key });
}

async function callAdmin<T>(path: string, body?: unknown): Promise<T> {
  const response = await gateway.request(`/admin/v1${path}`, {
    headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json<T>();
}

describe('a record', () => {
  it('needs a valid key, and the form keeps a wrong one as text', async () => {
    const { status, html } = await lookUp('"><script>alert(1)</script>');
    expect(status).toBe(400);
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;');
    expect(html).not.toContain('<script>alert');
  });
});

describe('an erasure', () => {
  const preview = () =>
    callAdmin<ErasurePreview>('/erasure-preview', { family: 'company_clean', key: website });

  it('is previewed in numbers without changing anything', async () => {
    await buy();
    // The record and its second key.
    await expect.poll(() => gateway.kv.writes).toBe(2);
    expect(await preview()).toMatchObject({ erased: false, keys: 2, cached: 2, rows: 0, more: false });
    expect(await preview()).toMatchObject({ erased: false, keys: 2, cached: 2 });
    expect(gateway.kv.writes).toBe(2);
    expect((await buy()).rows).toMatchObject([{ status: 'hit' }]);
  });

  it('is done after the preview, and leaves a proof and refused keys', async () => {
    await buy();
    await lookUp();
    const asked = await browser.submit(`${RECORDS}/erase/preview`);
    expect(asked.html).toMatch(/Keys that are refused from now on<\/dt><dd>2</);
    const { html, path } = await browser.submit(`${RECORDS}/erase`, { reference: 'T-9', requester: 'Legal' });
    expect(html).toMatch(/Reference<\/dt><dd>T-9<.*Requester<\/dt><dd>Legal</s);
    expect(path).toMatch(/^\/console\/records\/erasures\/[0-9a-f-]{36}\?notice=\/records\/erase$/);
    expect(html).toContain('Proof of erasure');
    expect(html).not.toContain(website);
    expect(html).toMatch(/Refused keys<\/dt><dd>[2-9]</);
    expect((await lookUp()).html).toContain('erased: every look-up of it is refused');
    expect(browser.html).not.toContain('Buy it again');
    expect((await buy()).rows).toMatchObject([{ problem: 'erased' }]);

    const [, id = ''] = /erasures\/([0-9a-f-]+)/.exec(path) ?? [];
    expect((await browser.open(`${RECORDS}/erasures`)).html).toContain(`/erasures/${id}"`);
    expect((await browser.open(`${RECORDS}/refused-keys`)).html).toContain(`/erasures/${id}"`);
    expect(await preview()).toMatchObject({ erased: true });
  });

  it('is listed in pages, the newest first, and so are refused keys', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b']) {
      gateway.clock.now += 1;
      const key = `${name}-${website}`;
      const { id } = await callAdmin<{ id: string }>('/erasures', { family: 'company_clean', key });
      ids.unshift(id);
    }
    const { erasures, next } = await callAdmin<ErasureList>('/erasures?limit=1');
    expect(erasures.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    const second = await callAdmin<ErasureList>(`/erasures?limit=1&after=${next}`);
    expect(second.erasures.map(({ id }) => id)).toEqual(ids.slice(1));

    const all = await callAdmin<RefusedKeyList>('/refused-keys?limit=100');
    expect(all.keys).toHaveLength(all.total);
    expect(all.keys.map(({ erasure }) => erasure)).toEqual(expect.arrayContaining(ids));
    const first = await callAdmin<RefusedKeyList>('/refused-keys?limit=1');
    const rest = await callAdmin<RefusedKeyList>(`/refused-keys?limit=100&after=${first.next}`);
    expect([...first.keys, ...rest.keys]).toEqual(all.keys);
  });
});
