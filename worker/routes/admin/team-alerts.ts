// /admin/v1/teams/{id}/alerts: where a team's alerts go, and about what, set by the admin.
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import {
  type AddressContext,
  addAddress,
  changeAddress,
  listAddresses,
  removeAddress,
  sendTestAlert,
} from '../../tables/alerts/addresses.ts';
import { buildAuditInsert } from './audit-log.ts';
import { type RouteContext, route } from './route.ts';
import { requireTeam } from './teams.ts';

/** @throws ProblemError `not_found` */
async function openAddresses(context: RouteContext, id: string): Promise<AddressContext> {
  const { env, now, orm, getProvider } = context;
  return {
    ...{ env, now, getProvider },
    team: await requireTeam(orm, id),
    newId: () => crypto.randomUUID(),
    journal: (alert) => journalRevocation(env, now, { kind: 'alert', id: alert, team: id }),
  };
}

const listTeamAlerts = route(endpoints.listTeamAlerts, {
  summary: 'List the alert addresses of a team',
  returns: 'The addresses, shown by host',
  handle: async ({ params: { id } }, context) => ({
    alerts: await listAddresses(await openAddresses(context, id)),
  }),
});

const createTeamAlert = route(endpoints.createTeamAlert, {
  summary: 'Add an alert address to a team',
  returns: 'The address, shown by host',
  handle: async ({ params: { id }, body }, context) => {
    // The address is a secret.
    const { url: _, ...detail } = body;
    const added = await addAddress(await openAddresses(context, id), body);
    await buildAuditInsert(context, 'team_alert.create', id, { ...detail, alert: added.id });
    return added;
  },
});

const updateTeamAlert = route(endpoints.updateTeamAlert, {
  summary: 'Change the address, kinds or budget thresholds of an alert address',
  returns: 'The address, shown by host',
  handle: async ({ params: { id, alert_id }, body }, context) => {
    const { url, ...detail } = body;
    const changed = await changeAddress(await openAddresses(context, id), alert_id, body);
    await buildAuditInsert(context, 'team_alert.change', id, {
      ...detail,
      new_url: url !== undefined,
      alert: alert_id,
    });
    return changed;
  },
});

const deleteTeamAlert = route(endpoints.deleteTeamAlert, {
  summary: 'Delete an alert address of a team',
  returns: 'Deleted',
  handle: async ({ params: { id, alert_id } }, context) => {
    await removeAddress(await openAddresses(context, id), alert_id);
    await buildAuditInsert(context, 'team_alert.delete', id, { alert: alert_id });
    return undefined;
  },
});

const testTeamAlert = route(endpoints.testTeamAlert, {
  summary: 'Send a test message to an alert address of a team, and return whether it was delivered',
  description: 'A failed test message is retried like any other message.',
  returns: 'The address and the delivery of the message',
  handle: async ({ params: { id, alert_id } }, context) =>
    sendTestAlert(await openAddresses(context, id), alert_id),
});

export const teamAlertRoutes = {
  listTeamAlerts,
  createTeamAlert,
  updateTeamAlert,
  deleteTeamAlert,
  testTeamAlert,
};
