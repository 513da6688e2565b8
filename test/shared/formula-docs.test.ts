// docs/formulas.md matches the formula definitions.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { formulaDocs, formulaDocsFile } from '../../worker/commands/build/formula-docs.ts';

it('docs/formulas.md is up to date', async () => {
  // Regenerate it with: npm run docs:formulas
  expect(await readFile(formulaDocsFile, 'utf8')).toBe(formulaDocs());
});
