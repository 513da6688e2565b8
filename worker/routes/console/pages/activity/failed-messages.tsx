// Messages that failed in every attempt, by team, kind, error, state and age; replayed or dismissed one by one or all at once.
import {
  type DeadLetterView,
  deadLetterKinds,
  type deadLetterStates,
} from '../../../../../shared/api/admin-data-requests.ts';
import { formatCount } from '../../../../../shared/lib/format-count.ts';
import { Badge, Empty, Table, Time } from '../../components/data.tsx';
import { Confirm, Field, Form, Hidden, PageLink, readText, Select } from '../../components/form.tsx';
import { AgeFilter, numbers, pick, readAge, teamColumn, times } from '../../components/list.tsx';
import type { Action, ConsoleContext, Page } from '../../context.ts';
import { ACTIVITY, getTeamPage } from '../paths.ts';
import { buildActivityList } from './activity-list.tsx';

const FAILED = `${ACTIVITY}/failed`;
const MAX_AT_ONCE = 100;

interface MessageKind {
  name: string;
  failure: string;
  /** What a replay does. */
  replay: string;
}

const messageKinds: Readonly<Record<DeadLetterView['kind'], MessageKind>> = {
  webhook: {
    name: 'Webhooks of orders',
    failure: 'A program did not accept the webhook of a bulk order',
    replay: 'Send it again',
  },
  alert: { name: 'Alerts', failure: 'An alert address did not accept a message', replay: 'Send it again' },
  push: { name: 'Rows', failure: 'Rows could not be written to a spreadsheet', replay: 'Write them again' },
};

const ownFilters = ['kind', 'code', 'state', 'older'];
const filterNames = ['team', ...ownFilters];
const ALL = 'all';
const stateLabels: Readonly<Record<(typeof deadLetterStates)[number], string>> = {
  open: 'Open',
  replayed: 'Replayed',
  dismissed: 'Dismissed',
};
const stateOptions = [...Object.entries(stateLabels), [ALL, 'All'] as const];

/** Returns the address of the list with the filters of a query. */
const getListAddress = (query: ConsoleContext['query']): string =>
  `${FAILED}?${new URLSearchParams(pick(query, filterNames))}`;

/** Reads the filter of the address as the admin API takes it. Default: open messages. */
function readFilter(context: ConsoleContext) {
  const { state = 'open', older: _, ...filter } = pick(context.query, filterNames);
  return { ...filter, ...(state === ALL ? {} : { state }), ...readAge(context) };
}

const Fields = ({ query }: Pick<ConsoleContext, 'query'>) => (
  <>
    <Select
      label="What"
      name="kind"
      options={[['', 'All'], ...deadLetterKinds.map((kind) => [kind, messageKinds[kind].name] as const)]}
      value={query.kind}
    />
    <Field label="Error code" name="code" value={query.code} />
    <Select label="State" name="state" options={stateOptions} value={query.state ?? 'open'} />
    <AgeFilter value={query.older} />
  </>
);

const isOpen = ({ replayed_at, dismissed_at }: DeadLetterView): boolean =>
  replayed_at === null && dismissed_at === null;

