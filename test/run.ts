// npm test: builds, checks types and style, runs the suites and prints one line of counts. npm run test:all adds long suites.
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
  checksPassed = (await runTool(args)) && checksPassed;
}
const reportDir = await mkdtemp(join(tmpdir(), 'cdapi-test-'));
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
const results =
  requestedFiles.length > 0
    ? await runSuites('requested', requestedFiles, true)
    : (
        await Promise.all(
          processes.map(({ projects, workers }, at) =>
            runSuites(
              projects.join('-'),
              [...toProjectArguments(projects), `--maxWorkers=${workers}`],
              at === 0,
            ),
          ),
        )
      ).flat();

const count = (wanted: TestResult['status']): number =>
  results.filter(({ status }) => status === wanted).length;
for (const { file, fullName, status, reason } of results)
  if (status === 'failed') console.error(`FAILED ${file}: ${fullName}: ${reason}`);
if (!checksPassed) console.error('FAILED types or style: see above');
const failed = count('failed') + (checksPassed ? 0 : 1);
if (failed > 0 || count('passed') === 0) process.exitCode = 1;
console.log(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`);
