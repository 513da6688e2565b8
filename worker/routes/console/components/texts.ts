// Words for values on pages.
import type { LedgerLine } from '../../../../shared/api/admin-reports.ts';
import { familyNames } from '../../../../shared/families/names.ts';
import { familyLabels } from '../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import { operations } from '../../../../shared/operations.ts';

export type Options = readonly (readonly [string, string])[];

/** The choice of no filter. */
export const ALL = ['', 'All'] as const;

export const familyFilterOptions: Options = [
  ALL,
  ...familyNames.map((name) => [name, familyLabels[name].name] as const),
];

export const operationOptions: Options = [
  ALL,
  ...[...new Set(operations.map(({ name }) => name))].map((name) => [name, name] as const),
];

const toWords = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

function listMembers(value: unknown, path: readonly string[]): string[] {
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, member]) => listMembers(member, [...path, toWords(name)]));
  const text =
    value === null
      ? '–'
      : typeof value === 'number'
        ? formatNumber(value)
        : typeof value === 'string'
          ? value
          : JSON.stringify(value);
  return [`${path.join(' ')}: ${text}`];
}

/** Describes an object: each value after its path, null as a dash. */
export const describeDetails = (details: object): string => listMembers(details, []).join(' · ');

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
