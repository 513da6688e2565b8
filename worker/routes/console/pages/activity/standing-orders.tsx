// Automatic purchases: schedules of tables, and columns that are kept filled; with their stop and resumption.
import type { Child } from 'hono/jsx';
import type { AdminEnrichmentView, AdminScheduleView } from '../../../../../shared/api/admin-schedules.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { maxRunsPerMonth } from '../../../../../shared/limits.ts';
import { type Column, formatCredits, Time, type Tone } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import { numbers, teamColumn, times } from '../../components/list.tsx';
import { ACTIVITY, getTokenPage } from '../paths.ts';
import { buildActivityList, State } from './activity-list.tsx';

type StandingOrder = Pick<AdminScheduleView, 'state' | 'problem' | 'team' | 'token' | 'token_name'>;

const tones: Readonly<Record<AdminScheduleView['state'], Tone>> = {
  on: 'good',
  paused: 'neutral',
  stopped: 'warning',
};

const stateColumn: Column<StandingOrder> = {
  label: 'State',
  render: ({ state, problem }) => (
    <State badge={[tones[state], state]} notes={problem === undefined ? [] : [problem.detail]} />
  ),
};

const tokenColumn = (label: string): Column<StandingOrder> => ({
  label,
  render: ({ team, token, token_name }) => (
    <a class="address" href={getTokenPage(team, token)}>
      {token_name ?? token.slice(0, 8)}
    </a>
  ),
});

interface ChangeProps {
  /** Word that opens the explanation. */
  summary: string;
  action: string;
  submit: string;
  danger: boolean;
  children: Child;
}

const Change = ({ summary, children, ...form }: ChangeProps) => (
  <details>
    <summary>{summary}</summary>
    <p>{children}</p>
    <Form {...form} />
  </details>
);

const ScheduleChange = ({ schedule }: { schedule: AdminScheduleView }) => {
  const { id, state, every, max_credits, next_at } = schedule;
  const mostOfMonth = formatCredits(max_credits * maxRunsPerMonth[every]);
  const address = `${ACTIVITY}/schedules/${id}`;
  return state === 'on' ? (
    <Change summary="Stop" action={`${address}/stop`} submit="Stop the schedule" danger>
      It buys nothing more: neither on <Time at={next_at} /> nor later, up to {mostOfMonth} a month. A run in
      progress finishes. Its team sees that you stopped it, and can start it again.
    </Change>
  ) : (
    <Change summary="Resume" action={`${address}/resume`} submit="Resume the schedule" danger={false}>
      It buys again, one {every} from now: up to {formatCredits(max_credits)} a run, {mostOfMonth} a month.
    </Change>
  );
};

const schedules = buildActivityList<AdminScheduleView>({
  path: '/activity/schedules',
  needs: 'listSchedules',
  title: 'Schedules',
  caption: 'Schedules',
  lead: 'Schedules refresh the tables of spreadsheets and buy what has become old.',
  load: async ({ api }, query) => {
    const { schedules: rows, next } = await api.call('listSchedules', { query });
    return { rows, next };
  },
  columns: [
    { label: 'Table', render: ({ title }) => title },
    teamColumn,
    { label: 'Every', render: ({ every }) => every },
    stateColumn,
    tokenColumn('Paid by'),
    numbers('Most of a run', ({ max_credits }) => max_credits),
    times('Last run', ({ last }) => last?.at ?? null),
    {
      label: 'Its credits',
      isNumber: true,
      render: ({ last }) => (last === null ? '' : formatNumber(last.credits)),
    },
    times('Next run', ({ next_at }) => next_at),
    { label: 'Change', render: (schedule) => <ScheduleChange schedule={schedule} /> },
  ],
  empty: 'No table is refreshed on a schedule. Schedules are made in the sidebar.',
  actions: {
    stop: {
      done: 'The schedule was stopped.',
      needs: 'stopSchedule',
    },
    resume: {
      done: 'The schedule was resumed.',
      needs: 'resumeSchedule',
    },
  },
});

const keptFilled = buildActivityList<AdminEnrichmentView>({
  path: '/activity/filled',
  needs: 'listEnrichments',
  title: 'Kept filled',
  caption: 'Columns that are kept filled',
  lead: 'The gateway looks up new keys of these columns, within the credits of a run and of a month.',
  load: async ({ api }, query) => {
    const { enrichments: rows, next } = await api.call('listEnrichments', { query });
    return { rows, next };
  },
  columns: [
    { label: 'Table', render: ({ title }) => title },
    teamColumn,
    {
      label: 'Closed sheet',
      render: ({ push, every, next_at, refresh_days: days }) =>
        push ? (
          <span>
            every {every}, next: <Time at={next_at} />
            {days !== null && <>, refreshes values older than {formatNumber(days)} days</>}
          </span>
        ) : (
          'not filled'
        ),
    },
    stateColumn,
    tokenColumn('Saved by'),
    numbers('Most of a run', ({ max_credits }) => max_credits),
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
          <span>
            <Time at={last.at} />, {formatCredits(last.credits)}
          </span>
        ),
    },
    {
      label: 'Change',
      render: ({ id, state, month_credits, month_spent }) =>
        state === 'on' ? (
          <Change summary="Stop" action={`${ACTIVITY}/filled/${id}/stop`} submit="Stop filling" danger>
            It buys nothing more, neither in the open nor in the closed spreadsheet. This month it could still
            spend {formatCredits(Math.max(0, month_credits - month_spent))}. Its team sees that you stopped
            it, and can start it again.
          </Change>
        ) : null,
    },
  ],
  empty: 'No column is kept filled. People turn it on in the sidebar, under Tables.',
  actions: {
    stop: {
      done: 'The column is no longer kept filled.',
      needs: 'stopEnrichment',
    },
  },
});

export const standingOrderPages = [schedules, keptFilled] as const;
