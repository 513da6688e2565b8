// The test suites: what runs on Node, what runs inside workerd, what drives a whole instance.
import { randomBytes } from 'node:crypto';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { newToken } from './shared/tokens.ts';
import { goldenDocuments } from './test/golden/documents.ts';
import { goldenIndexes, goldenSet } from './test/golden/load.ts';

/** Suites of the sidebar's page, which need no instance; the playground is what an instance serves. */
const pages = ['test/browser/sidebar.test.ts', 'test/browser/sidebar-!(playground).test.ts'];

/** Suites of commands that need no instance, or their own. */
const commands = [
  'test/worker/commands/{addon-push,addon-release,es-facade,generate,import-command,lock,migrate,output,settings,start,under-way}.test.ts',
];

/** Time enough on a machine that has much else to do: how long something takes is no promise that is tested. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000 };

/** Serves the documents of a golden index, `/rules`, to the suite in workerd; null where their table is not here. */
async function goldenDocumentsService(request: Request): Promise<Response> {
  const index = goldenIndexes.find((name) => new URL(request.url).pathname === `/${name}`);
  if (index === undefined) return new Response(null, { status: 404 });
  return Response.json((await goldenDocuments(goldenSet(index))) ?? null);
}

/** What workerd is given to run. */
const workerd = async () => ({
  main: './test/worker/main.ts',
  wrangler: { configPath: './wrangler.toml', environment: 'dev' },
  miniflare: {
    queueProducers: { STRICT_QUEUE: { queueName: 'strict' } },
    bindings: {
      PROVIDER_KEY: randomBytes(16).toString('hex'),
      ADMIN_TOKEN: randomBytes(32).toString('hex'),
      TEAM_TOKEN: newToken((length) => randomBytes(length)),
      PROVIDER_RATE_PER_S: '9999',
      GATEWAY_MIGRATIONS: await readD1Migrations('worker/migrations'),
      PROVIDER_MIGRATIONS: await readD1Migrations('worker/provider/migrations'),
    },
    serviceBindings: { GOLDEN_DOCUMENTS: goldenDocumentsService },
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
            'test/addon/host/**/*.test.ts',
            'test/addon/pure/**/*.test.ts',
            'test/bench/**/*.test.ts',
          ],
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
      { test: { name: 'commands', include: commands, ...patience } },
      {
        test: {
          name: 'instance',
          include: [
            'test/worker/commands/**/*.test.ts',
            'test/addon/*.test.ts',
            'test/addon/formulas/*.test.ts',
            'test/addon/tables/**/*.test.ts',
            'test/addon/server/**/*.test.ts',
            'test/browser/**/*.test.ts',
          ],
          exclude: [...pages, ...commands],
          globalSetup: ['test/instance.ts'],
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
          sequence: { groupOrder: 2 },
          ...patience,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          // Each starts Workers, ends them the hard way, and waits: two at once, more would hold each other up.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          // What all of them start is built once.
          isolate: false,
          ...patience,
        },
      },
    ],
  },
});
