// Words for values on pages.
import type { LedgerLine } from '../../../../shared/api/admin-reports.ts';

const toWords = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

function listMembers(value: unknown, path: readonly string[]): string[] {
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, member]) => listMembers(member, [...path, toWords(name)]));
  const text = value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
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
  provider_balance_low: 'The provider’s account is nearly empty',
};

/** Returns the title of a kind of alert. */
export const getAlertTitle = (kind: string): string => titles[kind] ?? kind.replaceAll('_', ' ');

/** Labels by kind. */
export const kindLabels: Readonly<Record<LedgerLine['kind'], string>> = {
  charge: 'Bought',
  unclear: 'Unclear, counted as bought',
  correction: 'Correction',
  disputed: 'Disputed, not counted',
  saved: 'Reused',
  top_up: 'Top-up',
  budget: 'Budget',
};

/** Messages by code. */
export const notices = {
  team_created: 'The team was created.',
  team_changed: 'The team was saved.',
  team_deleted: 'The team was deleted.',
  budget_changed: 'The budget was saved.',
  topped_up: 'The credits were added.',
  token_changed: 'The token was saved.',
  token_revoked: 'The token was revoked. Nothing can be bought with it from now on.',
  domain_assigned: 'The domain was assigned.',
  domain_removed: 'The domain was removed. Tokens of its people have stopped.',
  person_revoked: 'The person was revoked.',
  person_allowed: 'The person may sign in again.',
  person_deleted: 'The person’s data was deleted.',
  calls_reconciled: 'The unclear calls were settled.',
  dispute_settled: 'The disputed charge was settled.',
  order_stopped: 'The bulk order was stopped.',
  schedule_stopped: 'The schedule was stopped.',
  schedule_resumed: 'The schedule was resumed.',
  filling_stopped: 'The column is no longer kept filled.',
  delivery_retried: 'The rows will be written again within a few minutes.',
  message_replayed: 'The message is being processed again.',
  erased: 'It was erased. Every later look-up of it is refused.',
  alert_tested: 'The test message was accepted by the receiver.',
} as const;

export type NoticeCode = keyof typeof notices;

const isNoticeCode = (code: string): code is NoticeCode => Object.hasOwn(notices, code);

/** Finds the message of a code from an address. */
export function findNotice(code: string | undefined): string | undefined {
  return code !== undefined && isNoticeCode(code) ? notices[code] : undefined;
}
