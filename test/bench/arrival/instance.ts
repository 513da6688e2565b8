// Instances of the arrival bench: made once with enough companies, copied for each round; and what is asked of them.
import { spawnSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAll } from '../../../worker/commands/build.ts';
import { startInstance } from '../../../worker/commands/instance/instance.ts';
import type { Session } from '../../../worker/commands/instance/session.ts';
import { root } from '../../../worker/commands/paths.ts';
import { type Door, openDoor } from './door.ts';

const FAMILY = 'company_clean';
const FOLDER = 'instance';

/** Not every company of the sample has a number of employees, which is what is searched for. */
const SPARE = 1.3;

/** Runs a command of the project. @throws Error with what it said */
function command(name: string, args: readonly string[], dir: string): void {
  const script = join(root, 'worker', 'commands', `${name}.ts`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEV_DIR: dir },
  });
  if (status !== 0) throw new Error(`npm run ${name} failed:\n${stdout}\n${stderr}`);
}

/**
 * Builds what an instance serves, and fills one.
 * @param shared - the folder that it is put into
 * @param records - the most that are asked for at once
 */
export async function makeInstance(shared: string, records: number): Promise<void> {
  await buildAll();
  const dir = join(shared, FOLDER);
  const companies = String(Math.ceil(records * SPARE));
  command('generate', ['--companies', companies, '--family', FAMILY, '--out', shared], dir);
  command('import', ['--family', FAMILY, join(shared, `${FAMILY}.jsonl`)], dir);
}

/** A copy of the instance that runs. */
export interface RunningCopy {
  session: Session;
  /** Where its provider sends webhooks to. */
  door: Door;
  stop: () => Promise<void>;
}

/**
 * Starts a copy of what {@link makeInstance} has made.
 * @param shared - where it was made
 * @param own - for the copy
 * @param signal - stops the start
 */
export async function startCopy(shared: string, own: string, signal: AbortSignal): Promise<RunningCopy> {
  const dir = join(own, FOLDER);
  await rm(dir, { recursive: true, force: true });
  await cp(join(shared, FOLDER), dir, { recursive: true });
  const door = await openDoor();
  const end = async (): Promise<void> => {
    await door.close();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const { session, stop } = await startInstance({
      dir,
      port: 0,
      vars: { PUBLIC_URL: door.origin },
      signal,
    });
    door.leadTo(session.url);
    return { session, door, stop: () => stop().finally(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Has the provider work on each request for so long. @throws Error where it does not take that */
export async function setRunTime({ url, provider_key: apikey }: Session, ms: number): Promise<void> {
  const response = await fetch(`${url}/provider/control`, {
    method: 'PUT',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ run_ms: ms }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}
