// Metrics in Workers Analytics Engine: the columns of its data points, and how they are written. docs/metrics.md has queries.
import { formatVersion } from '../lib/format.ts';
import { logError } from './log.ts';

/**
 * Columns of texts, in the order of `blob1`, `blob2` …. Each has few different values: never a key, a token, a query, a path or
 * anything else that a caller wrote. New columns are added at the end, because stored points keep their places.
 */
export const labelColumns = [
  { name: 'event', holds: '`request`, `provider_call`, `breaker`, `data_request`, `job` or `cron`' },
  { name: 'route', holds: 'request: pattern of its route' },
  { name: 'method', holds: 'request: `GET`, `POST` …' },
  { name: 'operation', holds: '`collect`, `enrich`, `search`, `preview` or `bulk`' },
  { name: 'family', holds: 'family of the records' },
  {
    name: 'outcome',
    holds:
      'request: `ok`, `refused` (4xx) or `failed` (5xx). Provider call: `answered`, `rate_limited`, `access_refused`, `out_of_credits`, `unclear` or `failed`. Breaker: its new state. Data request: its last phase. Job, cron: `done` or `failed`',
  },
  { name: 'problem', holds: 'request, data request: problem code' },
  { name: 'cache', holds: 'request: cache status, `mixed` if its rows differ' },
  {
    name: 'kind',
    holds: 'job: its kind, such as `push`. Data request: its kind. Cron: the check that failed',
  },
  { name: 'version', holds: 'deployed version, as in `/health`' },
] as const;

/** Columns of numbers, in the order of `double1`, `double2` …. A mean column of merged events is divided by their count. */
export const valueColumns = [
  { name: 'count', holds: 'events in the point: 1, more only under load', isMean: false },
  { name: 'ms', holds: 'duration in milliseconds', isMean: true },
  { name: 'status', holds: 'request: HTTP status', isMean: true },
  {
    name: 'credits',
    holds: 'credits. Those of requests are in `provider_call` and `data_request` again',
    isMean: false,
  },
  { name: 'rows', holds: 'request: answered keys. Data request: rows', isMean: false },
  { name: 'cached_rows', holds: 'rows that were cached', isMean: false },
  { name: 'upstream_ms', holds: 'request: part of `ms` that it waited for the provider', isMean: true },
] as const;

type LabelName = (typeof labelColumns)[number]['name'];
type ValueName = (typeof valueColumns)[number]['name'];
type MetricsEvent = 'request' | 'provider_call' | 'breaker' | 'data_request' | 'job' | 'cron';

/** An event. Absent texts are empty, absent numbers are 0. */
export interface MetricsPoint
  extends Readonly<Partial<Record<Exclude<LabelName, 'event' | 'version'>, string>>>,
    Readonly<Partial<Record<Exclude<ValueName, 'count'>, number>>> {
  event: MetricsEvent;
  /** Id of the team. It is the index, by which the platform samples. */
  team?: string;
}

export interface MetricsEnv {
  METRICS?: AnalyticsEngineDataset;
  VERSION?: WorkerVersionMetadata;
}

/** The most points of one call. The platform takes 25 in an invocation. */
export const MAX_POINTS = 20;

/** The index of points without a team. */
const NO_TEAM = 'none';

/** Events with the same labels: their values are sums. */
interface MergedPoint extends MetricsPoint {
  count: number;
}

const getLabels = (point: MetricsPoint, version: string): string[] =>
  labelColumns.map(({ name }) => (name === 'version' ? version : (point[name] ?? '')));

function toDataPoint(point: MergedPoint, version: string): AnalyticsEngineDataPoint {
  return {
    indexes: [point.team ?? NO_TEAM],
    blobs: getLabels(point, version),
    doubles: valueColumns.map(({ name, isMean }) => (point[name] ?? 0) / (isMean ? point.count : 1)),
  };
}

function addValues(one: MergedPoint, other: MetricsPoint): MergedPoint {
  const sums = valueColumns.flatMap(({ name }) =>
    name === 'count' ? [] : [[name, (one[name] ?? 0) + (other[name] ?? 0)]],
  );
  return { ...one, ...Object.fromEntries(sums), count: one.count + 1 };
}

/** Merges points with the same labels if they are too many for an invocation. What is too many even then is left out. */
function mergePoints(points: readonly MetricsPoint[]): MergedPoint[] {
  if (points.length <= MAX_POINTS) return points.map((point) => ({ ...point, count: 1 }));
  const merged = new Map<string, MergedPoint>();
  for (const point of points) {
    const key = JSON.stringify([point.team, ...getLabels(point, '')]);
    const known = merged.get(key);
    merged.set(key, known === undefined ? { ...point, count: 1 } : addValues(known, point));
  }
  return [...merged.values()].slice(0, MAX_POINTS);
}

/** Writes points, if the deployment has metrics. Never throws. */
export function writeMetrics({ METRICS, VERSION }: MetricsEnv, points: readonly MetricsPoint[]): void {
  if (METRICS === undefined) return;
  const version = formatVersion(VERSION);
  try {
    for (const point of mergePoints(points)) METRICS.writeDataPoint(toDataPoint(point, version));
  } catch (error) {
    logError('metrics_write_failed', error);
  }
}
