// Minute sweep of alerts: checks budgets, enqueues weekly summaries and due messages, deletes old ones.

import pMap from 'p-map';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { enqueue } from '../job-queue.ts';
import { enqueueBudgetAlerts } from './budget-alerts.ts';
import { AlertStore, MESSAGE_DAYS } from './store.ts';
import { enqueueWeeklySummary, isSummaryTime } from './weekly-summary.ts';

/** Below the limit of six open connections per invocation. */
const CONCURRENCY = 5;

/** Runs a check for each team. A failing check does not stop the others. */
async function checkTeams(
  teams: readonly string[],
  failure: 'budget_check_failed' | 'alert_enqueue_failed',
  check: (team: string) => Promise<void>,
): Promise<void> {
  await pMap(teams, (team) => check(team).catch((error: unknown) => logError(failure, error, { team })), {
    concurrency: CONCURRENCY,
  });
}

/** Runs the sweep. */
export async function sweepAlerts<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  const store = new AlertStore(env.DB);
  const withBudgets = await store.listTeams('budget');
  await checkTeams(withBudgets, 'budget_check_failed', (team) => enqueueBudgetAlerts(env, team, now));
  const withSummary = isSummaryTime(now) ? await store.listTeams('summary') : [];
  await checkTeams(withSummary, 'alert_enqueue_failed', (team) => enqueueWeeklySummary(env, team, now));
  const due = await store.listDue(now);
  await enqueue(
    env,
    due.map((id) => ({ kind: 'alert', id })),
  );
  await store.deleteMessagesBefore(now - MESSAGE_DAYS * DAY_MS);
}
