// npm test: brings what is needed, checks types and style, runs every suite and ends with one line of counts.
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { buildAll } from '../worker/commands/build.ts';
import { root, tools } from '../worker/commands/paths.ts';
import { bringChromium } from './chromium.ts';
import { COMPILED } from './worker/commands/command.ts';

const result = z.object({
  status: z.string(),
  fullName: z.string(),
  failureMessages: z.array(z.string()).nullish(),
});
const suite = z.object({
  status: z.string(),
  name: z.string(),
  message: z.string(),
  assertionResults: z.array(result),
});
const report = z.object({ testResults: z.array(suite) });

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Each failure in a line: the suite, the test, and the first line of why. */
  failures: string[];
}

/**
 * Runs a tool of the project on the Node that runs this.
 * @param log - a file that takes its output; shown where absent
 */
async function run(args: readonly string[], log?: string): Promise<boolean> {
  const file = log === undefined ? undefined : await open(log, 'w');
  try {
    const stdio = file === undefined ? 'inherit' : (['ignore', file.fd, file.fd] satisfies StdioOptions);
    const env = { ...process.env, ...COMPILED, CHROMIUM: chromium };
    const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio, env }), 'close');
    return status === 0;
  } finally {
    await file?.close();
  }
}

function projectsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => ['--project', name]);
}

/** A file that could not be run at all counts as one failure. */
async function readCounts(file: string): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const fail = (what: string, why: string | undefined) => {
    counts.failed += 1;
    counts.failures.push(`${what}: ${why?.split('\n')[0] ?? 'no reason given'}`);
  };
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    fail('suites', 'they ended without a report');
    return counts;
  }
  for (const { status, name, message, assertionResults } of report.parse(JSON.parse(text)).testResults) {
    const suiteName = relative(root, name);
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      fail(suiteName, message);
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed += 1;
      else if (test.status === 'failed') fail(`${suiteName}: ${test.fullName}`, test.failureMessages?.[0]);
      else counts.skipped += 1;
    }
  }
  return counts;
}

const only = process.argv.slice(2);
const chromium = await bringChromium();
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
let checked = true;
for (const [what = '', ...args] of only.length > 0 ? [] : checks) {
  console.log(what);
  checked = (await run(args)) && checked;
}
const folder = await mkdtemp(join(tmpdir(), 'cdapi-test-'));
/** Runs suites; a file that is shown when they have ended takes what they say, if they are not the only ones. */
async function runSuites(name: string, args: readonly string[], shown: boolean): Promise<Counts> {
  const output = join(folder, `${name}.json`);
  const log = join(folder, `${name}.log`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const passed = await run([tools.vitest, 'run', ...reporters, ...args], shown ? undefined : log);
  if (!shown) console.log(await readFile(log, 'utf8'));
  const counts = await readCounts(output);
  if (passed || counts.failed > 0) return counts;
  return { ...counts, failed: 1, failures: ['suites: an error outside of any test, see above'] };
}
// Two processes keep two cores busy: suites of the second mostly wait for disks, sockets and pages.
const parts =
  only.length > 0
    ? [await runSuites('asked', only, true)]
    : await Promise.all([
        runSuites('first', projectsOf(['node', 'workerd', 'commands']), true),
        runSuites('second', projectsOf(['instance', 'pages', 'faults']), false),
      ]);
const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
for (const part of parts) {
  counts.passed += part.passed;
  counts.failed += part.failed;
  counts.skipped += part.skipped;
  counts.failures.push(...part.failures);
}
await rm(folder, { recursive: true });
if (!checked) {
  counts.failed += 1;
  counts.failures.push('types or style: see above');
}
for (const failure of counts.failures) console.error(`FAILED ${failure}`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
