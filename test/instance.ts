// Starts the instance that the suites of the `instance` project share, with sample records in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startInstance } from '../worker/commands/instance/instance.ts';
import { seedSandbox } from '../worker/commands/instance/seed.ts';
import type { Session } from '../worker/commands/instance/session.ts';
import { serveGoogleIdentity } from './google-identity-server.ts';

const COMPANY_COUNT = 60;

declare module 'vitest' {
  export interface ProvidedContext {
    /** The running instance. */
    session: Session;
    /** Its folder. */
    folder: string;
    /** Address of the stand-in's keys with which the instance verifies identity tokens. */
    googleKeysUrl: string;
  }
}

/** Starts the instance before the suites. Returns a function that stops it after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'cdapi-instance-'));
  const google = await serveGoogleIdentity();
  const instance = await startInstance({ dir, port: 0, vars: { GOOGLE_KEYS_URL: google.url } });
  await seedSandbox(instance.session, dir, COMPANY_COUNT, () => {});
  project.provide('session', instance.session);
  project.provide('folder', dir);
  project.provide('googleKeysUrl', google.url);
  return async () => {
    await instance.stop();
    await google.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
