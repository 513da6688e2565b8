// /sheets/v1/alerts: webhook addresses that receive alerts about failures, new rows and budgets.
import { maxAlerts } from '../../../shared/api/schedules.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { journalClientRevocation } from '../../gateway/auth/revocation-journal.ts';
import { requireAlertsScope } from '../../gateway/auth/tokens.ts';
import {
  type AddressContext,
  addAddress,
  changeAddress,
  listAddresses,
  removeAddress,
  sendTestAlert,
} from '../../tables/alerts/addresses.ts';
import { countForTeam, type Route, type RouteContext, smallRoute } from './route.ts';

/** Anybody could be the receiver. */
const TESTS_PER_MINUTE = 5;

/** @throws ProblemError `forbidden_scope` */
function openAddresses({ env, caller, now, newId, getProvider }: RouteContext): AddressContext {
  requireAlertsScope(caller);
  const { teamId, teamName } = caller;
  return {
    ...{ env, now, newId, getProvider },
    team: { id: teamId, name: teamName },
    journal: (id) => journalClientRevocation(env, now, { kind: 'alert', id, team: teamId }),
  };
}

const list = smallRoute(endpoints.listAlerts, {
  summary: 'List the team’s alert addresses',
  returns: 'The addresses, shown by host',
  handle: async (_, context) => ({ alerts: await listAddresses(openAddresses(context)) }),
});

const create = smallRoute(endpoints.createAlert, {
  summary: 'Add an alert address',
  description: `It receives \`{"text": …}\` about failures, new rows and budget limits. At most ${maxAlerts} for each team. The address is a secret and is never returned.`,
  returns: 'The address, shown by host',
  handle: async ({ body }, context) => addAddress(openAddresses(context), body),
});

const update = smallRoute(endpoints.putAlert, {
  summary: 'Replace an alert address',
  returns: 'The address, shown by host',
  handle: async ({ params: { id }, body }, context) => changeAddress(openAddresses(context), id, body),
});

const remove = smallRoute(endpoints.deleteAlert, {
  summary: 'Delete an alert address',
  returns: 'Deleted',
  handle: async ({ params: { id } }, context) => removeAddress(openAddresses(context), id),
});

const sendTest = smallRoute(endpoints.testAlert, {
  summary: 'Send a test message and return whether it was delivered',
  description: `A failed test message is retried like any other message. At most ${TESTS_PER_MINUTE} a minute for each team.`,
  returns: 'The address and the delivery of the message',
  handle: async ({ params: { id } }, context) => {
    const addresses = openAddresses(context);
    await countForTeam(context, 'alert-tests', TESTS_PER_MINUTE, 'test messages');
    return sendTestAlert(addresses, id);
  },
});

export const alertRoutes: readonly Route[] = [list, create, update, remove, sendTest];
