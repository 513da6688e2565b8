// Instances of the arrival bench: made once with enough companies, copied for each round; and what is asked of them.
import { spawnSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAll } from '../../../worker/commands/build.ts';
import { startInstance } from '../../../worker/commands/instance/instance.ts';
import type { Session } from '../../../worker/commands/instance/session.ts';
import { root } from '../../../worker/commands/paths.ts';
import { startWebhookRelay, type WebhookRelay } from './door.ts';

const FAMILY = 'company_clean';
const INSTANCE_DIR = 'instance';

/** Not every company of the sample has a number of employees, which is what is searched for. */
const COMPANY_RATIO = 1.3;

/** Runs a command of the project. @throws Error with what it said */
function runCommand(name: string, args: readonly string[], dir: string): void {
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
export async function prepareInstance(sharedDir: string, records: number): Promise<void> {
  await buildAll();
  const dir = join(sharedDir, INSTANCE_DIR);
  const companies = String(Math.ceil(records * COMPANY_RATIO));
  runCommand('generate', ['--companies', companies, '--family', FAMILY, '--out', sharedDir], dir);
  runCommand('import', ['--family', FAMILY, join(sharedDir, `${FAMILY}.jsonl`)], dir);
}

/** A copy of the instance that runs. */
export interface RunningInstance {
  session: Session;
  /** Where its provider sends webhooks to. */
  webhookRelay: WebhookRelay;
  stop: () => Promise<void>;
}

/**
 * Starts a copy of what {@link prepareInstance} has made.
 * @param shared - where it was made
 * @param roundDir - for the copy
 * @param signal - stops the start
 */
export async function startInstanceCopy(
  sharedDir: string,
  roundDir: string,
  signal: AbortSignal,
): Promise<RunningInstance> {
  const dir = join(roundDir, INSTANCE_DIR);
  await rm(dir, { recursive: true, force: true });
  await cp(join(sharedDir, INSTANCE_DIR), dir, { recursive: true });
  const webhookRelay = await startWebhookRelay();
  const cleanUp = async (): Promise<void> => {
    await webhookRelay.close();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const { session, stop } = await startInstance({
      dir,
      port: 0,
      vars: { PUBLIC_URL: webhookRelay.origin },
      signal,
    });
    webhookRelay.setTarget(session.url);
    return { session, webhookRelay, stop: () => stop().finally(cleanUp) };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** Has the provider work on each request for so long. @throws Error where it does not take that */
export async function setProviderDuration({ url, provider_key: apikey }: Session, ms: number): Promise<void> {
  const response = await fetch(`${url}/provider/control`, {
    method: 'PUT',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ run_ms: ms }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}
