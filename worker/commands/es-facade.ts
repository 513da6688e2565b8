// npm run es-facade: plain Elasticsearch paths over the embedded engine, on loopback, for suites that test that API.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './instance.ts';
import { stopSignal, whenStopped } from './interrupt.ts';
import { applyMigrations } from './migrate.ts';
import { root } from './paths.ts';
import { readPort } from './port.ts';
import { command } from './user-error.ts';
import { type Running, startWrangler, stopWrangler } from './wrangler.ts';

const SCRIPT = 'npm run es-facade';
const HOST = '127.0.0.1';
const DEFAULT_PORT = 9200;
const START_TIMEOUT_MS = 90_000;
const PATIENCE_MS = 2_000;
const POLL_MS = 100;
const CONFIG = join(root, 'worker', 'provider', 'es', 'wrangler.toml');

/** A running façade. */
interface RunningFacade {
  /** Its address. */
  url: string;
  /** Stops it and forgets its documents. */
  stop: () => Promise<void>;
  /** Resolves when it has ended, with the end of what it printed. */
  ended: Promise<string>;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })).ok;
  } catch {
    return false;
  }
}

async function untilReady(url: string, running: Running, signal: AbortSignal): Promise<void> {
  let ended = false;
  void running.ended.then(() => {
    ended = true;
  });
  for (
    const deadline = Date.now() + START_TIMEOUT_MS;
    Date.now() < deadline && !ended;
    await sleep(POLL_MS)
  ) {
    signal.throwIfAborted();
    if (await answers(url)) return;
  }
  throw new Error(`The façade did not start:\n${running.output()}`);
}

/**
 * Starts the façade, empty, and waits until it answers.
 * @param signal - stops the start
 * @throws UserError where the port is taken; the signal's reason, where it was stopped
 */
async function startFacade(requested: number, signal: AbortSignal): Promise<RunningFacade> {
  const port = await freePort(requested, SCRIPT);
  console.log('Starting the façade …');
  const url = `http://${HOST}:${port}`;
  const dir = await mkdtemp(join(tmpdir(), 'es-facade-'));
  let running: Running | undefined;
  const stop = async (): Promise<void> => {
    if (running !== undefined) await stopWrangler(running);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await applyMigrations(CONFIG, dir, undefined, signal);
    const worker = startWrangler([
      ...['dev', '--config', CONFIG, '--ip', HOST, '--port', String(port), '--inspector-port', '0'],
      ...['--persist-to', dir, '--show-interactive-dev-session=false'],
    ]);
    running = worker;
    await untilReady(url, worker, signal);
    return { url, stop, ended: worker.ended.then(() => worker.output()) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function run(): Promise<void> {
  const port = readPort(process.env.PORT, DEFAULT_PORT);
  const signal = stopSignal();
  try {
    const facade = await startFacade(port, signal);
    try {
      console.log(
        `Elasticsearch paths at ${facade.url}/ (docs/es-facade.md). It forgets its documents when it ends.`,
      );
      console.log('Ctrl-C stops it.');
      const ended = await Promise.race([whenStopped(signal), facade.ended]);
      if (typeof ended === 'string') throw new Error(`The façade ended by itself:\n${ended}`);
    } finally {
      await facade.stop();
    }
  } catch (error) {
    // What breaks because it is being stopped is no failure.
    if (!signal.aborted) throw error;
  }
}

if (import.meta.main) await command(run);
