// Runs vitest for the commands of this folder, and reads its reports.
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import * as z from 'zod';
import { root, tools } from '../worker/commands/paths.ts';
import { COMPILE_CACHE } from './worker/commands/command.ts';

const testSchema = z.object({
  status: z.string(),
  title: z.string(),
  fullName: z.string(),
  failureMessages: z.array(z.string()).nullish(),
});
const fileSchema = z.object({
  status: z.string(),
  name: z.string(),
  message: z.string(),
  assertionResults: z.array(testSchema),
});
const reportSchema = z.object({ testResults: z.array(fileSchema) });

/** One test of a report. A file that could not run counts as one failed test. */
export interface TestResult {
  /** Path of its file in the project. */
  file: string;
  title: string;
  /** The title after those of its groups. */
  fullName: string;
  status: 'passed' | 'failed' | 'skipped';
  /** First line of the reason of a failure. */
  reason?: string;
}

/**
 * Runs a tool of the project with the current Node.
 * @param environment - added to the environment of this process
 * @param log - a file that receives the output; printed if absent
 * @returns whether it succeeded
 */
export async function runTool(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  log?: string,
): Promise<boolean> {
  const file = log === undefined ? undefined : await open(log, 'w');
  try {
    const stdio = file === undefined ? 'inherit' : (['ignore', file.fd, file.fd] satisfies StdioOptions);
    const env = { ...process.env, ...COMPILE_CACHE, ...environment };
    const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio, env }), 'close');
    return status === 0;
  } finally {
    await file?.close();
  }
}

function toStatus(status: string): TestResult['status'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

const getReason = (message: string | undefined): string => message?.split('\n')[0] ?? 'no reason given';

/**
 * Runs test files.
 * @param args - projects, files and options of vitest
 * @param options - `output`: file for the report; the others as in {@link runTool}
 * @returns all tests; one failure if there is no report, or if an error happened outside of any test
 */
export async function runVitest(
  args: readonly string[],
  { output, environment, log }: { output: string; environment?: Record<string, string>; log?: string },
): Promise<TestResult[]> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const passed = await runTool([tools.vitest, 'run', ...reporters, ...args], environment, log);
  const fail = (reason: string): TestResult => ({
    file: 'suites',
    title: '',
    fullName: '',
    status: 'failed',
    reason,
  });
  let text: string;
  try {
    text = await readFile(output, 'utf8');
  } catch {
    return [fail('they ended without a report')];
  }
  const results: TestResult[] = [];
  for (const { status, name, message, assertionResults } of reportSchema.parse(JSON.parse(text))
    .testResults) {
    const file = relative(root, name);
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      results.push({ ...fail(getReason(message)), file });
    for (const { title, fullName, ...test } of assertionResults) {
      const result = { file, title, fullName, status: toStatus(test.status) };
      results.push(
        result.status === 'failed' ? { ...result, reason: getReason(test.failureMessages?.[0]) } : result,
      );
    }
  }
  const hasFailed = results.some(({ status }) => status === 'failed');
  return passed || hasFailed ? results : [...results, fail('an error outside of any test, see above')];
}
