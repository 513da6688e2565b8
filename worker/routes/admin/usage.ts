// /admin/v1/usage: usage reports from the daily rollups.
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import * as api from '../../../shared/api/admin-reports.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { findPayerNames } from '../../gateway/auth/identity/payer-names.ts';
import { findTeam } from '../../gateway/auth/team-repository.ts';
import { startOfDay, toDay } from '../../gateway/ledger/periods.ts';
import {
  readUsageBySource,
  readUsageReport,
  type UsageReportRow,
  type UsageSums,
} from '../../gateway/ledger/usage-report.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { route } from './route.ts';

/**
 * Resolves the first and last day of a report, and their number.
 * @param days - the requested ones, `YYYY-MM-DD`
 * @param limits - number of days where none is requested, and at most
 * @throws ProblemError `invalid_request`
 */
export function resolveDays(
  days: { from?: string | undefined; to?: string | undefined },
  limits: { default: number; max: number },
  now: number,
): { from: string; to: string; count: number } {
  const to = days.to ?? toDay(now);
  const from = days.from ?? toDay(startOfDay(to) - (limits.default - 1) * DAY_MS);
  const count = (startOfDay(to) - startOfDay(from)) / DAY_MS + 1;
  if (count < 1) throw invalidRequest('to', 'is before the first day');
  if (count > limits.max) throw invalidRequest('from', `a report spans at most ${limits.max} days`);
  return { from, to, count };
}

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

export const getUsage = route(endpoints.getUsage, {
  summary: 'Report calls, credits and savings by day, team, token or family',
  returns: 'The report',
  handle: async ({ query: { by, team, ...days } }, { env, now, orm }) => {
    const { from, to } = resolveDays(days, { default: DEFAULT_DAYS, max: api.maxUsageDays }, now);
    if (team !== undefined && (await findTeam(orm, team)) === undefined)
      throw invalidRequest('team', 'is not the id of a team');
    const [{ rows, total }, sources] = await Promise.all([
      readUsageReport(orm, { by, from, to, team, limit: api.maxUsageRows }),
      readUsageBySource(orm, { from, to, team }),
    ]);
    const payers = by === 'token' ? rows.map(({ token }) => token) : [];
    const names = await findPayerNames(env, orm, payers);
    const groupFields = {
      day: (row: UsageReportRow) => ({ day: row.day }),
      team: (row: UsageReportRow) => ({ team: row.team, team_name: row.teamName ?? '' }),
      token: (row: UsageReportRow) => ({
        token: row.token,
        token_name: names.get(row.token) ?? '',
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
