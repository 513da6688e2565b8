// The hourly job: deletes expired data in D1 and R2, by the retention rules of all folders, and sends weekly summaries.
import { getTableName } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import { HOUR_MS } from '../../shared/lib/durations.ts';
import { createRetentionRules, hasWebhook } from '../data-requests/retention.ts';
import { createDataRequestService } from '../data-requests/run-request.ts';
import { deletePreviousSecrets } from '../data-requests/webhook-secrets.ts';
import { deleteExpiredRows, type RetentionRule } from '../db/retention.ts';
import type { Env } from '../env.ts';
import { deleteOldEmails, peopleRetention } from '../gateway/auth/identity/people-repository.ts';
import { oauthRetention } from '../gateway/auth/oauth-store.ts';
import type { JobContext } from '../gateway/context.ts';
import { deleteOldJournal, JOURNAL_DAYS } from '../gateway/journal.ts';
import { usageRetention } from '../gateway/ledger/usage-report.ts';
import { createDeadLetterRules } from '../queue/dead-letters.ts';
import { putJob, runJob } from '../queue/jobs.ts';
import { sendWeeklySummaries } from '../tables/alerts/team-checks.ts';
import {
  deleteExpiredTableData,
  hasAlert,
  hasPush,
  isTableSource,
  retentionRules as tableRetention,
} from '../tables/retention.ts';
import { spreadsheetRetention } from '../tables/spreadsheets.ts';

const rules: readonly RetentionRule[] = [
  ...createDeadLetterRules({ webhook: hasWebhook, push: hasPush, alert: hasAlert }),
  ...createRetentionRules(isTableSource),
  ...tableRetention,
  ...usageRetention,
  spreadsheetRetention,
  peopleRetention,
  oauthRetention,
];

/** How long some data are kept. */
interface RetentionPeriod {
  /** The D1 table, or `journal` in R2. */
  data: string;
  days: number;
}

const otherPeriods: readonly RetentionPeriod[] = [
  { data: 'journal', days: JOURNAL_DAYS },
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

const key = { kind: 'housekeeping', id: 'hourly' } as const;

/** Plans the hourly job, unless it is planned. */
export async function planHousekeeping<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  await putJob(drizzle(env.DB), { ...key, dueAt: now, createdAt: now }, false);
}

/** Deletes a part of the expired data. Goes on at once if there may be more, otherwise at the next full hour. */
export function keepHouse<E extends Env>(context: JobContext<E>): Promise<void> {
  return runJob(context, key, async () => {
    const { env, platform } = context;
    const now = platform.now();
    await sendWeeklySummaries(env, now);
    await deleteExpiredRows(env.DB, rules, now);
    await deleteOldEmails(env.DB, now);
    await deletePreviousSecrets(env.DB, now);
    await deleteOldJournal(env, now);
    const hasMoreRequests = await createDataRequestService(env, platform).deleteExpired();
    const hasMoreTables = await deleteExpiredTableData(env, now);
    return { at: hasMoreRequests || hasMoreTables ? now : (Math.floor(now / HOUR_MS) + 1) * HOUR_MS };
  });
}
