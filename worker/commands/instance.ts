// A development instance: the Worker with the embedded provider on real workerd, its data in one folder.
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from './migrate.ts';
import { providerSettings } from './provider-settings.ts';
import { openSession, type Session, writePrivate } from './session.ts';
import { UserError } from './user-error.ts';
import { type Running, startWrangler } from './wrangler.ts';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 100;

/** What an instance is started with. */
export interface InstanceOptions {
  /** Folder of its session and data. */
  dir: string;
  /** 0 for any free one. */
  port: number;
  /** Settings as in the environment of `npm start`. */
  settings?: Readonly<Record<string, string | undefined>>;
  /** Told what is being done, a line each time. */
  log?: (line: string) => void;
}

/** A running instance. */
export interface Instance {
  session: Session;
  /** Stops it and everything that it started. */
  stop: () => Promise<void>;
  /** Resolves when it has ended, with the end of what it printed. */
  ended: Promise<string>;
}

/** Finds out whether a port is free, and which one is where none was asked for. */
function freePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error: NodeJS.ErrnoException) => {
      const sentence =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`
          : `Port ${port} can't be used (${error.code ?? error.message}). Choose another: PORT=8787 npm start`;
      reject(new UserError(sentence));
    });
    probe.listen(port, HOST, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

async function untilReady(url: string, running: Running): Promise<void> {
  let exit: number | undefined;
  void running.ended.then((code) => {
    exit = code;
  });
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (exit !== undefined) break;
    if (await answers(url)) return;
  }
  throw new Error(`The Worker did not start:\n${running.output()}`);
}

function signalGroup(running: Running, signal: NodeJS.Signals): void {
  const { pid } = running.child;
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

async function stopRunning(running: Running): Promise<void> {
  signalGroup(running, 'SIGTERM');
  await Promise.race([running.ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  signalGroup(running, 'SIGKILL');
  await running.ended;
}

/**
 * Starts an instance and waits until it answers.
 * @throws UserError where the port is taken or the settings contradict each other
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { dir, log = () => {} } = options;
  const settings = providerSettings(options.settings ?? {});
  const port = await freePort(options.port);
  const url = `http://${HOST}:${port}`;
  const session = await openSession(dir, url);
  const stateDir = join(dir, 'state');
  log('Preparing the databases …');
  await migrate(stateDir);
  const varsFile = join(dir, `vars.${port}`);
  const vars = {
    ADMIN_TOKEN: session.admin_token,
    TEAM_TOKEN: session.team_token,
    PROVIDER_KEY: session.provider_key,
    ...settings,
  };
  await writePrivate(
    varsFile,
    Object.entries(vars)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
      .join(''),
  );
  log('Starting the Worker …');
  const running = startWrangler([
    ...['dev', '--env', 'dev', '--ip', HOST, '--port', String(port), '--inspector-port', '0'],
    ...['--persist-to', stateDir, '--env-file', varsFile, '--show-interactive-dev-session=false'],
  ]);
  const stop = async (): Promise<void> => {
    await stopRunning(running);
    await rm(varsFile, { force: true });
  };
  try {
    await untilReady(url, running);
  } catch (error) {
    await stop();
    throw error;
  }
  return { session, stop, ended: running.ended.then(() => running.output()) };
}
