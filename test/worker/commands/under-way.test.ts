// A data request that outlives the instance on which it was made.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Instance, startInstance } from '../../../worker/commands/instance/instance.ts';
import { seedSandbox } from '../../../worker/commands/instance/seed.ts';

const PATIENCE_MS = 30_000;
/** A busy machine takes half a minute for each. */
const TWO_STARTS_MS = 180_000;

it(
  'a request that was under way when the instance was stopped goes on as soon as it is started again',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'cdapi-requests-'));
    const ask = async ({ session: own }: Instance, path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${own.url}/sheets/v1/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${own.team_token}` },
      });
      return JSON.parse(await answer.text());
    };
    let instance = await startInstance({ dir, port: 0 });
    try {
      await seedSandbox(instance.session, dir, 5, () => {});
      const body = JSON.stringify({ family: 'company_clean', kind: 'es_dsl', es_dsl: { match_all: {} } });
      const { id } = await ask(instance, 'requests', { method: 'POST', body });
      await expect
        .poll(async () => (await ask(instance, `requests/${id}`)).state, { timeout: PATIENCE_MS })
        .toBe('running');
      await instance.stop();
      instance = await startInstance({ dir, port: 0 });
      // Sooner than the schedule of a minute, and than anything that would have been due before.
      await expect
        .poll(async () => (await ask(instance, `requests/${id}`)).state, { timeout: PATIENCE_MS })
        .toBe('ready');
      expect(await ask(instance, `requests/${id}`)).toMatchObject({ rows: 5, credits: { charged: 50 } });
    } finally {
      await instance.stop();
      await rm(dir, { recursive: true, force: true });
    }
  },
  TWO_STARTS_MS,
);
