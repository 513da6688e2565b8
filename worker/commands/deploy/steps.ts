// The steps of a deployment. Each can be repeated: an interrupted run is completed by the next one.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { formatConnectionLink, parseConnectionLink } from '../../../shared/connection.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { listMigrations } from '../runtime/migrations.ts';
import { UserError } from '../user-error.ts';
import { type Account, attachDomain, detachOtherDomains } from './account.ts';
import { type GatewayRun, tryCanary } from './canary.ts';
import { type Configurations, insertIds, type Place, type ResourceIds } from './configuration.ts';
import { RemoteDatabase } from './database.ts';
import { DeployedGateway } from './gateway.ts';
import type { DeployPlatform } from './platform.ts';
import type { DeployedProvider } from './provider.ts';
import { listResources, listWorkers } from './resources.ts';
import { type DeploymentFiles, type DeploymentState, fingerprint } from './state.ts';
import { MAINTENANCE_VARIABLE, Versions } from './versions.ts';
import { type Build, buildWorker, measureStartup, uploadVersion, uploadWorker } from './wrangler.ts';

const DIGEST_LENGTH = 8;

export interface Run extends GatewayRun {
  files: DeploymentFiles;
  provider: DeployedProvider;
  /** As stored; {@link saveState} changes them. */
  state: DeploymentState;
  /** Version of this project. */
  release: string;
  /** Of this folder; `unknown` without git. */
  commit: string;
  /** For the difference to the next deployment. */
  summary: Record<string, string>;
}

/** Stores changes at once, so that an interruption loses nothing. */
async function saveState(run: Run, changes: Partial<DeploymentState>): Promise<void> {
  run.state = { ...run.state, ...changes };
  await run.files.writeState(run.state);
}

export function formatSize({ compressed }: Build): string {
  return `${formatNumber(Math.ceil(compressed / 1024))} KB after compression`;
}

/** Checks that nothing in the account has the names of a new deployment. @throws UserError with a list of the conflicts */
export async function checkNamesAreFree(
  account: Account,
  { names }: Configurations,
  folder: string,
  place: Place,
): Promise<void> {
  const existing = [...(await listWorkers(account, names)), ...(await listResources(account, names, place))];
  if (existing.length === 0) return;
  const list = existing.map(({ label, name }) => `${label} ${name}`).join(', ');
  throw new UserError(
    `These names are taken in the account: ${list}. Choose another --name. If this is your own deployment from another machine, copy its folder to ${folder} first.`,
  );
}

/** Writes the configuration, builds the gateway and checks its size. */
export async function buildGateway(
  { wrangler }: DeployPlatform,
  files: DeploymentFiles,
  { gateway }: Configurations,
): Promise<Build> {
  const config = await files.writeJson('wrangler.json', gateway);
  return buildWorker(wrangler, config, files.resolve('build'));
}

/** Prints a bookmark of the database and applies missing migrations. */
export async function migrateDatabase(run: Run, ids: ResourceIds): Promise<void> {
  const { platform, account, configurations } = run;
  for (const name of configurations.names.databases) {
    const database = new RemoteDatabase(account, ids.get(name) ?? '');
    platform.log(`Bookmark of the database ${name} before this deployment: ${await database.getBookmark()}`);
    for (const migration of await database.migrate()) platform.log(`Applied the migration ${migration}.`);
  }
  await saveState(run, { migrations: await listMigrations() });
}

