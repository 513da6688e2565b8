// Deletes expired rows of D1 once an hour, by the retention rules of all folders.
import { createRetentionRules } from '../data-requests/retention.ts';
import { deleteExpiredRows, type RetentionRule } from '../db/retention.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import { usageRetention } from '../gateway/ledger/usage-retention.ts';
import { isHourlySweep } from '../lib/hourly.ts';
import { hasAlert, hasPush, isTableSource, retentionRules as tableRetention } from '../tables/retention.ts';

const rules: readonly RetentionRule[] = [
  ...createRetentionRules({ isRequestInUse: isTableSource, hasPush, hasAlert }),
  ...tableRetention,
  usageRetention,
];

/** Deletes expired rows in one sweep of each hour. */
export async function sweepExpiredRows<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  if (isHourlySweep(now)) await deleteExpiredRows(env.DB, rules, now);
}
