// The process that runs the Workers, so that a test can kill all of them at once.
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { type Addresses, OBJECTS, type Reply, type Start, startSchema } from './messages.ts';

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** Applies the missing migrations. */
async function migrate(db: Database, migrations: Start['migrations']): Promise<void> {
  await db.prepare('CREATE TABLE IF NOT EXISTS applied (name TEXT PRIMARY KEY)').run();
  const { results } = await db.prepare('SELECT name FROM applied').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue;
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO applied (name) VALUES (?)').bind(name),
    ]);
  }
}

async function start(message: unknown): Promise<Addresses> {
  const { platform: options, migrations } = startSchema.parse(message);
  const platform = new Miniflare(convertV4MiniflareOptions(options));
  await platform.ready;
  await migrate(await platform.getD1Database('DB', OBJECTS), migrations);
  const address = async (name: string): Promise<string> => (await platform.unsafeGetDirectURL(name)).href;
  return { one: await address('one'), two: await address('two'), objects: await address(OBJECTS) };
}

function reply(answer: Reply): void {
  process.send?.(answer);
}

process.once('message', (message) => {
  start(message).then(
    (ready) => reply({ ready }),
    (error: unknown) =>
      reply({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
// Ends with the test process.
process.once('disconnect', () => process.exit());
