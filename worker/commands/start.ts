// npm start: builds, seeds once and runs everything on this machine, with no key, no account and no network.
import { connectionLink } from '../../shared/connection.ts';
import { buildAll } from './build.ts';
import { startInstance } from './instance.ts';
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

async function start(): Promise<void> {
  const port = readPort(process.env.PORT);
  providerSettings(process.env);
  const log = (line: string): void => console.log(line);
  const stopping = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.resolve());

  log('Building the add-on and the playground …');
  await buildAll();
  const instance = await startInstance({ dir: devDir, port, settings: process.env, log });
  try {
    const { session } = instance;
    if (process.env.SEED !== 'none') await Promise.race([seed(session, devDir, log), stopping.promise]);
    log('');
    log(`Playground       ${session.url}/`);
    log(`Connection link  ${connectionLink({ url: session.url, token: session.team_token })}`);
    log('');
    log('Ctrl-C stops it. Your own records: npm run import -- FILE.csv');
    const ended = await Promise.race([stopping.promise, instance.ended]);
    if (typeof ended === 'string') throw new Error(`The Worker ended by itself:\n${ended}`);
    log('\nStopping …');
  } finally {
    await instance.stop();
  }
}

if (import.meta.main) await command(start);
