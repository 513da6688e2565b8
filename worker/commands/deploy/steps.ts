// The steps of a deployment. Each can be repeated: an interrupted run is completed by the next one.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { UserError } from '../user-error.ts';
import { type Account, attachDomain } from './account.ts';
import { type Configurations, type Deployment, insertIds, type ResourceIds } from './configuration.ts';
import { RemoteDatabase } from './database.ts';
import { DeployedGateway } from './gateway.ts';
import type { DeployPlatform } from './platform.ts';
import type { DeployedProvider } from './provider.ts';
import { listResources, listWorkers } from './resources.ts';
import { type DeploymentFiles, fingerprint, type Secrets, type Settings } from './state.ts';
import { Versions } from './versions.ts';
import { type Build, buildWorker, measureStartup, uploadWorker } from './wrangler.ts';

const DIGEST_LENGTH = 8;

export interface Run {
  platform: DeployPlatform;
  account: Account;
  files: DeploymentFiles;
  deployment: Deployment;
  configurations: Configurations;
  provider: DeployedProvider;
  secrets: Secrets;
  /** As stored; {@link saveSettings} changes them. */
  settings: Settings;
}

/** Stores changed settings at once, so that an interruption loses nothing. */
async function saveSettings(run: Run, changes: Partial<Settings>): Promise<void> {
  run.settings = { ...run.settings, ...changes };
  await run.files.writeSettings(run.settings);
}

async function writeConfiguration(files: DeploymentFiles, name: string, value: unknown): Promise<string> {
  await files.write(name, JSON.stringify(value, undefined, 2));
  return files.resolve(name);
}

/** Formats the size of a build for a person. */
export function formatSize({ compressed }: Build): string {
  return `${Math.ceil(compressed / 1024).toLocaleString('en')} KB after compression`;
}

/** Checks that nothing in the account has the names of a new deployment. @throws UserError with a list of the conflicts */
export async function checkNamesAreFree(
  account: Account,
  { names }: Configurations,
  folder: string,
): Promise<void> {
  const existing = [...(await listWorkers(account, names)), ...(await listResources(account, names))];
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
  const config = await writeConfiguration(files, 'wrangler.json', gateway);
  return buildWorker(wrangler, config, files.resolve('build'));
}

/** Prints a bookmark of the database and applies missing migrations. */
export async function migrateDatabase({ platform, account, configurations }: Run, ids: ResourceIds) {
  for (const name of configurations.names.databases) {
    const database = new RemoteDatabase(account, ids.get(name) ?? '');
    platform.log(`Bookmark of the database ${name} before this deployment: ${await database.getBookmark()}`);
    for (const migration of await database.migrate()) platform.log(`Applied the migration ${migration}.`);
  }
}

/** Computes what an upload would consist of. The random secrets hide the others. */
function digestUpload(
  { secrets, settings, configurations, provider }: Run,
  source: string,
  commit: string,
): string {
  const key = provider.key === undefined ? settings.provider_key : fingerprint(provider.key, secrets);
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
 * Uploads code and secrets together, the log Worker first. Skips an already deployed version.
 * @returns the id of the deployed version
 */
export async function uploadGateway(run: Run, ids: ResourceIds, build: Build): Promise<string> {
  const { platform, account, files, configurations, provider, secrets, settings } = run;
  const config = await writeConfiguration(files, 'wrangler.json', insertIds(configurations.gateway, ids));
  const commit = await platform.readCommit();
  const digest = digestUpload(run, build.source, commit);
  const versions = new Versions(account, configurations.names.worker);
  const [deployed] = await versions.listDeployed();
  const { uploaded } = settings;
  if (uploaded?.digest === digest && uploaded.version === deployed?.id) {
    platform.log('The gateway is up to date: nothing is uploaded.');
    return deployed.id;
  }
  const ms = await measureStartup(platform.wrangler, build);
  platform.log(describeStartup(ms));
  const tag = `${commit}-${digest.slice(0, DIGEST_LENGTH)}`;
  if (configurations.logs !== undefined) {
    const logsConfig = await writeConfiguration(files, 'wrangler.logs.json', configurations.logs);
    await uploadWorker(platform.wrangler, logsConfig, ['--tag', tag], account.environment);
  }
  const secretsFile = 'upload.json';
  const key = provider.key === undefined ? {} : { CDAPI_KEY: provider.key };
  try {
    await files.write(secretsFile, JSON.stringify({ ...secrets, ...key }));
    const args = ['--secrets-file', files.resolve(secretsFile), '--tag', tag, '--message', 'npm run deploy'];
    await uploadWorker(platform.wrangler, config, args, account.environment);
  } finally {
    await rm(files.resolve(secretsFile), { force: true });
  }
  const [version] = await versions.listDeployed();
  if (version === undefined)
    throw new UserError('Cloudflare shows no deployment yet. Run the same command again.');
  await saveSettings(run, {
    uploaded: { digest, version: version.id },
    admin_token: fingerprint(secrets.ADMIN_TOKEN, secrets),
    ...(provider.key === undefined ? {} : { provider_key: fingerprint(provider.key, secrets) }),
  });
  platform.log(`Uploaded version ${tag}.`);
  return version.id;
}

/**
 * Tests the gateway through its public address and creates its first team.
 * @param versionId - of the deployed version
 */
export async function openGateway(run: Run, versionId: string): Promise<void> {
  const { platform, account, deployment, configurations, files, secrets } = run;
  const { domain, publicUrl } = deployment;
  if (domain !== undefined) await attachDomain(account, domain, configurations.names.worker);
  platform.log(`Testing ${publicUrl} …`);
  const gateway = new DeployedGateway(platform, { url: publicUrl, adminToken: secrets.ADMIN_TOKEN });
  await gateway.waitUntilReady(versionId);
  for (const note of await gateway.test(!run.settings.has_team)) platform.log(`Note: ${note}.`);
  if (!run.settings.has_team) {
    // An interrupted run may have created the team already.
    const link = (await files.readLink()) ?? (await gateway.createFirstTeam());
    await files.write('connection-link.txt', link);
    await gateway.testToken(link.slice(link.indexOf('#') + 1));
    await saveSettings(run, { has_team: true });
  }
  platform.log('Every test passed.');
}
