// The page of a bulk order: what happened to it, what it costs, and its stop.
import {
  stoppedDataRequest,
  type TimelineEvent,
  timeline,
} from '../../../../../shared/api/admin-activity.ts';
import {
  type AdminDataRequestView,
  adminDataRequestView,
} from '../../../../../shared/api/admin-data-requests.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Facts, formatCredits, ProblemMessage, ShortId, Time } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { ACTIVITY, getUnclearPage, TeamLink } from '../paths.tsx';
import { formatCost, OrderState } from './orders.tsx';

const getPath = (id = ''): string => `/requests/${encodeURIComponent(id)}`;
const getAddress = (id = ''): string => `${ACTIVITY}/orders/${encodeURIComponent(id)}`;

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
          `${formatNumber(order.asked)} ordered, ${formatNumber(order.cached)} of them from the cache`,
        ],
        ['Rows', formatNumber(order.rows)],
        ['Credits', formatCost(order)],
        ['Rows are free until', <Time at={order.rows_until} />],
        [
          'Token',
          <a href={`/console/teams/${order.team}/tokens/${order.token}`}>
            <ShortId id={order.token} />
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
  <section class="card">
    <h2>Stop</h2>
    <p>{describeStop(order)}</p>
    <Form action={`${getAddress(order.id)}/stop`} submit="Stop the bulk order" danger />
  </section>
);

const Unclear = ({ order: { team, credits } }: { order: AdminDataRequestView }) => (
  <section class="card">
    <h2>Unclear outcome</h2>
    <p>
      The order was sent, and its answer was lost. {formatCredits(credits.reserved)} count as spent until you{' '}
      <a href={getUnclearPage(team)}>settle them</a>.
    </p>
  </section>
);

const page: Page = {
  path: '/activity/orders/:id',
  render: async ({ api, params: { id } }) => {
    const [order, { events }] = await Promise.all([
      api.get(getPath(id), adminDataRequestView),
      api.get(`${getPath(id)}/timeline`, timeline),
    ]);
    const isOpen = order.ended_at === null;
    return {
      title: `Bulk order of ${familyLabels[order.family].name}`,
      body: (
        <>
          <div class="columns" id="order" data-live={isOpen ? '5' : undefined}>
            <Summary order={order} />
            <Timeline events={events} />
            {isOpen && order.watched ? <Stop order={order} /> : null}
            {order.state === 'unclear' ? <Unclear order={order} /> : null}
          </div>
          <p class="actions">
            <a href={ACTIVITY}>All bulk orders</a>
          </p>
        </>
      ),
    };
  },
};

const stop: Action = {
  path: '/activity/orders/:id/stop',
  page,
  run: async ({ api, params: { id } }) => {
    await api.send('POST', `${getPath(id)}/stop`, stoppedDataRequest);
    return { redirect: getAddress(id), notice: 'order_stopped' };
  },
};

export const orderPages: readonly Page[] = [page];
export const orderActions: readonly Action[] = [stop];
