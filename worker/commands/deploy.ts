// npm run deploy [-- --dry-run] [--name NAME] [--region REGION] [--jurisdiction eu] [--domain HOST] [--canary PERCENT] …:
// deploys the gateway to Cloudflare.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../shared/lib/defined.ts';
import {
  type Account,
  checkDomain,
  findWorkersHost,
  hasPaidPlan,
  openAccount,
  registerWorkersHost,
} from './deploy/account.ts';
import { dropExpiredToken } from './deploy/admin-token.ts';
import type { GatewayRun } from './deploy/canary.ts';
import {
  buildConfigurations,
  formatDifference,
  formatPlan,
  formatResult,
  planDeployment,
  summarizeDeployment,
} from './deploy/configuration.ts';
import { type DeployOptions, readDeployOptions } from './deploy/options.ts';
import type { DeployPlatform } from './deploy/platform.ts';
import { examineDeployedProvider, readProvider } from './deploy/provider.ts';
import { createResources } from './deploy/resources.ts';
import { readSettings } from './deploy/settings.ts';
import { DeploymentFiles, type DeploymentState } from './deploy/state.ts';
import {
  buildGateway,
  checkNamesAreFree,
  closeOldDomains,
  formatSize,
  migrateDatabase,
  openDomain,
  openGateway,
  type Run,
  uploadGateway,
} from './deploy/steps.ts';
import { runDeployCommand } from './deploy/terminal.ts';
import { listReleases, readPackageVersion } from './release/builds.ts';
import { listMigrations } from './runtime/migrations.ts';
import { UserError } from './user-error.ts';

/**
 * Finds the release that must be deployed before another one: each is tested only beside the one before.
 * @param releases - the newest first
 * @param deployed - the deployed release
 * @returns undefined if none is skipped
 */
export function findSkippedRelease(
  releases: readonly string[],
  deployed: string | undefined,
  release: string,
): string | undefined {
  const at = deployed === undefined ? -1 : releases.indexOf(deployed);
  return at - releases.indexOf(release) > 1 ? releases[at - 1] : undefined;
}

/** Reads the release of this folder. @throws UserError if the deployment would skip one */
export async function readRelease(name: string, state: DeploymentState | undefined): Promise<string> {
  const release = await readPackageVersion();
  const deployed = state?.uploaded?.release;
  const skipped = findSkippedRelease(await listReleases(), deployed, release);
  if (skipped !== undefined)
    throw new UserError(
      `${name} is at release ${deployed}, and ${release} would skip ${skipped}: run git checkout v${skipped} && npm ci && npm run deploy -- --name ${name} first, then this release.`,
    );
  return release;
}

/** Prints a plan and what differs from the deployed version, if this machine knows it, and builds the gateway. */
async function buildPlan(
  {
    platform,
    deployment,
    configurations,
    release,
  }: Omit<GatewayRun, 'account' | 'secrets'> & { release: string },
  files: DeploymentFiles,
  state: DeploymentState | undefined,
) {
  const commit = await platform.readCommit();
  const summary = summarizeDeployment(deployment, release, commit);
  const pending = (await listMigrations()).filter((name) => state?.migrations?.includes(name) !== true);
  const { uploaded } = state ?? {};
  const difference = uploaded === undefined ? [] : formatDifference(uploaded.summary, summary, pending);
  for (const line of [...formatPlan(deployment, configurations), ...difference]) platform.log(line);
  const build = await buildGateway(platform, files, configurations);
  platform.log(`The gateway builds: ${formatSize(build)}.`);
  return { build, commit, summary };
}

