// docs/formulas.md matches the formula definitions.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FORMULA_DOCS_FILE, renderFormulaDocs } from '../../worker/commands/build/formula-docs.ts';

it('docs/formulas.md is up to date', async () => {
  // Regenerate it with: npm run docs:formulas
  expect(await readFile(FORMULA_DOCS_FILE, 'utf8')).toBe(renderFormulaDocs());
});
