// npm test: builds, runs the suites beside the checks of types, style and unused code, and prints one line of counts. `--all` adds
// the long suites, `--rest` runs only what `npm test` leaves out, `--repeat N` repeats, and paths select files.
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../worker/commands/build.ts';
import { root } from '../worker/commands/paths.ts';
import { runCommand, UserError } from '../worker/commands/user-error.ts';
import { installChromium } from './chromium.ts';
import { createTemporaryFolder } from './temporary-files.ts';
import { runTool, runVitest, type TestResult } from './vitest.ts';

/** Processes of suites. Together they keep two cores busy: the later ones often wait for disks, sockets and pages. */
const processes = [
  // Each worker loads the whole Worker first, which takes seconds of processor time.
  { projects: ['workerd'], workers: 2 },
  { projects: ['instance'], workers: 1 },
  { projects: ['commands', 'pages', 'faults', 'replaced', 'node'], workers: 2 },
];

const tools = join(root, 'node_modules');

/** Arguments of the tools that check types, style, and that no file, export or package is unused. */
const checks: Readonly<Record<string, readonly string[]>> = {
  // Each further checker of a project resolves the same types again, and the suites keep both cores busy.
  types: [join(tools, 'typescript/bin/tsc'), '-b', '--checkers', '1'],
  style: [join(tools, '@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
  unused: [join(tools, 'knip/bin/knip.js'), '--no-progress'],
};

/** The first of the given ones decides: `npm run test:all -- --rest`. */
const modes = ['--repeat', '--rest', '--all'] as const;

interface Selection {
  mode?: (typeof modes)[number];
  /** Paths, and options of vitest. */
  paths: readonly string[];
}

/** Lists what `npm test` leaves out: long suites, and suites with more cases in the long tier. */
function listRest(): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root });
  return files.filter(
    (file) =>
      file.endsWith('.long.test.ts') || readFileSync(join(root, file), 'utf8').includes('/pick-cases.ts'),
  );
}

/** Runs the checks one after the other, and prints the mistakes. @returns a failure for each check that found some */
async function runChecks(reportDir: string): Promise<TestResult[]> {
  const failures: TestResult[] = [];
  for (const [name, args] of Object.entries(checks)) {
    const log = join(reportDir, `${name}.log`);
    if (await runTool(args, {}, log)) continue;
    console.log(await readFile(log, 'utf8'));
    failures.push({ file: name, title: '', fullName: '', status: 'failed', reason: 'see above' });
  }
  return failures;
}

/** Runs the selected suites, and all checks unless files are selected. */
async function runAll({ mode, paths }: Selection, chromium: string): Promise<TestResult[]> {
  const reportDir = await mkdtemp(join(tmpdir(), 'cdapi-test-'));
  const isLong = mode === '--all' || mode === '--rest' || paths.length > 0;
  const environment = { CHROMIUM: chromium, LONG_TESTS: isLong ? '1' : '0' };
  /** Unless `shown`, the output is collected in a file and printed at the end. */
  const runSuites = async (name: string, args: readonly string[], shown: boolean): Promise<TestResult[]> => {
    const log = join(reportDir, `${name}.log`);
    const output = join(reportDir, `${name}.json`);
    const results = await runVitest(args, { output, environment, ...(shown ? {} : { log }) });
    if (!shown) console.log(await readFile(log, 'utf8'));
    return results;
  };
  if (paths.length > 0) return runSuites('selected', paths, true);
  const files = mode === '--rest' ? listRest() : [];
  console.log('Checking types, style and unused code, and running suites …');
  const results = await Promise.all([
    mode === '--rest' ? [] : runChecks(reportDir),
    ...processes.map(({ projects, workers }, at) =>
      runSuites(
        projects.join('-'),
        [...projects.flatMap((name) => ['--project', name]), `--maxWorkers=${workers}`, ...files],
        at === 0,
      ),
    ),
  ]);
  return results.flat();
}

/** Prints the counts. @returns whether tests passed and none failed */
function report(results: readonly TestResult[]): boolean {
  const count = (wanted: TestResult['status']): number =>
    results.filter(({ status }) => status === wanted).length;
  for (const { file, fullName, status, reason } of results)
    if (status === 'failed') console.error(`FAILED ${file}: ${fullName}: ${reason}`);
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  return count('failed') === 0 && count('passed') > 0;
}

/** Runs the selection several times, and prints which tests failed how often. @returns whether all runs passed */
async function repeat(times: number, selection: Selection, chromium: string): Promise<boolean> {
  const failures = new Map<string, number>();
  let green = 0;
  for (let run = 1; run <= times; run += 1) {
    const startedAt = performance.now();
    const results = await runAll(selection, chromium);
    if (report(results)) green += 1;
    console.log(`Run ${run} of ${times}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
    for (const { file, fullName, status } of results) {
      const name = `${file}: ${fullName}`;
      if (status === 'failed') failures.set(name, (failures.get(name) ?? 0) + 1);
    }
  }
  for (const [name, count] of failures) console.log(`${count} of ${times} times: ${name}`);
  console.log(`${green} passed, ${times - green} failed`);
  return green === times;
}

await runCommand(async () => {
  const args = process.argv.slice(2);
  const mode = modes.find((name) => args.includes(name));
  const others = args.filter((argument) => !modes.some((name) => name === argument));
  const times = mode === '--repeat' ? Number(others.shift()) : 1;
  if (!Number.isInteger(times) || times < 1)
    throw new UserError('Usage: npm run test:repeat -- TIMES [PATH …]');
  createTemporaryFolder();
  const chromium = await installChromium();
  console.log('Building …');
  await buildAll();
  const selection = { ...(mode === undefined ? {} : { mode }), paths: others };
  const passed =
    mode === '--repeat'
      ? await repeat(times, selection, chromium)
      : report(await runAll(selection, chromium));
  if (!passed) process.exitCode = 1;
});
