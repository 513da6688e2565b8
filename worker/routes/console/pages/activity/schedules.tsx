// The list of schedules, with their stop and resumption.
import {
  type AdminScheduleView,
  adminScheduleList,
  adminScheduleView,
} from '../../../../../shared/api/admin-schedules.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { maxRunsPerMonth } from '../../../../../shared/limits.ts';
import { Badge, type Column, formatCredits, Pager, Table, Time, type Tone } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { ACTIVITY, ActivityLinks, ChosenTeam, getListQuery, getNextPage, TeamLink } from '../paths.tsx';

const SCHEDULES = `${ACTIVITY}/schedules`;

const tones: Readonly<Record<AdminScheduleView['state'], Tone>> = {
  on: 'good',
  paused: 'neutral',
  stopped: 'warning',
};

const getAction = (id: string, name: 'stop' | 'resume'): string => `${SCHEDULES}/${id}/${name}`;

/** Renders the state of a schedule, or of a column that is kept filled, and why it has stopped. */
export const State = ({
  schedule: { state, problem },
}: {
  schedule: Pick<AdminScheduleView, 'state' | 'problem'>;
}) => (
  <>
    <Badge tone={tones[state]}>{state}</Badge>
    {problem === undefined ? null : (
      <p>
        <small>{problem.detail}</small>
      </p>
    )}
  </>
);

const Change = ({ schedule }: { schedule: AdminScheduleView }) => {
  const { id, state, every, max_credits, next_at } = schedule;
  const isOn = state === 'on';
  const action = getAction(id, isOn ? 'stop' : 'resume');
  const mostOfMonth = formatCredits(max_credits * maxRunsPerMonth[every]);
  return (
    <details>
      <summary>{isOn ? 'Stop' : 'Resume'}</summary>
      <p>
        {isOn ? (
          <>
            It buys nothing more: neither on <Time at={next_at} /> nor later, up to {mostOfMonth} a month. A
            run in progress finishes. Its team sees that you stopped it, and can start it again.
          </>
        ) : (
          <>
            It buys again, one {every} from now: up to {formatCredits(max_credits)} a run, {mostOfMonth} a
            month.
          </>
        )}
      </p>
      <Form action={action} submit={isOn ? 'Stop the schedule' : 'Resume the schedule'} danger={isOn} />
    </details>
  );
};

const columns: readonly Column<AdminScheduleView>[] = [
  { label: 'Table', render: ({ title }) => title },
  { label: 'Team', render: ({ team, team_name }) => <TeamLink id={team} name={team_name} /> },
  { label: 'Every', render: ({ every }) => every },
  { label: 'State', render: (schedule) => <State schedule={schedule} /> },
  {
    label: 'Paid by token',
    render: ({ team, token, token_name }) => (
      <a href={`/console/teams/${team}/tokens/${token}`}>{token_name || token.slice(0, 8)}</a>
    ),
  },
  { label: 'Most of a run', isNumber: true, render: ({ max_credits }) => formatNumber(max_credits) },
  { label: 'Last run', render: ({ last }) => <Time at={last?.at ?? null} /> },
  {
    label: 'Its credits',
    isNumber: true,
    render: ({ last }) => (last === null ? '' : formatNumber(last.credits)),
  },
  { label: 'Next run', render: ({ next_at }) => <Time at={next_at} /> },
  { label: 'Change', render: (schedule) => <Change schedule={schedule} /> },
];

const list: Page = {
  path: '/activity/schedules',
  render: async (context) => {
    const { schedules, next } = await context.api.get('/schedules', adminScheduleList, getListQuery(context));
    const { team } = context.query;
    return {
      title: 'Schedules',
      body: (
        <>
          <ActivityLinks current={SCHEDULES} team={team} />
          <p>Schedules refresh the tables of spreadsheets and buy what has become old.</p>
          <ChosenTeam team={team} address={SCHEDULES} />
          <Table
            caption="Schedules"
            columns={columns}
            rows={schedules}
            empty="No table is refreshed on a schedule. Schedules are made in the sidebar."
          />
          <Pager href={getNextPage(SCHEDULES, context, next)} />
        </>
      ),
    };
  },
};

const change = (name: 'stop' | 'resume'): Action => ({
  path: `/activity/schedules/:id/${name}`,
  page: list,
  run: async ({ api, params: { id = '' } }) => {
    await api.send('POST', `/schedules/${encodeURIComponent(id)}/${name}`, adminScheduleView);
    return { redirect: SCHEDULES, notice: name === 'stop' ? 'schedule_stopped' : 'schedule_resumed' };
  },
});

export const schedulePages: readonly Page[] = [list];
export const scheduleActions: readonly Action[] = [change('stop'), change('resume')];
