// The period of the overview, and how long its calls take: the median and the slowest ones, by hour or day.

import type { LatencyReport } from '../../../../../shared/api/admin-reports.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { BarChart } from '../../components/charts.tsx';
import { type Column, formatDate, formatTime, Table } from '../../components/data.tsx';
import { numbers, times } from '../../components/list.tsx';
import type { ConsoleContext } from '../../context.ts';

/** Lengths that people can choose, in days. */
export const lengths = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

/** Days in UTC, `YYYY-MM-DD`. */
export interface Period {
  days: number;
  from: string;
  to: string;
}

/** Formats the UTC day of a time, `YYYY-MM-DD`. */
export const formatDay = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Reads the period that ends today. An unknown length is 30 days. */
export function readPeriod({ now, query }: Pick<ConsoleContext, 'now' | 'query'>): Period {
  const days = lengths.find((length) => String(length) === query.days) ?? DEFAULT_DAYS;
  return { days, from: formatDay(now - (days - 1) * DAY_MS), to: formatDay(now) };
}

/** Lists the days of a period, the first one first. */
export function listDays({ days, to }: Period): string[] {
  return Array.from({ length: days }, (_, at) => formatDay(Date.parse(to) - (days - 1 - at) * DAY_MS));
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day for the axis of a chart: `3 Nov`. */
export const formatShortDay = (day: string): string => shortDay.format(new Date(day));

type Row = LatencyReport['rows'][number];

const stepMs: Readonly<Record<LatencyReport['by'], number>> = { hour: DAY_MS / 24, day: DAY_MS };

/** Formats milliseconds; null is unknown. */
export const formatMs = (ms: number | null): string =>
  ms === null ? '–' : `${formatNumber(Math.round(ms))} ms`;

const columns: readonly Column<Row>[] = [
  times('From', ({ start }) => start),
  numbers('Calls', ({ calls }) => calls),
  numbers('Errors', ({ errors }) => errors),
  { label: 'Median', isNumber: true, render: ({ p50_ms }) => formatMs(p50_ms) },
  { label: '95 % within', isNumber: true, render: ({ p95_ms }) => formatMs(p95_ms) },
];

/** Builds a bar for each hour or day, those without calls included. */
function buildBars({ by, from, to, rows }: LatencyReport) {
  const byStart = new Map(rows.map((row) => [Date.parse(row.start), row]));
  const end = Date.parse(to) + stepMs.day;
  const bars = [];
  for (let start = Date.parse(from); start < end; start += stepMs[by]) {
    const { p50_ms: median, p95_ms: slow } = byStart.get(start) ?? { p50_ms: null, p95_ms: null };
    const day = new Date(start).toISOString().slice(0, 10);
    bars.push({
      label: by === 'day' ? formatDate(day) : formatTime(new Date(start).toISOString()),
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
