// The test suites: on Node, inside workerd, in Chromium, and against a running instance.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { generateToken } from './shared/tokens.ts';
import { readFrozenRecords } from './test/golden/documents.ts';
import { goldenIndexes, loadGoldenSet } from './test/golden/load.ts';
import type { Session } from './worker/commands/instance/session.ts';

/** Suites of the add-on that need the running instance; the others use an in-memory gateway. */
const withInstance = 'test/addon/**/*.instance{,.long}.test.ts';

/** Inputs with their right record, beside the project. Without them, their tests are skipped. */
const rightRecordFile = fileURLToPath(new URL('../shared/data/right-record.json', import.meta.url));
const rightRecord = existsSync(rightRecordFile) ? readFileSync(rightRecordFile, 'utf8') : '';

/** A suite that replaces modules before they are loaded, so that it shares none with others. */
const replacesModules = 'test/shared/families/added-family.test.ts';

/** An unreachable gateway: a test that does not stub a call fails at once. */
const unreachable: Session = {
  url: 'https://gateway.invalid',
  admin_token: '',
  team_token: generateToken((length) => new Uint8Array(length)),
  provider_key: '',
  playground_nonce: '',
};

/** Suites of the sidebar's page, which need no instance. */
const pages = 'test/browser/sidebar*.test.ts';

/** Suites of commands that need no instance, or start their own. */
const commands = [
  'test/worker/commands/{addon-check,addon-release,database-schema,deploy*,generate,import-command,install-scripts.attack,lock,restart,runtime,sample,settings,simulate,start,user-error}{,.long}.test.ts',
  'test/upgrade/*.test.ts',
];

/** Suites of code of the Worker that needs no workerd: there, each file takes a second to start. */
const withoutWorkerd = 'test/worker/**/*.node{,.long}.test.ts';

/** Suites of the long tier, which `npm test` leaves out. */
const long = process.env.LONG_TESTS === '0' ? ['test/**/*.long.test.ts'] : [];

/** Generous timeouts, for busy machines: tests do not measure speed. */
const timeouts = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 50_000 } } };

/** Serves the frozen records of a family, `/<family>`, to the suites in workerd. */
function serveGoldenData(request: Request): Response {
  const name = new URL(request.url).pathname.slice(1);
  const index = goldenIndexes.find((known) => known === name);
  if (index === undefined) return new Response(null, { status: 404 });
  return Response.json(readFrozenRecords(loadGoldenSet(index)));
}

/** Share of the volume in tests of large volumes: 1 in `npm run test:scale`. */
const scale = Number(process.env.SCALE ?? 0.01);

/** With less volume, fewer single-flight objects. */
const fewShards = {
  find: /^\.\/shard-count\.ts$/,
  replacement: fileURLToPath(new URL('test/worker/shard-count.ts', import.meta.url)),
};

/** Packages that are many files: bundled for the suites in workerd. All entries of a package, which share its classes. */
const bundledPackages = [
  '@cloudflare/workers-oauth-provider',
  '@modelcontextprotocol/server',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sql',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'jose',
  'zod',
];

/** The local platform. Loading it takes seconds of processor time, and most processes run other suites. */
const platform =
  process.argv.includes('--project') && !process.argv.includes('workerd')
    ? undefined
    : await import('@cloudflare/vitest-plugin');

/** Options of the Worker under test. */
const workerd = async ({ readD1Migrations }: NonNullable<typeof platform>) => ({
  main: './test/worker/main.ts',
  wrangler: { configPath: './wrangler.toml', environment: 'dev' },
  miniflare: {
    queueProducers: { STRICT_QUEUE: { queueName: 'strict' } },
    bindings: {
      SANDBOX_KEY: randomBytes(16).toString('hex'),
      ADMIN_TOKEN: randomBytes(32).toString('hex'),
      PSEUDONYM_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_SECRET: randomBytes(32).toString('hex'),
      TEAM_TOKEN: generateToken((length) => randomBytes(length)),
      PROVIDER_RATE_PER_S: '9999',
      // The strict bindings refuse objects in another region.
      REGION: 'weur',
      SCALE: scale,
      GATEWAY_MIGRATIONS: await readD1Migrations('worker/db/migrations'),
      SANDBOX_MIGRATIONS: await readD1Migrations('worker/sandbox/migrations'),
    },
    serviceBindings: { GOLDEN_DATA: serveGoldenData },
  },
});

export default defineConfig({
  test: {
    // By default vitest leaves one core idle, and one in three suites waits for disks, sockets or pages.
    maxWorkers: 3,
    // The Worker's log has a line for each request.
    onConsoleLog: (text) => !text.startsWith('{"event":"request"'),
    // An alarm of a Durable Object that fires after its suite has ended fails to load modules.
    onUnhandledError: ({ name }) => name !== 'EnvironmentTeardownError',
    projects: [
      {
        test: {
          name: 'node',
          ...timeouts,
          include: [
            'test/*.test.ts',
            'test/shared/**/*.test.ts',
            'test/golden/*.test.ts',
            withoutWorkerd,
            'test/addon/**/*.test.ts',
          ],
          exclude: [withInstance, replacesModules, ...long],
          setupFiles: ['test/addon/setup.ts'],
          // Loading the modules again for each file would take half of the time.
          isolate: false,
          provide: { session: unreachable, rightRecord },
        },
      },
      {
        plugins: platform === undefined ? [] : [platform.cloudflareTest(() => workerd(platform))],
        // Not in node_modules, which working trees may share.
        cacheDir: 'dist/vite',
        resolve: { alias: scale < 1 ? [fewShards] : [] },
        test: {
          name: 'workerd',
          include: ['test/worker/**/*.test.ts'],
          exclude: ['test/worker/commands/**', withoutWorkerd, ...long],
          setupFiles: ['test/worker/setup.ts'],
          env: { LONG_TESTS: process.env.LONG_TESTS ?? '1' },
          // Otherwise each worker loads hundreds of files one by one.
          deps: { optimizer: { ssr: { enabled: true, include: bundledPackages } } },
          provide: { rightRecord },
          // Storage is reset before each file. A separate isolate for each file would take seconds.
          isolate: false,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'commands',
          include: commands,
          exclude: long,
          setupFiles: ['test/close-connections.ts'],
          // In `npm test`, loading the modules for each file, and building the deployed Worker again, would take seconds.
          isolate: long.length === 0,
          ...timeouts,
        },
      },
      {
        test: { name: 'replaced', include: [replacesModules], ...timeouts },
      },
      {
        test: {
          name: 'instance',
          include: ['test/worker/commands/**/*.test.ts', withInstance, 'test/browser/**/*.test.ts'],
          exclude: [pages, ...commands, ...long],
          globalSetup: ['test/instance.ts'],
          setupFiles: ['test/close-connections.ts'],
          // All files share one instance.
          fileParallelism: false,
          // They also share a browser profile. Loading the modules again for each file would take seconds.
          isolate: false,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'pages',
          include: [pages],
          exclude: long,
          setupFiles: ['test/addon/setup.ts'],
          provide: { session: { ...unreachable, url: 'https://gateway.example' } },
          // The files of a worker share a browser and its windows.
          isolate: false,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: long,
          setupFiles: ['test/close-connections.ts'],
          // The Worker that all files start is built once.
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
});
