// npm start [-- --verbose]: builds, seeds once and runs everything on this machine, with no key, no account and no network.
import { parseArgs } from 'node:util';
import { connectionLink } from '../../shared/connection.ts';
import { buildAll } from './build.ts';
import { freePort, startInstance } from './instance.ts';
import { stopSignal, whenStopped } from './interrupt.ts';
import { requireFree } from './lock.ts';
import { devDir } from './paths.ts';
import { readPort } from './port.ts';
import { providerSettings } from './provider-settings.ts';
import { seed } from './seed.ts';
import { command, UserError } from './user-error.ts';

const USAGE = 'Usage: npm start [-- --verbose]';
const DEFAULT_PORT = 8787;
const DEFAULT_COMPANIES = 2000;
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

async function run({ port, companies, verbose }: StartOptions, signal: AbortSignal): Promise<void> {
  const log = (line: string): void => console.log(line);
  log('Building the add-on and the playground …');
  await buildAll(signal);
  const settings = process.env;
  const instance = await startInstance({ dir: devDir, port, settings, log, logWorker: log, verbose, signal });
  try {
    const { session } = instance;
    if (companies > 0) await Promise.race([seed(session, devDir, companies, log), whenStopped(signal)]);
    signal.throwIfAborted();
    log('');
    log(`Playground       ${session.url}/`);
    log(`Connection link  ${connectionLink({ url: session.url, token: session.team_token })}`);
    log('');
    log('Ctrl-C stops it. Your own records: npm run import -- FILE.csv');
    const ended = await Promise.race([whenStopped(signal), instance.ended]);
    if (typeof ended === 'string') throw new Error(`The Worker ended by itself:\n${ended}`);
    log('\nStopping …');
  } finally {
    await instance.stop();
  }
}

async function start(): Promise<void> {
  const verbose = readVerbose();
  const port = readPort(process.env.PORT, DEFAULT_PORT);
  const companies = readSeed(process.env.SEED);
  providerSettings(process.env);
  await requireFree(devDir);
  await freePort(port);
  const signal = stopSignal();
  try {
    await run({ port, companies, verbose }, signal);
  } catch (error) {
    // What breaks because it is being stopped is no failure.
    if (!signal.aborted) throw error;
  }
}

if (import.meta.main) await command(start);
