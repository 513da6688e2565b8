// Alert addresses of a team, as its clients and the admin list, change and try them.
import type { Alert, AlertBody } from '../../../shared/api/schedules.ts';
import { defaultBudgetPercents } from '../../../shared/limits.ts';
import type { AlertRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { isLocalProvider } from '../../gateway/upstream/configured-upstream.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { decryptStored, encryptStored } from '../../http/secrets.ts';
import { toIsoTime } from '../../lib/format.ts';
import { parseWebhookAddress } from '../../lib/webhook-address.ts';
import { buildMessageBody } from './enqueue-alert.ts';
import { sendMessage } from './send-message.ts';
import { AlertStore, getAddressPlace } from './store.ts';

/** What the addresses of a team are changed with. */
export interface AddressContext {
  env: Env;
  now: number;
  team: { id: string; name: string };
  /** Generates a UUID. */
  newId: () => string;
  /** @throws ProblemError `not_configured` */
  getProvider: () => Promise<Upstream>;
  /** Writes to the journal that an address no longer receives. @param id - of the address */
  journal: (id: string) => Promise<void>;
}

const notFound = (): ProblemError =>
  new ProblemError('not_found', 'This alert address does not exist.', 'Check the list of alerts.');

const readAddress = (env: Env, row: AlertRow): Promise<string> =>
  decryptStored(env, row.url, getAddressPlace(row));

async function toView(env: Env, row: AlertRow): Promise<Alert> {
  const { id, kinds, budgetPercents, createdAt, lastAt, lastError } = row;
  return {
    id,
    host: new URL(await readAddress(env, row)).host,
    on: kinds,
    budget_percents: budgetPercents,
    last: lastAt === null ? null : { at: toIsoTime(lastAt), delivered: lastError === null, error: lastError },
    created_at: toIsoTime(createdAt),
  };
}

/** Checks whether local addresses are allowed: only with a provider on this machine. */
async function isLocalAllowed({ getProvider }: AddressContext): Promise<boolean> {
  try {
    return isLocalProvider(await getProvider());
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

/** @throws ProblemError `invalid_request`, which never contains the address */
async function parseAddress(context: AddressContext, url: string): Promise<string> {
  const address = parseWebhookAddress(url, await isLocalAllowed(context));
  if (address !== undefined) return address;
  throw new ProblemError(
    'invalid_request',
    'url: this isn’t a valid https:// link.',
    'Copy the whole address of the incoming webhook.',
  );
}

/** @throws ProblemError `not_found`, also for addresses of other teams */
async function find({ env, team }: AddressContext, id: string): Promise<AlertRow> {
  const row = await new AlertStore(env.DB).get(team.id, id);
  if (row === undefined) throw notFound();
  return row;
}

/** Lists the addresses, oldest first, shown by host. */
export async function listAddresses({ env, team }: AddressContext): Promise<Alert[]> {
  const rows = await new AlertStore(env.DB).list(team.id);
  return Promise.all(rows.map((row) => toView(env, row)));
}

/** @throws ProblemError `invalid_request`, `too_many` */
export async function addAddress(context: AddressContext, body: AlertBody): Promise<Alert> {
  const { env, now, team } = context;
  const place = { id: context.newId(), teamId: team.id };
  const row: AlertRow = {
    ...place,
    url: await encryptStored(env, await parseAddress(context, body.url), getAddressPlace(place)),
    kinds: body.on,
    budgetPercents: body.budget_percents ?? [...defaultBudgetPercents],
    createdAt: now,
    lastAt: null,
    lastError: null,
  };
  if (!(await new AlertStore(env.DB).add(row))) throw new ProblemError('too_many');
  return toView(env, row);
}

/**
 * Changes an address; absent members stay as they are.
 * @throws ProblemError `invalid_request`, `not_found`
 */
export async function changeAddress(
  context: AddressContext,
  id: string,
  change: { [K in keyof AlertBody]?: AlertBody[K] | undefined },
): Promise<Alert> {
  const { env, team } = context;
  const current = await find(context, id);
  const before = await readAddress(env, current);
  const address = change.url === undefined ? before : await parseAddress(context, change.url);
  // An unchanged address keeps the result of its last delivery.
  if (address !== before) await context.journal(id);
  const row = await new AlertStore(env.DB).update(team.id, id, {
    // Another change may have replaced the address since it was read.
    ...(address === before ? {} : { url: await encryptStored(env, address, getAddressPlace(current)) }),
    kinds: change.on ?? current.kinds,
    budgetPercents: change.budget_percents ?? current.budgetPercents,
  });
  if (row === undefined) throw notFound();
  return toView(env, row);
}

/** @throws ProblemError `not_found` */
export async function removeAddress(context: AddressContext, id: string): Promise<void> {
  const { env, team } = context;
  await find(context, id);
  await context.journal(id);
  if (!(await new AlertStore(env.DB).remove(team.id, id))) throw notFound();
}

/** Sends a test message, which is retried like any other. @throws ProblemError `not_found` */
export async function sendTestAlert(context: AddressContext, id: string): Promise<Alert> {
  const { env, now, newId, team } = context;
  await find(context, id);
  const message = {
    id: newId(),
    alertId: id,
    subject: `test:${newId()}`,
    body: buildMessageBody(team.name, 'This is a test: alerts arrive here.'),
    createdAt: now,
  };
  await new AlertStore(env.DB).insertMessages([message]);
  await sendMessage({ env, platform: { now: () => now } }, message.id);
  return toView(env, await find(context, id));
}
