// Generates docs/troubleshooting.md from shared/troubleshooting.ts. A test checks that the page is current.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explainProblem } from '../../../shared/problems.ts';
import { type TroubleshootingEntry, troubleshooting } from '../../../shared/troubleshooting.ts';
import { root } from '../paths.ts';

/** Path of the generated page. */
export const TROUBLESHOOTING_DOCS_FILE = join(root, 'docs', 'troubleshooting.md');

function formatEntry({ symptom, codes, steps }: TroubleshootingEntry): string {
  const rows = codes.map((code) => `| \`${code}\` | ${explainProblem(code)} |`);
  const table = ['| problem | what happened, and what to do |', '|---|---|', ...rows].join('\n');
  return [
    `## ${symptom}`,
    steps.map((step) => `- ${step}`).join('\n'),
    ...(rows.length === 0 ? [] : [table]),
  ].join('\n\n');
}

/** Renders the page. @returns Markdown */
export function renderTroubleshootingDocs(): string {
  return `${[
    '# Troubleshooting',
    'Generated from `shared/troubleshooting.ts` by `npm run docs:troubleshooting`. Every gateway shows this page at `/help`; sidebar, menu and console link to its entries.',
    'Find what you see. The first step is the most likely one.',
    ...troubleshooting.map(formatEntry),
  ].join('\n\n')}\n`;
}

if (import.meta.main) await writeFile(TROUBLESHOOTING_DOCS_FILE, renderTroubleshootingDocs());
