// Local databases and their migrations: each is applied once, completely or not at all.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRuntime } from '../../../worker/commands/runtime/runtime.ts';
import { UserError } from '../../../worker/commands/user-error.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdapi-migrate-'));
  await mkdir(join(folder, 'migrations'));
  const database = {
    binding: 'DB',
    database_id: 'some',
    database_name: 'some',
    migrations_dir: 'migrations',
  };
  const config = {
    name: 'some',
    main: 'worker.ts',
    compatibility_date: '2026-09-01',
    d1_databases: [database],
  };
  await writeFile(join(folder, 'worker.ts'), 'export default { fetch: () => new Response("") };');
  await writeFile(join(folder, 'wrangler.json'), JSON.stringify(config));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const migration = (name: string, sql: string) => writeFile(join(folder, 'migrations', name), sql);
/** Starts a Worker on the databases, which applies what they lack, and stops it. */
const apply = async (): Promise<void> => {
  const runtime = await startRuntime({
    config: join(folder, 'wrangler.json'),
    vars: {},
    stateDir: join(folder, 'state'),
    host: '127.0.0.1',
    port: 0,
  });
  await runtime.stop();
};

test('a migration is applied once, and one that fails leaves nothing behind and says why', async () => {
  await migration('0001_one.sql', '-- Fails where it is applied again.\nCREATE TABLE one (a TEXT);');
  await apply();
  await migration('0002_two.sql', 'CREATE TABLE two (a TEXT);\nCREATE TABLE one (a TEXT);');
  await expect(apply()).rejects.toThrow(/table one already exists/);
  // Fails where the first half of the one that failed has stayed.
  await migration('0002_two.sql', "CREATE TABLE two (a TEXT);\nINSERT INTO one VALUES ('a;b');");
  await apply();
  await apply();
});

test('data of another version is refused with a sentence that says what to delete', async () => {
  await rm(join(folder, 'migrations', '0002_two.sql'));
  const sentence = `The data in ${join(folder, 'state')} belongs to another version of this project (migration 0002_two.sql). Delete that folder`;
  const error = await apply().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(String(error)).toContain(sentence);
  await migration('0002_two.sql', "CREATE TABLE two (a TEXT);\nINSERT INTO one VALUES ('a;b');");
});
