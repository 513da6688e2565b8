// /admin/v1/budgets and /spending: budgets of all teams at a glance, with forecasts, and the totals of all teams.
import pMap from 'p-map';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { getLedger } from '../../../gateway/ledger/ledger-object.ts';
import { startOfMonth, toDay } from '../../../gateway/ledger/periods.ts';
import type { Budget } from '../../../gateway/ledger/types.ts';
import { readSpending } from '../../../gateway/ledger/usage-report.ts';
import { route } from '../route.ts';
import { findTeamPage, MAX_CONCURRENCY } from '../teams.ts';
import { toCounts } from '../usage.ts';
import { toBudgetView } from '../views.ts';

/** A month without this much of it has no meaningful average: one purchase at its beginning would be multiplied by hundreds. */
const MIN_ELAPSED_MS = 12 * 3_600_000;

/** What happens if spending continues at this month's average. */
export interface Forecast {
  /** Credits spent at the end of the month; null too early in the month. */
  month: number | null;
  /** Day on which the cap of the month is reached, `YYYY-MM-DD`; null if not in this month. */
  overCapOn: string | null;
}

/** Forecasts the present month (UTC). Top-ups are not considered. */
export function forecastMonth({ spent, caps }: Pick<Budget, 'spent' | 'caps'>, now: number): Forecast {
  const start = startOfMonth(now, 0);
  const end = startOfMonth(now, 1);
  const elapsed = now - start;
  const isEarly = elapsed < MIN_ELAPSED_MS;
  const month = isEarly ? null : Math.round((spent.month * (end - start)) / elapsed);
  const cap = caps.month;
  if (cap === null || spent.month <= 0) return { month, overCapOn: null };
  if (spent.month >= cap) return { month, overCapOn: toDay(now) };
  const reachedAt = start + (elapsed * cap) / spent.month;
  return { month, overCapOn: isEarly || reachedAt >= end ? null : toDay(reachedAt) };
}

const listBudgets = route(endpoints.listBudgets, {
  summary: 'List the budgets of teams with forecasts for the month, oldest team first',
  returns: 'A page of budgets',
  handle: async ({ query }, { env, now, orm }) => {
    const { teams, next } = await findTeamPage(orm, query);
    const budgets = await pMap(
      teams,
      async ({ id, name }) => {
        const budget = await getLedger(env, id).getBudget();
        const { month, overCapOn } = forecastMonth(budget, now);
        return { id, name, budget: toBudgetView(budget), forecast_month: month, over_cap_on: overCapOn };
      },
      { concurrency: MAX_CONCURRENCY },
    );
    return { budgets, next };
  },
});

const getSpending = route(endpoints.getSpending, {
  summary: 'Get today’s and this month’s calls, credits and savings of all teams',
  returns: 'The totals',
  handle: async (_, { now, orm }) => {
    const date = toDay(now);
    const { day, month } = await readSpending(orm, date);
    return { date, day: toCounts(day), month: toCounts(month) };
  },
});

export const budgetReportRoutes = { listBudgets, getSpending };
