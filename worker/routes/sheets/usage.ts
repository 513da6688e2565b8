// /sheets/v1/usage: the credits of the team by day, family and connection.

import { drizzle } from 'drizzle-orm/d1';
import type { UsageGroup } from '../../../shared/api/admin-reports.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { maxUsagePeople, usageDays } from '../../../shared/api/usage.ts';
import { familyNames } from '../../../shared/families/index.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { canUse } from '../../gateway/auth/tokens.ts';
import { toDay } from '../../gateway/ledger/periods.ts';
import {
  readUsageBySource,
  readUsageReport,
  type SourceAmounts,
  type UsageReportRow,
  type UsageSums,
} from '../../gateway/ledger/usage-report.ts';
import { smallRoute } from './route.ts';

const toAmounts = ({ credits, saved }: UsageSums) => ({ spent: credits, saved });

/** Names a connection. The admin buys without a token. */
const nameToken = ({ token, tokenName }: UsageReportRow): string =>
  tokenName ?? (token === 'admin' ? 'Your admin' : 'A deleted connection');

/** Selects the sources with credits, highest first. */
const rankSources = (sources: readonly SourceAmounts[]): SourceAmounts[] =>
  sources
    .filter(({ spent, saved }) => spent > 0 || saved > 0)
    .sort((one, other) => other.spent - one.spent || other.saved - one.saved);

const isUsed = ({ credits, saved }: UsageSums): boolean => credits > 0 || saved > 0;

export const getUsage = smallRoute(endpoints.getUsage, {
  summary: `Report the team’s credits of the last ${usageDays} days`,
  description:
    'Spent and saved credits by day, by family, by source and by connection. Calls of the last minute may be missing; `/me` has them.',
  returns: 'The report',
  handle: async (_, { env, caller, now }) => {
    const to = toDay(now);
    const from = toDay(now - (usageDays - 1) * DAY_MS);
    const orm = drizzle(env.DB);
    const read = (by: UsageGroup, limit: number) =>
      readUsageReport(orm, { by, from, to, team: caller.teamId, limit });
    const readSources = (first: string) => readUsageBySource(orm, { from: first, to, team: caller.teamId });
    const [days, families, people, sources, today] = await Promise.all([
      read('day', usageDays),
      read('family', familyNames.length),
      read('token', maxUsagePeople),
      readSources(from),
      readSources(to),
    ]);
    return {
      from,
      to,
      total: toAmounts(days.total),
      days: days.rows.map((row) => ({ day: row.day, ...toAmounts(row) })),
      families: families.rows
        .filter((row) => isUsed(row) && canUse(caller, row.family))
        .map((row) => ({ family: row.family, ...toAmounts(row) })),
      sources: rankSources(sources),
      today: rankSources(today),
      people: people.rows.filter(isUsed).map((row) => ({ name: nameToken(row), ...toAmounts(row) })),
    };
  },
});
