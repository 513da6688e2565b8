// Deliveries of rows to closed spreadsheets, and messages that failed in every attempt; with their repetition.
import type { DeadLetterView } from '../../../../../shared/api/admin-data-requests.ts';
import type { AdminPushView } from '../../../../../shared/api/admin-schedules.ts';
import { ShortId, Time, type Tone } from '../../components/data.tsx';
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
      run: (api, id) => api.call('retryPush', { params: { id } }),
    },
  },
});

/** What failed, and what a replay does. */
const messageKinds: Readonly<Record<DeadLetterView['kind'], readonly [string, string]>> = {
  relay: ['A program did not accept the webhook of a bulk order', 'Send it again'],
  alert: ['An alert address did not accept a message', 'Send it again'],
  push: ['Rows could not be written to a spreadsheet', 'Write them again'],
};

export const failedMessages = buildActivityList<DeadLetterView>({
  path: '/activity/failed',
  title: 'Failed messages',
  caption: 'Failed messages, newest first',
  lead: 'Messages that failed in every attempt. Remove the cause, then repeat them here; nothing is bought again.',
  filters: [],
  load: async ({ api }, query) => {
    const { dead_letters: rows, after: next } = await api.call('listDeadLetters', { query });
    return { rows, next };
  },
  columns: [
    times('When', ({ at }) => at),
    { label: 'What', render: ({ kind }) => messageKinds[kind][0] },
    {
      label: 'Of',
      render: ({ kind, request }) =>
        kind === 'relay' ? (
          <a href={`${ACTIVITY}/orders/${encodeURIComponent(request)}`}>the bulk order</a>
        ) : (
          <ShortId id={request} />
        ),
    },
    { label: 'Last error', render: ({ error }) => error },
    {
      label: 'Replay',
      render: ({ id, kind, replayed_at }) =>
        replayed_at === null ? (
          <Form
            action={`${ACTIVITY}/failed/${encodeURIComponent(id)}/replay`}
            submit={messageKinds[kind][1]}
          />
        ) : (
          <small>
            replayed on <Time at={replayed_at} />
          </small>
        ),
    },
  ],
  empty: 'No message has failed in every attempt.',
  actions: {
    replay: {
      done: 'The message is being processed again.',
      needs: 'replayDeadLetter',
      run: (api, id) => api.call('replayDeadLetter', { params: { id } }),
    },
  },
});
