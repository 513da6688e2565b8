// /admin/v1/budgets and /spending: budgets of all teams at a glance, with forecasts, and the totals of all teams.
import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import * as z from 'zod';
import * as api from '../../../../shared/api/admin-reports.ts';
import { getLedger } from '../../../gateway/ledger/ledger-object.ts';
import { toDay } from '../../../gateway/ledger/periods.ts';
import { readSpending } from '../../../gateway/ledger/usage-report.ts';
import { type Route, route } from '../route.ts';
import { findTeamPage, MAX_CONCURRENCY } from '../teams.ts';
import { toCounts } from '../usage.ts';
import { toBudgetView } from '../views.ts';
import { forecastMonth } from './forecast.ts';

const listBudgets = route({
  method: 'GET',
  path: '/budgets',
  summary: 'List the budgets of teams with forecasts for the month, oldest team first',
  problems: ['invalid_request'],
  request: z.object({ query: api.budgetsQuery }),
  success: { status: 200, description: 'A page of budgets', schema: api.budgetList },
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

const getSpending = route({
  method: 'GET',
  path: '/spending',
  summary: 'Get today’s and this month’s calls, credits and savings of all teams',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'The totals', schema: api.spending },
  handle: async (_, { env, now }) => {
    const date = toDay(now);
    const { day, month } = await readSpending(drizzle(env.DB), date);
    return { date, day: toCounts(day), month: toCounts(month) };
  },
});

export const budgetReportRoutes: readonly Route[] = [listBudgets, getSpending];
