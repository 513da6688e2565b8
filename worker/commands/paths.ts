// Where the project's folders are, and the tools in them.
import { join, resolve } from 'node:path';

/** The project's top folder. */
export const root = join(import.meta.dirname, '..', '..');

/** What `npm start` keeps between runs: session, settings, stored data. `DEV_DIR` names another folder. */
export const devDir = resolve(root, process.env.DEV_DIR ?? '.dev');

/** Built add-on, as it is pushed to Apps Script. */
export const addonDist = join(root, 'dist', 'addon');

/** Built playground, as it is served. */
export const playgroundDist = join(root, 'dist', 'playground');

/** The script of a command-line package, to be run by the Node that runs this. */
export const tools = {
  wrangler: join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js'),
  clasp: join(root, 'node_modules', '@google', 'clasp', 'build', 'src', 'index.js'),
  vitest: join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  drizzleKit: join(root, 'node_modules', 'drizzle-kit', 'bin.cjs'),
} as const;
