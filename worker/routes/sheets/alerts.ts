// /sheets/v1/alerts: webhook addresses that receive alerts about failures, new rows and budgets.
import { type Alert, maxAlerts } from '../../../shared/api/schedules.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import type { AlertRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { journalClientRevocation } from '../../gateway/auth/revocation-journal.ts';
import { requireAlertsScope } from '../../gateway/auth/tokens.ts';
import { isLocalProvider } from '../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { parseWebhookAddress } from '../../lib/webhook-address.ts';
import { buildMessageBody } from '../../tables/alerts/enqueue-alert.ts';
import { sendMessage } from '../../tables/alerts/send-message.ts';
import { AlertStore, decryptAddress, encryptAddress } from '../../tables/alerts/store.ts';
import { countForTeam, type Route, type RouteContext, smallRoute } from './route.ts';

/** Anybody could be the receiver. */
const TESTS_PER_MINUTE = 5;

const notFound = (): ProblemError =>
  new ProblemError('not_found', 'This alert address does not exist.', 'Check the list of alerts.');

async function toView(env: Env, row: AlertRow): Promise<Alert> {
  const { id, kinds, createdAt, lastAt, lastDelivered } = row;
  return {
    id,
    host: new URL(await decryptAddress(env, row)).host,
    on: kinds,
    last: lastAt === null ? null : { at: toIsoTime(lastAt), delivered: lastDelivered ?? false },
    created_at: toIsoTime(createdAt),
  };
}

/** Checks whether local addresses are allowed: only with a provider on this machine. */
async function isLocalAllowed({ getProvider }: RouteContext): Promise<boolean> {
  try {
    return isLocalProvider(await getProvider());
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

/** @throws ProblemError `invalid_request`, which never contains the address */
async function parseAddress(context: RouteContext, url: string): Promise<string> {
  const address = parseWebhookAddress(url, await isLocalAllowed(context));
  if (address !== undefined) return address;
  throw new ProblemError(
    'invalid_request',
    'url: this isn’t a valid https:// link.',
    'Copy the whole address of the incoming webhook.',
  );
}

/**
 * Finds an alert address of the team.
 * @throws ProblemError `not_found`, also for addresses of other teams; `forbidden_scope`
 */
async function find({ env, caller }: RouteContext, id: string): Promise<AlertRow> {
  requireAlertsScope(caller);
  const row = await new AlertStore(env.DB).get(caller.teamId, id);
  if (row === undefined) throw notFound();
  return row;
}

const list = smallRoute(endpoints.listAlerts, {
  summary: 'List the team’s alert addresses',
  returns: 'The addresses, shown by host',
  handle: async (_, { env, caller }) => {
    requireAlertsScope(caller);
    const rows = await new AlertStore(env.DB).list(caller.teamId);
    return { alerts: await Promise.all(rows.map((row) => toView(env, row))) };
  },
});

const create = smallRoute(endpoints.createAlert, {
  summary: 'Add an alert address',
  description: `It receives \`{"text": …}\` about failures, new rows and budget limits. At most ${maxAlerts} for each team. The address is a secret and is never returned.`,
  returns: 'The address, shown by host',
  handle: async ({ body }, context) => {
    const { env, caller, now, newId } = context;
    requireAlertsScope(caller);
    const place = { id: newId(), teamId: caller.teamId };
    const row: AlertRow = {
      ...place,
      url: await encryptAddress(env, await parseAddress(context, body.url), place),
      kinds: body.on,
      createdAt: now,
      lastAt: null,
      lastDelivered: null,
    };
    if (!(await new AlertStore(env.DB).add(row))) throw new ProblemError('too_many');
    return toView(env, row);
  },
});

const update = smallRoute(endpoints.putAlert, {
  summary: 'Replace an alert address',
  returns: 'The address, shown by host',
  handle: async ({ params: { id }, body }, context) => {
    const { env, caller, now } = context;
    const current = await find(context, id);
    const address = await parseAddress(context, body.url);
    // An unchanged address keeps the result of its last delivery.
    const isSame = address === (await decryptAddress(env, current));
    if (!isSame) await journalClientRevocation(env, now, { kind: 'alert', id, team: caller.teamId });
    const url = isSame ? current.url : await encryptAddress(env, address, current);
    const row = await new AlertStore(env.DB).update(caller.teamId, id, { url, kinds: body.on });
    if (row === undefined) throw notFound();
    return toView(env, row);
  },
});

const remove = smallRoute(endpoints.deleteAlert, {
  summary: 'Delete an alert address',
  returns: 'Deleted',
  handle: async ({ params: { id } }, context) => {
    const { env, caller, now } = context;
    await find(context, id);
    await journalClientRevocation(env, now, { kind: 'alert', id, team: caller.teamId });
    if (!(await new AlertStore(env.DB).remove(caller.teamId, id))) throw notFound();
    return undefined;
  },
});

const sendTest = smallRoute(endpoints.testAlert, {
  summary: 'Send a test message and return whether it was delivered',
  description: `A failed test message is retried like any other message. At most ${TESTS_PER_MINUTE} a minute for each team.`,
  returns: 'The address and the delivery of the message',
  handle: async ({ params: { id } }, context) => {
    const { env, caller, now, newId } = context;
    await find(context, id);
    await countForTeam(context, 'alert-tests', TESTS_PER_MINUTE, 'test messages');
    const message = {
      id: newId(),
      alertId: id,
      subject: `test:${newId()}`,
      body: buildMessageBody(caller.teamName, 'This is a test: alerts arrive here.'),
      createdAt: now,
    };
    await new AlertStore(env.DB).insertMessages([message]);
    await sendMessage({ env, platform: { now: () => now } }, message.id);
    return toView(env, await find(context, id));
  },
});

export const alertRoutes: readonly Route[] = [list, create, update, remove, sendTest];
