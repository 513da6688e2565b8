// Saved searches: shared with the team or private to a token, with unique names.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { SavedSearch, SavedSearchRequest } from '../../../../shared/api/saved-searches.ts';
import { maxSavedSearches } from '../../../../shared/api/saved-searches.ts';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { type ApiClient, createClient, createToken, createTokenClient, getTokenId } from './callers.ts';
import { createTeamClient, newTeam, validSearch } from './fixtures.ts';

const save = (client: ApiClient, more: Partial<SavedSearchRequest> = {}): Promise<SavedSearch> =>
  client.ok('POST', '/searches', { ...validSearch, ...more });

async function listNames(client: ApiClient): Promise<string[]> {
  const { searches } = await client.ok<SheetsResponse<'listSearches'>>('GET', '/searches');
  return searches.map(({ name }) => name);
}

describe('a saved search', () => {
  it('is returned as it was saved', async () => {
    const client = await createTeamClient();
    const whole = {
      ...validSearch,
      family: 'company_base',
      query: { filters: { name: 'acme', employees_count_gte: 50 } },
      sort: 'last_updated',
      columns: ['name', 'funding_rounds[0].last_round_type'],
    } as const;
    const saved = await client.ok<SavedSearch>('POST', '/searches', whole);
    expect(saved).toEqual({
      ...whole,
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: saved.created_at,
    });
    expect(await client.ok('GET', `/searches/${saved.id}`)).toEqual(saved);
    expect(await client.ok('GET', '/searches')).toEqual({ searches: [saved] });
  });

  it('keeps its id and creation time when it is replaced', async () => {
    const client = await createTeamClient();
    const saved = await save(client, { columns: ['name'] });
    clock.now += 5000;
    const { columns: _, ...next } = {
      ...validSearch,
      columns: undefined,
      name: 'Brewers',
      query: { text: 'beer' },
    };
    const changed = await client.ok<SavedSearch>('PUT', `/searches/${saved.id}`, next);
    expect(changed).toEqual({
      ...next,
      id: saved.id,
      created_at: saved.created_at,
      updated_at: changed.updated_at,
    });
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(saved.updated_at));
    expect(await listNames(client)).toEqual(['Brewers']);
  });

  it('is gone after its deletion', async () => {
    const client = await createTeamClient();
    const { id } = await save(client);
    await client.ok('DELETE', `/searches/${id}`);
    expect(await listNames(client)).toEqual([]);
    for (const method of ['GET', 'DELETE']) {
      expect(await client.problem(method, `/searches/${id}`)).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
  });
});

describe('a name', () => {
  it('is unique for its owner, whatever its case', async () => {
    const client = await createTeamClient();
    await save(client);
    const refused = await client.problem('POST', '/searches', {
      ...validSearch,
      name: ' bAKERS ',
      query: { text: 'x' },
    });
    expect(refused).toMatchObject({ status: 409, code: 'name_taken', fix: expect.any(String) });
    const other = await save(client, { name: 'Brewers' });
    expect(await client.problem('PUT', `/searches/${other.id}`, validSearch)).toMatchObject({
      code: 'name_taken',
    });
    const { searches } = await client.ok<SheetsResponse<'listSearches'>>('GET', '/searches');
    expect(searches.map(({ name, query }) => [name, query])).toEqual([
      ['Bakers', validSearch.query],
      ['Brewers', validSearch.query],
    ]);
  });

  it('may repeat for the team, a token and another team', async () => {
    const team = newTeam();
    const client = await createClient(team);
    await save(client);
    await save(client, { shared: false });
    await save(await createClient(team), { shared: false });
    await save(await createTeamClient());
    expect(await listNames(client)).toEqual(['Bakers', 'Bakers']);
  });

  it('is saved once if it is sent several times at once', async () => {
    const client = await createTeamClient();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.call('POST', '/searches', validSearch)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await listNames(client)).toEqual(['Bakers']);
  });
});

describe('access', () => {
  it('a shared search is visible to the team, a private one to its token', async () => {
    const team = newTeam();
    const [one, other] = [await createClient(team), await createClient(team)];
    await save(one, { name: 'Ours' });
    const mine = await save(one, { name: 'Mine', shared: false });
    expect(await listNames(one)).toEqual(['Mine', 'Ours']);
    expect(await listNames(other)).toEqual(['Ours']);
    for (const [method, body] of [['GET'], ['PUT', validSearch], ['DELETE']] as const) {
      expect(await other.problem(method, `/searches/${mine.id}`, body)).toMatchObject({ status: 404 });
    }
    await one.ok('PUT', `/searches/${mine.id}`, { ...validSearch, name: 'Mine', shared: true });
    expect(await listNames(other)).toEqual(['Mine', 'Ours']);
  });

  it('requires a query operation to save', async () => {
    const team = newTeam();
    const collector = await createClient(team, { operations: ['collect'] });
    expect(await collector.problem('POST', '/searches', validSearch)).toMatchObject({
      code: 'forbidden_scope',
    });
    await save(await createClient(team, { operations: ['preview'] }));
  });
});

describe('deletion', () => {
  const remove = async (path: string): Promise<void> => {
    const { request } = createGateway(buildCompanyResponse);
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
    expect((await request(`/admin/v1${path}`, { method: 'DELETE', headers })).status).toBe(204);
  };
  const countSearches = async (team: string): Promise<number> =>
    (await env.DB.prepare('SELECT count(*) AS n FROM searches WHERE team_id = ?')
      .bind(team)
      .first<number>('n')) ?? 0;

  it('a revoked token deletes its private searches, a deleted team all', async () => {
    const team = newTeam();
    const token = await createToken(team);
    await save(createTokenClient(token), { shared: false });
    await save(createTokenClient(token));
    await remove(`/teams/${team}/tokens/${await getTokenId(team)}`);
    expect(await countSearches(team)).toBe(1);
    await remove(`/teams/${team}`);
    expect(await countSearches(team)).toBe(0);
  });
});

it('limits a team to 200 searches, even if they arrive at once', async () => {
  const team = newTeam();
  const client = await createClient(team);
  const insert = env.DB.prepare(
    `INSERT INTO searches (id, team_id, name, folded_name, family, query, created_at, updated_at)
       VALUES (?1, ?2, ?1, ?1, 'company_clean', '{"text":"a"}', 0, 0)`,
  );
  const before = Array.from({ length: maxSavedSearches - 3 }, () => insert.bind(crypto.randomUUID(), team));
  await env.DB.batch(before);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, place) =>
      client.call('POST', '/searches', { ...validSearch, name: `Last ${place}` }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(5).fill(409)]);
  expect(await listNames(client)).toHaveLength(maxSavedSearches);
  expect(await client.problem('POST', '/searches', { ...validSearch, name: 'One more' })).toMatchObject({
    code: 'too_many',
    fix: expect.any(String),
  });
});
