// Paths of the project's folders and tools.
import { join, resolve } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** Folder that `npm start` keeps between runs: session, settings, stored data. `DEV_DIR` overrides it. */
export const devDir = resolve(root, process.env.DEV_DIR ?? '.dev');

/** Folder of deployments: settings, secrets and configuration of each. `DEPLOY_DIR` overrides it. */
export const deployDir = resolve(root, process.env.DEPLOY_DIR ?? '.deploy');

/** The built add-on, as it is pushed to Apps Script. */
export const addonDist = join(root, 'dist', 'addon');

/** The built playground, as it is served. */
export const playgroundDist = join(root, 'dist', 'playground');

/** Environment of wrangler: no telemetry, no questions, and no log files, which an erasure would not reach. */
export const wranglerEnvironment = {
  CI: 'true',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
} as const;

/** Scripts of command-line packages, which the project's own Node runs. */
export const tools = {
  wrangler: join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js'),
  clasp: join(root, 'node_modules', '@google', 'clasp', 'build', 'src', 'index.js'),
  vitest: join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  drizzleKit: join(root, 'node_modules', 'drizzle-kit', 'bin.cjs'),
} as const;
