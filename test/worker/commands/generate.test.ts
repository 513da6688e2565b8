// npm run generate: one file per family, or one family on standard output; mistakes are told in a sentence.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateFiles } from '../../../worker/commands/generate.ts';
import { root } from '../../../worker/commands/paths.ts';
import { countSampleRecords, SAMPLE_FAMILIES, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { createJob } from '../../../worker/commands/sample/job.ts';
import { COMPILE_CACHE } from './command.ts';

const env = { ...process.env, ...COMPILE_CACHE };

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-generate-'));
});
afterAll(() => rm(dir, { recursive: true }));

function run(...given: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'worker/commands/generate.ts'), ...given],
    { encoding: 'utf8', maxBuffer: 1 << 28, cwd: root, env },
  );
  return { status, out: stdout, err: stderr };
}

it('writes one file per family, each line a record, and tells of progress', async () => {
  const told: string[] = [];
  const target = join(dir, 'deep', 'er');
  const counts = await generateFiles({
    seed: SAMPLE_SEED,
    companies: 1100,
    families: ['company_base', 'job_base', 'employee_post', 'employee_base'],
    dir: target,
    log: (line) => told.push(line),
  });
  expect((await readdir(target)).sort()).toEqual([
    'company_base.jsonl',
    'employee_base.jsonl',
    'employee_post.jsonl',
    'job_base.jsonl',
  ]);
  expect(counts.get('employee_base')).toBe(countSampleRecords(1100).employee_base);
  const lines = (await readFile(join(target, 'job_base.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(countSampleRecords(1100).job_base);
  expect(JSON.parse(lines[5] ?? '')).toEqual(createJob(SAMPLE_SEED, 5, 1100));
  expect(told).toEqual(['10,000 of 11,000 records …']);
});

it('ends quietly when the reader has had enough', () => {
  const line = `"${process.execPath}" worker/commands/generate.ts --companies 400 --family employee_base --out - | head -n 1`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8', cwd: root, env });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout).is_parent).toBe(1);
});

it('tells mistakes in a sentence', () => {
  expect(run().err).toMatch(/^Usage: npm run generate/);
  expect(run('--companies', '0').err).toMatch(/--companies is a whole number from 1 to/);
  expect(run('--companies', 'many').err).toMatch(/--companies is a whole number/);
  expect(run('--companies', '2', '--seed', '1.5').err).toMatch(/--seed is a whole number/);
  expect(run('--companies', '2', '--family', 'people').err).toContain(SAMPLE_FAMILIES.join(', '));
  expect(run('--companies', '2', '--out', '-').err).toMatch(/name it with --family/);
  expect(run('--companies', '2', '--nonsense').status).toBe(1);
  expect(run('--companies', '2', '--out', join(root, 'package.json', 'x')).err).toMatch(/no folder/);
});