/** Prints the plan without an account or a network. */
async function printPlan(options: DeployOptions, platform: DeployPlatform): Promise<void> {
  const { name } = options;
  const deployed = new DeploymentFiles(platform.folder, name);
  const state = await deployed.readState();
  if (state !== undefined) checkOptions(options, state);
  const release = await readRelease(name, state);
  const settings = await readSettings(deployed.settingsFile);
  const deployment = planDeployment(options, state, settings, {
    workersUrl:
      state !== undefined && state.domain === undefined
        ? state.public_url
        : `https://${name}.<your account>.workers.dev`,
    providerUrl: platform.env.CDAPI_BASE_URL || state?.provider_url || '<CDAPI_BASE_URL>',
  });
  // Not in the folder of the deployment: a plan changes nothing.
  const folder = await mkdtemp(join(tmpdir(), 'cdapi-plan-'));
  try {
    const configurations = buildConfigurations(deployment, folder);
    await buildPlan(
      { platform, deployment, configurations, release },
      new DeploymentFiles(folder, '.'),
      state,
    );
    platform.log('Nothing was changed; without --dry-run this is created.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws UserError if options contradict an earlier run */
function checkOptions(options: DeployOptions, state: DeploymentState): void {
  for (const place of ['region', 'jurisdiction'] as const) {
    const [wanted, chosen] = [options.choices[place], state[place]];
    if (wanted !== undefined && wanted !== chosen)
      throw new UserError(
        `${options.name} is deployed ${chosen === undefined ? `without a ${place}` : `in ${chosen}`}, and stored data can’t move: leave out --${place}, or choose another --name.`,
      );
  }
}

function checkAccount(name: string, state: DeploymentState, account: Account): void {
  if (state.account !== account.id)
    throw new UserError(
      `${name} is deployed in the account ${state.account}: set CLOUDFLARE_ACCOUNT_ID to it, or choose another --name.`,
    );
}

async function openPaidAccount(isFree: boolean, platform: DeployPlatform): Promise<Account> {
  const account = await openAccount(platform);
  const isPaid = await hasPaidPlan(account);
  const unknown = 'the plan can’t be read with this login; the gateway needs Workers Paid';
  const plan = isFree ? 'as on the free plan' : isPaid ? 'Workers Paid' : unknown;
  platform.log(`Account: ${account.name} (${plan}).`);
  return account;
}

/** Checks everything that can be checked before anything is created. */
async function prepare(options: DeployOptions, platform: DeployPlatform) {
  const { name } = options;
  const files = new DeploymentFiles(platform.folder, name);
  const earlier = await files.readState();
  if (earlier !== undefined) checkOptions(options, earlier);
  const release = await readRelease(name, earlier);
  const settings = await readSettings(files.settingsFile);
  const provider = await readProvider(platform, earlier);
  const account = await openPaidAccount({ ...earlier, ...options.choices }.free === true, platform);
  if (earlier !== undefined) checkAccount(name, earlier, account);
  await examineDeployedProvider(platform, provider);
  const host = await findWorkersHost(account);
  const newHost = host === undefined ? `${name}-${randomBytes(3).toString('hex')}` : undefined;
  const workersUrl = `https://${name}.${host ?? `${newHost}.workers.dev`}`;
  const urls = { workersUrl, providerUrl: provider.url };
  const deployment = planDeployment(options, earlier, settings, urls);
  if (deployment.domain !== undefined) await checkDomain(account, deployment.domain, name);
  if (options.canary !== undefined && earlier?.public_url !== deployment.publicUrl)
    throw new UserError(
      '--canary shares the requests of one address with the version before: leave it out of the first deployment, and of those that change the address.',
    );
  const configurations = buildConfigurations(deployment, files.folder);
  if (earlier === undefined) await checkNamesAreFree(account, configurations, files.folder, deployment);
  const plan = { platform, deployment, configurations, release };
  return { ...plan, account, files, earlier, provider, newHost, ...(await buildPlan(plan, files, earlier)) };
}

/** Deploys the gateway. @throws UserError that says what to do; the next run continues */
export async function deploy(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const options = readDeployOptions(args);
  if (options.isDryRun) return printPlan(options, platform);
  const files = new DeploymentFiles(platform.folder, options.name);
  await files.requireNoRestore();
  await using _lock = await files.lock();
  await openDeployment(options, platform);
}

/**
 * Deploys the gateway, also at the end of a restore or rotation. The caller holds the lock.
 * @throws UserError that says what to do; the next run continues
 */
export async function openDeployment(options: DeployOptions, platform: DeployPlatform): Promise<void> {
  const { build, newHost, earlier, ...prepared } = await prepare(options, platform);
  const { account, files, deployment, configurations, provider } = prepared;
  const { domain, publicUrl } = deployment;
  const state: DeploymentState = defined({
    has_team: false,
    ...earlier,
    ...options.choices,
    account: account.id,
    provider_url: provider.url,
    public_url: publicUrl,
    workers_dev: deployment.hasWorkersDev,
    domain,
  });
  const earlierLink = await files.readLink();
  // The secrets come first: a deployment with a state is expected to have secrets.
  if (earlier === undefined) await files.createSecrets();
  const secrets = await dropExpiredToken(files, platform.now());
  const run: Run = { ...prepared, secrets, state };
  // Nothing that works is changed, nor stored, before the new address works.
  if (earlier?.uploaded !== undefined && (earlier.public_url !== publicUrl || options.closesOldAddresses))
    await openDomain(run, earlier.public_url);
  await files.writeState(state);
  if (newHost !== undefined) {
    const host = await registerWorkersHost(account, newHost);
    platform.log(`Registered ${host} for the Workers of your account.`);
  }
  const ids = await createResources(account, configurations.names, deployment, platform.log);
  await migrateDatabase(run, ids);
  const versionId = await uploadGateway(run, ids, build, options.canary);
  await openGateway(run, versionId);
  if (options.closesOldAddresses) await closeOldDomains(run);
  else if (earlier?.uploaded !== undefined && earlier.public_url !== publicUrl)
    platform.log(
      `${earlier.public_url} still answers, so nothing breaks. Connect spreadsheets with the new link, then close it: npm run deploy -- --name ${deployment.name} --close-old`,
    );
  const link = await files.readLink();
  const isNew = earlier?.has_team !== true || link !== earlierLink;
  const shown = platform.isTerminal && isNew ? link : undefined;
  for (const line of formatResult(publicUrl, files, isNew, shown)) platform.log(line);
}

if (import.meta.main) await runDeployCommand(deploy);
