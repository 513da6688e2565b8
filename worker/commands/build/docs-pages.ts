// npm run docs:pages: writes the pages of the documentation that are generated. A test checks that they are current.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { renderFormulaDocs } from './formula-docs.ts';
import { renderStorageLimitsDocs } from './storage-limits-docs.ts';
import { renderTroubleshootingDocs } from './troubleshooting-docs.ts';

/** The generated pages: path, and what renders it as Markdown. */
export const generatedPages: readonly (readonly [path: string, render: () => string])[] = [
  [join(root, 'docs', 'formulas.md'), renderFormulaDocs],
  [join(root, 'docs', 'storage-limits.md'), renderStorageLimitsDocs],
  [join(root, 'docs', 'troubleshooting.md'), renderTroubleshootingDocs],
];

if (import.meta.main) {
  await Promise.all(generatedPages.map(([path, render]) => writeFile(path, render())));
}
