// npm start: builds, seeds once and runs everything on this machine, with no key, no account and no network.
import { connectionLink } from '../../shared/connection.ts';
import { buildAll } from './build.ts';
import { freePort, startInstance } from './instance.ts';
import { stopSignal, whenStopped } from './interrupt.ts';
import { requireFree } from './lock.ts';
import { devDir } from './paths.ts';
import { providerSettings } from './provider-settings.ts';
import { seed } from './seed.ts';
import { command, UserError } from './user-error.ts';

const DEFAULT_PORT = 8787;

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError('PORT is a number from 1 to 65535.');
  return port;
}

async function run(port: number, signal: AbortSignal): Promise<void> {
  const log = (line: string): void => console.log(line);
  log('Building the add-on and the playground …');
  await buildAll(signal);
  const instance = await startInstance({ dir: devDir, port, settings: process.env, log, signal });
  try {
    const { session } = instance;
    if (process.env.SEED !== 'none') await Promise.race([seed(session, devDir, log), whenStopped(signal)]);
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
  const port = readPort(process.env.PORT);
  providerSettings(process.env);
  await requireFree(devDir);
  await freePort(port);
  const signal = stopSignal();
  try {
    await run(port, signal);
  } catch (error) {
    // What breaks because it is being stopped is no failure.
    if (!signal.aborted) throw error;
  }
}

if (import.meta.main) await command(start);
