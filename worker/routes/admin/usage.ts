// /admin/v1/usage: what was asked, spent and saved, from the daily rollups.
import { and, asc, between, desc, eq, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin-reports.ts';
import { teams, tokens, usageDays } from '../../db/schema.ts';
import { invalidRequest, type Route, route } from './route.ts';
import { findTeam } from './teams.ts';

const DAY_MS = 86_400_000;
/** A report spans so many days where nobody says otherwise, the last one included. */
const DEFAULT_DAYS = 30;

/** A day as `YYYY-MM-DD`, UTC. */
const formatDay = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

const sum = (column: SQL.Aliased | Parameters<typeof eq>[0]): SQL<number> =>
  sql<number>`coalesce(sum(${column}), 0)`;

const sums = {
  hit: sum(usageDays.hit),
  stale: sum(usageDays.stale),
  coalesced: sum(usageDays.coalesced),
  fetched: sum(usageDays.fetched),
  notFound: sum(usageDays.notFound),
  failed: sum(usageDays.failed),
  credits: sum(usageDays.credits),
  saved: sum(usageDays.saved),
  latencyMs: sum(usageDays.latencyMs),
};

type Sums = Record<keyof typeof sums, number>;

function toCounts({
  hit,
  stale,
  coalesced,
  fetched,
  notFound,
  failed,
  credits,
  saved,
  latencyMs,
}: Sums): api.UsageCounts {
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

/** First and last day of a report. */
function resolvePeriod(
  from: string | undefined,
  to: string | undefined,
  now: number,
): { from: string; to: string } {
  const last = to ?? formatDay(now);
  const first = from ?? formatDay(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) throw invalidRequest('to', 'is before from');
  if (days > api.maxUsageDays)
    throw invalidRequest('from', `a report spans at most ${api.maxUsageDays} days`);
  return { from: first, to: last };
}

/** What tells the rows of a report apart. */
const keyColumns = {
  day: usageDays.day,
  team: usageDays.teamId,
  token: usageDays.tokenId,
  family: usageDays.family,
} as const satisfies Record<api.UsageGroup, unknown>;

const report = route({
  method: 'GET',
  path: '/usage',
  summary: 'Calls, credits and savings by day, team, token or family',
  problems: ['not_found', 'invalid_request'],
  request: z.object({ query: api.usageQuery }),
  success: { status: 200, description: 'The report', schema: api.usageReport },
  handle: async ({ query: { by, team, ...asked } }, { env, now }) => {
    const { from, to } = resolvePeriod(asked.from, asked.to, now);
    const orm = drizzle(env.DB);
    if (team !== undefined && (await findTeam(orm, team)) === undefined)
      throw invalidRequest('team', 'names no team');
    const within = and(
      between(usageDays.day, from, to),
      team === undefined ? undefined : eq(usageDays.teamId, team),
    );
    // Not as a batch: that answers objects, in which two columns called name would be one.
    const [rows, [total]] = await Promise.all([
      orm
        .select({
          ...sums,
          day: usageDays.day,
          team: usageDays.teamId,
          teamName: teams.name,
          token: usageDays.tokenId,
          tokenName: tokens.name,
          tokenPrefix: tokens.prefix,
          family: usageDays.family,
        })
        .from(usageDays)
        .leftJoin(teams, eq(teams.id, usageDays.teamId))
        .leftJoin(tokens, eq(tokens.id, usageDays.tokenId))
        .where(within)
        .groupBy(keyColumns[by])
        .orderBy(...(by === 'day' ? [] : [desc(sums.credits), desc(sums.saved)]), asc(keyColumns[by]))
        .limit(api.maxUsageRows),
      orm.select(sums).from(usageDays).where(within),
    ]);
    const about = {
      day: (row: (typeof rows)[number]) => ({ day: row.day }),
      team: (row: (typeof rows)[number]) => ({ team: row.team, team_name: row.teamName ?? '' }),
      token: (row: (typeof rows)[number]) => ({
        token: row.token,
        token_name: row.tokenName ?? '',
        token_prefix: row.tokenPrefix ?? '',
        team: row.team,
        team_name: row.teamName ?? '',
      }),
      family: (row: (typeof rows)[number]) => ({ family: row.family }),
    }[by];
    const nothing = {
      hit: 0,
      stale: 0,
      coalesced: 0,
      fetched: 0,
      notFound: 0,
      failed: 0,
      credits: 0,
      saved: 0,
      latencyMs: 0,
    };
    return {
      by,
      from,
      to,
      total: toCounts(total ?? nothing),
      rows: rows.map((row) => ({ ...about(row), ...toCounts(row) })),
    };
  },
});

export const usageRoutes: readonly Route[] = [report];
