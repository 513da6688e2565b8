// npm run test:security: runs every attack that was possible once, and prints what became of it.
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../worker/commands/build.ts';
import { installChromium } from './chromium.ts';
import { createTemporaryFolder } from './temporary-files.ts';
import { runVitest, type TestResult } from './vitest.ts';

const WIDTH = 100;

/** Splits a title such as `a page of another site asks for the token: refused`. */
function splitTitle(title: string): { attack: string; outcome: string } {
  const at = title.lastIndexOf(': ');
  return at < 0
    ? { attack: title, outcome: 'defeated' }
    : { attack: title.slice(0, at), outcome: title.slice(at + 2) };
}

function printTable(results: readonly TestResult[]): void {
  for (const [file, attacks] of Map.groupBy(results, (result) => result.file)) {
    console.log(`\n${file}`);
    for (const { title, status, reason } of attacks) {
      const { attack, outcome } = splitTitle(title);
      const result = status === 'passed' ? outcome : status === 'failed' ? `SUCCEEDED: ${reason}` : 'not run';
      console.log(`  ${attack.padEnd(WIDTH)}  ${result}`);
    }
  }
}

createTemporaryFolder();
const environment = { CHROMIUM: await installChromium() };
await buildAll();
const dir = await mkdtemp(join(tmpdir(), 'cdapi-security-'));
const log = join(dir, 'log');
console.log('Running the attacks …');
const results = await runVitest(['.attack.'], { output: join(dir, 'report.json'), environment, log });
const failed = results.filter(({ status }) => status === 'failed').length;
if (failed > 0) console.log(await readFile(log, 'utf8'));
printTable(results);
if (failed > 0 || results.length === 0) process.exitCode = 1;
console.log(`\n${results.length - failed} attacks defeated, ${failed} succeeded`);
