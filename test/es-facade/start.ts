// npm run es-facade: serves Elasticsearch's REST API on loopback, for public test suites.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../worker/commands/instance/instance.ts';
import { createStopSignal, waitForAbort } from '../../worker/commands/instance/interrupt.ts';
import { readPort } from '../../worker/commands/instance/port.ts';
import { root } from '../../worker/commands/paths.ts';
import { startRuntime } from '../../worker/commands/runtime/runtime.ts';
import { runCommand } from '../../worker/commands/user-error.ts';

const HOST = '127.0.0.1';
const DEFAULT_PORT = 9200;
const CONFIG = join(root, 'test', 'es-facade', 'wrangler.toml');

async function serve(requestedPort: number, signal: AbortSignal): Promise<void> {
  const port = await findFreePort(requestedPort, 'npm run es-facade');
  console.log('Starting the façade …');
  const stateDir = await mkdtemp(join(tmpdir(), 'es-facade-'));
  try {
    const runtime = await startRuntime({ config: CONFIG, vars: {}, stateDir, host: HOST, port }, signal);
    try {
      console.log(`Elasticsearch paths at http://${HOST}:${port}/ (docs/es-facade.md).`);
      console.log('Ctrl-C stops it and deletes its documents.');
      const ended = await Promise.race([waitForAbort(signal), runtime.ended]);
      if (typeof ended === 'string') throw new Error(`The façade ended unexpectedly:\n${ended}`);
    } finally {
      await runtime.stop();
    }
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function run(): Promise<void> {
  const signal = createStopSignal();
  try {
    await serve(readPort(process.env.PORT, DEFAULT_PORT), signal);
  } catch (error) {
    // Errors after the stop signal are a consequence of stopping.
    if (!signal.aborted) throw error;
  }
}

if (import.meta.main) await runCommand(run);
