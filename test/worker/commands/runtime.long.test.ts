// Local Workers: migrations apply once and atomically, data of another version is refused, logs are filtered.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import { applyMigrations } from '../../../worker/commands/runtime/migrations.ts';
import { startRuntime } from '../../../worker/commands/runtime/runtime.ts';
import { UserError } from '../../../worker/commands/user-error.ts';

/** Logs a request line, a warning and an error. */
const WORKER = `export default { fetch() {
  console.log('{"event":"request"}');
  console.warn('{"event":"a_warning"}');
  console.error('{"event":"an_error"}');
  return new Response('');
} };`;
const CREATE_ONE = 'CREATE TABLE one (a TEXT);';

let dir: string;
let migrations: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-runtime-'));
  migrations = join(dir, 'migrations');
  await mkdir(migrations);
  const config = {
    name: 'some',
    main: 'worker.ts',
    compatibility_date: '2026-09-01',
    d1_databases: [
      { binding: 'DB', database_id: 'some', database_name: 'some', migrations_dir: 'migrations' },
    ],
  };
  await writeFile(join(dir, 'worker.ts'), WORKER);
  await writeFile(join(dir, 'wrangler.json'), JSON.stringify(config));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const writeMigration = (name: string, sql: string) => writeFile(join(migrations, name), sql);

it('applies each migration once and rolls back one that fails', async () => {
  const platform = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: WORKER, d1Databases: ['DB'] }),
  );
  try {
    const database = await platform.getD1Database('DB');
    await writeMigration('0001_one.sql', `-- Fails if it is applied again.\n${CREATE_ONE}`);
    await applyMigrations(database, migrations);
    await writeMigration('0002_two.sql', `CREATE TABLE two (a TEXT);\n${CREATE_ONE}`);
    await expect(applyMigrations(database, migrations)).rejects.toThrow(/table one already exists/);
    // Fails if the first statement of the failed migration was kept.
    await writeMigration('0002_two.sql', "CREATE TABLE two (a TEXT);\nINSERT INTO one VALUES ('a;b');");
    await applyMigrations(database, migrations);
    expect(await applyMigrations(database, migrations)).toBeUndefined();
  } finally {
    await platform.dispose();
  }
});

it('prints warnings and errors, and request lines only if verbose; refuses data of another version', async () => {
  await writeMigration('0001_one.sql', CREATE_ONE);
  await writeMigration('0002_two.sql', 'CREATE TABLE two (a TEXT);');
  const port = await findFreePort(0);
  const start = () =>
    startRuntime({
      config: join(dir, 'wrangler.json'),
      vars: {},
      stateDir: join(dir, 'state'),
      host: '127.0.0.1',
      port,
    });
  const runtime = await start();
  const [quiet, verbose]: [string[], string[]] = [[], []];
  try {
    runtime.followLog((line) => quiet.push(line), false);
    runtime.followLog((line) => verbose.push(line), true);
    await fetch(`http://127.0.0.1:${port}/`);
    await expect.poll(() => quiet.length).toBe(2);
    await expect.poll(() => verbose.length).toBe(3);
  } finally {
    await runtime.stop();
  }
  expect(quiet.sort()).toEqual(['{"event":"a_warning"}', '{"event":"an_error"}']);
  expect(verbose).toContain('{"event":"request"}');

  await rm(join(migrations, '0002_two.sql'));
  const error: unknown = await start().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(String(error)).toContain(
    `The data in ${join(dir, 'state')} belongs to another version of this project (migration 0002_two.sql). Delete that folder`,
  );
});
