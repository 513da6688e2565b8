// The process that runs a Worker on workerd. It ends when the command that started it disconnects or dies.
import { dirname, join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import { UserError } from '../user-error.ts';
import { bundleWorker } from './bundle.ts';
import { type Reply, type Start, startSchema } from './messages.ts';
import { applyMigrations } from './migrations.ts';

/** The settings of the configuration. */
const settings = z.record(z.string(), z.json()).default({});

/** `console.warn` and `console.error` of the Worker go to stderr, everything else to stdout. */
function print({ level, message }: { level: string; message: string }): void {
  const stream = level === 'warn' || level === 'error' ? process.stderr : process.stdout;
  stream.write(`${message}\n`);
}

async function start({ config, env, vars, stateDir, host, port }: Start): Promise<Miniflare> {
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config, env);
  const { name, d1_databases: databases } = unstable_readConfig({ config, env });
  // The bundle is one module: no rules are needed to find others.
  const { modulesRules: _, ...configured } = workerOptions;
  if (main === undefined) throw new Error(`${config} names no entry module.`);
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      host,
      port,
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      // Calls of /cdn-cgi/local/scheduled stand in for the platform's schedule.
      unsafeTriggerHandlers: true,
      // Its trace store would keep request URLs, with websites and profile names, where no erasure reaches them.
      unsafeObservability: false,
      unsafeLocalExplorer: false,
      handleStructuredLogs: print,
      resourcePersistencePath: join(stateDir, 'v3'),
      workers: [
        {
          ...configured,
          name: name ?? 'worker',
          modules: true,
          script: await bundleWorker(main),
          bindings: { ...settings.parse(workerOptions.bindings), ...vars },
        },
      ],
    }),
  );
  await platform.ready;
  for (const { binding, migrations_dir } of databases) {
    if (migrations_dir === undefined) continue;
    const folder = resolve(dirname(config), migrations_dir);
    const unknown = await applyMigrations(await platform.getD1Database(binding), folder);
    if (unknown !== undefined) {
      throw new UserError(
        `The data in ${stateDir} belongs to another version of this project (migration ${unknown}). ` +
          'Delete that folder and run this again. Fictional records are made anew; import your own again.',
      );
    }
  }
  return platform;
}

function reply(answer: Reply): void {
  process.send?.(answer);
}

let running: Promise<Miniflare> | undefined;
process.once('message', (message) => {
  running = start(startSchema.parse(message));
  running.then(
    () => reply({ ready: true }),
    (error: unknown) =>
      reply({
        failed: error instanceof Error ? error.message : String(error),
        isUserError: error instanceof UserError,
      }),
  );
});
process.once('disconnect', () => {
  void Promise.resolve(running)
    .then((platform) => platform?.dispose())
    .finally(() => process.exit());
});
