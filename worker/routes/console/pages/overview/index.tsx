// The overview: credits spent and saved, by day and by team, and the provider's health.
import { type OperatorAlertList, operatorAlertList } from '../../../../../shared/api/admin-alerts.ts';
import { providerView } from '../../../../../shared/api/admin-records.ts';
import { budgetList, latencyReport, spending, usageReport } from '../../../../../shared/api/admin-reports.ts';
import { setupView } from '../../../../../shared/api/admin-settings.ts';
import { Time } from '../../components/data.tsx';
import { getAlertTitle } from '../../components/texts.ts';
import type { Page } from '../../context.ts';
import { Budgets, MAX_BUDGETS } from './budgets.tsx';
import { Latency } from './latency.tsx';
import { lengths, type Period, readPeriod } from './period.ts';
import { Provider } from './provider.tsx';
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
  </p>
);

const overview: Page = {
  path: '/',
  render: async (context) => {
    const { api } = context;
    const period = readPeriod(context);
    const { from, to } = period;
    const [byDay, byTeam, latency, budgets, spent, alerts, provider, setup] = await Promise.all([
      api.get('/usage', usageReport, { by: 'day', from, to }),
      api.get('/usage', usageReport, { by: 'team', from, to }),
      api.get('/latency', latencyReport, { from, to }),
      api.get('/budgets', budgetList, { limit: MAX_BUDGETS }),
      api.get('/spending', spending),
      api.get('/alerts', operatorAlertList),
      api.get('/provider', providerView),
      api.get('/setup', setupView),
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

export { overviewDownloads } from './exports.ts';
export const overviewPages: readonly Page[] = [overview];

/** Renders active operator alerts; nothing if there are none. */
const Alerts = ({ list: { alerts } }: { list: OperatorAlertList }) =>
  alerts.length === 0 ? null : (
    <section class="problem">
      {alerts.map(({ kind, since }) => (
        <p>
          <strong>{getAlertTitle(kind)}</strong> since <Time at={since} />.
        </p>
      ))}
      <p>
        <a href="/console/settings#alerts">Who was told</a>
      </p>
    </section>
  );
