// npm run deploy [-- --dry-run] [--name NAME] [--region REGION] [--domain HOST] [--free] [--no-metrics] [--workers-ai]:
// deploys the gateway to Cloudflare.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Account,
  checkDomain,
  findWorkersHost,
  hasPaidPlan,
  openAccount,
  registerWorkersHost,
} from './deploy/account.ts';
import { dropExpiredToken } from './deploy/admin-token.ts';
import { buildConfigurations, type Deployment, formatPlan, formatResult } from './deploy/configuration.ts';
import { type DeployOptions, readDeployOptions } from './deploy/options.ts';
import type { DeployPlatform } from './deploy/platform.ts';
import { examineDeployedProvider, readProvider } from './deploy/provider.ts';
import { createResources } from './deploy/resources.ts';
import { DeploymentFiles, type Settings } from './deploy/state.ts';
import {
  buildGateway,
  checkNamesAreFree,
  formatSize,
  migrateDatabase,
  openGateway,
  type Run,
  uploadGateway,
} from './deploy/steps.ts';
import { runDeployCommand } from './deploy/terminal.ts';
import { UserError } from './user-error.ts';

/** Prints the plan without an account or a network. */
async function printPlan(options: DeployOptions, platform: DeployPlatform): Promise<void> {
  const { name, domain } = options;
  const deployment: Deployment = {
    ...options,
    publicUrl: `https://${domain ?? `${name}.<your account>.workers.dev`}`,
    providerUrl: platform.env.CDAPI_BASE_URL || '<CDAPI_BASE_URL>',
  };
  // Not in the folder of the deployment: a plan changes nothing.
  const folder = await mkdtemp(join(tmpdir(), 'cdapi-plan-'));
  try {
    const configurations = buildConfigurations(deployment, folder);
    const build = await buildGateway(platform, new DeploymentFiles(folder, '.'), configurations);
    for (const line of formatPlan(deployment, configurations)) platform.log(line);
    platform.log(
      `\nThe gateway builds: ${formatSize(build)}. Nothing was changed; without --dry-run this is created.`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws UserError if options contradict an earlier run */
function checkOptions({ name, region }: DeployOptions, settings: Settings, account: Account): void {
  if (settings.account !== account.id)
    throw new UserError(
      `${name} is deployed in the account ${settings.account}: set CLOUDFLARE_ACCOUNT_ID to it, or choose another --name.`,
    );
  if (region !== undefined && region !== settings.region)
    throw new UserError(
      `${name} is deployed ${settings.region === undefined ? 'without a region' : `in ${settings.region}`}, and stored data can’t move: leave out --region, or choose another --name.`,
    );
}

async function openPaidAccount(options: DeployOptions, platform: DeployPlatform): Promise<Account> {
  const account = await openAccount(platform);
  const isPaid = await hasPaidPlan(account);
  const unknown = 'the plan can’t be read with this login; the gateway needs Workers Paid';
  const plan = options.isFree ? 'as on the free plan' : isPaid ? 'Workers Paid' : unknown;
  platform.log(`Account: ${account.name} (${plan}).`);
  return account;
}

/** Checks everything that can be checked before anything is created. */
async function prepare(options: DeployOptions, platform: DeployPlatform) {
  const { name } = options;
  const files = new DeploymentFiles(platform.folder, name);
  const earlier = await files.readSettings();
  const provider = await readProvider(platform, earlier);
  const account = await openPaidAccount(options, platform);
  if (earlier !== undefined) checkOptions(options, earlier, account);
  await examineDeployedProvider(platform, provider);
  const domain = options.domain ?? earlier?.domain;
  if (domain !== undefined) await checkDomain(account, domain, name);
  const host = await findWorkersHost(account);
  const newHost = host === undefined ? `${name}-${randomBytes(3).toString('hex')}` : undefined;
  const deployment: Deployment = {
    name,
    region: options.region ?? earlier?.region,
    domain,
    isFree: options.isFree,
    hasMetrics: options.hasMetrics,
    usesWorkersAi: options.usesWorkersAi || earlier?.workers_ai === true,
    publicUrl: `https://${domain ?? `${name}.${host ?? `${newHost}.workers.dev`}`}`,
    providerUrl: provider.url,
  };
  const configurations = buildConfigurations(deployment, files.folder);
  if (earlier === undefined) await checkNamesAreFree(account, configurations, files.folder);
  for (const line of formatPlan(deployment, configurations)) platform.log(line);
  const build = await buildGateway(platform, files, configurations);
  platform.log(`The gateway builds: ${formatSize(build)}.`);
  return { account, files, earlier, provider, deployment, configurations, build, newHost };
}

/** Deploys the gateway. @throws UserError that says what to do; the next run continues */
export async function deploy(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const options = readDeployOptions(args);
  if (options.isDryRun) return printPlan(options, platform);
  await new DeploymentFiles(platform.folder, options.name).requireNoRestore(options.name);
  return openDeployment(options, platform);
}

/** Deploys the gateway, also at the end of a restore. @throws UserError that says what to do; the next run continues */
export async function openDeployment(options: DeployOptions, platform: DeployPlatform): Promise<void> {
  const { build, newHost, earlier, ...prepared } = await prepare(options, platform);
  const { account, files, deployment, configurations, provider } = prepared;
  const { region, domain, publicUrl } = deployment;
  const settings: Settings = {
    has_team: false,
    ...earlier,
    account: account.id,
    provider_url: provider.url,
    public_url: publicUrl,
    ...(region === undefined ? {} : { region }),
    ...(domain === undefined ? {} : { domain }),
    ...(deployment.usesWorkersAi ? { workers_ai: true } : {}),
  };
  // The secrets come first: a deployment with settings is expected to have secrets.
  if (earlier === undefined) await files.createSecrets();
  const secrets = await dropExpiredToken(files, platform.now());
  await files.writeSettings(settings);
  const run: Run = { ...prepared, platform, secrets, settings };
  if (newHost !== undefined) {
    const host = await registerWorkersHost(account, newHost);
    platform.log(`Registered ${host} for the Workers of your account.`);
  }
  const ids = await createResources(account, configurations.names, region, platform.log);
  await migrateDatabase(run, ids);
  const versionId = await uploadGateway(run, ids, build);
  await openGateway(run, versionId);
  const link = platform.isTerminal ? await files.readLink() : undefined;
  for (const line of formatResult(publicUrl, files, link)) platform.log(line);
}

if (import.meta.main) await runDeployCommand(deploy);
