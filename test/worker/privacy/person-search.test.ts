// Searches for a person: what they find in all stores, that they end, and that terms and results stay secret.
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  maxPersonSearches,
  type PersonSearchView,
  personSearchHours,
} from '../../../shared/api/admin-person-searches.ts';
import { HOUR_MS } from '../../../shared/lib/durations.ts';
import { getPageKey } from '../../../worker/data-requests/ingest/page.ts';
import { toPageKvKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { toPage } from '../../../worker/gateway/cache/content.ts';
import { encodeEnvelope } from '../../../worker/gateway/cache/envelope.ts';
import { decryptStored } from '../../../worker/http/secrets.ts';
import { runPersonSearch } from '../../../worker/privacy/person-search/run-search.ts';
import { createGateway } from '../harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, consumedJobs, scriptedProviders, testPlatform } from '../platform.ts';
import { Browser } from '../routes/console/browser.ts';

const IDENTITY = 'person-search';
const profile = (name: string): string => `https://network.example/in/${name}`;
const job = (company_name: string, company_website: string, is_current: number) => ({
  title: `Baker at ${company_name}`,
  ...{ company_name, company_website, is_current },
});

/** Records of the provider, by key. */
const records: Readonly<Record<string, unknown>> = {
  'zoe-acme': {
    id: 901,
    full_name: 'Zoë Quillfeather',
    websites_professional_network: profile('zoe-acme'),
    headline: 'Bakes',
    location_full: 'Bern',
    experience: [job('Globex', 'globex.example', 0), job('Acme', 'acme-people.example', 1)],
  },
  'zoe-past': {
    id: 902,
    full_name: 'Quillfeather, Zoe Maria',
    websites_professional_network: profile('zoe-past'),
    experience: [job('Acme', 'acme-people.example', 0), job('Globex', 'globex.example', 1)],
  },
  'zoe-other': {
    id: 903,
    full_name: 'Zoe Quillfeather',
    websites_professional_network: profile('zoe-other'),
    experience: [job('Globex', 'globex.example', 1)],
  },
  'ben-acme': {
    id: 904,
    full_name: 'Ben Miller',
    websites_professional_network: profile('ben-acme'),
    experience: [job('Acme', 'acme-people.example', 1)],
  },
  '5001': {
    id: '5001',
    author_name: 'Ben Miller',
    author_profile_url: profile('ben-acme'),
    mentions: [{ full_name: 'Zoe Quillfeather', url: profile('zoe-mentioned') }],
    comments: [{ author_name: 'Zoë Quillfeather', author_profile_url: profile('zoe-acme') }],
  },
};

const gateway = createGateway((key) => Response.json(records[key]), IDENTITY);
const zoe = { name: 'zoe quillfeather', company: 'Acme', email: 'z.q@acme-people.example' };

const call = (method: string, path: string, body?: unknown) =>
  gateway.request(`/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function read<T>(response: Promise<Response>, status = 200): Promise<T> {
  const { status: actual } = await response.then((each) => each.clone());
  expect(actual).toBe(status);
  return (await response).json<T>();
}

const start = (terms: unknown) => read<PersonSearchView>(call('POST', '/person-searches', terms), 201);
const get = (id: string) => read<PersonSearchView>(call('GET', `/person-searches/${id}`));

/** A namespace that lists three entries at once, so that a search takes several parts. */
function listSlowly(onList: () => unknown): KVNamespace {
  const list = async (options: KVNamespaceListOptions) => {
    await onList();
    return env.RECORDS.list({ ...options, limit: 3 });
  };
  return new Proxy(env.RECORDS, {
    get: (kv, name) => {
      const value: unknown = name === 'list' ? list : Reflect.get(kv, name);
      return typeof value === 'function' ? value.bind(kv) : value;
    },
  });
}

/** Runs the job of a search. @param onList - is called before each list of entries */
function run(id: string, onList: () => unknown = () => {}): Promise<void> {
  const upstream = scriptedProviders.get(IDENTITY)?.upstream;
  if (upstream === undefined) throw new Error('The provider is not registered.');
  const platform = { ...testPlatform, sandbox: () => upstream };
  return runPersonSearch({ env: { ...env, RECORDS: listSlowly(onList) }, platform, waitUntil: () => {} }, id);
}

async function search(terms: unknown): Promise<PersonSearchView> {
  const { id } = await start(terms);
  await run(id);
  return get(id);
}

const listFound = ({ people }: PersonSearchView) =>
  people.map(({ key, employment }) => [key.value, employment]);

beforeAll(async () => {
  const keys = Object.keys(records).filter((key) => key !== '5001');
  await gateway.lookup({ family: 'employee_clean', by: 'shorthand_name', keys });
  await gateway.lookup({ family: 'employee_post', by: 'id', keys: ['5001'] });
  // Each person has a record and a second key.
  await vi.waitFor(() => expect(gateway.kv.writes).toBe(2 * keys.length + 1));
  const content = toPage([{ id: 901, full_name: 'Zoë Quillfeather', company_name: 'Acme' }], {});
  const until = clock.now + HOUR_MS;
  const page = encodeEnvelope({ content, fetchedAt: 0, freshUntil: until, keepUntil: until });
  await env.RECORDS.put(toPageKvKey(IDENTITY, 'preview:team:employee_clean:hash'), page);
  const line = JSON.stringify({ id: 901, full_name: 'Zoë Quillfeather', experience: [] });
  await env.ROWS.put(getPageKey('order', 0, 0), `${line}\n`);
  await env.DB.prepare("INSERT INTO request_rows VALUES ('order', '901', 'employee_base', 0, 0, 0, ?, '[]')")
    .bind(line.length + 1)
    .run();
});

beforeEach(async () => {
  // The Worker of the tests would run the jobs with the sandbox.
  consumedJobs.mayStart = false;
  await env.DB.prepare('DELETE FROM person_searches').run();
});

describe('a search', () => {
  it('finds a person in every store, and tells who was at the company, and who is elsewhere', async () => {
    const found = await search(zoe);
    expect(listFound(found)).toEqual([
      ['901', 'current'],
      ['902', 'past'],
      ['zoe-mentioned', 'unknown'],
      ['903', 'elsewhere'],
    ]);
    expect(found.people[0]).toMatchObject({
      name: 'Zoë Quillfeather',
      position: 'Baker at Acme',
      company: 'Acme',
      place: 'Bern',
      found: { cached: 1, rows: 1, mentions: 1, pages: 1 },
    });
  });

  it('says that it has read everything', async () => {
    const begun = await start(zoe);
    expect(begun).toMatchObject({ state: 'running', searched: 0, total: null });
    await run(begun.id);
    const { state, searched, total } = await get(begun.id);
    // Four people with two keys, a post, a page, and a row.
    expect({ state, searched, total }).toEqual({ state: 'complete', searched: 11, total: 11 });
  });

  it('compares the words and the domain of an address alone', async () => {
    const found = await search({ email: 'zoe.quillfeather@acme-people.example' });
    expect(found.compared).toEqual({ name: 'zoe quillfeather', companies: ['acme-people.example'] });
    expect(listFound(found).slice(0, 2)).toEqual([
      ['901', 'current'],
      ['902', 'past'],
    ]);
  });

  it('needs a name or an address', async () => {
    expect((await call('POST', '/person-searches', { company: 'Acme' })).status).toBe(422);
  });

  it('stops, keeps what it has found, and reads no more', async () => {
    const { id } = await start(zoe);
    let lists = 0;
    // Five lists count the entries, and the sixth one belongs to the first part of the search.
    await run(id, async () => {
      lists += 1;
      if (lists === 7) expect((await call('POST', `/person-searches/${id}/stop`)).status).toBe(200);
    });
    expect(lists).toBe(7);
    expect(await get(id)).toMatchObject({ state: 'stopped', searched: 3, total: 11 });
    await run(id, () => expect.unreachable());
  });

  it('is deleted some hours later, and there are only so many until then', async () => {
    const { id } = await search(zoe);
    for (let more = 1; more < maxPersonSearches; more += 1) await start(zoe);
    expect((await call('POST', '/person-searches', zoe)).status).toBe(409);
    clock.now += personSearchHours * HOUR_MS;
    expect((await call('GET', `/person-searches/${id}`)).status).toBe(404);
    await run(id);
    expect(await env.DB.prepare('SELECT count(*) AS count FROM person_searches').first('count')).toBe(0);
    clock.now -= personSearchHours * HOUR_MS;
  });
});

describe('the secrecy of a search', () => {
  it('has no term and no result in the audit log, the logs, or D1 in plain text', async () => {
    const lines = captureErrorLog();
    const { id } = await search(zoe);
    const stored = await env.DB.batch(
      ['audit', 'person_searches', 'jobs'].map((table) => env.DB.prepare(`SELECT * FROM ${table}`)),
    );
    const texts = JSON.stringify([stored.map(({ results }) => results), lines]);
    expect(texts).toContain(id);
    expect(texts).not.toMatch(/quillfeather|acme/i);
  });
});

it('the console finds a person, and goes on to the preview of the erasure and to the report', async () => {
  const browser = new Browser({ fetch: gateway.request });
  await browser.signIn(env.ADMIN_TOKEN ?? '');
  const records = '/console/records';
  await browser.open(records);
  const { status, html } = await browser.submit(`${records}/people`, { company: 'Acme' });
  expect(status).toBe(400);
  expect(html).toContain('value="Acme"');
  const email = 'zoe.quillfeather@acme-people.example';
  const begun = await browser.submit(`${records}/people`, { person_email: email });
  expect(begun.path).toMatch(/^\/console\/records\/people\/[0-9a-f-]{36}$/);
  expect(begun.html).toMatch(
    /zoe quillfeather \(the words before the @\).*data-live|data-live.*the words before the @/s,
  );
  await run(begun.path.split('/').at(-1) ?? '');
  const found = await browser.open(begun.path);
  expect(found.html).toContain('Searched 11 of 11 stored entries');
  expect(found.html).not.toContain('data-live');
  expect(found.html).toMatch(/Zoë Quillfeather.*works there.*worked there.*Same name at other companies: 1/s);
  const preview = await browser.submit(`${records}/erase/preview`);
  expect(preview.html).toMatch(/Erase this\?.*<code>901<.*Zoë Quillfeather/s);
  await browser.open(begun.path);
  const report = await browser.submit(`${records}/report`);
  expect(JSON.parse(report.html)).toMatchObject({
    keys: expect.arrayContaining([{ kind: 'id', value: '901' }]),
  });
});

it('a stop of a search that has ended changes nothing, and has no audit entry', async () => {
  const { id } = await search(zoe);
  expect((await call('POST', `/person-searches/${id}/stop`)).status).toBe(200);
  expect((await get(id)).state).toBe('complete');
  const entries = await env.DB.prepare('SELECT action FROM audit WHERE target = ?').bind(id).all();
  expect(entries.results).toEqual([{ action: 'subject.search' }]);
});

it('an erasure ends although a stored search can’t be decrypted, and deletes that search', async () => {
  const { id } = await start(zoe);
  await env.DB.prepare('UPDATE person_searches SET state = ? WHERE id = ?').bind('v1.AAAA', id).run();
  const erasure = await read<{ complete_at: string | null }>(
    call('POST', '/erasures', { family: 'employee_clean', key: '990001' }),
  );
  expect(erasure.complete_at).not.toBeNull();
  expect((await call('GET', `/person-searches/${id}`)).status).toBe(404);
});

// The last one: an erasure is permanent.
it('an erased person leaves the results of earlier searches, and later ones find nothing', async () => {
  const before = await search(zoe);
  expect((await call('POST', '/erasures', { family: 'employee_clean', key: '901' })).status).toBe(200);
  const state = await env.DB.prepare('SELECT state FROM person_searches').first<string>('state');
  const text = await decryptStored(env, state ?? '', `person_searches.state ${before.id}`);
  expect(text).toContain('zoe-past');
  expect(text).not.toContain('zoe-acme');
  const left = (await get(before.id)).people.map(({ key }) => key.value);
  expect(left).toEqual(['902', 'zoe-mentioned', '903']);
  expect(listFound(await search(zoe)).map(([key]) => key)).toEqual(left);
});
