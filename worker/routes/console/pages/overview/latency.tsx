// How long calls take: the median and the slowest ones, by hour or day.

import type { LatencyReport } from '../../../../../shared/api/admin-reports.ts';
import { HOUR_MS } from '../../../../../shared/lib/durations.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { BarChart } from '../../components/charts.tsx';
import { type Column, Table, Time } from '../../components/data.tsx';
import { formatShortDay, type Period } from './period.ts';

type Row = LatencyReport['rows'][number];

const lengths: Readonly<Record<LatencyReport['by'], number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** Formats milliseconds; null is unknown. */
export const formatMs = (ms: number | null): string =>
  ms === null ? '–' : `${formatNumber(Math.round(ms))} ms`;

const columns: readonly Column<Row>[] = [
  { label: 'From', render: ({ start }) => <Time at={start} /> },
  { label: 'Calls', isNumber: true, render: ({ calls }) => formatNumber(calls) },
  { label: 'Errors', isNumber: true, render: ({ errors }) => formatNumber(errors) },
  { label: 'Median', isNumber: true, render: ({ p50_ms }) => formatMs(p50_ms) },
  { label: '95 % within', isNumber: true, render: ({ p95_ms }) => formatMs(p95_ms) },
];

/** Builds a bar for each hour or day, those without calls included. */
function buildBars({ by, from, to, rows }: LatencyReport) {
  const byStart = new Map(rows.map((row) => [Date.parse(row.start), row]));
  const end = Date.parse(to) + lengths.day;
  const bars = [];
  for (let start = Date.parse(from); start < end; start += lengths[by]) {
    const { p50_ms: median, p95_ms: slow } = byStart.get(start) ?? { p50_ms: null, p95_ms: null };
    const day = new Date(start).toISOString().slice(0, 10);
    bars.push({
      label: by === 'day' ? day : `${day} ${new Date(start).toISOString().slice(11, 16)}`,
      short: formatShortDay(day),
      values: { median: median ?? 0, slow: Math.max(0, (slow ?? 0) - (median ?? 0)) },
      titles: {
        median: `half of the calls within ${formatMs(median)}`,
        slow: `95 % of the calls within ${formatMs(slow)}`,
      },
    });
  }
  return bars;
}

/** Renders the durations of calls. */
export const Latency = ({ report, period, csv }: { report: LatencyReport; period: Period; csv: string }) => (
  <section class="card">
    <h2>Time of a call (ms)</h2>
    <BarChart
      caption={`Median and 95th percentile of the time of a call, by ${report.by}, in ${period.days} days`}
      unit="ms"
      series={[
        { name: 'median', label: 'Half of the calls are faster' },
        { name: 'slow', label: '95 % of the calls are faster' },
      ]}
      bars={buildBars(report)}
    />
    <details>
      <summary>The figures of each {report.by}</summary>
      <Table
        caption={`Times by ${report.by}`}
        columns={columns}
        rows={report.rows}
        empty="Nothing was looked up."
      />
      <p class="actions">
        <a href={csv}>Export as CSV</a>
      </p>
    </details>
  </section>
);
