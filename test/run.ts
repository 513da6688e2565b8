// npm test: builds, runs the suites beside the checks of types and style, and prints one line of counts. npm run test:all adds long suites.
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../worker/commands/build.ts';
import { root } from '../worker/commands/paths.ts';
import { installChromium } from './chromium.ts';
import { createTemporaryFolder } from './temporary-files.ts';
import { runTool, runVitest, type TestResult } from './vitest.ts';

function toProjectArguments(names: readonly string[]): string[] {
  return names.flatMap((name) => ['--project', name]);
}

const ALL = '--all';
const requestedFiles = process.argv.slice(2).filter((argument) => argument !== ALL);
const runsLongSuites = process.argv.includes(ALL) || requestedFiles.length > 0;
createTemporaryFolder();
const chromium = await installChromium();
console.log('Building …');
await buildAll();
const reportDir = await mkdtemp(join(tmpdir(), 'cdapi-test-'));
const tools = join(root, 'node_modules');
/** Arguments of the tools that check types and style. */
const checks: Readonly<Record<string, readonly string[]>> = {
  types: [join(tools, 'typescript/bin/tsc'), '-b'],
  style: [join(tools, '@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
};
/** Checks types, then style, beside the suites, and prints the mistakes. @returns whether there are none */
async function runChecks(): Promise<boolean> {
  let passed = true;
  for (const [name, args] of Object.entries(checks)) {
    const log = join(reportDir, `${name}.log`);
    const isFine = await runTool(args, {}, log);
    if (!isFine) console.log(await readFile(log, 'utf8'));
    passed &&= isFine;
  }
  return passed;
}
/** Runs suites. Unless `shown`, their output is collected in a file and printed at the end. */
async function runSuites(name: string, args: readonly string[], shown: boolean): Promise<TestResult[]> {
  const output = join(reportDir, `${name}.json`);
  const log = join(reportDir, `${name}.log`);
  const environment = { CHROMIUM: chromium, LONG_TESTS: runsLongSuites ? '1' : '0' };
  const results = await runVitest(args, { output, environment, ...(shown ? {} : { log }) });
  if (!shown) console.log(await readFile(log, 'utf8'));
  return results;
}
// Together they keep two cores busy: the second and third mostly wait for disks, sockets and pages.
const processes = [
  // Each worker loads the whole Worker first, which takes seconds of processor time.
  { projects: ['workerd'], workers: 2 },
  { projects: ['instance'], workers: 1 },
  { projects: ['commands', 'pages', 'faults', 'node'], workers: 3 },
];
if (requestedFiles.length === 0) console.log('Checking types and style, and running suites …');
const [checksPassed, results] =
  requestedFiles.length > 0
    ? [true, await runSuites('requested', requestedFiles, true)]
    : await Promise.all([
        runChecks(),
        Promise.all(
          processes.map(({ projects, workers }, at) =>
            runSuites(
              projects.join('-'),
              [...toProjectArguments(projects), `--maxWorkers=${workers}`],
              at === 0,
            ),
          ),
        ).then((all) => all.flat()),
      ]);

const count = (wanted: TestResult['status']): number =>
  results.filter(({ status }) => status === wanted).length;
for (const { file, fullName, status, reason } of results)
  if (status === 'failed') console.error(`FAILED ${file}: ${fullName}: ${reason}`);
if (!checksPassed) console.error('FAILED types or style: see above');
const failed = count('failed') + (checksPassed ? 0 : 1);
if (failed > 0 || count('passed') === 0) process.exitCode = 1;
console.log(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`);
