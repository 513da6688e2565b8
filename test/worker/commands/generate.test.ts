// npm run generate: one file per family, or one family on standard output.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { generateFiles } from '../../../worker/commands/generate.ts';
import { root } from '../../../worker/commands/paths.ts';
import { countSampleRecords, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { createJob } from '../../../worker/commands/sample/postings.ts';
import { COMPILE_CACHE } from './command.ts';

const COMPANIES = 20;

it('writes one file per family, one record per line', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cdapi-generate-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const target = join(dir, 'deep', 'er');
  const counts = await generateFiles({
    seed: SAMPLE_SEED,
    companies: COMPANIES,
    families: ['company_base', 'job_base'],
    dir: target,
    log: () => {},
  });
  const { company_base, job_base } = countSampleRecords(COMPANIES);
  expect(Object.fromEntries(counts)).toEqual({ company_base, job_base });
  expect((await readdir(target)).sort()).toEqual(['company_base.jsonl', 'job_base.jsonl']);
  const lines = (await readFile(join(target, 'job_base.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(job_base);
  expect(JSON.parse(lines[5] ?? '')).toEqual(createJob(SAMPLE_SEED, 5, COMPANIES));
});

it('ends without an error when the reader closes the pipe', () => {
  const line = `"${process.execPath}" worker/commands/generate.ts --companies 400 --family employee_base --out - | head -n 1`;
  const env = { ...process.env, ...COMPILE_CACHE };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8', cwd: root, env });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout).is_parent).toBe(1);
});
