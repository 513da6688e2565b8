// Runs a development instance: the Worker with the sandbox on workerd, with its data in one folder.
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { playgroundDist, root } from '../paths.ts';
import { type Runtime, startRuntime } from '../runtime/runtime.ts';
import { readJsonFile } from '../stored-file.ts';
import { UserError } from '../user-error.ts';
import { acquireLock } from './lock.ts';
import {
  type Environment,
  formatEnvFile,
  getEnvFilePath,
  readProviderSettings,
} from './provider-settings.ts';
import { createSession, generateSecret, writePrivateFile } from './session.ts';

const HOST = '127.0.0.1';
const DEFAULT_PORT = 8787;
const LAST_PORT = 65_535;

export interface InstanceOptions {
  /** Folder of the session and the data. */
  dir: string;
  /** 0 selects any free port. */
  port: number;
  /** Settings in the form of the environment of `npm start`. */
  settings?: Environment;
  /** Further settings of the Worker, such as `PUBLIC_URL`. */
  vars?: Readonly<Record<string, string>>;
  /** The instance serves one command; its address is not stored in the session. */
  temporary?: boolean;
  /** Receives progress lines. */
  log?: (line: string) => void;
  /** Receives the Worker's warnings and errors. */
  logWorker?: (line: string) => void;
  /** Also sends request lines to {@link InstanceOptions.logWorker}. */
  verbose?: boolean;
  signal?: AbortSignal;
}

/** Parses `PORT`. @throws UserError if it is not a valid port */
export function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > LAST_PORT)
    throw new UserError(`PORT is a number from 1 to ${LAST_PORT}.`);
  return port;
}

/**
 * Checks that a port is free.
 * @param port - 0 selects any free port
 * @returns the port
 * @throws UserError if the port is taken or unusable
 */
export function findFreePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error: NodeJS.ErrnoException) => {
      const message =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port < LAST_PORT ? port + 1 : port - 1} npm start`
          : `Port ${port} can't be used (${error.code ?? error.message}). Choose another: PORT=${DEFAULT_PORT} npm start`;
      reject(new UserError(message));
    });
    probe.listen(port, HOST, () => {
      const address = probe.address();
      const freePort = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => resolve(freePort));
    });
  });
}

/**
 * Starts an instance and waits until it answers.
 * @returns `stop` also ends all its processes; `ended` resolves with the last output when the Worker has ended
 * @throws UserError if the port is taken, another process holds the folder or the settings are invalid; the
 * signal's reason if it is aborted
 */
export async function startInstance(options: InstanceOptions) {
  const { dir, temporary = false, log = () => {}, logWorker, verbose = false, signal } = options;
  const settings = { ...readProviderSettings(options.settings ?? {}), ...options.vars };
  const port = await findFreePort(options.port);
  const url = `http://${HOST}:${port}`;
  const lock = await acquireLock(dir, { url, temporary });
  const stateDir = join(dir, 'state');
  const varsFile = getEnvFilePath(dir, url);
  let runtime: Runtime | undefined;
  const stop = async (): Promise<void> => {
    await runtime?.stop();
    await rm(varsFile, { force: true });
    await lock.release();
  };
  try {
    const session = await createSession(dir, { url, temporary });
    const secrets = await loadDataSecrets(stateDir);
    const vars = {
      ADMIN_TOKEN: session.admin_token,
      TEAM_TOKEN: session.team_token,
      SANDBOX_KEY: session.provider_key,
      PLAYGROUND_NONCE: session.playground_nonce,
      ...secrets,
      ...settings,
    };
    await writePrivateFile(varsFile, formatEnvFile(vars));
    // wrangler.toml serves this folder, so it must exist even if nothing was built.
    await mkdir(playgroundDist, { recursive: true });
    log('Starting the Worker …');
    const config = join(root, 'wrangler.toml');
    runtime = await startRuntime({ config, env: 'dev', vars, stateDir, host: HOST, port }, signal);
    if (runtime.processGroup !== undefined) await lock.setWorkerGroup(runtime.processGroup);
    if (logWorker !== undefined) runtime.followLog(logWorker, verbose);
    return { session, stop, ended: runtime.ended };
  } catch (error) {
    await stop();
    throw error;
  }
}
export type Instance = Awaited<ReturnType<typeof startInstance>>;

const dataSecretsSchema = z.object({
  ENCRYPTION_SECRET: z.string().exactOptional(),
  PSEUDONYM_SECRET: z.string().exactOptional(),
});

/** Reads the secrets of an instance, and generates missing ones. @param stateDir - folder of its data */
async function loadDataSecrets(stateDir: string) {
  const file = join(stateDir, 'secrets.json');
  const stored = await readJsonFile(file, dataSecretsSchema);
  const secrets = { ENCRYPTION_SECRET: generateSecret(), PSEUDONYM_SECRET: generateSecret(), ...stored };
  await writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}
