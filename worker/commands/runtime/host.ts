// The process that runs a Worker on workerd. It exits when the command that started it disconnects or dies.

import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import { MINUTE_MS } from '../../../shared/lib/durations.ts';
import { STARTUP_CRON } from '../../jobs/startup.ts';
import { UserError } from '../user-error.ts';
import { bundleWorker } from './bundle.ts';
import { applyMigrations } from './migrations.ts';
import { type Reply, type StartMessage, startSchema } from './runtime.ts';

/** Plain-text and JSON bindings of wrangler.toml. */
const bindingsSchema = z.record(z.string(), z.json()).default({});

/** Prints the Worker's warnings and errors to stderr, everything else to stdout. */
function printLogEntry({ level, message }: { level: string; message: string }): void {
  const stream = level === 'warn' || level === 'error' ? process.stderr : process.stdout;
  stream.write(`${message}\n`);
}

async function startWorker({ config, env, vars, stateDir, host, port }: StartMessage): Promise<Miniflare> {
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config, env);
  const { name, d1_databases: databases, triggers } = unstable_readConfig({ config, env });
  // The script is one bundled module, so module rules do not apply.
  const { modulesRules: _, ...configured } = workerOptions;
  if (main === undefined) throw new Error(`${config} names no entry module.`);
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      host,
      port,
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      // Any web page could run the cron through an image's address.
      unsafeTriggerHandlers: false,
      // The trace store would keep request URLs, with websites and profile names, where no erasure reaches them.
      unsafeObservability: false,
      unsafeLocalExplorer: false,
      handleStructuredLogs: printLogEntry,
      resourcePersistencePath: join(stateDir, 'v3'),
      workers: [
        {
          ...configured,
          name: name ?? 'worker',
          modules: true,
          script: await bundleWorker(main),
          bindings: { ...bindingsSchema.parse(workerOptions.bindings), ...vars },
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
          'Delete that folder and run this again. Fictional records are created again; import your own records again.',
      );
    }
  }
  const worker = await platform.getWorker();
  void runScheduler(triggers.crons ?? [], async (cron) => worker.scheduled({ cron }));
  return platform;
}

function sendReply(answer: Reply): void {
  process.send?.(answer);
}

let startedPlatform: Promise<Miniflare> | undefined;
process.once('message', (message) => {
  startedPlatform = startWorker(startSchema.parse(message));
  startedPlatform.then(
    () => sendReply({ ready: true }),
    (error: unknown) =>
      sendReply({
        failed: error instanceof Error ? error.message : String(error),
        isUserError: error instanceof UserError,
      }),
  );
});
function stop(): void {
  void Promise.resolve(startedPlatform)
    .then((platform) => platform?.dispose())
    .finally(() => process.exit());
}
process.once('disconnect', stop);
// The command may have disconnected while this module was loading.
if (!process.connected) stop();

/**
 * Runs the start-up cron once, then the cron triggers each minute, until the process ends.
 * @param crons - of the wrangler configuration
 * @param trigger - runs the Worker's handler of a cron
 */
export async function runScheduler(
  crons: readonly string[],
  trigger: (cron: string) => Promise<unknown>,
): Promise<void> {
  if (crons.length === 0) return;
  for (let due: readonly string[] = [STARTUP_CRON]; ; due = crons) {
    // The next run, a minute later, repeats a failed one.
    for (const cron of due) void trigger(cron).catch(() => {});
    await sleep(MINUTE_MS, undefined, { ref: false });
  }
}
