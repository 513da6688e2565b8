// The list of bulk orders.
import {
  type AdminDataRequestView,
  adminDataRequestList,
} from '../../../../../shared/api/admin-data-requests.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, type Column, Pager, Table, Time, type Tone } from '../../components/data.tsx';
import type { Page } from '../../context.ts';
import { ACTIVITY, ActivityLinks, ChosenTeam, getListQuery, getNextPage, TeamLink } from '../paths.tsx';

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

/** Renders the state of a bulk order. */
export const OrderState = ({ order: { state, watched, ended_at } }: { order: AdminDataRequestView }) => {
  const [tone, label] = states[state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {watched || ended_at !== null ? null : <small> nobody waits for it</small>}
    </>
  );
};

/** Formats what a bulk order costs: the charge once it is known, the reserved credits before. */
export const formatCost = ({ credits: { charged, reserved } }: AdminDataRequestView): string =>
  charged === null ? `up to ${formatNumber(reserved)}` : formatNumber(charged);

const columns: readonly Column<AdminDataRequestView>[] = [
  {
    label: 'Ordered',
    render: ({ id, created_at }) => (
      <a href={`${ACTIVITY}/orders/${id}`}>
        <Time at={created_at} />
      </a>
    ),
  },
  { label: 'Team', render: ({ team, team_name }) => <TeamLink id={team} name={team_name} /> },
  { label: 'Data', render: ({ family }) => familyLabels[family].name },
  { label: 'State', render: (order) => <OrderState order={order} /> },
  { label: 'Records', isNumber: true, render: ({ asked }) => formatNumber(asked) },
  { label: 'Rows', isNumber: true, render: ({ rows }) => formatNumber(rows) },
  { label: 'Credits', isNumber: true, render: formatCost },
];

const list: Page = {
  path: '/activity',
  render: async (context) => {
    const { requests, after } = await context.api.get(
      '/requests',
      adminDataRequestList,
      getListQuery(context),
    );
    const { team } = context.query;
    return {
      title: 'Bulk orders',
      body: (
        <>
          <ActivityLinks current={ACTIVITY} team={team} />
          <ChosenTeam team={team} address={ACTIVITY} />
          <div id="orders" data-live="10">
            <Table
              caption="Bulk orders, newest first"
              columns={columns}
              rows={requests}
              empty="Nothing was ordered in bulk yet. Orders are placed in the sidebar, or by a schedule."
            />
          </div>
          <Pager href={getNextPage(ACTIVITY, context, after)} />
        </>
      ),
    };
  },
};

export const orderListPages: readonly Page[] = [list];
