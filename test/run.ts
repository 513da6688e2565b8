// npm test: brings what is needed, checks types and style, runs every suite and ends with one line of counts.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { buildAll } from '../worker/commands/build.ts';
import { root, tools } from '../worker/commands/paths.ts';
import { bringChromium } from './chromium.ts';

const suite = z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) });
const report = z.object({ testResults: z.array(suite) });

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs a tool of the project on the Node that runs this; its output is shown. */
function run(args: readonly string[], environment: Record<string, string> = {}): boolean {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } } as const;
  return spawnSync(process.execPath, args, options).status === 0;
}

/** A file that could not be run at all counts as one failure. */
async function readCounts(file: string): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return { ...counts, failed: 1 };
  }
  for (const { status, assertionResults } of report.parse(JSON.parse(text)).testResults) {
    if (status === 'failed' && !assertionResults.some((result) => result.status === 'failed'))
      counts.failed += 1;
    for (const result of assertionResults) {
      if (result.status === 'passed') counts.passed += 1;
      else if (result.status === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
  }
  return counts;
}

const only = process.argv.slice(2);
const chromium = await bringChromium();
console.log('Building …');
await buildAll();
const checked =
  only.length > 0 ||
  [
    ['Checking types …', join(root, 'node_modules/typescript/bin/tsc'), '-b'],
    [
      'Checking style …',
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'check',
      '--error-on-warnings',
      '.',
    ],
  ].every(([what = '', ...args]) => {
    console.log(what);
    return run(args);
  });
const folder = await mkdtemp(join(tmpdir(), 'cdapi-test-'));
const output = join(folder, 'report.json');
const passed = run(
  [tools.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`, ...only],
  { CHROMIUM: chromium },
);
const counts = await readCounts(output);
await rm(folder, { recursive: true });
if (!checked) {
  counts.failed += 1;
  console.error('Types or style are not right: see above.');
}
if (!passed || counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
