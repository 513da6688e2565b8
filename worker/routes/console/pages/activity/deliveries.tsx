// The list of deliveries of rows to closed spreadsheets, with their repetition.
import {
  type AdminPushView,
  adminPushList,
  adminPushView,
} from '../../../../../shared/api/admin-schedules.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, type Column, Pager, Table, Time, type Tone } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { ACTIVITY, ActivityLinks, ChosenTeam, getListQuery, getNextPage, TeamLink } from '../paths.tsx';

const DELIVERIES = `${ACTIVITY}/deliveries`;

const states: Readonly<Record<AdminPushView['state'], readonly [Tone, string]>> = {
  waiting: ['neutral', 'in progress'],
  stopped: ['warning', 'waits for a valid token'],
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
};

const State = ({ delivery: { state, problem, next_at } }: { delivery: AdminPushView }) => (
  <>
    <Badge tone={states[state][0]}>{states[state][1]}</Badge>
    {problem === undefined ? null : (
      <p>
        <small>
          {problem.detail} {problem.fix}
        </small>
      </p>
    )}
    {next_at === null || problem === undefined ? null : (
      <p>
        <small>
          Next attempt: <Time at={next_at} />
        </small>
      </p>
    )}
  </>
);

const columns: readonly Column<AdminPushView>[] = [
  { label: 'Started', render: ({ created_at }) => <Time at={created_at} /> },
  { label: 'Table', render: ({ title }) => title ?? 'deleted' },
  { label: 'Team', render: ({ team, team_name }) => <TeamLink id={team} name={team_name} /> },
  { label: 'State', render: (delivery) => <State delivery={delivery} /> },
  { label: 'Rows', isNumber: true, render: ({ rows }) => formatNumber(rows) },
  { label: 'Failed attempts', isNumber: true, render: ({ attempts }) => formatNumber(attempts) },
  { label: 'Last progress', render: ({ updated_at }) => <Time at={updated_at} /> },
  {
    label: 'Change',
    render: ({ id, state }) =>
      state === 'failed' ? (
        <Form action={`${DELIVERIES}/${encodeURIComponent(id)}/retry`} submit="Retry" />
      ) : (
        ''
      ),
  },
];

const list: Page = {
  path: '/activity/deliveries',
  render: async (context) => {
    const { pushes, next } = await context.api.get('/pushes', adminPushList, getListQuery(context));
    const { team } = context.query;
    return {
      title: 'Deliveries',
      body: (
        <>
          <ActivityLinks current={DELIVERIES} team={team} />
          <p>
            The gateway writes new rows into spreadsheets that nobody has open. A retry costs nothing: the
            rows are paid for, and rows that are there already are not written twice.
          </p>
          <ChosenTeam team={team} address={DELIVERIES} />
          <div id="deliveries" data-live="10">
            <Table
              caption="Deliveries, newest first"
              columns={columns}
              rows={pushes}
              empty="No rows were delivered to a closed spreadsheet in the last 30 days."
            />
          </div>
          <Pager href={getNextPage(DELIVERIES, context, next)} />
        </>
      ),
    };
  },
};

const retry: Action = {
  path: '/activity/deliveries/:id/retry',
  page: list,
  run: async ({ api, params: { id = '' } }) => {
    await api.send('POST', `/pushes/${encodeURIComponent(id)}/retry`, adminPushView);
    return { redirect: DELIVERIES, notice: 'delivery_retried' };
  },
};

export const deliveryPages: readonly Page[] = [list];
export const deliveryActions: readonly Action[] = [retry];
