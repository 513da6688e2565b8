// Bulk orders: the list, and the page of each with its history, costs and stop.
import type { AdminDataRequestView, TimelineEvent } from '../../../../../shared/api/admin-data-requests.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { createChange } from '../../change.ts';
import { Badge, Facts, formatCredits, ProblemMessage, Time, type Tone } from '../../components/data.tsx';
import { Form, FormCard } from '../../components/form.tsx';
import { numbers, Payer, TeamLink, teamColumn } from '../../components/list.tsx';
import type { Page } from '../../context.ts';
import { ACTIVITY, getTeamPage, getTokenPage } from '../paths.ts';
import { buildActivityList } from './activity-list.tsx';

const getAddress = (id = ''): string => `${ACTIVITY}/orders/${encodeURIComponent(id)}`;

const states: Readonly<Record<AdminDataRequestView['state'], readonly [Tone, string]>> = {
  reserved: ['neutral', 'credits reserved'],
  submitted: ['neutral', 'ordered'],
  running: ['neutral', 'being prepared'],
  ingesting: ['neutral', 'rows arrive'],
  ready: ['good', 'ready'],
  failed: ['bad', 'failed'],
  cancelled: ['neutral', 'stopped'],
  unclear: ['warning', 'unclear'],
};

const OrderState = ({ order: { state, cancel_requested, ended_at } }: { order: AdminDataRequestView }) => {
  const [tone, label] = states[state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {cancel_requested && ended_at === null ? <small> nobody waits for it</small> : null}
    </>
  );
};

/** Formats what a bulk order costs: the charge once it is known, the reserved credits before. */
const formatCost = ({ credits: { charged, reserved } }: AdminDataRequestView): string =>
  charged === null ? `up to ${formatNumber(reserved)}` : formatNumber(charged);

const orders = buildActivityList<AdminDataRequestView>({
  path: '/activity',
  needs: 'listDataRequests',
  title: 'Bulk orders',
  caption: 'Bulk orders, newest first',
  load: async ({ api }, query) => {
    const { requests: rows, after: next } = await api.call('listDataRequests', { query });
    return { rows, next };
  },
  columns: [
    {
      label: 'Ordered',
      render: ({ id, created_at }) => (
        <a href={getAddress(id)}>
          <Time at={created_at} />
        </a>
      ),
    },
    teamColumn,
    { label: 'Data', render: ({ family }) => familyLabels[family].name },
    { label: 'State', render: (order) => <OrderState order={order} /> },
    numbers('Records', ({ requested }) => requested),
    numbers('Rows', ({ rows }) => rows),
    { label: 'Credits', isNumber: true, render: formatCost },
  ],
  empty: 'Nothing was ordered in bulk yet. Orders are placed in the sidebar, or by a schedule.',
  refreshS: 10,
});

const Summary = ({ order }: { order: AdminDataRequestView }) => (
  <section class="card">
    <h2>Order</h2>
    {order.problem === undefined ? null : <ProblemMessage problem={order.problem} />}
    <Facts
      facts={[
        ['State', <OrderState order={order} />],
        ['Team', <TeamLink id={order.team} name={order.team_name} />],
        ['Data', familyLabels[order.family].name],
        [
          'Records',
          `${formatNumber(order.requested)} ordered, ${formatNumber(order.cached)} of them from the cache`,
        ],
        ['Rows', formatNumber(order.rows)],
        ['Credits', formatCost(order)],
        ['Rows are free until', <Time at={order.rows_until} />],
        [
          'Who',
          <a href={getTokenPage(order.team, order.token)}>
            <Payer token={order.token} name={order.token_name} />
          </a>,
        ],
        ['Id', <code>{order.id}</code>],
      ]}
    />
  </section>
);

const Timeline = ({ events }: { events: readonly TimelineEvent[] }) => (
  <section class="card">
    <h2>What happened</h2>
    <ol class="timeline">
      {events.map(({ at, text }) => (
        <li>
          <span>{at === null ? null : <Time at={at} />}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  </section>
);

/** Says what a stop changes, in credits. */
const describeStop = ({ state, credits: { reserved } }: AdminDataRequestView): string =>
  state === 'reserved'
    ? `Nothing was sent to the provider yet. ${formatCredits(reserved)} return to the team.`
    : `The provider has the order: it will still be charged, up to ${formatCredits(reserved)}. The gateway only stops waiting for it; the team can write the rows for free later.`;

const Stop = ({ order }: { order: AdminDataRequestView }) => (
  <FormCard action={`${getAddress(order.id)}/stop`} title="Stop">
    <p>{describeStop(order)}</p>
    <Form action={`${getAddress(order.id)}/stop`} submit="Stop the bulk order" danger />
  </FormCard>
);

const Unclear = ({ order: { team, credits } }: { order: AdminDataRequestView }) => (
  <section class="card">
    <h2>Unclear outcome</h2>
    <p>
      The order was sent, and its answer was lost. {formatCredits(credits.reserved)} count as spent until you{' '}
      <a href={`${getTeamPage(team)}/unclear`}>reconcile them</a>.
    </p>
  </section>
);

const orderPage: Page = {
  path: '/activity/orders/:id',
  needs: 'getDataRequest',
  render: async ({ api, params: { id = '' } }) => {
    const [order, { events }] = await Promise.all([
      api.call('getDataRequest', { params: { id } }),
      api.call('getTimeline', { params: { id } }),
    ]);
    const isOpen = order.ended_at === null;
    return {
      title: `Bulk order of ${familyLabels[order.family].name}`,
      body: (
        <>
          <div class="columns" id="order" data-live={isOpen ? '5' : undefined}>
            <Summary order={order} />
            <Timeline events={events} />
            {isOpen && !order.cancel_requested ? <Stop order={order} /> : null}
            {order.state === 'unclear' ? <Unclear order={order} /> : null}
          </div>
          <p class="actions">
            <a href={ACTIVITY}>All bulk orders</a>
          </p>
        </>
      ),
    };
  },
  actions: {
    '/activity/orders/:id/stop': createChange('stopDataRequest', 'The bulk order was stopped.', ({ id }) =>
      getAddress(id),
    ),
  },
};

export const orderPages = [orders, orderPage] as const;
