// Starts the instance that the suites of the `instance` project share, with sample records in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startInstance } from '../worker/commands/instance/instance.ts';
import { seedSandbox } from '../worker/commands/instance/seed.ts';
import type { Session } from '../worker/commands/instance/session.ts';

const COMPANY_COUNT = 60;

declare module 'vitest' {
  export interface ProvidedContext {
    /** The running instance. */
    session: Session;
  }
}

/** Starts the instance before the suites. Returns a function that stops it after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'cdapi-instance-'));
  const instance = await startInstance({ dir, port: 0 });
  await seedSandbox(instance.session, dir, COMPANY_COUNT, () => {});
  project.provide('session', instance.session);
  return async () => {
    await instance.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
