// The list of columns that are kept filled, with their stop.
import {
  type AdminEnrichmentView,
  adminEnrichmentList,
  adminEnrichmentView,
} from '../../../../../shared/api/admin-enrichments.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { type Column, formatCredits, Pager, Table, Time } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { ACTIVITY, ActivityLinks, ChosenTeam, getListQuery, getNextPage, TeamLink } from '../paths.tsx';
import { State } from './schedules.tsx';

const KEPT_FILLED = `${ACTIVITY}/filled`;

const Stop = ({ enrichment }: { enrichment: AdminEnrichmentView }) => {
  const { id, state, month_credits, month_spent } = enrichment;
  if (state !== 'on') return null;
  return (
    <details>
      <summary>Stop</summary>
      <p>
        It buys nothing more, neither in the open nor in the closed spreadsheet. This month it could still
        spend {formatCredits(Math.max(0, month_credits - month_spent))}. Its team sees that you stopped it,
        and can start it again.
      </p>
      <Form action={`${KEPT_FILLED}/${id}/stop`} submit="Stop filling" danger />
    </details>
  );
};

const columns: readonly Column<AdminEnrichmentView>[] = [
  { label: 'Table', render: ({ title }) => title },
  { label: 'Team', render: ({ team, team_name }) => <TeamLink id={team} name={team_name} /> },
  {
    label: 'Closed sheet',
    render: ({ closed, every, next_at, refresh_days: days }) =>
      closed ? (
        <>
          every {every}, next: <Time at={next_at} />
          {days !== null && <>, refreshes values older than {formatNumber(days)} days</>}
        </>
      ) : (
        'not filled'
      ),
  },
  { label: 'State', render: (enrichment) => <State schedule={enrichment} /> },
  {
    label: 'Saved by token',
    render: ({ team, token, token_name }) => (
      <a href={`/console/teams/${team}/tokens/${token}`}>{token_name || token.slice(0, 8)}</a>
    ),
  },
  { label: 'Most of a run', isNumber: true, render: ({ max_credits }) => formatNumber(max_credits) },
  {
    label: 'Spent this month',
    isNumber: true,
    render: ({ month_spent, month_credits }) =>
      `${formatNumber(month_spent)} of ${formatNumber(month_credits)}`,
  },
  {
    label: 'Last run',
    render: ({ last }) =>
      last === null ? (
        '–'
      ) : (
        <>
          <Time at={last.at} />, {formatCredits(last.credits)}
        </>
      ),
  },
  { label: 'Change', render: (enrichment) => <Stop enrichment={enrichment} /> },
];

const list: Page = {
  path: '/activity/filled',
  render: async (context) => {
    const { enrichments, next } = await context.api.get(
      '/enrichments',
      adminEnrichmentList,
      getListQuery(context),
    );
    const { team } = context.query;
    return {
      title: 'Kept filled',
      body: (
        <>
          <ActivityLinks current={KEPT_FILLED} team={team} />
          <p>The gateway looks up new keys of these columns, within the credits of a run and of a month.</p>
          <ChosenTeam team={team} address={KEPT_FILLED} />
          <Table
            caption="Columns that are kept filled"
            columns={columns}
            rows={enrichments}
            empty="No column is kept filled. People turn it on in the sidebar, under Tables."
          />
          <Pager href={getNextPage(KEPT_FILLED, context, next)} />
        </>
      ),
    };
  },
};

const stop: Action = {
  path: '/activity/filled/:id/stop',
  page: list,
  run: async ({ api, params: { id = '' } }) => {
    await api.send('POST', `/enrichments/${encodeURIComponent(id)}/stop`, adminEnrichmentView);
    return { redirect: KEPT_FILLED, notice: 'filling_stopped' };
  },
};

export const keptFilledPages: readonly Page[] = [list];
export const keptFilledActions: readonly Action[] = [stop];
