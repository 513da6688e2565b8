// /sheets/v1/alerts: webhook addresses that receive alerts about failures, new rows and budgets.

import * as z from 'zod';
import {
  type Alert,
  alertBody,
  alertList,
  alertParams,
  alertView,
  maxAlerts,
} from '../../../shared/api/schedules.ts';
import type { AlertRow } from '../../db/schema.ts';
import { isLocalProvider } from '../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { parseWebhookAddress } from '../../lib/webhook-address.ts';
import { buildMessageBody } from '../../tables/alerts/message-body.ts';
import { sendMessage } from '../../tables/alerts/send-message.ts';
import { AlertStore } from '../../tables/alerts/store.ts';
import { type Route, type RouteContext, smallRoute } from './route.ts';

const notFound = (): ProblemError =>
  new ProblemError('not_found', 'This alert address does not exist.', 'Check the list of alerts.');

function toView({ id, url, kinds, createdAt, lastAt, lastDelivered }: AlertRow): Alert {
  return {
    id,
    host: new URL(url).host,
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
 * @throws ProblemError `not_found`, also for addresses of other teams
 */
async function find({ env, caller }: RouteContext, id: string): Promise<AlertRow> {
  const row = await new AlertStore(env.DB).get(caller.teamId, id);
  if (row === undefined) throw notFound();
  return row;
}

const list = smallRoute({
  method: 'GET',
  path: '/alerts',
  summary: 'List the team’s alert addresses',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'The addresses, shown by host', schema: alertList },
  handle: async (_, { env, caller }) => ({
    alerts: (await new AlertStore(env.DB).list(caller.teamId)).map(toView),
  }),
});

const create = smallRoute({
  method: 'POST',
  path: '/alerts',
  summary: 'Add an alert address',
  description: `It receives \`{"text": …}\` about failures, new rows and budget limits. At most ${maxAlerts} for each team. The address is a secret and is never returned.`,
  problems: ['invalid_request', 'too_large', 'too_many'],
  request: z.object({ body: alertBody }),
  success: { status: 201, description: 'The address, shown by host', schema: alertView },
  handle: async ({ body }, context) => {
    const { env, caller, now, newId } = context;
    const row: AlertRow = {
      id: newId(),
      teamId: caller.teamId,
      url: await parseAddress(context, body.url),
      kinds: body.on,
      createdAt: now,
      lastAt: null,
      lastDelivered: null,
    };
    if (!(await new AlertStore(env.DB).add(row))) throw new ProblemError('too_many');
    return toView(row);
  },
});

const update = smallRoute({
  method: 'PUT',
  path: '/alerts/{id}',
  summary: 'Replace an alert address',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ params: alertParams, body: alertBody }),
  success: { status: 200, description: 'The address, shown by host', schema: alertView },
  handle: async ({ params: { id }, body }, context) => {
    const { env, caller } = context;
    await find(context, id);
    const url = await parseAddress(context, body.url);
    const row = await new AlertStore(env.DB).update(caller.teamId, id, { url, kinds: body.on });
    if (row === undefined) throw notFound();
    return toView(row);
  },
});

const remove = smallRoute({
  method: 'DELETE',
  path: '/alerts/{id}',
  summary: 'Delete an alert address',
  problems: ['not_found'],
  request: z.object({ params: alertParams }),
  success: { status: 204, description: 'Deleted' },
  handle: async ({ params: { id } }, { env, caller }) => {
    if (!(await new AlertStore(env.DB).remove(caller.teamId, id))) throw notFound();
    return undefined;
  },
});

const sendTest = smallRoute({
  method: 'POST',
  path: '/alerts/{id}/test',
  summary: 'Send a test message and return whether it was delivered',
  description: 'A failed test message is retried like any other message.',
  problems: ['not_found'],
  request: z.object({ params: alertParams }),
  success: { status: 200, description: 'The address and the delivery of the message', schema: alertView },
  handle: async ({ params: { id } }, context) => {
    const { env, caller, now, newId } = context;
    await find(context, id);
    const message = {
      id: newId(),
      alertId: id,
      subject: `test:${newId()}`,
      body: buildMessageBody(caller.teamName, 'This is a test: alerts arrive here.'),
      createdAt: now,
      dueAt: now,
    };
    await new AlertStore(env.DB).insertMessages([message]);
    await sendMessage(env, message.id, now);
    return toView(await find(context, id));
  },
});

export const alertRoutes: readonly Route[] = [list, create, update, remove, sendTest];
