// npm test: builds, checks types and style, runs all suites and prints one line of counts.
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { buildAll } from '../worker/commands/build.ts';
import { root, tools } from '../worker/commands/paths.ts';
import { installChromium } from './chromium.ts';
import { COMPILE_CACHE } from './worker/commands/command.ts';

const resultSchema = z.object({
  status: z.string(),
  fullName: z.string(),
  failureMessages: z.array(z.string()).nullish(),
});
const suiteSchema = z.object({
  status: z.string(),
  name: z.string(),
  message: z.string(),
  assertionResults: z.array(resultSchema),
});
const reportSchema = z.object({ testResults: z.array(suiteSchema) });

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** One line per failure: suite, test and the first line of the message. */
  failures: string[];
}

/**
 * Runs a tool of the project with the current Node.
 * @param log - a file that receives the output; printed if absent
 * @returns whether it succeeded
 */
async function run(args: readonly string[], log?: string): Promise<boolean> {
  const file = log === undefined ? undefined : await open(log, 'w');
  try {
    const stdio = file === undefined ? 'inherit' : (['ignore', file.fd, file.fd] satisfies StdioOptions);
    const env = { ...process.env, ...COMPILE_CACHE, CHROMIUM: chromium };
    const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio, env }), 'close');
    return status === 0;
  } finally {
    await file?.close();
  }
}

function toProjectArguments(names: readonly string[]): string[] {
  return names.flatMap((name) => ['--project', name]);
}

/** Counts results. A file that could not run counts as one failure. */
async function readCounts(file: string): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const addFailure = (title: string, message: string | undefined) => {
    counts.failed += 1;
    counts.failures.push(`${title}: ${message?.split('\n')[0] ?? 'no reason given'}`);
  };
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    addFailure('suites', 'they ended without a report');
    return counts;
  }
  for (const { status, name, message, assertionResults } of reportSchema.parse(JSON.parse(text))
    .testResults) {
    const suiteName = relative(root, name);
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      addFailure(suiteName, message);
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed += 1;
      else if (test.status === 'failed')
        addFailure(`${suiteName}: ${test.fullName}`, test.failureMessages?.[0]);
      else counts.skipped += 1;
    }
  }
  return counts;
}

const requestedFiles = process.argv.slice(2);
const chromium = await installChromium();
console.log('Building …');
await buildAll();
const checks = [
  ['Checking types …', join(root, 'node_modules/typescript/bin/tsc'), '-b'],
  [
    'Checking style …',
    join(root, 'node_modules/@biomejs/biome/bin/biome'),
    'check',
    '--error-on-warnings',
    '.',
  ],
];
let checksPassed = true;
for (const [title = '', ...args] of requestedFiles.length > 0 ? [] : checks) {
  console.log(title);
  checksPassed = (await run(args)) && checksPassed;
}
const reportDir = await mkdtemp(join(tmpdir(), 'cdapi-test-'));
/** Runs suites. Unless `shown`, their output is collected in a file and printed at the end. */
async function runSuites(name: string, args: readonly string[], shown: boolean): Promise<Counts> {
  const output = join(reportDir, `${name}.json`);
  const log = join(reportDir, `${name}.log`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const passed = await run([tools.vitest, 'run', ...reporters, ...args], shown ? undefined : log);
  if (!shown) console.log(await readFile(log, 'utf8'));
  const counts = await readCounts(output);
  if (passed || counts.failed > 0) return counts;
  return { ...counts, failed: 1, failures: ['suites: an error outside of any test, see above'] };
}
// Together they keep two cores busy: the second and third mostly wait for disks, sockets and pages.
const processes = [
  // Each worker loads the whole Worker first, which takes seconds.
  { projects: ['workerd'], workers: 2 },
  { projects: ['instance'], workers: 1 },
  { projects: ['commands', 'pages', 'faults', 'node'], workers: 3 },
];
const partialCounts =
  requestedFiles.length > 0
    ? [await runSuites('requested', requestedFiles, true)]
    : await Promise.all(
        processes.map(({ projects, workers }, at) =>
          runSuites(
            projects.join('-'),
            [...toProjectArguments(projects), `--maxWorkers=${workers}`],
            at === 0,
          ),
        ),
      );
const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
for (const part of partialCounts) {
  counts.passed += part.passed;
  counts.failed += part.failed;
  counts.skipped += part.skipped;
  counts.failures.push(...part.failures);
}
await rm(reportDir, { recursive: true });
if (!checksPassed) {
  counts.failed += 1;
  counts.failures.push('types or style: see above');
}
for (const failure of counts.failures) console.error(`FAILED ${failure}`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
