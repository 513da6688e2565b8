// Brings the local databases of a wrangler configuration up to their schema. A program of its own:
// `node apply-migrations.ts CONFIG FOLDER [ENVIRONMENT]`, whose folder is where the platform keeps its data.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { getPlatformProxy, unstable_readConfig, unstable_splitSqlQuery } from 'wrangler';

/** As much of a D1 database as is needed here. */
interface Statement {
  bind: (...values: string[]) => Statement;
  all: () => Promise<{ results: Record<string, unknown>[] }>;
}
interface Database {
  prepare: (sql: string) => Statement;
  batch: (statements: Statement[]) => Promise<unknown>;
}

/** The table in which `wrangler d1 migrations` notes what it applied: either may go on after the other. */
const APPLIED = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Each migration is applied whole or not at all. */
async function bringUp(database: Database, folder: string): Promise<void> {
  await database.prepare(APPLIED).all();
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all();
  const applied = new Set(results.map(({ name }) => name));
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of files.filter((file) => !applied.has(file))) {
    const statements = unstable_splitSqlQuery(await readFile(join(folder, name), 'utf8'));
    await database.batch([
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
}

const [, , config = '', folder = '', env] = process.argv;
const {
  d1_databases: databases,
  compatibility_date,
  configPath = config,
} = unstable_readConfig({ config, env });
// The databases alone: whatever else a configuration asks for need not start for this.
const alone = await mkdtemp(join(tmpdir(), 'migrations-'));
try {
  const path = join(alone, 'wrangler.json');
  await writeFile(path, JSON.stringify({ name: 'migrations', compatibility_date, d1_databases: databases }));
  const platform = await getPlatformProxy<Record<string, Database>>({
    configPath: path,
    persist: { path: join(folder, 'v3') },
  });
  try {
    for (const { binding, migrations_dir } of databases) {
      const database = platform.env[binding];
      if (database === undefined || migrations_dir === undefined) continue;
      await bringUp(database, resolve(dirname(configPath), migrations_dir));
    }
  } finally {
    await platform.dispose();
  }
} finally {
  await rm(alone, { recursive: true, force: true });
}
