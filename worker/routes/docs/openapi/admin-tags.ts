// The tags of the admin's routes in the API reference.
import type { Tag } from '../../../../shared/openapi/document.ts';
import type { DescribedRoute } from '../../route.ts';

const admins: Tag = { name: 'Admins', description: 'Admin tokens with roles.' };
const records: Tag = { name: 'Records', description: 'Cached records and their erasure.' };
const erasures: Tag = { name: 'Erasures', description: 'Previews, progress and proofs of erasures.' };

/** By the first part of the routes' paths. */
const tagsByPath: Readonly<Record<string, Tag>> = {
  teams: {
    name: 'Teams',
    description: 'Teams, their tokens, budgets, top-ups and ledgers.',
  },
  admins,
  me: admins,
  domains: { name: 'Domains', description: 'Domains whose people connect with their Google accounts.' },
  people: { name: 'People', description: 'People who have connected with their Google accounts.' },
  budgets: { name: 'Budgets', description: 'Budgets of all teams, with forecasts for the month.' },
  spending: { name: 'Spending', description: 'Today’s and this month’s totals of all teams.' },
  usage: { name: 'Usage', description: 'Reports of calls, credits and savings.' },
  latency: { name: 'Latency', description: 'Reports of the duration of calls.' },
  ledger: { name: 'Ledger', description: 'Every charge and saving, line by line.' },
  provider: { name: 'Provider', description: 'Status of the data provider.' },
  records,
  'record-lookup': records,
  'record-refresh': records,
  erasures,
  'erasure-preview': erasures,
  'refused-keys': { name: 'Refused keys', description: 'Pseudonyms of keys that erasures have blocked.' },
  requests: { name: 'Bulk requests', description: 'Data requests of all teams.' },
  schedules: { name: 'Schedules', description: 'Schedules of all teams.' },
  enrichments: { name: 'Kept columns', description: 'Columns of all teams that are kept filled.' },
  pushes: { name: 'Pushes', description: 'Deliveries of rows to closed spreadsheets.' },
  'dead-letters': { name: 'Dead letters', description: 'Jobs that failed after their last retry.' },
  audit: { name: 'Audit', description: 'The audit log.' },
  alerts: { name: 'Operator alerts', description: 'Problems of the deployment that hold now.' },
  settings: { name: 'Settings', description: 'The settings in effect, without secrets.' },
  setup: { name: 'Setup', description: 'What a new deployment still needs.' },
  restores: { name: 'Restores', description: 'Restores of the database to an earlier time.' },
};

/** The tags, in the order of the API reference. */
export const adminTags: readonly Tag[] = [...new Set(Object.values(tagsByPath))];

/** Returns the name of a route's tag. */
export function getAdminTag({ path }: DescribedRoute): string {
  const [, first = ''] = path.split('/');
  return tagsByPath[first]?.name ?? first;
}
