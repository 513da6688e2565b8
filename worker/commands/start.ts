// npm start [-- [--verbose] [--access]]: builds, seeds once and runs everything locally, without a key, an account or a network.
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { adminRoles } from '../../shared/api/admin-roles.ts';
import { formatConnectionLink } from '../../shared/connection.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { formatPlaygroundUrl } from '../../shared/playground.ts';
import { flag, readArguments } from './arguments.ts';
import { buildAll } from './build.ts';
import { waitUntilReady } from './instance/health.ts';
import { findFreePort, readPort, startInstance } from './instance/instance.ts';
import { assertUnlocked, readLock } from './instance/lock.ts';
import {
  type Environment,
  readAssistantSettings,
  readProviderSettings,
} from './instance/provider-settings.ts';
import { markSeeded, seedSandbox } from './instance/seed.ts';
import { readSession, type Session } from './instance/session.ts';
import { devDir } from './paths.ts';
import { EMPLOYEES_PER_COMPANY } from './sample/person.ts';
import { createStopSignal, runCommand, UserError, waitForAbort } from './user-error.ts';

const USAGE = 'Usage: npm start [-- [--verbose] [--access]]';
/** The sign-in that stands in for Cloudflare Access. */
const ACCESS_PATH = '/development/access';
const DEFAULT_COMPANIES = 300;
/** What the sandbox is made for: decision 5. */
const MAX_FAMILY_RECORDS = 50_000;
const MAX_COMPANIES = MAX_FAMILY_RECORDS / EMPLOYEES_PER_COMPANY;
/** On a busy machine, the end of the compiler is noticed so much earlier than Ctrl-C. */
const SIGNAL_WAIT_MS = 500;

/** Parses `SEED`: `none`, or the number of fictional companies; other families follow in proportion. */
function parseSeed(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_COMPANIES;
  if (text === 'none') return 0;
  const companies = Number(text);
  if (Number.isInteger(companies) && companies >= 1 && companies <= MAX_COMPANIES) return companies;
  throw new UserError(
    `SEED is none, or a number of companies from 1 to ${formatNumber(MAX_COMPANIES)}. Each comes with ${EMPLOYEES_PER_COMPANY} people, and the sandbox is made for ${formatNumber(MAX_FAMILY_RECORDS)} records of a family.`,
  );
}

/**
 * Reads how many fictional companies to create. A real provider replaces the sandbox, which then stays empty.
 * @throws UserError if `SEED` or the provider's settings are invalid
 */
export function readCompanyCount(environment: Environment): number {
  const { CDAPI_BASE_URL } = readProviderSettings(environment);
  const companies = parseSeed(environment.SEED);
  return CDAPI_BASE_URL === undefined ? companies : 0;
}

interface StartOptions {
  port: number;
  companies: number;
  /** Prints one line per request. */
  verbose: boolean;
  /** Puts a stand-in for Cloudflare Access in front of the console. */
  access: boolean;
}

/** Returns the settings of the stand-ins that the instance contains itself. @param origin - of the instance */
function getStandInSettings(origin: string, { access }: StartOptions): Record<string, string> {
  const alerts = { OPERATOR_ALERT_URL: process.env.OPERATOR_ALERT_URL ?? `${origin}/development/alerts` };
  if (!access) return alerts;
  return {
    ...alerts,
    ACCESS_TEAM_DOMAIN: 'development.cloudflareaccess.com',
    ACCESS_AUDIENCE: 'development',
    ACCESS_ROLES: adminRoles.map((role) => `${role}@example.com=${role}`).join(','),
    ACCESS_KEYS_URL: `${origin}${ACCESS_PATH}/certs`,
  };
}

