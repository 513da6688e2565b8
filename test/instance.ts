// Starts one instance for all suites that need a whole one, with sample records, in a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startInstance } from '../worker/commands/instance/instance.ts';
import { seedSandbox } from '../worker/commands/instance/seed.ts';
import type { Session } from '../worker/commands/instance/session.ts';

/** Enough to try everything with. */
const COMPANY_COUNT = 60;

declare module 'vitest' {
  export interface ProvidedContext {
    /** The running instance. */
    session: Session;
  }
}

/** Runs before the suites; what it returns runs after them. */
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
