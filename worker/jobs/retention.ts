// Deletes expired rows of D1 once an hour, by the retention rules of all folders.
import { getTableName } from 'drizzle-orm';
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import { createRetentionRules } from '../data-requests/retention.ts';
import { deletePreviousSecrets } from '../data-requests/webhook-secrets.ts';
import { deleteExpiredRows, type RetentionRule } from '../db/retention.ts';
import type { Env } from '../env.ts';
import { deleteOldEmails, peopleRetention } from '../gateway/auth/identity/people-repository.ts';
import { oauthRetention } from '../gateway/auth/oauth-store.ts';
import type { JobContext } from '../gateway/context.ts';
import { deleteOldJournal, JOURNAL_DAYS } from '../gateway/journal.ts';
import { usageRetention } from '../gateway/ledger/usage-report.ts';
import { isHourlySweep } from '../lib/hourly.ts';
import { MESSAGE_DAYS } from '../tables/alerts/store.ts';
import { hasAlert, hasPush, isTableSource, retentionRules as tableRetention } from '../tables/retention.ts';
import { CHANGE_DAYS } from '../tables/store.ts';

const rules: readonly RetentionRule[] = [
  ...createRetentionRules({ isRequestInUse: isTableSource, hasPush, hasAlert }),
  ...tableRetention,
  ...usageRetention,
  peopleRetention,
  oauthRetention,
];

/** How long some data are kept. */
interface RetentionPeriod {
  /** The D1 table, or `journal` in R2. */
  data: string;
  days: number;
}

/** Periods of data that other sweeps delete. */
const otherPeriods: readonly RetentionPeriod[] = [
  { data: 'alert_messages', days: MESSAGE_DAYS },
  { data: 'changes', days: CHANGE_DAYS },
  { data: 'journal', days: JOURNAL_DAYS },
  { data: 'pushes', days: CHANGE_DAYS },
  { data: 'request_rows', days: dataRequestRetentionDays },
];

/** Lists how long data are kept, by name. If a table has several rules, the longest period counts. */
export function listRetentionPeriods(): RetentionPeriod[] {
  const days = new Map(otherPeriods.map((period) => [period.data, period.days]));
  for (const rule of rules) {
    const data = getTableName(rule.table);
    days.set(data, Math.max(rule.days, days.get(data) ?? 0));
  }
  return [...days].map(([data, days]) => ({ data, days })).sort((a, b) => (a.data < b.data ? -1 : 1));
}

/** Deletes expired rows in one sweep of each hour. */
export async function sweepExpiredRows<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  if (!isHourlySweep(now)) return;
  await deleteExpiredRows(env.DB, rules, now);
  await deleteOldEmails(env.DB, now);
  await deletePreviousSecrets(env.DB, now);
  await deleteOldJournal(env, now);
}
