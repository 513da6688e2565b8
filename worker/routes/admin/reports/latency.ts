// /admin/v1/latency: calls, errors and their durations by hour or day.

import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import * as api from '../../../../shared/api/admin-reports.ts';
import { DAY_MS } from '../../../../shared/lib/durations.ts';
import { findTeam } from '../../../gateway/auth/team-repository.ts';
import { type LatencyRow, readLatency } from '../../../gateway/ledger/latency-report.ts';
import { startOfDay } from '../../../gateway/ledger/periods.ts';
import { invalidRequest } from '../../../http/problem-error.ts';
import { addHistograms, emptyHistogram, estimatePercentile } from '../../../lib/latency-histogram.ts';
import { route } from '../route.ts';
import { resolveDays } from '../usage.ts';

/** Default number of days in a report, and most days that are reported by hour unless the admin asks for it. */
const HOURLY_DAYS = 7;

type Counts = Omit<LatencyRow, 'start'>;

const toView = ({ calls, failed, durations }: Counts): api.LatencyCounts => ({
  calls,
  errors: failed,
  p50_ms: estimatePercentile(durations, 0.5),
  p95_ms: estimatePercentile(durations, 0.95),
});

const addCounts = (one: Counts, other: Counts): Counts => ({
  calls: one.calls + other.calls,
  failed: one.failed + other.failed,
  durations: addHistograms(one.durations, other.durations),
});

export const getLatency = route(endpoints.getLatency, {
  summary: 'Report calls, errors and durations by hour or day',
  returns: 'The report',
  handle: async ({ query: { team, ...query } }, { now, orm }) => {
    const { from, to, count } = resolveDays(query, { default: HOURLY_DAYS, max: api.maxLatencyDays }, now);
    const by = query.by ?? (count > HOURLY_DAYS ? 'day' : 'hour');
    if (team !== undefined && (await findTeam(orm, team)) === undefined)
      throw invalidRequest('team', 'is not the id of a team');
    const period = { from: startOfDay(from), to: startOfDay(to) + DAY_MS };
    const rows = await readLatency(orm, { by, ...period, team });
    const none: Counts = { calls: 0, failed: 0, durations: emptyHistogram };
    return {
      by,
      from,
      to,
      total: toView(rows.reduce(addCounts, none)),
      rows: rows.map((row) => ({ start: new Date(row.start).toISOString(), ...toView(row) })),
    };
  },
});
