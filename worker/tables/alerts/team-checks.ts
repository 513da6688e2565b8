// Checks of all teams with alert addresses: budgets each minute, the weekly summary each hour.
import pMap from 'p-map';
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { logError } from '../../http/log.ts';
import { enqueueBudgetAlerts } from './budget-alerts.ts';
import { AlertStore } from './store.ts';
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

/** Alerts teams that have spent much of a budget. */
export async function checkBudgets<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  const teams = await new AlertStore(env.DB).listTeams('budget');
  await checkTeams(teams, 'budget_check_failed', (team) => enqueueBudgetAlerts(env, team, now));
}

/** Sends the weekly summaries at their time. @param now - milliseconds since 1970 */
export async function sendWeeklySummaries(env: Env, now: number): Promise<void> {
  if (!isSummaryTime(now)) return;
  const teams = await new AlertStore(env.DB).listTeams('summary');
  await checkTeams(teams, 'alert_enqueue_failed', (team) => enqueueWeeklySummary(env, team, now));
}
