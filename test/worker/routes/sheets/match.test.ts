// Company names to records: candidates, prices, decisions, checked records and names that fail.
import { env, exports as worker } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MeResponse } from '../../../../shared/api/account.ts';
import type { MatchEstimateResponse, MatchRequest, MatchResponse } from '../../../../shared/api/match.ts';
import { maxMatchNames } from '../../../../shared/limits.ts';
import { sourceHeader } from '../../../../shared/sources.ts';
import { pickCases } from '../../../pick-cases.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { put } from '../../sandbox/client.ts';
import { type ApiClient, createClient, createToken } from './callers.ts';
import { newTeam } from './fixtures.ts';

const PAGE_CREDITS = 10;
const RECORD_CREDITS = 10;

/** The deployed app with the sandbox. */
const withSandbox: Gateway = {
  ...createGateway(buildCompanyResponse),
  request: (path, init) => worker.default.fetch(`http://127.0.0.1${path}`, init),
};
const createSandboxClient = (): Promise<ApiClient> => createClient(newTeam(), {}, withSandbox);

const company = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  websites_main: `https://${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`,
  size_range: '51-200 employees',
  location_hq_country: 'Germany',
  location_hq_city: 'Berlin',
  ...more,
});

const toBody = (names: readonly string[], more: Partial<MatchRequest> = {}): MatchRequest => ({
  family: 'company_clean',
  companies: names.map((name) => ({ name })),
  ...more,
});
const match = (client: ApiClient, body: MatchRequest) => client.ok<MatchResponse>('POST', '/match', body);
const estimate = (client: ApiClient, body: MatchRequest) =>
  client.ok<MatchEstimateResponse>('POST', '/match/estimate', body);

/** What the team has reused today and this month. */
const getSaved = async (client: ApiClient) => (await client.ok<MeResponse>('GET', '/me')).saved;

/** State and id of the best candidate of each name. */
const summarise = ({ matches }: MatchResponse) =>
  Object.fromEntries(matches.map(({ name, state, candidates }) => [name, [state, candidates[0]?.id]]));

/** Records by id, and their country. The names are fictional. */
const records: Readonly<Record<string, readonly [name: string, country: string]>> = {
  941001: ['Nordlys', 'Denmark'],
  941007: ['Sao Mai', 'Vietnam'],
  941009: ['メルカドール', 'Japan'],
  941013: ['Miller & Sons Haulage', 'United Kingdom'],
  941016: ['České dráhy', 'Czechia'],
  941019: ['Đường Sắt Đỏ', 'Vietnam'],
  941020: ['Koltorp Bröd', 'Sweden'],
  941025: ['Gümüşoğlu Nakliyat', 'Turkey'],
  942001: ['ハンク フーズ', 'Japan'],
  942002: ['ハナテック', 'Japan'],
  942003: ['กสกร', 'Thailand'],
  942004: ['टट सटल', 'India'],
  942005: ['Meridian Growth Fund 2018', 'United States'],
  942006: ['Harbor Capital Fund II', 'United States'],
  942007: ['1234567 Ontario Inc', 'Canada'],
  942008: ['Riverbend Storage 1234', 'United States'],
  942009: ['Weave', 'United States'],
};

/** Spellings of the names of records. */
const spellings: readonly (readonly [id: string, names: string[]])[] = [
  ['941001', ['Nordlys A/S', 'Nordlys AS', 'NORDLYS a/s']],
  ['941007', ['Công ty TNHH Sao Mai', 'Công ty Cổ phần Sao Mai']],
  ['941009', ['（株）メルカドール', 'メルカドール（株）', '株式会社メルカドール']],
  ['941016', ['Ceske drahy', 'CESKE DRAHY, a. s.']],
  ['941020', ['Koltorp Brod', 'Koltorp Broed AB', 'Koltorp Bröd | Careers', 'Koltorp Bröd - Stockholm']],
  ['941025', ['Gumusoglu Nakliyat San. ve Tic. Ltd. Sti.', 'GÜMÜŞOĞLU NAKLİYAT']],
];

