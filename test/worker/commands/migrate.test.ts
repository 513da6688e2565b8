// Local databases and their migrations: each applied once, whole or not at all, and noted as wrangler notes them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '../../../worker/commands/migrate.ts';
import { tools } from '../../../worker/commands/paths.ts';
import { runProgram } from '../../../worker/commands/wrangler.ts';

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
  const config = { name: 'some', compatibility_date: '2026-09-01', d1_databases: [database] };
  await writeFile(join(folder, 'wrangler.json'), JSON.stringify(config));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const migration = (name: string, sql: string) => writeFile(join(folder, 'migrations', name), sql);
const apply = () =>
  applyMigrations(join(folder, 'wrangler.json'), join(folder, 'state'), undefined, undefined);

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

test('wrangler goes on where it ended', async () => {
  const target = [
    '--local',
    '--persist-to',
    join(folder, 'state'),
    '--config',
    join(folder, 'wrangler.json'),
  ];
  await runProgram(tools.wrangler, ['d1', 'migrations', 'apply', 'DB', ...target]);
  // Not again what wrangler has applied.
  await migration('0003_three.sql', 'CREATE TABLE three (a TEXT);');
  await runProgram(tools.wrangler, ['d1', 'migrations', 'apply', 'DB', ...target]);
  await apply();
});
