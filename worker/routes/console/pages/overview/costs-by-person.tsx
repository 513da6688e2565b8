// What each person spent, otherwise each connection and spreadsheet, in a range of days.
import type { CostsReport } from '../../../../../shared/api/admin-reports.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { type Column, Table } from '../../components/data.tsx';
import { Field } from '../../components/form.tsx';
import { answerQuery, Filters, numbers, pick, TeamLink } from '../../components/list.tsx';
import { findTeamId, listTeamChoices, TeamSelect } from '../../components/team-select.tsx';
import type { Page } from '../../context.ts';
import { COSTS_BY_PERSON } from '../paths.ts';
import { formatDay } from './latency.tsx';
import { SpendingFigures } from './usage.tsx';

const MAX_SHOWN = 200;

type Row = CostsReport['rows'][number];

const spenderLabels: Readonly<Record<Row['kind'], string>> = {
  person: 'Person',
  connection: 'Connection',
  spreadsheet: 'Spreadsheet',
  admin: 'Admin',
};

const columns: readonly Column<Row>[] = [
  {
    label: 'Who',
    render: ({ name, connection }) => (
      <span class="address">
        {name}
        {connection === null ? null : <small> by the connection {connection}</small>}
      </span>
    ),
  },
  numbers('Credits', ({ credits }) => credits),
  { label: 'Kind', render: ({ kind }) => spenderLabels[kind] },
  { label: 'Team', render: ({ team, team_name }) => <TeamLink id={team} name={team_name || null} /> },
  numbers('By formulas', ({ formula_credits }) => formula_credits),
  numbers('Reused', ({ saved }) => saved),
  numbers('Calls', ({ calls }) => calls),
];

/** Lists ranges of days by name. @param now - milliseconds since 1970 */
function listPresets(now: number): readonly (readonly [string, { from: string; to: string }])[] {
  const today = new Date(now);
  const startOfMonth = (offset: number): number =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + offset, 1);
  return [
    ['This month', { from: formatDay(startOfMonth(0)), to: formatDay(now) }],
    ['Last month', { from: formatDay(startOfMonth(-1)), to: formatDay(startOfMonth(0) - DAY_MS) }],
    ['Last 30 days', { from: formatDay(now - 29 * DAY_MS), to: formatDay(now) }],
  ];
}

const Costs = ({
  report: { from, to, team, total, rows, more },
}: {
  report: CostsReport & { team: string | undefined };
}) => (
  <>
    <SpendingFigures total={total} />
    <Table
      caption="Costs by person"
      columns={columns}
      rows={rows}
      empty="Nobody has looked anything up in these days."
    />
    {more ? <p>The highest {formatNumber(MAX_SHOWN)} lines. The export has all of them.</p> : null}
    <p class="actions">
      <a href={`${COSTS_BY_PERSON}/export?${new URLSearchParams({ from, to, ...(team && { team }) })}`}>
        Export as CSV
      </a>
    </p>
  </>
);

const filterNames = ['from', 'to', 'team'] as const;

export const costsByPerson: Page = {
  path: '/costs/people',
  needs: 'getCosts',
  render: async ({ api, now, query }) => {
    const filter = pick(query, filterNames);
    const teams = await listTeamChoices(api);
    const getReport = async () => {
      const team = filter.team === undefined ? undefined : findTeamId(teams, filter.team);
      return { ...(await api.call('getCosts', { query: { ...filter, team, limit: MAX_SHOWN } })), team };
    };
    const { answer, wrong } = await answerQuery(filterNames, getReport());
    const { from, to } = { ...filter, ...answer };
    const teamFilter = pick(query, ['team']);
    return {
      title: 'Costs by person',
      wrong,
      body: (
        <>
          <p class="lead">
            People who signed in with a Google account are shown by their address. Where a connection is
            shared, so that nobody knows who used it, costs are shown by spreadsheet, as the add-on states it:
            whoever has the connection can state another one. Only the connection’s sum is certain.
          </p>
          <p class="actions">
            {listPresets(now).map(([label, range]) => {
              const isShown = range.from === from && range.to === to;
              return (
                <a
                  class={isShown ? 'button' : 'button second'}
                  href={`${COSTS_BY_PERSON}?${new URLSearchParams({ ...range, ...teamFilter })}`}
                  aria-current={isShown ? 'true' : undefined}
                >
                  {label}
                </a>
              );
            })}
          </p>
          <Filters action={COSTS_BY_PERSON}>
            <Field label="From (UTC)" name="from" type="date" value={from} required />
            <Field label="To (UTC)" name="to" type="date" value={to} required />
            <TeamSelect teams={teams} none="All teams" value={filter.team} />
          </Filters>
          {answer === undefined ? null : <Costs report={answer} />}
        </>
      ),
    };
  },
  downloads: {
    '/costs/people/export': ({ api, query }) =>
      api.fetch('getCosts', { query: { ...pick(query, filterNames), format: 'csv' } }),
  },
};
