// Alerts when 80 % or 100 % of a daily or monthly cap is spent, each once per period.
import { formatNumber } from '../../../shared/lib/format-count.ts';
import type { Env } from '../../env.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { toDay, toMonth } from '../../gateway/ledger/periods.ts';
import type { Budget } from '../../gateway/ledger/types.ts';
import { enqueueAlert } from './enqueue-alert.ts';
import { AlertStore } from './store.ts';

/** Highest first: only the highest threshold that is reached is reported. */
const thresholds = [
  {
    percent: 100,
    fix: 'Records your team already bought still work; ask your admin for more credits, or wait for the next period.',
  },
  { percent: 80, fix: 'Ask your admin for more credits if you need them.' },
] as const;

const periodLabels = { day: 'today', month: 'this month' } as const;
type Period = keyof typeof periodLabels;

interface ThresholdAlert {
  subject: string;
  text: string;
}

function listReachedThresholds({ caps, spent }: Budget, period: Period, now: number): ThresholdAlert[] {
  const cap = caps[period];
  if (cap === null || cap === 0) return [];
  const threshold = thresholds.find(({ percent }) => spent[period] * 100 >= cap * percent);
  if (threshold === undefined) return [];
  const day = toDay(now);
  const periodId = period === 'day' ? day : toMonth(day);
  return [
    {
      subject: `budget:${period}:${periodId}:${threshold.percent}`,
      text: `${threshold.percent} % of the credits for ${periodLabels[period]} are spent: ${formatNumber(spent[period])} of ${formatNumber(cap)}. ${threshold.fix}`,
    },
  ];
}

/** Enqueues alerts for the thresholds that a team has reached and was not alerted about. */
export async function enqueueBudgetAlerts(env: Env, teamId: string, now: number): Promise<void> {
  const budget = await getLedger(env, teamId).getBudget();
  const reached = [
    ...listReachedThresholds(budget, 'day', now),
    ...listReachedThresholds(budget, 'month', now),
  ];
  if (reached.length === 0) return;
  const subjects = reached.map(({ subject }) => subject);
  const unsent = new Set(await new AlertStore(env.DB).listUnsentSubjects(teamId, 'budget', subjects));
  for (const { subject, text } of reached) {
    if (unsent.has(subject)) await enqueueAlert(env, { teamId, kind: 'budget', subject, text }, now);
  }
}
