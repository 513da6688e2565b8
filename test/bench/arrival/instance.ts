// Prepares an instance with companies once and copies it for each round.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAll } from '../../../worker/commands/build.ts';
import { startInstance } from '../../../worker/commands/instance/instance.ts';
import type { Session } from '../../../worker/commands/instance/session.ts';
import { runProjectCommand } from '../harness/project-command.ts';
import { startWebhookRelay, type WebhookRelay } from './webhook-relay.ts';

const FAMILY = 'company_clean';
const INSTANCE_DIR = 'instance';

/** Companies per ordered record: the search matches only companies with a known number of employees. */
const COMPANY_RATIO = 1.3;

/**
 * Builds the add-on and imports companies.
 * @param sharedDir - receives the instance
 * @param records - size of the largest order
 */
export async function prepareInstance(sharedDir: string, records: number): Promise<void> {
  await buildAll();
  const dir = join(sharedDir, INSTANCE_DIR);
  const companies = String(Math.ceil(records * COMPANY_RATIO));
  runProjectCommand('generate', ['--companies', companies, '--family', FAMILY, '--out', sharedDir], dir);
  runProjectCommand('import', ['--family', FAMILY, join(sharedDir, `${FAMILY}.jsonl`)], dir);
}

/** A running copy of the instance. */
export interface RunningInstance {
  session: Session;
  /** The target of the provider's webhooks. */
  webhookRelay: WebhookRelay;
  stop: () => Promise<void>;
}

/**
 * Starts a copy of the instance that {@link prepareInstance} has prepared.
 * @param sharedDir - folder of the prepared instance
 * @param roundDir - folder of the copy
 * @param signal - cancels the start
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

/** Sets how long the provider works on an order. @throws Error if it refuses */
export async function setProviderDuration({ url, provider_key: apikey }: Session, ms: number): Promise<void> {
  const response = await fetch(`${url}/provider/control`, {
    method: 'PUT',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ run_ms: ms }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}