/** Computes what an upload would consist of. The random secrets hide the others. */
function digestUpload({ secrets, state, configurations, provider, commit }: Run, source: string): string {
  const key = provider.key === undefined ? state.provider_key : fingerprint(provider.key, secrets);
  const parts = [configurations.gateway, configurations.logs ?? null, source, commit, secrets, key ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The platform's limit: https://developers.cloudflare.com/workers/platform/limits/#worker-startup-time. */
const MAX_STARTUP_MS = 1000;

/** Describes a measured start. It refuses nothing: a busy machine measures too much, and the platform checks itself. */
function describeStartup(ms: number | undefined): string {
  if (ms === undefined) return 'The start of the gateway could not be measured here. Uploading …';
  const warning =
    ms > MAX_STARTUP_MS
      ? ` Cloudflare refuses a start above ${MAX_STARTUP_MS} ms; on a busy machine it takes longer.`
      : '';
  return `The gateway starts in ${ms} ms.${warning} Uploading …`;
}

/**
 * Finds variables of the deployed version that were set by hand, in the dashboard: an upload would delete them.
 * @returns those that no setting sets, by name
 */
async function findHandSet(
  { platform, configurations: { gateway }, state }: Run,
  versions: Versions,
  deployed: string | undefined,
): Promise<Record<string, string>> {
  const { uploaded } = state;
  if (deployed === undefined || uploaded === undefined) return {};
  const { variables } = await versions.get(deployed);
  const known = new Set([...uploaded.variables, ...Object.keys(gateway.vars), MAINTENANCE_VARIABLE]);
  const handSet = Object.entries(variables).filter(([name]) => !known.has(name));
  const names = handSet.map(([name]) => name).join(', ');
  if (names !== '') platform.log(`Set by hand, and kept: ${names}. docs/deploy.md, Settings.`);
  return Object.fromEntries(handSet);
}

/**
 * Uploads code and secrets together, the log Worker first. Skips an already deployed version.
 * @param canary - percentage of requests that the new version answers first
 * @returns the id of the deployed version
 */
export async function uploadGateway(
  run: Run,
  ids: ResourceIds,
  build: Build,
  canary?: number,
): Promise<string> {
  const { platform, account, files, configurations, provider, secrets, state, release, commit, summary } =
    run;
  const digest = digestUpload(run, build.source);
  const versions = new Versions(account, configurations.names.worker);
  const [deployed] = await versions.listDeployed();
  const withIds = insertIds(configurations.gateway, ids);
  const config = await files.writeJson('wrangler.json', {
    ...withIds,
    vars: { ...withIds.vars, ...(await findHandSet(run, versions, deployed?.id)) },
  });
  const { uploaded } = state;
  if (uploaded?.digest === digest && uploaded.version === deployed?.id && deployed.percentage === 100) {
    platform.log('The gateway is up to date: nothing is uploaded.');
    return deployed.id;
  }
  const ms = await measureStartup(platform.wrangler, build);
  platform.log(describeStartup(ms));
  const tag = `${commit}-${digest.slice(0, DIGEST_LENGTH)}`;
  if (configurations.logs !== undefined) {
    const logsConfig = await files.writeJson('wrangler.logs.json', configurations.logs);
    await uploadWorker(platform.wrangler, logsConfig, ['--tag', tag], account.environment);
  }
  const secretsFile = 'upload.json';
  const key = provider.key === undefined ? {} : { CDAPI_KEY: provider.key };
  try {
    const path = await files.writeJson(secretsFile, { ...secrets, ...key });
    const args = ['--secrets-file', path, '--tag', tag, '--message', 'npm run deploy'];
    if (canary !== undefined && deployed !== undefined) {
      const id = await uploadVersion(platform.wrangler, config, args, account.environment);
      await tryCanary(run, versions, { stable: deployed.id, id, tag, percentage: canary });
    }
    await uploadWorker(platform.wrangler, config, args, account.environment);
  } finally {
    await rm(files.resolve(secretsFile), { force: true });
  }
  const [version] = await versions.listDeployed();
  if (version === undefined)
    throw new UserError('Cloudflare shows no deployment yet. Run the same command again.');
  await saveState(run, {
    uploaded: {
      ...{ digest, version: version.id, release, summary },
      variables: [...new Set([...(uploaded?.variables ?? []), ...Object.keys(configurations.gateway.vars)])],
      ...(deployed === undefined ? {} : { previous: deployed.id }),
    },
    admin_token: fingerprint(secrets.ADMIN_TOKEN, secrets),
    ...(provider.key === undefined ? {} : { provider_key: fingerprint(provider.key, secrets) }),
  });
  platform.log(`Uploaded version ${tag}.`);
  return version.id;
}

/**
 * Leads the domain to the deployed version and waits until it answers there.
 * @param oldUrl - the address so far
 */
export async function openDomain(run: Run, oldUrl: string): Promise<void> {
  const { platform, account, deployment, configurations, secrets } = run;
  const { domain, publicUrl } = deployment;
  if (domain === undefined) return;
  const { worker } = configurations.names;
  await attachDomain(account, domain, worker);
  const [deployed] = await new Versions(account, worker).listDeployed();
  const gateway = new DeployedGateway(platform, publicUrl, secrets, deployed && { worker, id: deployed.id });
  platform.log(`Waiting for ${publicUrl} …`);
  await gateway.waitUntilReady(deployed?.id ?? '', `${oldUrl} answers as before and no version was changed`);
}

/** Closes the domains of earlier addresses; the upload has closed the address at workers.dev. */
export async function closeOldDomains({ platform, account, deployment, configurations }: Run): Promise<void> {
  const { domain = '' } = deployment;
  for (const host of await detachOtherDomains(account, domain, configurations.names.worker))
    platform.log(`Closed ${host}.`);
}

/**
 * Tests the gateway through its public address and creates its first team.
 * @param versionId - of the deployed version
 * @throws UserError that names the way back, if there was a version before
 */
export async function openGateway(run: Run, versionId: string): Promise<void> {
  try {
    await testGateway(run, versionId);
  } catch (error) {
    const { previous } = run.state.uploaded ?? {};
    const isRestore = (await run.files.readRestore()) !== undefined;
    if (!(error instanceof UserError) || previous === undefined || isRestore) throw error;
    throw new UserError(
      `${error.message} To return to the version before: npm run deploy:rollback -- --name ${run.deployment.name} --to ${previous}`,
    );
  }
}

async function testGateway(run: Run, versionId: string): Promise<void> {
  const { platform, account, deployment, configurations, files, secrets } = run;
  const { domain, publicUrl } = deployment;
  if (domain !== undefined) await attachDomain(account, domain, configurations.names.worker);
  platform.log(`Testing ${publicUrl} …`);
  const gateway = new DeployedGateway(platform, publicUrl, secrets);
  await gateway.waitUntilReady(versionId);
  for (const note of await gateway.test(!run.state.has_team)) platform.log(`Note: ${note}.`);
  const earlierLink = await files.readLink();
  const connection = parseConnectionLink(earlierLink ?? '');
  if (connection !== undefined && connection.url !== publicUrl)
    await files.write('connection-link.txt', formatConnectionLink({ ...connection, url: publicUrl }));
  if (!run.state.has_team) {
    // An interrupted run may have created the team already.
    const link = earlierLink ?? (await gateway.createFirstTeam());
    await files.write('connection-link.txt', link);
    await gateway.testToken(link.slice(link.indexOf('#') + 1));
    await saveState(run, { has_team: true });
  }
  platform.log('Every test passed.');
}
