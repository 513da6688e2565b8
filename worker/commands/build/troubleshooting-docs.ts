// Renders docs/troubleshooting.md from shared/troubleshooting.ts.
import { explainProblem } from '../../../shared/problems.ts';
import { type TroubleshootingEntry, troubleshooting } from '../../../shared/troubleshooting.ts';
import { formatTable } from './markdown.ts';

function formatEntry({ symptom, codes, steps }: TroubleshootingEntry): string {
  const rows = codes.map((code) => [`\`${code}\``, explainProblem(code)]);
  const table = formatTable(['problem', 'what happened, and what to do'], rows);
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
    'Generated from `shared/troubleshooting.ts` by `npm run docs:pages`. Every gateway shows this page at `/help`; sidebar, menu and console link to its entries.',
    'Find what you see. The first step is the most likely one.',
    ...troubleshooting.map(formatEntry),
  ].join('\n\n')}\n`;
}
