// Weekly summary of a team's credits and schedules for alert addresses, sent on Mondays.

import { drizzle } from 'drizzle-orm/d1';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import type { Env } from '../../env.ts';
import { toDay } from '../../gateway/ledger/periods.ts';
import { readUsageBySource, readUsageReport } from '../../gateway/ledger/usage-report.ts';
import { RunStore } from '../schedules/run-store.ts';
import { startOfDay } from '../schedules/timing.ts';
import { enqueueAlert } from './enqueue-alert.ts';
import { AlertStore } from './store.ts';

const MONDAY = 1;
/** UTC hours in which the summary is enqueued. */
const FIRST_HOUR = 7;
const LAST_HOUR = 9;
const WEEK_DAYS = 7;

/** Checks whether summaries are enqueued now. */
export function isSummaryTime(now: number): boolean {
  const date = new Date(now);
  const hour = date.getUTCHours();
  return date.getUTCDay() === MONDAY && hour >= FIRST_HOUR && hour <= LAST_HOUR;
}

/** Enqueues the summary of the last seven days, unless nothing happened or every address has it. */
export async function enqueueWeeklySummary(env: Env, teamId: string, now: number): Promise<void> {
  const end = startOfDay(now);
  const start = end - WEEK_DAYS * DAY_MS;
  const [from, to] = [toDay(start), toDay(end - DAY_MS)];
  const subject = `summary:${from}`;
  const unsent = await new AlertStore(env.DB).listUnsentSubjects(teamId, 'summary', [subject]);
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