const failedMessages = buildActivityList<DeadLetterView>({
  path: '/activity/failed',
  needs: 'listDeadLetters',
  title: 'Failed messages',
  caption: 'Failed messages, newest first',
  lead: 'Messages that failed in every attempt. Remove the cause, then repeat them here; nothing is bought again.',
  filters: ownFilters,
  fields: Fields,
  load: async (context, { team, after, limit }) => {
    const { dead_letters: rows, after: next } = await context.api.call('listDeadLetters', {
      query: { ...readFilter(context), team, after, limit },
    });
    const address = new URLSearchParams({
      ...pick(context.query, filterNames),
      ...(team && { team: `${team}` }),
    });
    const before = rows.some(isOpen) ? (
      <p class="actions">
        {Object.entries(bulkChanges).map(([name, { label }]) => (
          <PageLink href={`${ACTIVITY}/${name}?${address}`}>{label} all of these</PageLink>
        ))}
      </p>
    ) : null;
    return { rows, next, before };
  },
  columns: [
    times('When', ({ at }) => at),
    teamColumn,
    { label: 'What', render: ({ kind }) => messageKinds[kind].failure },
    {
      label: 'Of',
      render: ({ kind, request, team }) =>
        kind === 'webhook' ? (
          <a href={`${ACTIVITY}/orders/${encodeURIComponent(request)}`}>the bulk order</a>
        ) : kind === 'alert' ? (
          <PageLink href={`${getTeamPage(team)}/alerts`}>the team’s alerts</PageLink>
        ) : (
          <a href={`${ACTIVITY}/deliveries?${new URLSearchParams({ team })}`}>the team’s deliveries</a>
        ),
    },
    {
      label: 'Last error',
      render: ({ error, code }) => (
        <span>
          {error} <code>{code}</code>
        </span>
      ),
    },
    {
      label: 'Change',
      render: ({ id, kind, replayed_at, dismissed_at }) => {
        if (replayed_at !== null)
          return (
            <small>
              replayed on <Time at={replayed_at} />
            </small>
          );
        if (dismissed_at !== null) return <Badge>dismissed</Badge>;
        const address = `${FAILED}/${encodeURIComponent(id)}`;
        return (
          <>
            <Form action={`${address}/replay`} submit={messageKinds[kind].replay} />
            <Form action={`${address}/dismiss`} submit="Dismiss" second />
          </>
        );
      },
    },
  ],
  empty: 'No message has failed in every attempt.',
  actions: {
    replay: {
      done: 'The message is being processed again.',
      needs: 'replayDeadLetter',
    },
    dismiss: {
      done: 'The message was dismissed.',
      needs: 'dismissDeadLetters',
      buildBody: (id) => ({ ids: [id] }),
    },
  },
});

interface BulkChange extends Pick<Action, 'done'> {
  needs: 'replayDeadLetters' | 'dismissDeadLetters';
  label: string;
  effect: string;
}

/** Changes of all messages that match, by the end of their address. */
const bulkChanges: Readonly<Record<string, BulkChange>> = {
  'replay-failed': {
    needs: 'replayDeadLetters',
    label: 'Replay',
    effect: 'They are sent or written again, the oldest first. Nothing is bought again.',
    done: 'The messages are being processed again.',
  },
  'dismiss-failed': {
    needs: 'dismissDeadLetters',
    label: 'Dismiss',
    effect: 'They are not sent again, and no alert counts them any more.',
    done: 'The messages were dismissed.',
  },
};

const groupLetters = (letters: readonly DeadLetterView[]) =>
  [...Map.groupBy(letters, ({ team, kind, code }) => `${team} ${kind} ${code}`).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, count: group.length }];
  });

/** Builds the page that says how many messages a change concerns before it is made. */
const buildBulkPage = ([name, { needs, label, effect, done }]: [string, BulkChange]): Page => ({
  path: `/activity/${name}`,
  needs,
  render: async (context) => {
    const query = { ...readFilter(context), state: 'open', limit: MAX_AT_ONCE };
    const { dead_letters: letters, after } = await context.api.call('listDeadLetters', { query });
    const messages = formatCount(letters.length, 'message');
    const back = getListAddress(context.query);
    return {
      title: letters.length === 0 ? 'No open message' : `${label} ${messages}?`,
      body:
        letters.length === 0 ? (
          <Empty>
            No open message matches. <a href={back}>Back to the list</a>
          </Empty>
        ) : (
          <Confirm back={back} keep="Change nothing">
            <p>
              {effect}
              {after === null ? null : ` These are the newest ${MAX_AT_ONCE}; repeat it for the others.`}
            </p>
            <Table
              caption="Messages"
              columns={[
                teamColumn,
                { label: 'What', render: ({ kind }) => messageKinds[kind].failure },
                { label: 'Error code', render: ({ code }) => <code>{code}</code> },
                numbers('Messages', (group: { count: number }) => group.count),
              ]}
              rows={groupLetters(letters)}
              empty=""
            />
            <Form
              action={`${ACTIVITY}/${name}`}
              submit={`${label} ${messages}`}
              danger={name === 'dismiss-failed'}
            >
              <Hidden name="ids" value={letters.map(({ id }) => id).join(' ')} />
            </Form>
          </Confirm>
        ),
    };
  },
  actions: {
    [`/activity/${name}`]: {
      needs,
      ...(done === undefined ? {} : { done }),
      run: async ({ api, query }, form) => {
        await api.call(needs, { body: { ids: readText(form, 'ids').split(' ') } });
        return getListAddress(query);
      },
    },
  },
});

export const failedMessagePages: readonly Page[] = [
  failedMessages,
  ...Object.entries(bulkChanges).map(buildBulkPage),
];
