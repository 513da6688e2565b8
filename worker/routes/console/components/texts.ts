// Words for values on pages.
import type { LedgerLine } from '../../../../shared/api/admin-reports.ts';
import { familyNames } from '../../../../shared/families/names.ts';
import { familyLabels } from '../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import type { Operation } from '../../../../shared/operations.ts';
import { formatTime } from './data.tsx';

export type Options = readonly (readonly [string, string])[];

/** The choice of no filter. */
export const ALL = ['', 'All'] as const;

export const familyFilterOptions: Options = [
  ALL,
  ...familyNames.map((name) => [name, familyLabels[name].name] as const),
];

export const operationLabels: Readonly<Record<string, string>> = {
  collect: 'Look up by id or profile',
  enrich: 'Look up by website',
  search: 'Search',
  preview: 'Preview rows',
  bulk: 'Bulk orders',
} satisfies Record<Operation['name'], string>;

export const operationOptions: Options = [ALL, ...Object.entries(operationLabels)];

/** Members of details whose names say little. */
const memberLabels: Readonly<Record<string, string>> = {
  kv: 'cached copies',
  single_flight: 'answers',
  mentions: 'cleaned others',
};

const toWords = (name: string): string =>
  (memberLabels[name] ?? name)
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** What null means in a change. Other members are left out if they are null. */
const absent: Readonly<Record<string, string>> = {
  day: 'no limit',
  month: 'no limit',
  confirm_above_credits: 'never',
  formula_max_credits: 'never',
};

const valueLabels: Readonly<Record<string, string>> = {
  ...operationLabels,
  ...Object.fromEntries(familyNames.map((name) => [name, familyLabels[name].name])),
};

const IDS = /^(?:[\da-f]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;
const TIMES = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

function describeValue(value: unknown, names: ReadonlyMap<string, string>): string {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((item) => describeValue(item, names)).join(', ');
  const text = String(value);
  if (TIMES.test(text)) return formatTime(text);
  return names.get(text) ?? valueLabels[text] ?? (IDS.test(text) ? text.slice(0, 8) : text);
}

function listMembers(value: unknown, path: readonly string[], names: ReadonlyMap<string, string>): string[] {
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, member]) => listMembers(member, [...path, name], names));
  const text = value === null ? absent[path.at(-1) ?? ''] : describeValue(value, names);
  return text === undefined || text === '' ? [] : [`${path.map(toWords).join(' ')}: ${text}`];
}

/** Describes an object: each value after its path. @param names - of ids in it */
export const describeDetails = (details: object, names: ReadonlyMap<string, string> = new Map()): string =>
  listMembers(details, [], names).join(' · ');

/** Names of stored data by table. */
export const storedDataLabels: Readonly<Record<string, string>> = {
  alert_messages: 'Alerts that were sent',
  changes: 'News of arrived rows',
  dead_letters: 'Failed messages',
  journal: 'Journal for restores',
  oauth_entries: 'Sign-ins of assistants',
  people: 'People who no longer sign in',
  pushes: 'Deliveries to closed spreadsheets',
  request_files: 'Links to files of bulk orders',
  request_rows: 'Rows of bulk orders',
  requests: 'Bulk orders without rows',
  runs: 'Activity of the add-on',
  spreadsheets: 'Names of spreadsheets',
  table_runs: 'Runs of schedules',
  usage_days: 'Usage by day',
  usage_hours: 'Usage by hour',
  webhook_secrets: 'Replaced webhook secrets',
};

/** Kinds of answers with a freshness of their own. */
export const freshnessLabels: Readonly<Record<string, string>> = {
  company: 'Companies',
  employee: 'People',
  job: 'Jobs',
  post: 'Posts',
  missing: 'Records that the provider does not have',
  preview: 'Previews of searches',
  search: 'Searches',
};

const titles: Readonly<Record<string, string>> = {
  breaker_open: 'The provider fails; calls are paused',
  ledger_drift: 'The provider’s balance differs from our ledgers',
  dead_letters: 'Messages failed too often',
  unclear_outcomes: 'Outcomes of calls are unclear',
  disputed_charges: 'Charges exceed what was reserved',
  erasure_failing: 'An erasure makes no progress',
  sweep_failing: 'Background work fails',
  cron_silent: 'Background work has stood still',
  budget_80: 'Teams have spent 80 % of their credits',
  budget_100: 'Teams have spent all their credits',
  spend_spike: 'Spending is far above the usual',
  error_rate: 'Many calls fail',
  provider_balance_low: 'The provider’s account is nearly empty',
};

export const getAlertTitle = (kind: string): string => titles[kind] ?? kind.replaceAll('_', ' ');

export const ledgerKindLabels: Readonly<Record<LedgerLine['kind'], string>> = {
  charge: 'Bought',
  unclear: 'Unclear, counted as bought',
  correction: 'Correction',
  disputed: 'Disputed, not counted',
  saved: 'Reused',
  top_up: 'Top-up',
  budget: 'Budget',
};
