// The test suites: what runs on Node, what runs inside workerd, what drives a whole instance.
import { randomBytes } from 'node:crypto';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { generateToken } from './shared/tokens.ts';
import { frozenRecords, goldenDocuments } from './test/golden/documents.ts';
import { goldenIndexes, goldenSet } from './test/golden/load.ts';
import type { Session } from './worker/commands/instance/session.ts';

/** Suites of the add-on that need the running instance: what its script does alone is proven with answers of the test. */
const withInstance = 'test/addon/**/*.instance.test.ts';

/** A session of nobody: a suite that forgets to answer a call fails at once. */
const unreachable: Session = {
  url: 'https://gateway.invalid',
  admin_token: '',
  team_token: generateToken((length) => new Uint8Array(length)),
  provider_key: '',
};

/** Suites of the sidebar's page, which need no instance; the playground is what an instance serves. */
const pages = ['test/browser/sidebar.test.ts', 'test/browser/sidebar-!(playground).test.ts'];

/** Suites of commands that need no instance, or their own. */
const commands = [
  'test/worker/commands/{addon-release,database-schema,es-facade,generate,import-command,lock,restart,runtime,sample,settings,start,user-error}.test.ts',
];

/** Time enough on a machine that has much else to do: how long something takes is no promise that is tested. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 50_000 } } };

/**
 * Serves golden data to the suites in workerd: `/documents/<index>`, null where their table is not here, and
 * `/records/<family>`, the frozen records of a family.
 */
async function serveGoldenData(request: Request): Promise<Response> {
  const [, kind, name] = new URL(request.url).pathname.split('/');
  const index = goldenIndexes.find((known) => known === name);
  if (index === undefined) return new Response(null, { status: 404 });
  const set = goldenSet(index);
  return Response.json(kind === 'records' ? frozenRecords(set) : ((await goldenDocuments(set)) ?? null));
}

/** What workerd is given to run. */
const workerd = async () => ({
  main: './test/worker/main.ts',
  wrangler: { configPath: './wrangler.toml', environment: 'dev' },
  miniflare: {
    queueProducers: { STRICT_QUEUE: { queueName: 'strict' } },
    bindings: {
      SANDBOX_KEY: randomBytes(16).toString('hex'),
      ADMIN_TOKEN: randomBytes(32).toString('hex'),
      TEAM_TOKEN: generateToken((length) => randomBytes(length)),
      PROVIDER_RATE_PER_S: '9999',
      GATEWAY_MIGRATIONS: await readD1Migrations('worker/db/migrations'),
      SANDBOX_MIGRATIONS: await readD1Migrations('worker/sandbox/migrations'),
    },
    serviceBindings: { GOLDEN_DATA: serveGoldenData },
  },
});

export default defineConfig({
  test: {
    // Vitest leaves one core to itself otherwise; of three suites here one waits for disks, sockets or pages.
    maxWorkers: 3,
    // The Worker's log has a line for each request.
    onConsoleLog: (text) => !text.startsWith('{"event":"request"'),
    // An object whose alarm comes when its suite has ended asks for modules that nobody sends any more: no test's fault.
    onUnhandledError: ({ name }) => name !== 'EnvironmentTeardownError',
    projects: [
      {
        test: {
          name: 'node',
          ...patience,
          include: [
            'test/*.test.ts',
            'test/shared/**/*.test.ts',
            'test/golden/*.test.ts',
            'test/addon/**/*.test.ts',
            'test/bench/**/*.test.ts',
          ],
          exclude: [withInstance],
          // The add-on's suites answer its calls themselves: nobody is at this address.
          provide: { session: unreachable },
        },
      },
      {
        plugins: [cloudflareTest(workerd)],
        test: {
          name: 'workerd',
          include: ['test/worker/**/*.test.ts'],
          exclude: ['test/worker/commands/**'],
          setupFiles: ['test/worker/setup.ts'],
          // Before each file the storage is emptied and the Worker made anew; an isolate of its own for each takes seconds.
          isolate: false,
          ...patience,
        },
      },
      {
        test: { name: 'commands', include: commands, setupFiles: ['test/close-connections.ts'], ...patience },
      },
      {
        test: {
          name: 'instance',
          include: ['test/worker/commands/**/*.test.ts', withInstance, 'test/browser/**/*.test.ts'],
          exclude: [...pages, ...commands],
          globalSetup: ['test/instance.ts'],
          setupFiles: ['test/close-connections.ts'],
          // They share one instance and the built files that it serves.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          ...patience,
        },
      },
      {
        test: {
          name: 'pages',
          include: pages,
          ...patience,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          setupFiles: ['test/close-connections.ts'],
          // What all of them start is built once.
          isolate: false,
          ...patience,
        },
      },
    ],
  },
});