/** @param access - whether the console is behind the stand-in for Cloudflare Access */
function printLinks(session: Session, access = false): void {
  const { url, team_token, playground_nonce: nonce } = session;
  console.log('');
  console.log(`Playground       ${formatPlaygroundUrl(session)}`);
  console.log(`Connection link  ${formatConnectionLink({ url, token: team_token })}`);
  console.log(
    access
      ? `Admin console    ${url}${ACCESS_PATH}#${nonce} (sign-in by role, as Cloudflare Access)`
      : `Admin console    ${url}/console (the playground opens it signed in)`,
  );
  console.log(`Received alerts  ${url}/development/alerts`);
  console.log('');
}

/**
 * Builds everything. Ctrl-C also kills the compiler: if that happens while it answers, its package throws outside of its
 * promises, which reject as well.
 */
async function build(signal: AbortSignal): Promise<void> {
  const uncaught: unknown[] = [];
  const collect = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', collect);
  // After a failure the command ends, and answers may still come.
  await buildAll(signal);
  process.off('uncaughtException', collect);
  if (uncaught.length > 0) throw uncaught[0];
}

async function run(options: StartOptions, signal: AbortSignal): Promise<void> {
  const { port, companies, verbose, access } = options;
  const log = (line: string): void => console.log(line);
  log('Building the add-on and the playground …');
  await build(signal);
  const instance = await startInstance({
    dir: devDir,
    port,
    settings: process.env,
    vars: {
      AWAIT_SEED: 'true',
      ...readAssistantSettings(process.env),
      ...getStandInSettings(`http://127.0.0.1:${port}`, options),
    },
    log,
    logWorker: log,
    verbose,
    signal,
  });
  try {
    const { session } = instance;
    const isSeeded = companies === 0 || (await seedSandbox(session, devDir, companies, log, signal));
    if (!isSeeded && process.env.SEED !== undefined)
      log(
        `The sandbox has records already, so SEED has no effect. To start anew, delete ${basename(devDir)} first.`,
      );
    signal.throwIfAborted();
    await markSeeded(session);
    printLinks(session, access);
    log('Ctrl-C stops it. Your own records: npm run import -- FILE.csv');
    const endedOutput = await Promise.race([waitForAbort(signal), instance.ended]);
    if (typeof endedOutput === 'string') throw new Error(`The Worker ended unexpectedly:\n${endedOutput}`);
    log('\nStopping …');
  } finally {
    await instance.stop();
  }
}

/**
 * Waits for an instance that another process runs on the same folder, and prints its links.
 * @returns false if there is none, or if it stopped before it was ready
 */
async function attachToRunning(signal: AbortSignal): Promise<boolean> {
  const running = await readLock(devDir);
  if (running === undefined || running.temporary) return false;
  const { pid, url } = running;
  console.log(
    `Already running at ${url} (process ${pid}). For another instance set DEV_DIR to a different folder.`,
  );
  const isRunning = async (): Promise<boolean> => !signal.aborted && (await readLock(devDir))?.pid === pid;
  if (!(await waitUntilReady(url, isRunning))) return false;
  const session = await readSession(devDir);
  if (session === undefined) return false;
  const { ok: hasAccess } = await fetch(`${url}${ACCESS_PATH}`);
  printLinks({ ...session, url }, hasAccess);
  return true;
}

async function main(): Promise<void> {
  const { verbose, access } = readArguments(USAGE, { verbose: flag, access: flag }).values;
  const port = readPort(process.env.PORT);
  const companies = readCompanyCount(process.env);
  const signal = createStopSignal();
  if (await attachToRunning(signal)) return;
  try {
    await assertUnlocked(devDir);
    await findFreePort(port);
    await run({ port, companies, verbose, access }, signal);
  } catch (error) {
    // Failures that the stop itself causes are not reported. Ctrl-C also kills the compiler, whose end may be noticed first.
    await setTimeout(SIGNAL_WAIT_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    // Of two simultaneous starts, the second finds the folder or the port taken.
    if (error instanceof UserError && (await attachToRunning(signal))) return;
    throw error;
  }
}

if (import.meta.main) await runCommand(main);
