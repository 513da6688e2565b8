// What was spent and saved: figures, charts by day, and the tables behind them.
import type { Child } from 'hono/jsx';
import type { UsageCounts, UsageReport } from '../../../../../shared/api/admin-reports.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { sourceLabels } from '../../../../../shared/sources.ts';
import { BarChart } from '../../components/charts.tsx';
import { type Column, Figure, Figures, formatDate, Table } from '../../components/data.tsx';
import { numbers } from '../../components/list.tsx';
import { formatMs, formatShortDay, listDays, type Period } from './latency.tsx';

type Row = UsageReport['rows'][number];

const formatShare = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toFixed(1)} %`;

const NOTHING: Pick<UsageCounts, 'calls' | 'errors' | 'credits' | 'saved'> = {
  calls: 0,
  errors: 0,
  credits: 0,
  saved: 0,
};

export const SpendingFigures = ({
  total: { credits, saved, calls },
  errors,
  children,
}: {
  total: Pick<UsageCounts, 'credits' | 'saved' | 'calls'>;
  errors?: number;
  children?: Child;
}) => (
  <Figures>
    <Figure label="Spent" value={formatNumber(credits)} hint="credits" />
    <Figure
      label="Reused"
      value={formatNumber(saved)}
      hint="price in credits of data that was already bought, at each use"
    />
    <Figure
      label="Calls"
      value={formatNumber(calls)}
      hint={errors === undefined ? undefined : `${formatNumber(errors)} failed`}
    />
    {children}
  </Figures>
);

export const UsageFigures = ({ total }: { total: UsageCounts }) => (
  <SpendingFigures total={total} errors={total.errors}>
    <Figure
      label="Answered from the cache"
      value={formatShare(total.hit_rate)}
      hint="of the successful calls"
    />
    <Figure label="Mean time of a call" value={formatMs(total.mean_latency_ms)} />
  </SpendingFigures>
);

const countColumns: readonly Column<UsageCounts>[] = [
  numbers('Spent (credits)', ({ credits }) => credits),
  numbers('Reused (credits)', ({ saved }) => saved),
  numbers('Calls', ({ calls }) => calls),
  numbers('Errors', ({ errors }) => errors),
  { label: 'From the cache', isNumber: true, render: ({ hit_rate }) => formatShare(hit_rate) },
  { label: 'Mean time', isNumber: true, render: ({ mean_latency_ms }) => formatMs(mean_latency_ms) },
];

const dayColumns: readonly Column<Row>[] = [
  { label: 'Day', render: ({ day }) => (day === undefined ? '' : formatDate(day)) },
  ...countColumns,
];
const teamColumns: readonly Column<Row>[] = [
  {
    label: 'Team',
    render: ({ team, team_name }) =>
      team === undefined ? '–' : <a href={`/console/teams/${team}`}>{team_name || team}</a>,
  },
  ...countColumns,
];

export const UsageByDay = ({ period, rows, csv }: { period: Period; rows: readonly Row[]; csv: string }) => {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const bars = listDays(period).map((day) => {
    const { calls, errors, credits, saved } = byDay.get(day) ?? NOTHING;
    return {
      label: formatDate(day),
      short: formatShortDay(day),
      values: { spent: credits, saved, calls: calls - errors, errors },
    };
  });
  return (
    <div class="columns">
      <section class="card">
        <h2>Credits by day</h2>
        <BarChart
          caption={`Credits spent and reused on each of ${period.days} days`}
          unit="credits"
          series={[
            { name: 'spent', label: 'Spent' },
            { name: 'saved', label: 'Reused' },
          ]}
          bars={bars}
        />
      </section>
      <section class="card">
        <h2>Calls by day</h2>
        <BarChart
          caption={`Calls on each of ${period.days} days`}
          unit="calls"
          series={[
            { name: 'calls', label: 'Answered' },
            { name: 'errors', label: 'Failed' },
          ]}
          bars={bars}
        />
      </section>
      <details class="card whole">
        <summary>The figures of each day</summary>
        <Table caption="Usage by day" columns={dayColumns} rows={rows} empty="Nothing was looked up." />
        <p class="actions">
          <a href={csv}>Export as CSV</a>
        </p>
      </details>
    </div>
  );
};

const sourceColumns: readonly Column<UsageReport['sources'][number]>[] = [
  { label: 'Source', render: ({ source }) => sourceLabels[source] },
  { label: 'Spent (credits)', isNumber: true, render: ({ spent }) => formatNumber(spent) },
  { label: 'Reused (credits)', isNumber: true, render: ({ saved }) => formatNumber(saved) },
];

export const UsageBySource = ({ sources }: Pick<UsageReport, 'sources'>) => (
  <>
    <h2>By source</h2>
    <Table
      caption="Credits by source"
      columns={sourceColumns}
      rows={sources.filter(({ spent, saved }) => spent > 0 || saved > 0)}
      empty="Nothing was looked up."
    />
  </>
);

export const UsageByTeam = ({ rows, csv }: { rows: readonly Row[]; csv: string }) => (
  <>
    <h2>By team</h2>
    <Table
      caption="Usage by team"
      columns={teamColumns}
      rows={rows}
      empty="No team has looked anything up in this period."
    />
    {rows.length === 0 ? null : (
      <p class="actions">
        <a href={csv}>Export as CSV</a>
      </p>
    )}
  </>
);
