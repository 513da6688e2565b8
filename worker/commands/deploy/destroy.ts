// npm run destroy [-- --name NAME]: deletes a deployment with its data, after its name was typed.

import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { DAY_S } from '../../../shared/lib/durations.ts';
import { UserError } from '../user-error.ts';
import { type Account, listDomains, openAccount } from './account.ts';
import { CloudflareError } from './cloudflare.ts';
import { buildResourceNames } from './configuration.ts';
import { readName } from './options.ts';
import type { DeployPlatform } from './platform.ts';
import { listResources, listWorkers, type Resource } from './resources.ts';
import { DeploymentFiles } from './state.ts';
import { confirmName, runDeployCommand } from './terminal.ts';

/** Error code of R2: the bucket has objects. */
const NOT_EMPTY = 10008;

async function deleteResource(
  { api }: Account,
  { label, name, path, headers = {} }: Resource,
): Promise<void> {
  // `force` also deletes the Durable Objects of a Worker.
  const query = label === 'Worker' ? '?force=true' : '';
  const call = {
    action: `delete the ${label} ${name}`,
    path: `${path}${query}`,
    headers,
    schema: z.unknown(),
  };
  await api.find({ ...call, method: 'DELETE' });
}

/** Makes Cloudflare delete the objects of a bucket within a day. One call for each would take hours. */
async function expireObjects({ api }: Account, { name, path, headers = {} }: Resource): Promise<void> {
  const everything = {
    id: 'destroy',
    enabled: true,
    conditions: { prefix: '' },
    deleteObjectsTransition: { condition: { type: 'Age', maxAge: DAY_S } },
  };
  await api.call({
    action: `empty the R2 bucket ${name}`,
    method: 'PUT',
    path: `${path}/lifecycle`,
    headers,
    body: { rules: [everything] },
    schema: z.unknown(),
  });
}

/** Deletes a deployment. @throws UserError that says what to do; the next run continues */
export async function destroy(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const name = readName(args);
  const files = new DeploymentFiles(platform.folder, name);
  const state = await files.readState();
  if (state === undefined)
    throw new UserError(
      `${name} is not deployed from this machine, so nothing was deleted: name it with --name.`,
    );
  await using _lock = await files.lock();
  const account = await openAccount(platform, state.account);
  const names = buildResourceNames(name);
  const domains = (await listDomains(account, `service=${name}`)).map(({ id, hostname }) => ({
    label: 'custom domain',
    name: hostname,
    path: `/accounts/${account.id}/workers/domains/${id}`,
  }));
  // The gateway first: nothing may write while its data are deleted.
  const workers = await listWorkers(account, names);
  const resources = [...domains, ...workers, ...(await listResources(account, names, state))];
  for (const { label, name: resource } of resources) platform.log(`${label} ${resource}`);
  const noTerminal = 'npm run destroy asks for the name: run it in a terminal.';
  const question = 'This deletes all of the above with every record, team and ledger, for ever. ';
  await confirmName(platform, name, noTerminal, 'Nothing was deleted', question);
  const full: Resource[] = [];
  for (const resource of resources) {
    try {
      await deleteResource(account, resource);
    } catch (error) {
      if (!(error instanceof CloudflareError && error.codes.includes(NOT_EMPTY))) throw error;
      await expireObjects(account, resource);
      full.push(resource);
      continue;
    }
    platform.log(`Deleted the ${resource.label} ${resource.name}.`);
  }
  if (full.length > 0)
    throw new UserError(
      `Only the bucket ${full.map((bucket) => bucket.name).join(', ')} is left: Cloudflare deletes its files within two days. Run the same command again then.`,
    );
  await rm(files.folder, { recursive: true, force: true });
  platform.log(`${name} is deleted, with its settings and secrets on this machine.`);
}

if (import.meta.main) await runDeployCommand(destroy);
