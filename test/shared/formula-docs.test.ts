// docs/formulas.md says what the formulas as data say.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { formulas } from '../../shared/formulas.ts';
import { formulaDocs, formulaDocsFile } from '../../worker/commands/build/formula-docs.ts';

it('the page that is kept is what the formulas make of it', async () => {
  // To make it again: node worker/commands/run.mjs worker/commands/build/formula-docs.ts
  expect(await readFile(formulaDocsFile, 'utf8')).toBe(formulaDocs());
});

it('each formula has an example, what it gives and what it costs, and every row of a table as many cells', () => {
  const page = formulaDocs();
  for (const { name, cost, returns } of formulas) {
    const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
    expect(section).toContain(`\`=${name}(`);
    expect(section).toContain(`**Gives:** ${returns.help}`);
    expect(section).toContain(`**Costs:** ${cost}`);
  }
  for (const block of page.split('\n\n').filter((text) => text.startsWith('|'))) {
    const widths = block
      .trim()
      .split('\n')
      .map((line) => line.replaceAll('\\|', '').split('|').length);
    expect(new Set(widths).size).toBe(1);
  }
});
