// npm start [-- --verbose]: builds, seeds once and runs everything on this machine, with no key, no account and no network.
import { parseArgs } from 'node:util';
import { formatConnectionLink } from '../../shared/connection.ts';
import { buildAll } from './build.ts';
import { untilReady } from './instance/health.ts';
import { freePort, startInstance } from './instance/instance.ts';
import { stopSignal, whenStopped } from './instance/interrupt.ts';
import { readLock, requireFree } from './instance/lock.ts';
import { readPort } from './instance/port.ts';
import { providerSettings } from './instance/provider-settings.ts';
import { reportSeeded, seed } from './instance/seed.ts';
import { readSession, type Session } from './instance/session.ts';
import { devDir } from './paths.ts';
import { command, UserError } from './user-error.ts';

const USAGE = 'Usage: npm start [-- --verbose]';
const DEFAULT_PORT = 8787;
const DEFAULT_COMPANIES = 300;
const MAX_COMPANIES = 50_000;

/** `SEED`: `none`, or how many fictional companies there are to be; their employees, jobs and posts come along. */
function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_COMPANIES;
  if (text === 'none') return 0;
  const companies = Number(text);
  if (Number.isInteger(companies) && companies >= 1 && companies <= MAX_COMPANIES) return companies;
  throw new UserError(`SEED is none, or a number of companies from 1 to ${MAX_COMPANIES}.`);
}

interface StartOptions {
  port: number;
  companies: number;
  /** Prints a line for each request. */
  verbose: boolean;
}

function readVerbose(): boolean {
  try {
    return parseArgs({ options: { verbose: { type: 'boolean' } } }).values.verbose ?? false;
  } catch {
    throw new UserError(USAGE);
  }
}

function printLinks({ url, team_token }: Session): void {
  console.log('');
  console.log(`Playground       ${url}/`);
  console.log(`Connection link  ${formatConnectionLink({ url, token: team_token })}`);
  console.log('');
}

async function run({ port, companies, verbose }: StartOptions, signal: AbortSignal): Promise<void> {
  const log = (line: string): void => console.log(line);
  log('Building the add-on and the playground …');
  await buildAll(signal);
  const instance = await startInstance({
    dir: devDir,
    port,
    settings: process.env,
    vars: { AWAIT_SEED: 'true' },
    log,
    logWorker: log,
    verbose,
    signal,
  });
  try {
    const { session } = instance;
    if (companies > 0) await Promise.race([seed(session, devDir, companies, log), whenStopped(signal)]);
    signal.throwIfAborted();
    await reportSeeded(session);
    printLinks(session);
    log('Ctrl-C stops it. Your own records: npm run import -- FILE.csv');
    const ended = await Promise.race([whenStopped(signal), instance.ended]);
    if (typeof ended === 'string') throw new Error(`The Worker ended by itself:\n${ended}`);
    log('\nStopping …');
  } finally {
    await instance.stop();
  }
}

/**
 * Waits for the instance that another start runs on the same folder, and prints where it is.
 * @returns false where there is none, or it ended before it was ready
 */
async function joinRunning(signal: AbortSignal): Promise<boolean> {
  const running = await readLock(devDir);
  if (running === undefined || running.temporary) return false;
  const { pid, url } = running;
  console.log(`Already running at ${url} (process ${pid}). Another one needs a folder of its own: DEV_DIR.`);
  const isRunning = async (): Promise<boolean> => !signal.aborted && (await readLock(devDir))?.pid === pid;
  if (!(await untilReady(url, isRunning))) return false;
  const session = await readSession(devDir);
  if (session === undefined) return false;
  printLinks({ ...session, url });
  return true;
}

async function start(): Promise<void> {
  const verbose = readVerbose();
  const port = readPort(process.env.PORT, DEFAULT_PORT);
  const { CDAPI_BASE_URL } = providerSettings(process.env);
  const companies = readSeed(process.env.SEED);
  const signal = stopSignal();
  if (await joinRunning(signal)) return;
  try {
    await requireFree(devDir);
    await freePort(port);
    // The sandbox is not used beside a real provider.
    await run({ port, companies: CDAPI_BASE_URL === undefined ? companies : 0, verbose }, signal);
  } catch (error) {
    // What breaks because it is being stopped is no failure.
    if (signal.aborted) return;
    // Of two starts at once, the second one finds the folder or the port taken.
    if (error instanceof UserError && (await joinRunning(signal))) return;
    throw error;
  }
}

if (import.meta.main) await command(start);
