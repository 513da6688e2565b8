// The list of bulk orders.

import {
  type AdminDataRequestView,
  adminDataRequestList,
} from '../../../../../shared/api/admin-data-requests.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { type Column, Pager, Table, Time } from '../../components/data.tsx';
import type { Page } from '../../context.ts';
import { TeamLink } from '../team-link.tsx';
import { formatCost, OrderState } from './order-state.tsx';
import { ACTIVITY, ActivityLinks, ChosenTeam, getListQuery, getNextPage } from './paths.tsx';

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
