// npm run es-facade: plain Elasticsearch paths over the sandbox search engine, on loopback, for suites that test that API.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../worker/commands/instance/instance.ts';
import { createStopSignal, waitForAbort } from '../../worker/commands/instance/interrupt.ts';
import { readPort } from '../../worker/commands/instance/port.ts';
import { root } from '../../worker/commands/paths.ts';
import { startRuntime } from '../../worker/commands/runtime/runtime.ts';
import { runCommand } from '../../worker/commands/user-error.ts';

const SCRIPT = 'npm run es-facade';
const HOST = '127.0.0.1';
const DEFAULT_PORT = 9200;
const CONFIG = join(root, 'test', 'es-facade', 'wrangler.toml');

/** A running façade. */
interface RunningFacade {
  /** Its address. */
  url: string;
  /** Stops it and forgets its documents. */
  stop: () => Promise<void>;
  /** Resolves when it has ended, with the end of what it printed. */
  ended: Promise<string>;
}

/**
 * Starts the façade, empty, and waits until it answers.
 * @param signal - stops the start
 * @throws UserError where the port is taken; the signal's reason, where it was stopped
 */
async function startFacade(requested: number, signal: AbortSignal): Promise<RunningFacade> {
  const port = await findFreePort(requested, SCRIPT);
  console.log('Starting the façade …');
  const url = `http://${HOST}:${port}`;
  const dir = await mkdtemp(join(tmpdir(), 'es-facade-'));
  const forget = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    const runtime = await startRuntime({ config: CONFIG, vars: {}, stateDir: dir, host: HOST, port }, signal);
    return { url, stop: () => runtime.stop().finally(forget), ended: runtime.ended };
  } catch (error) {
    await forget();
    throw error;
  }
}

async function run(): Promise<void> {
  const port = readPort(process.env.PORT, DEFAULT_PORT);
  const signal = createStopSignal();
  try {
    const facade = await startFacade(port, signal);
    try {
      console.log(
        `Elasticsearch paths at ${facade.url}/ (docs/es-facade.md). It forgets its documents when it ends.`,
      );
      console.log('Ctrl-C stops it.');
      const ended = await Promise.race([waitForAbort(signal), facade.ended]);
      if (typeof ended === 'string') throw new Error(`The façade ended by itself:\n${ended}`);
    } finally {
      await facade.stop();
    }
  } catch (error) {
    // What breaks because it is being stopped is no failure.
    if (!signal.aborted) throw error;
  }
}

if (import.meta.main) await runCommand(run);
