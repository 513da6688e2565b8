// CONTRIBUTING.md lists the test suites of vitest.config.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
