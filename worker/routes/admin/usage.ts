// /admin/v1/usage: usage reports from the daily rollups.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin-reports.ts';
import { findTeam } from '../../gateway/auth/team-repository.ts';
import {
  readUsageBySource,
  readUsageReport,
  type UsageReportRow,
  type UsageSums,
} from '../../gateway/ledger/usage-report.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { resolveDays } from './reports/resolve-days.ts';
import { type Route, route } from './route.ts';

/** Default number of days in a report. */
const DEFAULT_DAYS = 30;

/** Converts counts to their view, with hit rate and mean latency. */
export function toCounts({
  hit,
  stale,
  coalesced,
  fetched,
  notFound,
  failed,
  credits,
  saved,
  latencyMs,
}: UsageSums): api.UsageCounts {
  const answered = hit + stale + coalesced + fetched + notFound;
  const calls = answered + failed;
  return {
    calls,
    hit,
    stale,
    coalesced,
    fetched,
    not_found: notFound,
    errors: failed,
    hit_rate: answered === 0 ? null : (hit + stale + coalesced) / answered,
    credits,
    saved,
    mean_latency_ms: calls === 0 ? null : latencyMs / calls,
  };
}

const report = route({
  method: 'GET',
  path: '/usage',
  summary: 'Report calls, credits and savings by day, team, token or family',
  problems: ['not_found', 'invalid_request'],
  request: z.object({ query: api.usageQuery }),
  success: { status: 200, description: 'The report', schema: api.usageReport },
  handle: async ({ query: { by, team, ...days } }, { env, now }) => {
    const { from, to } = resolveDays(days, { default: DEFAULT_DAYS, max: api.maxUsageDays }, now);
    const orm = drizzle(env.DB);
    if (team !== undefined && (await findTeam(orm, team)) === undefined)
      throw invalidRequest('team', 'is not the id of a team');
    const { rows, total } = await readUsageReport(orm, { by, from, to, team, limit: api.maxUsageRows });
    const sources = await readUsageBySource(orm, { from, to, team });
    const groupFields = {
      day: (row: UsageReportRow) => ({ day: row.day }),
      team: (row: UsageReportRow) => ({ team: row.team, team_name: row.teamName ?? '' }),
      token: (row: UsageReportRow) => ({
        token: row.token,
        token_name: row.tokenName ?? '',
        token_prefix: row.tokenPrefix ?? '',
        team: row.team,
        team_name: row.teamName ?? '',
      }),
      family: (row: UsageReportRow) => ({ family: row.family }),
    }[by];
    return {
      by,
      from,
      to,
      total: toCounts(total),
      sources,
      rows: rows.map((row) => ({ ...groupFields(row), ...toCounts(row) })),
    };
  },
});

export const usageRoutes: readonly Route[] = [report];
