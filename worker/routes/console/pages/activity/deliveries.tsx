// Deliveries of rows to closed spreadsheets, with their repetition.
import type { AdminPushView } from '../../../../../shared/api/admin-schedules.ts';
import { Time, type Tone } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import { numbers, teamColumn, times } from '../../components/list.tsx';
import { ACTIVITY } from '../paths.ts';
import { buildActivityList, State } from './activity-list.tsx';

const pushStates: Readonly<Record<AdminPushView['state'], readonly [Tone, string]>> = {
  waiting: ['neutral', 'in progress'],
  stopped: ['warning', 'waits for a valid token'],
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
};

const explain = ({ problem, next_at }: AdminPushView) =>
  problem === undefined
    ? []
    : [
        `${problem.detail} ${problem.fix}`,
        ...(next_at === null
          ? []
          : [
              <>
                Next attempt: <Time at={next_at} />
              </>,
            ]),
      ];

export const deliveries = buildActivityList<AdminPushView>({
  path: '/activity/deliveries',
  needs: 'listPushes',
  title: 'Deliveries',
  caption: 'Deliveries, newest first',
  lead: 'The gateway writes new rows into spreadsheets that nobody has open. A retry costs nothing: the rows are paid for, and rows that are there already are not written twice.',
  load: async ({ api }, query) => {
    const { pushes: rows, next } = await api.call('listPushes', { query });
    return { rows, next };
  },
  columns: [
    times('Started', ({ created_at }) => created_at),
    { label: 'Table', render: ({ title }) => title ?? 'deleted' },
    teamColumn,
    { label: 'State', render: (push) => <State badge={pushStates[push.state]} notes={explain(push)} /> },
    numbers('Rows', ({ rows }) => rows),
    numbers('Failed attempts', ({ attempts }) => attempts),
    times('Last progress', ({ updated_at }) => updated_at),
    {
      label: 'Change',
      render: ({ id, state }) =>
        state === 'failed' ? (
          <Form action={`${ACTIVITY}/deliveries/${encodeURIComponent(id)}/retry`} submit="Retry" />
        ) : (
          ''
        ),
    },
  ],
  empty: 'No rows were delivered to a closed spreadsheet in the last 30 days.',
  refreshS: 10,
  actions: {
    retry: {
      done: 'The rows will be written again within a few minutes.',
      needs: 'retryPush',
    },
  },
});
