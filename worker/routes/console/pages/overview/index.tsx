// The overview: credits spent and saved, by day and by team, and the provider's health.
import type { ProviderView } from '../../../../../shared/api/admin-records.ts';
import type { BudgetList, Spending } from '../../../../../shared/api/admin-reports.ts';
import type { OperatorAlertList } from '../../../../../shared/api/admin-settings.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import {
  Badge,
  type Column,
  Figure,
  Figures,
  Table,
  Time,
  type Tone,
  Usage,
} from '../../components/data.tsx';
import { PageLink } from '../../components/form.tsx';
import { AlertLink } from '../../components/list.tsx';
import { getAlertTitle } from '../../components/texts.ts';
import type { Page } from '../../context.ts';
import { COSTS_BY_PERSON, getTeamPage } from '../paths.ts';
import { downloads } from './exports.ts';
import { Latency, lengths, type Period, readPeriod } from './latency.tsx';
import { UsageByDay, UsageBySource, UsageByTeam, UsageFigures } from './usage.tsx';

const PeriodLinks = ({ period }: { period: Period }) => (
  <p class="actions">
    {lengths.map((days) => (
      <a
        class={days === period.days ? 'button' : 'button second'}
        href={`/console?days=${days}`}
        aria-current={days === period.days ? 'true' : undefined}
      >
        {days} days
      </a>
    ))}
    <PageLink href={COSTS_BY_PERSON}>Costs by person</PageLink>
    <PageLink href="/console/costs">What a month costs</PageLink>
  </p>
);

export const overview: Page = {
  path: '/',
  needs: 'listBudgets',
  downloads,
  render: async (context) => {
    const { api } = context;
    const period = readPeriod(context);
    const { from, to } = period;
    const [byDay, byTeam, latency, budgets, spent, alerts, provider, setup] = await Promise.all([
      api.call('getUsage', { query: { by: 'day', from, to } }),
      api.call('getUsage', { query: { by: 'team', from, to } }),
      api.call('getLatency', { query: { from, to } }),
      api.call('listBudgets', { query: { limit: MAX_BUDGETS } }),
      api.call('getSpending'),
      api.call('listAlerts'),
      api.call('getProvider'),
      api.call('getSetup'),
    ]);
    const csv = (by: string) => `/console/usage.csv?by=${by}&days=${period.days}`;
    return {
      title: 'Overview',
      body: (
        <>
          {setup.done ? null : (
            <p class="notice">
              This gateway is not ready yet. <a href="/console/setup">See what is missing</a>.
            </p>
          )}
          <Alerts list={alerts} />
          <PeriodLinks period={period} />
          <UsageFigures total={byDay.total} />
          <UsageByDay period={period} rows={byDay.rows} csv={csv('day')} />
          <Budgets list={budgets} spending={spent} />
          <div class="columns">
            <Latency report={latency} period={period} csv={`/console/latency.csv?days=${period.days}`} />
            <Provider provider={provider} />
          </div>
          <UsageBySource sources={byDay.sources} />
          <UsageByTeam rows={byTeam.rows} csv={csv('team')} />
        </>
      ),
    };
  },
};

/** Renders active operator alerts; nothing if there are none. */
const Alerts = ({ list: { alerts } }: { list: OperatorAlertList }) =>
  alerts.length === 0 ? null : (
    <section class="problem">
      {alerts.map(({ kind, since }) => (
        <p>
          <strong>{getAlertTitle(kind)}</strong> since <Time at={since} />. <AlertLink kind={kind} />
        </p>
      ))}
      <p>
        <a href="/console/settings#alerts">Who was told</a>
      </p>
    </section>
  );

type TeamBudget = BudgetList['budgets'][number];

/** Teams whose budgets are compared. */
const MAX_BUDGETS = 100;
/** Teams that the overview shows. */
const SHOWN_BUDGETS = 10;

/** Returns the highest used share of a team's limits; without limits it is zero. */
function getUsedShare({ budget: { day, month, spent } }: TeamBudget): number {
  const shares = [
    [spent.day, day],
    [spent.month, month],
  ] as const;
  return Math.max(...shares.map(([used, limit]) => (limit === null ? 0 : used / Math.max(1, limit))));
}

const Forecast = ({ team: { forecast_month, over_cap_on } }: { team: TeamBudget }) => (
  <span>
    {forecast_month === null ? 'after 12 hours' : formatNumber(forecast_month)}
    {over_cap_on === null ? null : (
      <>
        {' '}
        <small>limit reached on {over_cap_on}</small>
      </>
    )}
  </span>
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
const Budgets = ({ list: { budgets, next }, spending }: { list: BudgetList; spending: Spending }) => (
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
      rows={budgets.toSorted((a, b) => getUsedShare(b) - getUsedShare(a)).slice(0, SHOWN_BUDGETS)}
      empty="No team exists yet."
    />
    {next === null && budgets.length <= SHOWN_BUDGETS ? null : (
      <p>
        These are the {SHOWN_BUDGETS} teams that have used most of their limits
        {next === null ? '' : `, of the ${MAX_BUDGETS} oldest`}. <a href="/console/teams">All teams</a>
      </p>
    )}
  </section>
);

type Throttle = NonNullable<ProviderView['throttle']>;

const breakers: Readonly<Record<Throttle['breaker']['state'], readonly [Tone, string]>> = {
  closed: ['good', 'reachable'],
  half_open: ['warning', 'being tested after failures'],
  open: ['bad', 'failing: calls are paused'],
};

const modes: Readonly<Record<ProviderView['mode'], string>> = {
  sandbox: 'the sandbox with fictional records: nothing is charged',
  live: 'the provider',
  none: 'not configured',
};

const Balance = ({ balance }: { balance: Throttle['balance'] }) =>
  balance === null ? (
    <Figure label="Balance" value="–" hint="known after the first paid call" />
  ) : (
    <>
      <Figure
        label="Balance"
        value={formatNumber(balance.reported)}
        hint="credits, as the provider last reported"
      />
      <Figure
        label="Drift"
        value={formatNumber(balance.drift)}
        hint={balance.drift === 0 ? 'our ledgers agree' : 'credits that our ledgers do not explain'}
      />
      <Figure
        label="Unclear"
        value={formatNumber(balance.unclear)}
        hint="credits of calls without an answer"
      />
    </>
  );

const Provider = ({ provider: { mode, problem, throttle } }: { provider: ProviderView }) => (
  <section class="card">
    <h2>Provider</h2>
    {problem === null ? null : (
      <p class="problem" role="alert">
        {problem}
      </p>
    )}
    <p>
      Records come from {modes[mode]}.{' '}
      {throttle === null ? null : (
        <Badge tone={breakers[throttle.breaker.state][0]}>{breakers[throttle.breaker.state][1]}</Badge>
      )}
      {throttle === null || throttle.breaker.state === 'closed' ? null : (
        <small>
          {' '}
          since <Time at={throttle.breaker.since} />
        </small>
      )}
    </p>
    {throttle === null ? null : (
      <Figures>
        <Balance balance={throttle.balance} />
        <Figure
          label="Pace"
          value={`${formatNumber(Number(throttle.pace.per_s.toFixed(1)))} calls/s`}
          hint={throttle.pace.reported ? 'learned from the provider’s answers' : 'configured'}
        />
        <Figure
          label="Waiting"
          value={formatNumber(throttle.waiting)}
          hint={`calls; ${formatNumber(throttle.open)} in progress`}
        />
      </Figures>
    )}
  </section>
);
