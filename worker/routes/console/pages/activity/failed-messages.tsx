// The list of messages that failed too often, with their repetition.
import {
  type DeadLetterView,
  deadLetterList,
  deadLetterView,
} from '../../../../../shared/api/admin-data-requests.ts';
import { type Column, Pager, ShortId, Table, Time } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { ACTIVITY, ActivityLinks, getListQuery, getNextPage } from '../paths.tsx';

const FAILED = `${ACTIVITY}/failed`;

/** What failed, and what a replay does. */
const kinds: Readonly<Record<DeadLetterView['kind'], readonly [string, string]>> = {
  relay: ['A program did not accept the webhook of a bulk order', 'Send it again'],
  alert: ['An alert address did not accept a message', 'Send it again'],
  push: ['Rows could not be written to a spreadsheet', 'Write them again'],
};

const Subject = ({ message: { kind, request } }: { message: DeadLetterView }) =>
  kind === 'relay' ? (
    <a href={`${ACTIVITY}/orders/${encodeURIComponent(request)}`}>the bulk order</a>
  ) : (
    <ShortId id={request} />
  );

const columns: readonly Column<DeadLetterView>[] = [
  { label: 'When', render: ({ at }) => <Time at={at} /> },
  { label: 'What', render: ({ kind }) => kinds[kind][0] },
  { label: 'Of', render: (message) => <Subject message={message} /> },
  { label: 'Last error', render: ({ error }) => error },
  {
    label: 'Replay',
    render: ({ id, kind, replayed_at }) =>
      replayed_at === null ? (
        <Form action={`${FAILED}/${encodeURIComponent(id)}/replay`} submit={kinds[kind][1]} />
      ) : (
        <small>
          replayed on <Time at={replayed_at} />
        </small>
      ),
  },
];

const list: Page = {
  path: '/activity/failed',
  render: async (context) => {
    const { after, limit } = getListQuery(context);
    const letters = await context.api.get('/dead-letters', deadLetterList, { after, limit });
    return {
      title: 'Failed messages',
      body: (
        <>
          <ActivityLinks current={FAILED} team={context.query.team} />
          <p>
            Messages that failed in every attempt. Remove the cause, then repeat them here; nothing is bought
            again.
          </p>
          <Table
            caption="Failed messages, newest first"
            columns={columns}
            rows={letters.dead_letters}
            empty="No message has failed in every attempt."
          />
          <Pager href={getNextPage(FAILED, context, letters.after)} />
        </>
      ),
    };
  },
};

const replay: Action = {
  path: '/activity/failed/:id/replay',
  page: list,
  run: async ({ api, params: { id = '' } }) => {
    await api.send('POST', `/dead-letters/${encodeURIComponent(id)}/replay`, deadLetterView);
    return { redirect: FAILED, notice: 'message_replayed' };
  },
};

export const failedMessagePages: readonly Page[] = [list];
export const failedMessageActions: readonly Action[] = [replay];
