// A development instance: the Worker with the sandbox on real workerd, its data in one folder.
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { playgroundDist, root } from '../paths.ts';
import { type Runtime, startRuntime } from '../runtime/runtime.ts';
import { UserError } from '../user-error.ts';
import { keepTime } from './clock.ts';
import { envFile, envFilePath } from './env-file.ts';
import { takeLock } from './lock.ts';
import { providerSettings } from './provider-settings.ts';
import { openSession, type Session, writePrivate } from './session.ts';

const HOST = '127.0.0.1';
const LAST_PORT = 65_535;

/** What an instance is started with. */
export interface InstanceOptions {
  /** Folder of its session and data. */
  dir: string;
  /** 0 for any free one. */
  port: number;
  /** Settings as in the environment of `npm start`. */
  settings?: Readonly<Record<string, string | undefined>>;
  /** Further settings of the Worker, such as `PUBLIC_URL`. */
  vars?: Readonly<Record<string, string>>;
  /** It serves one command, and the session does not note down its address. */
  temporary?: boolean;
  /** Told what is being done, a line each time. */
  log?: (line: string) => void;
  /** Receives the warnings and errors that the Worker logs once it answers, a line each time. */
  logWorker?: (line: string) => void;
  /** Does {@link logWorker} receive a line for each request, too? */
  verbose?: boolean;
  /** Stops the start. */
  signal?: AbortSignal;
}

/** A running instance. */
export interface Instance {
  session: Session;
  /** Stops it and everything that it started. */
  stop: () => Promise<void>;
  /** Resolves when it has ended, with the end of what it printed. */
  ended: Promise<string>;
}

/**
 * Finds out whether a port is free.
 * @param port - 0 for any free one
 * @param script - what the person is told to run with another port
 * @returns the port
 * @throws UserError where it is taken or not to be had
 */
export function freePort(port: number, script = 'npm start'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error: NodeJS.ErrnoException) => {
      const sentence =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port < LAST_PORT ? port + 1 : port - 1} ${script}`
          : `Port ${port} can't be used (${error.code ?? error.message}). Choose another: PORT=8787 ${script}`;
      reject(new UserError(sentence));
    });
    probe.listen(port, HOST, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}

/**
 * Starts an instance and waits until it answers.
 * @throws UserError where the port is taken, another process has the folder or the settings contradict each other;
 * the signal's reason, where it was stopped
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { dir, temporary = false, log = () => {}, logWorker, verbose = false, signal } = options;
  const settings = { ...providerSettings(options.settings ?? {}), ...options.vars };
  const port = await freePort(options.port);
  const url = `http://${HOST}:${port}`;
  const lock = await takeLock(dir, { url, temporary });
  const stateDir = join(dir, 'state');
  const varsFile = envFilePath(dir, url);
  let running: Runtime | undefined;
  const stopped = new AbortController();
  const stop = async (): Promise<void> => {
    stopped.abort();
    await running?.stop();
    await rm(varsFile, { force: true });
    await lock.release();
  };
  try {
    const session = await openSession(dir, { url, temporary });
    const { admin_token: ADMIN_TOKEN, team_token: TEAM_TOKEN, provider_key: SANDBOX_KEY } = session;
    const vars = { ADMIN_TOKEN, TEAM_TOKEN, SANDBOX_KEY, ...settings };
    await writePrivate(varsFile, envFile(vars));
    // It is served whether or not it was built.
    await mkdir(playgroundDist, { recursive: true });
    // Traces of starts before this version, which kept them: they hold request URLs.
    await rm(join(stateDir, 'v3', 'observability'), { recursive: true, force: true });
    log('Starting the Worker …');
    const config = join(root, 'wrangler.toml');
    running = await startRuntime({ config, env: 'dev', vars, stateDir, host: HOST, port }, signal);
    if (running.group !== undefined) await lock.setWorker(running.group);
    if (logWorker !== undefined) running.follow(logWorker, verbose);
    void keepTime(url, stopped.signal);
    return { session, stop, ended: running.ended };
  } catch (error) {
    await stop();
    throw error;
  }
}
