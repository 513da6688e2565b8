// Guides name what exists: CONTRIBUTING.md the test suites, docs/security.md the tests of its controls.
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../worker/commands/paths.ts';

/** Returns the first group of each match, sorted. */
function listMatches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).sort();
}

// Issue: "`CONTRIBUTING.md` names a suite that does not exist (`apart`)."
it('CONTRIBUTING.md lists exactly the suites of vitest.config.ts', async () => {
  const guide = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
  const config = await readFile(join(root, 'vitest.config.ts'), 'utf8');
  const [, table = ''] = guide.split('| suite |');
  const suites = listMatches(config, /\bname: '(\w+)'/g);
  expect(suites).toContain('workerd');
  expect(listMatches(table, /^\| `(\w+)` \|/gm)).toEqual(suites);
});

it('docs/security.md names a test for each control, and only tests that exist', async () => {
  const model = await readFile(join(root, 'docs/security.md'), 'utf8');
  const rows = listMatches(model, /^\| (?:[STRIDE] )+\| .* \| (.*) \|$/gm);
  expect(rows.length).toBeGreaterThan(30);
  const known = new Set<string>();
  for await (const path of glob(join(root, 'test/**/*.test.ts'))) known.add(basename(path));
  for (const row of rows) {
    const named = listMatches(row, /`([^`]+)`/g);
    expect(named).not.toEqual([]);
    for (const name of named) if (name.endsWith('.ts')) expect([...known]).toContain(name);
  }
});
