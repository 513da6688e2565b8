// CDAPI_BASE_URL and CDAPI_KEY: the gateway calls another provider over HTTP.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { LookupResponse } from '../../../shared/api/lookup.ts';
import { type Instance, startInstance } from '../../../worker/commands/instance/instance.ts';
import type { Session } from '../../../worker/commands/instance/session.ts';
import { readPlaygroundSession } from '../../playground-session.ts';

const provider = inject('session');
let dir: string;
let instance: Instance;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-remote-'));
  const settings = { CDAPI_BASE_URL: `${provider.url}/provider/cdapi`, CDAPI_KEY: provider.provider_key };
  instance = await startInstance({ dir, port: 0, settings });
});
afterAll(async () => {
  await instance?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function lookup({ url, team_token }: Session, keys: string[]): Promise<LookupResponse> {
  const response = await fetch(`${url}/sheets/v1/lookup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team_token}` },
    body: JSON.stringify({ family: 'company_clean', by: 'website', keys, fields: ['id', 'name'] }),
  });
  expect(response.status).toBe(200);
  return response.json() as Promise<LookupResponse>;
}

it('answers with the provider’s records and buys each once', async () => {
  const status = await fetch(`${provider.url}/provider/status`, {
    headers: { apikey: provider.provider_key },
  });
  const { websites } = (await status.json()) as { websites: string[] };
  const keys = [...websites.slice(0, 5), 'nobody.example', 'not a website'];
  const direct = await lookup(provider, keys);
  const remote = await lookup(instance.session, keys);
  expect(remote.rows.map(({ record }) => record)).toEqual(direct.rows.map(({ record }) => record));
  expect(remote.rows.map(({ status }) => status)).toEqual([
    ...Array(5).fill('fetched'),
    'not_found',
    'invalid',
  ]);
  expect((await lookup(instance.session, keys)).credits).toMatchObject({ spent: 0, saved: 50 });
});

it('reports to the playground that the sandbox is not in use', async () => {
  expect(await readPlaygroundSession(instance.session)).toMatchObject({ sandbox: false });
});
