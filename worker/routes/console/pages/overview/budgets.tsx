// Today's and this month's spending against the budgets of the teams, with a forecast.
import type { BudgetList, Spending } from '../../../../../shared/api/admin-reports.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { type Column, Figure, Figures, Table, Usage } from '../../components/data.tsx';
import { getTeamPage } from '../paths.ts';

type TeamBudget = BudgetList['budgets'][number];

/** Teams that the overview shows. */
export const MAX_BUDGETS = 50;

/** Returns the highest used share of a team's limits; without limits it is zero. */
function getUsedShare({ budget: { day, month, spent } }: TeamBudget): number {
  const shares = [
    [spent.day, day],
    [spent.month, month],
  ] as const;
  return Math.max(...shares.map(([used, limit]) => (limit === null ? 0 : used / Math.max(1, limit))));
}

const Forecast = ({ team: { forecast_month, over_cap_on } }: { team: TeamBudget }) => (
  <>
    {forecast_month === null ? 'after 12 hours' : formatNumber(forecast_month)}
    {over_cap_on === null ? null : (
      <>
        {' '}
        <small>limit reached on {over_cap_on}</small>
      </>
    )}
  </>
);

const columns: readonly Column<TeamBudget>[] = [
  { label: 'Team', render: ({ id, name }) => <a href={getTeamPage(id)}>{name || id}</a> },
  {
    label: 'Today (credits)',
    render: ({ name, budget: { spent, day } }) => (
      <Usage used={spent.day} limit={day} label={`Credits of ${name} today`} />
    ),
  },
  {
    label: 'This month (credits)',
    render: ({ name, budget: { spent, month } }) => (
      <Usage used={spent.month} limit={month} label={`Credits of ${name} this month`} />
    ),
  },
  { label: 'Forecast of the month', isNumber: true, render: (team) => <Forecast team={team} /> },
];

/** Renders the spending of all teams, and of each one against its budget. The most used budgets come first. */
export const Budgets = ({ list: { budgets, next }, spending }: { list: BudgetList; spending: Spending }) => (
  <section class="card">
    <h2>Budgets</h2>
    <Figures>
      <Figure
        label="Spent today"
        value={formatNumber(spending.day.credits)}
        hint="credits of all teams, since 0:00 UTC"
      />
      <Figure
        label="Spent this month"
        value={formatNumber(spending.month.credits)}
        hint="credits of all teams"
      />
    </Figures>
    <Table
      caption="Spending against budgets"
      columns={columns}
      rows={budgets.toSorted((a, b) => getUsedShare(b) - getUsedShare(a))}
      empty="No team exists yet."
    />
    {next === null ? null : (
      <p>
        <a href="/console/teams">All teams</a>
      </p>
    )}
  </section>
);