/** Spellings of countries beside a name. */
const countrySpellings = [
  ['941001', 'Nordlys', ['n/a', '-', 'Unknown', 'EMEA', 'Danmark', 'Dänemark', 'DK']],
  ['941013', 'Miller & Sons Haulage', ['England', 'UK', 'Großbritannien']],
  ['941019', 'Duong Sat Do', ['Vietnam', 'Việt Nam']],
  ['941016', 'ČESKÉ DRÁHY', ['Česko', 'Tschechien', 'Czech Republic']],
] as const;

beforeAll(() =>
  put('company_clean', [
    ...Object.entries(records).map(([id, [name, country]]) =>
      company(Number(id), name, {
        websites_main: `https://site-${id}.example`,
        location_hq_country: country,
      }),
    ),
    company(940_001, 'Quolora Foods GmbH'),
    company(940_002, 'Quolora Robotics'),
    company(940_003, 'Zyntrex Systems', { location_hq_country: 'United States' }),
    company(940_004, 'Zyntrex Systems', { location_hq_country: 'Japan' }),
    company(940_005, 'Vrandelux'),
    company(940_006, 'Mirdano Labs'),
    company(940_007, 'Pelvique Ostrava Looms'),
  ]),
);

describe('matching company names', () => {
  it('finds names with other legal forms, case, typing errors and abbreviations', async () => {
    const client = await createSandboxClient();
    const names = ['quolora foods', 'Quolora Robotics, Inc.', 'Vrandelxu', 'Quolora Robot.', 'Absentia Ltd'];
    expect(summarise(await match(client, toBody(names)))).toEqual({
      'quolora foods': ['match', '940001'],
      'Quolora Robotics, Inc.': ['match', '940002'],
      Vrandelxu: ['match', '940005'],
      'Quolora Robot.': ['match', '940002'],
      'Absentia Ltd': ['none', undefined],
    });
  });

  it.each(spellings)('finds the record %s for %j, in all spellings', async (id, names) => {
    const client = await createSandboxClient();
    const found = summarise(await match(client, toBody(names)));
    expect(found).toEqual(Object.fromEntries(names.map((name) => [name, ['match', id]])));
  });

  it.each(pickCases(countrySpellings, 1))(
    'finds the record %s for %s in a country of any spelling',
    async (id, name, countries) => {
      const client = await createSandboxClient();
      const companies = countries.map((country) => ({ name, country }));
      const { matches } = await match(client, { family: 'company_clean', companies });
      expect(matches.map(({ state, candidates }) => [state, candidates[0]?.id])).toEqual(
        countries.map(() => ['match', id]),
      );
    },
  );

  it('never accepts a lookalike, and buys no record of one', async () => {
    const client = await createSandboxClient();
    const names = [
      ...[
        'バンク フーズ',
        'パンク フーズ',
        'パナテック',
        'กสิกร',
        'टाटा स्टील',
        'Meridian Growth Fund 2019',
        'Wave',
      ],
      ...[
        'Harbor Capital Fund III',
        '1234568 Ontario Inc',
        'Riverbend Storage 1244',
        'AB Nordlys',
        'n/a',
        'Unknown',
      ],
    ];
    const { matches, credits } = await match(client, toBody(names, { fields: ['name'] }));
    expect(matches.filter(({ state }) => state === 'match')).toEqual([]);
    expect(credits.spent).toBeLessThanOrEqual(PAGE_CREDITS);
  });

  it('leaves companies of the same name to a person, unless the country decides', async () => {
    const client = await createSandboxClient();
    const { matches } = await match(client, toBody(['Zyntrex Systems']));
    expect(matches).toMatchObject([{ state: 'ambiguous', candidates: [{}, {}] }]);
    expect(matches[0]?.candidates[0]).toMatchObject({ name: 'Zyntrex Systems', size: '51-200 employees' });
    const companies = [{ name: 'Zyntrex Systems', country: 'jp' }];
    expect(summarise(await match(client, { family: 'company_clean', companies }))).toEqual({
      'Zyntrex Systems': ['match', '940004'],
    });
  });

  it('does not take a near name for the company', async () => {
    const client = await createSandboxClient();
    const states = summarise(await match(client, toBody(['Quolora', 'Vrandelux Holding Bank'])));
    expect(Object.values(states).map(([state]) => state)).not.toContain('match');
  });

  it('compares the candidates of all names on shared pages, at the price of the estimate, once', async () => {
    const client = await createSandboxClient();
    const body = toBody(['Quolora Foods', 'Vrandelux', 'Vrandelux', 'Absentia']);
    const price = { companies: 3, found: 2, candidates: 2, to_fetch: 1, comparison: PAGE_CREDITS };
    const records = 2 * RECORD_CREDITS;
    expect(await estimate(client, body)).toEqual({ ...price, records, is_exact: false, unfinished: 0 });
    const first = await match(client, body);
    expect(first.matches.map(({ state }) => state)).toEqual(['match', 'match', 'match', 'none']);
    expect(first.credits).toMatchObject({ spent: PAGE_CREDITS, saved: 0 });
    expect((await match(client, body)).credits).toMatchObject({ spent: 0, saved: PAGE_CREDITS });
    expect(await estimate(client, body)).toMatchObject({
      to_fetch: 0,
      comparison: 0,
      records,
      is_exact: true,
    });
  });

  it('of a formula without max_credits spends the limit once, for comparisons and records together', async () => {
    const team = newTeam();
    const token = await createToken(team);
    await env.DB.prepare('UPDATE teams SET formula_max_credits = ? WHERE id = ?')
      .bind(PAGE_CREDITS, team)
      .run();
    const response = await withSandbox.request('/sheets/v1/match', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, [sourceHeader]: 'formula' },
      body: JSON.stringify(toBody(['Quolora Foods'], { fields: ['name'] })),
    });
    const { matches, credits } = await response.json<MatchResponse>();
    expect([credits.spent, matches[0]?.problem]).toEqual([PAGE_CREDITS, 'confirm_price']);
  });

  it('buys the records of matches only, and then compares for free', async () => {
    const client = await createSandboxClient();
    const body = toBody(['Quolora Foods', 'Absentia'], { fields: ['name', 'location_hq_city'] });
    const { matches, credits } = await match(client, body);
    expect(matches).toMatchObject([
      { state: 'match', record: { name: 'Quolora Foods GmbH', location_hq_city: 'Berlin' } },
      { state: 'none' },
    ]);
    expect(matches[1]).not.toHaveProperty('record');
    expect(credits).toMatchObject({ spent: PAGE_CREDITS + RECORD_CREDITS });
    // The same names again: compared with the cached page, although a record has been bought since.
    const known = { to_fetch: 0, comparison: 0, records: 0, is_exact: true };
    const before = await getSaved(client);
    expect(await estimate(client, body)).toMatchObject(known);
    expect(await getSaved(client)).toEqual(before);
    expect((await match(client, body)).credits.spent).toBe(0);
    expect(await estimate(client, { ...body, max_age_s: 0 })).toMatchObject({ to_fetch: 1, is_exact: false });
    // Another name of the same company: its cached record has the facts.
    const other = toBody(['QUOLORA FOODS GMBH'], { fields: ['name'] });
    expect((await match(client, other)).credits).toMatchObject({ spent: 0, saved: RECORD_CREDITS });
  });

  it('spends at most what was shown', async () => {
    const client = await createSandboxClient();
    const body = toBody(['Quolora Robotics', 'Vrandelux'], { fields: ['name'] });
    const tooLow = await match(client, { ...body, max_credits: PAGE_CREDITS - 1 });
    expect(tooLow.matches.map(({ state, problem }) => [state, problem])).toEqual(
      Array(2).fill(['ambiguous', 'max_credits_reached']),
    );
    expect(tooLow.credits.spent).toBe(0);
    const { matches, credits } = await match(client, {
      ...body,
      max_credits: PAGE_CREDITS + RECORD_CREDITS,
    });
    expect(credits.spent).toBe(PAGE_CREDITS + RECORD_CREDITS);
    expect(matches.map(({ problem }) => problem ?? 'none').toSorted()).toEqual([
      'max_credits_reached',
      'none',
    ]);
  });

  it('spends nothing without previews, and checks the name of a bought record', async () => {
    const client = await createSandboxClient();
    const free = await match(client, toBody(['Mirdano Labs', 'Zyntrex Systems'], { previews: false }));
    expect(free.credits.spent).toBe(0);
    expect(free.matches.map(({ state }) => state)).toEqual(['ambiguous', 'ambiguous']);
    expect(free.matches[0]?.candidates[0]).toEqual({ id: '940006', confidence: expect.any(Number) });
    const right = await match(client, toBody(['Mirdano Labs'], { previews: false, fields: ['name'] }));
    expect(right.matches).toMatchObject([
      {
        state: 'match',
        confidence: 1,
        candidates: [{ name: 'Mirdano Labs' }],
        record: { name: 'Mirdano Labs' },
      },
    ]);
    const cached = await match(client, toBody(['mirdano labs'], { previews: false }));
    expect(cached.matches).toMatchObject([{ state: 'match', candidates: [{ id: '940006' }] }]);
    const wrong = toBody(['Ostrava Looms'], { previews: false, fields: ['name'] });
    const { matches, credits } = await match(client, wrong);
    expect(matches).toMatchObject([{ state: 'mismatch', candidates: [{ id: '940007' }] }]);
    expect(matches[0]).not.toHaveProperty('record');
    expect(credits.spent).toBe(RECORD_CREDITS);
    // The record is cached now: nobody pays for the mistake again.
    expect((await match(client, wrong)).matches[0]?.state).not.toBe('match');
    expect((await match(client, wrong)).credits.spent).toBe(0);
  });

  it('searches no address of a person', async () => {
    let calls = 0;
    const counting = createGateway(() => {
      calls += 1;
      return Response.json([]);
    });
    const client = await createClient(newTeam(), {}, counting);
    const { matches } = await match(client, toBody(['ada@mail.example']));
    const places = [
      { name: 'Acme', country: 'ada@mail.example' },
      { name: 'Acme', city: 'ada＠mail.example' },
    ];
    const placed = await match(client, { family: 'company_clean', companies: places });
    for (const row of [...matches, ...placed.matches])
      expect(row).toMatchObject({ state: 'none', problem: 'invalid_key' });
    expect(calls).toBe(0);
  });

  it('refuses bad bodies, and unknown fields before anything is bought', async () => {
    const client = await createSandboxClient();
    const problems = await Promise.all(
      [
        toBody([]),
        toBody(Array.from({ length: maxMatchNames + 1 }, (_, at) => `Name ${at}`)),
        { ...toBody(['Acme']), family: 'employee_clean' },
        toBody(['Acme'], { threshold: 1.5 }),
        toBody(['Acme'], { fields: ['no_such_field'] }),
      ].map(async (body) => (await client.problem('POST', '/match', body)).code),
    );
    expect(problems).toEqual([...Array(4).fill('invalid_request'), 'unknown_field']);
  });

  it('needs the scopes of what it does', async () => {
    const grant = { operations: ['search' as const] };
    const client = await createClient(newTeam(), grant, withSandbox);
    expect(await client.problem('POST', '/match', toBody(['Acme']))).toMatchObject({
      code: 'forbidden_scope',
    });
    expect(await match(client, toBody(['Absentia'], { previews: false }))).toMatchObject({
      matches: [{ state: 'none' }],
    });
    const buys = toBody(['Absentia'], { previews: false, fields: ['name'] });
    expect(await client.problem('POST', '/match', buys)).toMatchObject({ code: 'forbidden_scope' });
  });
});

describe('a provider that fails', () => {
  it('is reported for each name, and nothing is decided', async () => {
    const failing = createGateway(() => new Response('{}', { status: 503 }));
    const client = await createClient(newTeam(), {}, failing);
    const { matches, credits } = await match(client, toBody(['Acme Foods', 'Globex']));
    expect(matches).toMatchObject([
      { state: 'none', problem: 'provider_unavailable' },
      { state: 'none', problem: 'provider_unavailable' },
    ]);
    expect(credits.spent).toBe(0);
  });
});
