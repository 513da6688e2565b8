// Checks of all teams with alert addresses: budgets each minute, the weekly summary each hour.

import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import type { AlertRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { JobContext } from '../../gateway/context.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { toDay, toMonth } from '../../gateway/ledger/periods.ts';
import type { Budget } from '../../gateway/ledger/types.ts';
import { readUsageBySource, readUsageReport } from '../../gateway/ledger/usage-report.ts';
import { logError } from '../../http/log.ts';
import { RunStore } from '../schedules/run-store.ts';
import { startOfDay } from '../schedules/timing.ts';
import { enqueueAlert } from './enqueue-alert.ts';
import { AlertStore } from './store.ts';

const MONDAY = 1;
/** UTC hours in which the summary is enqueued. */
const FIRST_HOUR = 7;
const LAST_HOUR = 9;
const WEEK_DAYS = 7;

function isSummaryTime(now: number): boolean {
  const date = new Date(now);
  const hour = date.getUTCHours();
  return date.getUTCDay() === MONDAY && hour >= FIRST_HOUR && hour <= LAST_HOUR;
}

/**
 * Enqueues the summary of the last seven days, unless nothing happened or every address has it.
 * @param now - milliseconds since 1970
 */
async function enqueueWeeklySummary(env: Env, teamId: string, now: number): Promise<void> {
  const end = startOfDay(now);
  const start = end - WEEK_DAYS * DAY_MS;
  const [from, to] = [toDay(start), toDay(end - DAY_MS)];
  const subject = `summary:${from}`;
  const store = new AlertStore(env.DB);
  const { alertIds = [] } = (await store.findRecipients(teamId, 'summary')) ?? {};
  const unsent = await store.listUnsent(alertIds.map((alertId) => ({ alertId, subject })));
  if (unsent.length === 0) return;
  const [{ total }, sources, runs] = await Promise.all([
    readUsageReport(drizzle(env.DB), { by: 'day', from, to, team: teamId, limit: WEEK_DAYS }),
    readUsageBySource(drizzle(env.DB), { from, to, team: teamId }),
    new RunStore(env.DB).summarise(teamId, start, end),
  ]);
  if (total.credits + total.saved + runs.rows + runs.failed === 0) return;
  const failed = runs.failed === 0 ? '' : ` ${formatCount(runs.failed, 'run')} failed.`;
  const assistants = sources.find(({ source }) => source === 'assistant')?.spent ?? 0;
  const byAssistants = assistants === 0 ? '' : `, ${formatNumber(assistants)} by assistants`;
  const text = `The week from ${from} to ${to}: ${formatCount(total.credits, 'credit')} spent${byAssistants}, ${formatCount(total.saved, 'credit')} of data reused. Schedules brought ${formatCount(runs.rows, 'new or changed row')} into ${formatCount(runs.tables, 'table')}.${failed}`;
  await enqueueAlert(env, { teamId, kind: 'summary', subject, text }, now);
}

const periodLabels = { day: 'today', month: 'this month' } as const;
const periods = ['day', 'month'] as const;

interface ThresholdAlert {
  subject: string;
  text: string;
  alertId: string;
}

/** Lists the highest threshold of each address that is reached in each period. */
function listReachedThresholds(
  { caps, spent }: Budget,
  addresses: readonly AlertRow[],
  now: number,
): ThresholdAlert[] {
  return periods.flatMap((period) => {
    const cap = caps[period];
    if (cap === null || cap === 0) return [];
    const day = toDay(now);
    const periodId = period === 'day' ? day : toMonth(day);
    return addresses.flatMap(({ id: alertId, budgetPercents }) => {
      const reached = budgetPercents.filter((percent) => spent[period] * 100 >= cap * percent);
      if (reached.length === 0) return [];
      const percent = Math.max(...reached);
      const fix =
        percent < 100
          ? 'Ask your admin for more credits if you need them.'
          : 'Records your team already bought still work; ask your admin for more credits, or wait for the next period.';
      return [
        {
          subject: `budget:${period}:${periodId}:${percent}`,
          text: `${percent} % of the credits for ${periodLabels[period]} are spent: ${formatNumber(spent[period])} of ${formatNumber(cap)}. ${fix}`,
          alertId,
        },
      ];
    });
  });
}

/**
 * Enqueues alerts for the thresholds that a team has reached and was not alerted about.
 * @param now - milliseconds since 1970
 */
export async function enqueueBudgetAlerts(env: Env, teamId: string, now: number): Promise<void> {
  const store = new AlertStore(env.DB);
  const addresses = (await store.list(teamId)).filter(({ kinds }) => kinds.includes('budget'));
  const reached = listReachedThresholds(await getLedger(env, teamId).getBudget(), addresses, now);
  if (reached.length === 0) return;
  const unsent = await store.listUnsent(reached.map(({ alertId, subject }) => ({ alertId, subject })));
  for (const { alertId, subject, text } of reached) {
    if (unsent.some((message) => message.alertId === alertId && message.subject === subject))
      await enqueueAlert(env, { teamId, kind: 'budget', subject, text, to: [alertId] }, now);
  }
}

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
