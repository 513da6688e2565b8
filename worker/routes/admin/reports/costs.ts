// /admin/v1/costs: what each person spent, or each connection and spreadsheet whose people are not known.
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import * as api from '../../../../shared/api/admin-reports.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import { ADMIN_PAYER, findEmails } from '../../../gateway/auth/identity/payer-names.ts';
import { findTeam } from '../../../gateway/auth/team-repository.ts';
import { toDay, toMonth } from '../../../gateway/ledger/periods.ts';
import { type CostRow, readCosts } from '../../../gateway/ledger/usage-report.ts';
import { respondCsv } from '../../../http/csv.ts';
import { invalidRequest } from '../../../http/problem-error.ts';
import { findSpreadsheetNames } from '../../../tables/spreadsheets.ts';
import { type RouteContext, route } from '../route.ts';
import { resolveDays } from '../usage.ts';

type Row = api.CostsReport['rows'][number];

const columns = [
  'team_name',
  'kind',
  'name',
  'connection',
  'credits',
  'formula_credits',
  'saved',
  'calls',
  'team',
] as const satisfies readonly (keyof Row)[];

/** Names the payers of rows. */
async function nameRows({ env, orm }: RouteContext, rows: readonly CostRow[]): Promise<Row[]> {
  const people = rows.flatMap(({ personId }) => personId ?? []);
  const spreadsheets = rows.map(({ spreadsheet }) => spreadsheet);
  const [emails, findSpreadsheet] = await Promise.all([
    findEmails(env, orm, people),
    findSpreadsheetNames(orm, spreadsheets),
  ]);
  return rows.map(
    ({ teamId, teamName, personId, tokenId, tokenName, spreadsheet, formulaCredits, ...sums }) => {
      const connection = tokenName || 'Connection without a name';
      const named: Pick<Row, 'kind' | 'name'> =
        personId !== null
          ? { kind: 'person', name: emails.get(personId) ?? connection }
          : tokenId === ADMIN_PAYER
            ? { kind: 'admin', name: 'Admin' }
            : spreadsheet !== ''
              ? {
                  kind: 'spreadsheet',
                  name: findSpreadsheet(teamId, spreadsheet) ?? `Spreadsheet ${spreadsheet}`,
                }
              : { kind: 'connection', name: connection };
      return {
        ...named,
        connection: named.kind === 'spreadsheet' ? connection : null,
        team: teamId,
        team_name: teamName ?? '',
        formula_credits: formulaCredits,
        ...sums,
      };
    },
  );
}

export const getCosts = route(endpoints.getCosts, {
  summary: 'Report the costs of each person, otherwise of each connection and spreadsheet',
  description:
    'Formulas count for the person only if the person’s own connection pays for them. Those of a shared connection count for the spreadsheet. Bulk orders and schedules count for the connection that ordered them. Calls of the last minute may be missing.',
  returns: 'The report, the highest credits first',
  handle: async ({ query: { team, limit = api.maxCostRows, format, ...days } }, context) => {
    const { now, orm } = context;
    const last = days.to ?? toDay(now);
    const { from, to } = resolveDays(
      { from: `${toMonth(last)}-01`, ...days },
      { default: 1, max: api.maxUsageDays },
      now,
    );
    if (team !== undefined && (await findTeam(orm, team)) === undefined)
      throw invalidRequest('team', 'is not the id of a team');
    const { rows: found, total } = await readCosts(orm, { from, to, team, limit: limit + 1 });
    const more = found.length > limit;
    const rows = await nameRows(context, found.slice(0, limit));
    if (format === 'json') return { from, to, total, rows, more };
    if (more)
      throw invalidRequest(
        'from',
        `the report has more than ${formatNumber(limit)} lines: choose one team, or fewer days`,
      );
    return respondCsv(`costs-${from}-${to}`, columns, rows);
  },
});
