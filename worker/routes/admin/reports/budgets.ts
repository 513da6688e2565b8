// /admin/v1/budgets and /spending: budgets of all teams at a glance, with forecasts, and the totals of all teams.

import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { getLedger } from '../../../gateway/ledger/ledger-object.ts';
import { toDay } from '../../../gateway/ledger/periods.ts';
import { readSpending } from '../../../gateway/ledger/usage-report.ts';
import { type Route, route } from '../route.ts';
import { findTeamPage, MAX_CONCURRENCY } from '../teams.ts';
import { toCounts } from '../usage.ts';
import { toBudgetView } from '../views.ts';
import { forecastMonth } from './forecast.ts';

const listBudgets = route(endpoints.listBudgets, {
  summary: 'List the budgets of teams with forecasts for the month, oldest team first',
  returns: 'A page of budgets',
  handle: async ({ query }, { env, now }) => {
    const { teams, next } = await findTeamPage(drizzle(env.DB), query);
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
  handle: async (_, { env, now }) => {
    const date = toDay(now);
    const { day, month } = await readSpending(drizzle(env.DB), date);
    return { date, day: toCounts(day), month: toCounts(month) };
  },
});

export const budgetReportRoutes: readonly Route[] = [listBudgets, getSpending];
