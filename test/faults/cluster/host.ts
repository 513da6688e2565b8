// The process that runs the Workers, so that a test can kill all of them at once.
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { type Addresses, OBJECTS, type Reply, startSchema } from './messages.ts';
import { migrate } from './migrate.ts';

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
