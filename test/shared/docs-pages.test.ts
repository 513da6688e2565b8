// The generated pages of the documentation match what they are generated from.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generatedPages } from '../../worker/commands/build/docs-pages.ts';

it.each(generatedPages)('%s is up to date', async (path, render) => {
  // Write it again with: npm run docs:pages
  expect(await readFile(path, 'utf8')).toBe(render());
});
