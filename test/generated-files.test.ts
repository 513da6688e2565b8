// Generated files are current. Write one again with `npm run docs:…`, `build:countries` or `keys:hosts`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generatedFiles } from '../worker/commands/build/generated-files.ts';
import { root } from '../worker/commands/paths.ts';

it.each(Object.entries(generatedFiles))('%s is current', async (name, render) => {
  expect(await readFile(join(root, name), 'utf8')).toBe(await render());
});
