// Access to runs, saved searches and tables: limited to the team and the token's families.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { type ApiCall, type ApiClient, createClient, createTokenClient } from './callers.ts';
import { countRows, newId, newRun, newTeam, putTable, validSearch, validTable } from './fixtures.ts';

interface Resource {
  name: 'runs' | 'searches' | 'tables';
  /** Creates an object. The server chooses the id of a saved search. */
  create: (client: ApiClient, id: string) => Promise<{ id: string }>;
  listCreations: () => ApiCall[];
  listCalls: (id: string) => ApiCall[];
}

const resources: Resource[] = [
  {
    name: 'runs',
    create: (client, id) => client.ok('POST', '/runs', newRun({ id })),
    listCreations: () => [['POST', '/runs', newRun()]],
    listCalls: () => [],
  },
  {
    name: 'searches',
    create: (client) => client.ok('POST', '/searches', validSearch),
    listCreations: () => [['POST', '/searches', { ...validSearch, name: 'Other' }]],
    listCalls: (id) => [
      ['GET', `/searches/${id}`],
      ['PUT', `/searches/${id}`, validSearch],
      ['DELETE', `/searches/${id}`],
    ],
  },
  {
    name: 'tables',
    create: (client, id) => putTable(client, {}, id),
    listCreations: () => [['PUT', `/tables/${newId()}`, validTable]],
    listCalls: (id) => [
      ['GET', `/tables/${id}`],
      ['DELETE', `/tables/${id}`],
      ['GET', `/tables/${id}/runs/${newId()}/rows`],
    ],
  },
];

describe.each(resources)('$name', ({ name, create, listCreations, listCalls }) => {
  const count = async (client: ApiClient): Promise<number | undefined> =>
    (await client.ok<Partial<Record<string, unknown[]>>>('GET', `/${name}`))[name]?.length;

  it('are limited to the team; other teams may use the same id', async () => {
    const team = newTeam();
    const [owner, other] = [await createClient(team), await createClient(newTeam())];
    const { id } = await create(owner, newId());
    for (const call of listCalls(id)) {
      expect(await other.problem(...call)).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect([await count(other), await count(await createClient(team))]).toEqual([0, 1]);
    await create(other, id);
    expect([await count(other), await count(owner)]).toEqual([1, 1]);
  });

  it('require a token with the family', async () => {
    const team = newTeam();
    const { id } = await create(await createClient(team), newId());
    const jobs = await createClient(team, { families: ['job_base'] });
    for (const call of [...listCreations(), ...listCalls(id)]) {
      expect(await jobs.problem(...call)).toMatchObject({ status: 403, code: 'forbidden_scope' });
    }
    expect(await count(jobs)).toBe(0);
    const nobody = createTokenClient(undefined);
    for (const call of [['GET', `/${name}`] as ApiCall, ...listCreations()]) {
      expect(await nobody.problem(...call)).toMatchObject({ status: 401, code: 'unauthorised' });
    }
  });

  it('are deleted with the team', async () => {
    const team = newTeam();
    await create(await createClient(team), newId());
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
    const { request } = createGateway(buildCompanyResponse);
    expect((await request(`/admin/v1/teams/${team}`, { method: 'DELETE', headers })).status).toBe(204);
    expect(await countRows(name, team)).toBe(0);
  });
});

it('a table of a forbidden family cannot be replaced', async () => {
  const team = newTeam();
  const { id } = await putTable(await createClient(team));
  const jobs = await createClient(team, { families: ['job_base'] });
  const problem = await jobs.problem('PUT', `/tables/${id}`, { ...validTable, family: 'job_base' });
  expect(problem).toMatchObject({ status: 403, code: 'forbidden_scope' });
});
