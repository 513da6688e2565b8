// Metrics of the deployment as Prometheus text (exposition format 0.0.4). No value names a person, a record, a team or a key.
// https://prometheus.io/docs/instrumenting/exposition_formats/

import { drizzle } from 'drizzle-orm/d1';
import { HOUR_MS } from '../../shared/lib/durations.ts';
import { type LatencyRow, readLatency } from '../gateway/ledger/latency-report.ts';
import { toDay } from '../gateway/ledger/periods.ts';
import { readSpending } from '../gateway/ledger/usage-report.ts';
import { formatVersion } from '../lib/format.ts';
import { estimatePercentile } from '../lib/latency-histogram.ts';
import { alertKinds, type Signals } from './alert-kinds.ts';
import { readSignals, type SignalSources } from './operator-alerts.ts';
import { readLowBalance } from './operator-settings.ts';

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Spending = Awaited<ReturnType<typeof readSpending>>;

interface Sources {
  signals: Signals;
  spending: Spending;
  /** The last full hour; undefined without calls. */
  hour: LatencyRow | undefined;
  version: string;
}

/** A value and its label. An undefined value is unknown and left out. */
type Sample = readonly [value: number | undefined, label?: string];

interface Gauge {
  help: string;
  /** Name of the label, if the samples have one. */
  label?: string;
  read: (sources: Sources) => readonly Sample[];
}

const one =
  (read: (sources: Sources) => number | undefined): Gauge['read'] =>
  (sources) => [[read(sources)]];

const byPeriod = (read: (totals: Spending['day']) => number): Pick<Gauge, 'label' | 'read'> => ({
  label: 'period',
  read: ({ spending: { day, month } }) => [
    [read(day), 'day'],
    [read(month), 'month'],
  ],
});

const toSeconds = (ms: number | null | undefined): number | undefined =>
  ms === null || ms === undefined ? undefined : ms / 1000;

/** `describe` gives a text for a problem, null without one, undefined if it is unknown. */
const readAlert = (describe: (signals: Signals) => string | null | undefined, signals: Signals) => {
  const text = describe(signals);
  return text === undefined ? undefined : Number(text !== null);
};

/** By name. Periods are UTC. */
const gauges: Readonly<Record<string, Gauge>> = {
  cdapi_info: { help: 'Always 1.', label: 'version', read: ({ version }) => [[1, version]] },
  cdapi_alert: {
    help: '1 while an operator alert of this kind holds.',
    label: 'kind',
    read: ({ signals }) =>
      Object.entries(alertKinds).map(([kind, { describe }]) => [readAlert(describe, signals), kind]),
  },
  cdapi_cron_last_run_timestamp_seconds: {
    help: 'Start of the last run of the minute cron.',
    read: one(({ signals }) => toSeconds(signals.cron?.at)),
  },
  cdapi_provider_breaker: {
    help: '1 for the state of the circuit breaker of the provider.',
    label: 'state',
    read: ({ signals: { throttle } }) =>
      throttle === undefined
        ? []
        : ['closed', 'half_open', 'open'].map((state) => [Number(throttle.breaker.state === state), state]),
  },
  cdapi_provider_calls_waiting: {
    help: 'Calls that wait for the pace of the provider.',
    read: one(({ signals }) => signals.throttle?.waiting),
  },
  cdapi_provider_calls_per_second: {
    help: 'Calls a second that are granted.',
    read: one(({ signals }) => signals.throttle?.pace.grantedPerS),
  },
  cdapi_provider_balance_credits: {
    help: 'Credits that the provider last reported.',
    read: one(({ signals }) => signals.throttle?.balance?.reported),
  },
  cdapi_provider_drift_credits: {
    help: 'Credits that the balance lacks: spent by others, or charged for unclear calls.',
    read: one(({ signals }) => signals.throttle?.balance?.drift),
  },
  cdapi_unclear_credits: {
    help: 'Credits of calls whose outcome is unclear.',
    read: one(({ signals }) => signals.throttle?.balance?.unclear),
  },
  cdapi_disputed_credits: {
    help: 'Credits charged beyond reservations.',
    read: one(({ signals }) => signals.disputedCredits),
  },
  cdapi_unclear_requests: {
    help: 'Bulk orders that became unclear in the last day.',
    read: one(({ signals }) => signals.unclearRequests),
  },
  cdapi_dead_letters: {
    help: 'Jobs that failed too often, 100 at most.',
    read: one(({ signals }) => signals.deadLetters),
  },
  cdapi_late_erasures: {
    help: 'Erasures that have not finished within an hour.',
    read: one(({ signals }) => signals.lateErasures),
  },
  cdapi_credits_spent: { help: 'Credits spent in this period.', ...byPeriod(({ credits }) => credits) },
  cdapi_credits_saved: { help: 'Credits saved by reuse in this period.', ...byPeriod(({ saved }) => saved) },
  cdapi_hour_calls: { help: 'Calls in the last full hour.', read: one(({ hour }) => hour?.calls ?? 0) },
  cdapi_hour_calls_failed: {
    help: 'Failed calls in the last full hour.',
    read: one(({ hour }) => hour?.failed ?? 0),
  },
  cdapi_hour_call_duration_seconds: {
    help: 'Duration of calls in the last full hour.',
    label: 'quantile',
    read: ({ hour }) =>
      [0.5, 0.95].map((share) => [
        toSeconds(hour && estimatePercentile(hour.durations, share)),
        String(share),
      ]),
  },
};

export const metricNames: readonly string[] = Object.keys(gauges);

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function formatGauge(name: string, { help, label, read }: Gauge, sources: Sources): string[] {
  const samples = read(sources).flatMap(([value, text = '']) => {
    if (value === undefined) return [];
    return [`${name}${label === undefined ? '' : `{${label}="${escapeLabel(text)}"}`} ${value}`];
  });
  return samples.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...samples];
}

/**
 * Reads the metrics. Spends nothing and calls nobody outside.
 * @throws ProblemError `not_configured` if a setting is wrong
 */
export async function readPrometheusMetrics(context: SignalSources): Promise<string> {
  const { env, now } = context;
  const orm = drizzle(env.DB);
  const to = now - (now % HOUR_MS);
  const [signals, spending, hours] = await Promise.all([
    readSignals(context, readLowBalance(env)),
    readSpending(orm, toDay(now)),
    readLatency(orm, { by: 'hour', from: to - HOUR_MS, to, team: undefined }),
  ]);
  const sources = { signals, spending, hour: hours[0], version: formatVersion(env.VERSION) };
  const lines = Object.entries(gauges).flatMap(([name, gauge]) => formatGauge(name, gauge, sources));
  return `${lines.join('\n')}\n`;
}
