// Describes a deployment to a person: what will be created, and what to do when it is complete.
import type { Configurations, Deployment } from './configuration.ts';
import type { DeploymentFiles } from './state.ts';

const LABEL_WIDTH = 17;

function formatLine(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${text}`;
}

/** Formats what a deployment consists of. */
export function formatPlan({ region, isFree, publicUrl }: Deployment, { names }: Configurations): string[] {
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['Workers', [names.worker, ...(names.logs === undefined ? [] : [names.logs])]],
    ['KV namespace', names.namespaces],
    ['D1 database', names.databases],
    ['R2 bucket', names.buckets],
    ['Queue', names.queues],
    ['Metrics', names.datasets.length === 0 ? ['none'] : names.datasets],
  ];
  return [
    formatLine('Address', publicUrl),
    formatLine('Region', region ?? 'near its first users (choose one with --region)'),
    ...kinds.map(([label, items]) => formatLine(label, items.join(', '))),
    ...(isFree ? [formatLine('Plan', 'free: a demo, without stored logs, metrics and CPU limits')] : []),
  ];
}

/** Formats what a complete deployment offers. @param link - the connection link, if it may be shown */
export function formatResult(url: string, files: DeploymentFiles, link: string | undefined): string[] {
  return [
    '',
    formatLine('Admin console', `${url}/console (ADMIN_TOKEN is in ${files.secretsFile})`),
    formatLine('API reference', `${url}/docs`),
    ...(link === undefined ? [] : [formatLine('Connection link', link)]),
    '',
    'What to do next:',
    `1. Keep a copy of ${files.secretsFile} in a safe place: without it, stored data can’t be read again.`,
    '2. Open the admin console and set a budget: the first team may spend 1,000 credits a day.',
    '3. Install the add-on: docs/install.md (npm run addon:release for everyone, npm run addon:push for one script).',
    `4. In the spreadsheet, choose Extensions → CDAPI → Connect and paste the connection link. ${
      link === undefined ? `It is in ${files.linkFile}. ` : ''
    }Whoever has it spends from the team’s budget.`,
  ];
}
