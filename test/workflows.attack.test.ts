// Attacks through the workflows of the forge: a moved tag of an action, or code of a dependency, with the right to write.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../worker/commands/paths.ts';

const FOLDER = join(root, '.github', 'workflows');
const workflows = readdirSync(FOLDER).map(
  (name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const,
);

/** Splits a workflow into its head and its jobs. */
function splitJobs(text: string): { head: string; jobs: string[] } {
  const [head = '', jobs = ''] = text.split(/^jobs:$/m);
  return { head, jobs: jobs.split(/^(?= {2}\w+:$)/m).filter((job) => job.trim() !== '') };
}

const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '');

describe.each(workflows)('%s', (_, text) => {
  const { head, jobs } = splitJobs(text);

  it('an owner of an action moves its tag to other code: actions are pinned by commit', () => {
    const used = [...text.matchAll(/uses: *(.*)/g)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('code of a dependency runs in a test or script: only jobs without it may write', () => {
    expect(head).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(jobs.length).toBeGreaterThan(0);
    for (const job of jobs.map(withoutComments)) {
      if (!/: write$/m.test(job)) expect(job).not.toContain('github.token');
      else expect(job).not.toMatch(/\b(?:npm|npx|node|\.ci\/run)\b|setup-node/);
    }
  });

  it('code of a test writes a file: no job commits what it does not name', () => {
    expect(withoutComments(text)).not.toMatch(/git add (?:-A|--all|\.|-u)|git commit [^\n]*-a/);
  });
});
