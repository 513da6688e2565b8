// Paths of the project's folders and tools.
import { join, resolve } from 'node:path';

/** Root of the project. */
export const root = join(import.meta.dirname, '..', '..');

/** Folder that `npm start` keeps between runs: session, settings, stored data. `DEV_DIR` overrides it. */
export const devDir = resolve(root, process.env.DEV_DIR ?? '.dev');

/** The built add-on, as it is pushed to Apps Script. */
export const addonDist = join(root, 'dist', 'addon');

/** The built playground, as it is served. */
export const playgroundDist = join(root, 'dist', 'playground');

/** Scripts of command-line packages, which the project's own Node runs. */
export const tools = {
  wrangler: join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js'),
  clasp: join(root, 'node_modules', '@google', 'clasp', 'build', 'src', 'index.js'),
  vitest: join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  drizzleKit: join(root, 'node_modules', 'drizzle-kit', 'bin.cjs'),
} as const;
