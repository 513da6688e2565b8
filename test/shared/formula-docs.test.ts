// docs/formulas.md says what the formulas as data say.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { formulaDocs, formulaDocsFile } from '../../worker/commands/build/formula-docs.ts';

it('the page that is kept is what the formulas make of it', async () => {
  // To make it again: node worker/commands/run.mjs worker/commands/build/formula-docs.ts
  expect(await readFile(formulaDocsFile, 'utf8')).toBe(formulaDocs());
});
