// npm run restore -- --to TIME [--bookmark BOOKMARK] [--name NAME] [--dry-run]: restores the database to
// an earlier time, so that nothing is sent or bought twice, and nobody erased or revoked comes back.
import { randomUUID } from 'node:crypto';
import type { RestoreView } from '../../../shared/api/admin-settings.ts';
import { openDeployment, readRelease } from '../deploy.ts';
import { UserError } from '../user-error.ts';
import { openAccount } from './account.ts';
import { buildConfigurations, planDeployment } from './configuration.ts';
import { RemoteDatabase } from './database.ts';
import { DeployedGateway } from './gateway.ts';
import { type RestoreOptions, readDeployOptions, readRestoreOptions } from './options.ts';
import type { DeployPlatform } from './platform.ts';
import { createResources, listResources } from './resources.ts';
import { readSettings } from './settings.ts';
import { DeploymentFiles, type PendingRestore } from './state.ts';
import { buildGateway, type Run, uploadGateway } from './steps.ts';
import { confirmName, runDeployCommand } from './terminal.ts';
import { MAINTENANCE_VARIABLE } from './versions.ts';

/** Longer than a call to the provider, which an instance of the version before may be making. */
const SETTLE_MS = 60_000;

interface RestoreRun {
  run: Run;
  database: RemoteDatabase;
  gateway: DeployedGateway;
  restore: PendingRestore;
}

async function save(context: RestoreRun, change: Partial<PendingRestore>): Promise<void> {
  context.restore = { ...context.restore, ...change };
  await context.run.files.writeRestore(context.restore);
}

/** Opens the deployment with the settings of its last run. */
async function openRun(
  files: DeploymentFiles,
  state: Awaited<ReturnType<DeploymentFiles['readDeployed']>>,
  platform: DeployPlatform,
) {
  const { name } = files;
  const release = await readRelease(name, state);
  const secrets = await files.readSecrets();
  const account = await openAccount(platform, state.account);
  const { public_url: workersUrl, provider_url: providerUrl } = state;
  const settings = await readSettings(files.settingsFile);
  const urls = { workersUrl, providerUrl };
  const deployment = planDeployment(readDeployOptions(['--name', name]), state, settings, urls);
  const configurations = buildConfigurations(deployment, files.folder);
  // The gateway keeps the provider's key.
  const provider = { url: state.provider_url, key: undefined };
  const uploaded = { release, commit: await platform.readCommit(), summary: state.uploaded.summary };
  const run: Run = {
    ...{ platform, account, files, deployment, configurations, provider, secrets, state },
    ...uploaded,
  };
  const resources = await listResources(account, configurations.names, state);
  const found = resources.find((resource) => configurations.names.databases.includes(resource.name));
  if (found === undefined) throw new UserError(`${name} has no database in the account ${account.name}.`);
  return { run, database: new RemoteDatabase(account, found.path.split('/').at(-1) ?? '') };
}

/** Finds the restore to continue, or begins one after its name was typed. @returns undefined after a dry run */
async function beginRestore(
  { name, to, bookmark: wanted, isDryRun }: RestoreOptions,
  { files, platform }: Pick<Run, 'files' | 'platform'>,
  database: RemoteDatabase,
): Promise<PendingRestore | undefined> {
  const pending = await files.readRestore();
  const target = to ?? wanted;
  if (pending !== undefined) {
    if (target !== undefined && target !== pending.to && target !== pending.bookmark)
      throw new UserError(
        `A restore to ${pending.to ?? pending.bookmark} is not complete: run npm run restore -- --name ${name} to continue it, then start another one.`,
      );
    const goal = pending.to ?? pending.bookmark;
    platform.log(
      isDryRun
        ? `A restore to ${goal} is in progress: the next run continues it. Nothing was changed.`
        : `Continuing the restore to ${goal}.`,
    );
    return isDryRun ? undefined : pending;
  }
  if (target === undefined)
    throw new UserError(
      'Say which time the database returns to: npm run restore -- --to 2026-11-23T09:30:00Z',
    );
  const bookmark = wanted ?? (await database.getBookmark(to));
  for (const line of describePlan(name, to, bookmark)) platform.log(line);
  if (isDryRun) {
    platform.log('Nothing was changed.');
    return undefined;
  }
  const noTerminal = 'npm run restore asks for the name: run it in a terminal.';
  await confirmName(platform, name, noTerminal, 'Nothing was restored');
  return { id: randomUUID(), to: to ?? null, bookmark, is_replaced: false, is_complete: false };
}

function describePlan(name: string, to: string | undefined, bookmark: string): string[] {
  return [
    `The database of ${name} returns to ${to ?? 'the bookmark'} (bookmark ${bookmark}).`,
    '1. The gateway closes: callers get 503 and nothing is sent. The version that is uploaded for it has the code of this folder.',
    '2. Cloudflare replaces the database. Teams, tokens, settings, saved searches and tables since then are lost.',
    '3. Orders that were open become unclear, also those that the database has lost. Deliveries in progress are dropped.',
    '4. Revocations, deletions and erasures since then are repeated.',
    '5. The gateway opens again, with the code of this folder.',
  ];
}

/** Closes the gateway: uploads a version that answers, sends and changes nothing. */
async function enterMaintenance({ run, gateway }: RestoreRun): Promise<void> {
  const { configurations, platform, account, state } = run;
  const ids = await createResources(account, configurations.names, state, platform.log);
  const closed: Run = {
    ...run,
    configurations: {
      ...configurations,
      gateway: {
        ...configurations.gateway,
        vars: { ...configurations.gateway.vars, [MAINTENANCE_VARIABLE]: 'restore' },
      },
      // Its log Worker is deployed already.
      logs: undefined,
    },
  };
  const build = await buildGateway(platform, run.files, closed.configurations);
  const versionId = await uploadGateway(closed, ids, build);
  await gateway.waitUntilReady(versionId);
  platform.log('The gateway is closed. Waiting a minute for calls in progress …');
  await platform.sleep(SETTLE_MS);
}

/** Replaces the database. The bookmark of the state before is stored first, because a repeated call would not find it. */
async function replaceDatabase(context: RestoreRun): Promise<void> {
  const { run, database } = context;
  if (context.restore.before === undefined) await save(context, { before: await database.getBookmark() });
  const { before, bookmark } = context.restore;
  run.platform.log(`Bookmark of the database before this restore: ${before}`);
  await database.restore(bookmark);
  await save(context, { is_replaced: true });
}

function describeResult(name: string, before: string | undefined, view: RestoreView | undefined): string[] {
  const counts =
    view === undefined
      ? []
      : [
          `Orders that are unclear now: ${view.orders_unclear}, of which the database had lost ${view.orders_recovered}. Orders that were never sent and are released: ${view.orders_released}. Revocations repeated: ${view.revocations}.`,
        ];
  return [
    '',
    'The database is restored.',
    ...counts,
    '',
    'What to do next:',
    '1. Compare unclear orders with the provider’s account and reconcile them (docs/admin.md, Unclear credits).',
    '2. Create teams and tokens of the time between again, and repeat changes of settings (docs/deploy.md, Restore).',
    `3. To undo this: npm run restore -- --bookmark ${before} --name ${name}`,
  ];
}

/** Restores the database. @throws UserError that says what to do; the next run continues */
export async function restore(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const options = readRestoreOptions(args, platform.now());
  const files = new DeploymentFiles(platform.folder, options.name);
  const state = await files.readDeployed();
  await using _lock = await files.lock();
  const { run, database } = await openRun(files, state, platform);
  const begun = await beginRestore(options, run, database);
  if (begun === undefined) return;
  const gateway = new DeployedGateway(platform, state.public_url, run.secrets);
  const context: RestoreRun = { run, database, gateway, restore: begun };
  await save(context, {});
  let view: RestoreView | undefined;
  if (!begun.is_complete) {
    await enterMaintenance(context);
    if (!begun.is_replaced) await replaceDatabase(context);
    // The restored state may have been before some of them.
    for (const migration of await database.migrate()) platform.log(`Applied the migration ${migration}.`);
    const { id, to } = begun;
    view = await gateway.completeRestore({ id, to }, platform.log);
    await save(context, { is_complete: true });
  }
  await openDeployment(readDeployOptions(['--name', options.name]), { ...platform, ask: undefined });
  await files.writeRestore(undefined);
  for (const line of describeResult(options.name, context.restore.before, view)) platform.log(line);
}

if (import.meta.main) await runDeployCommand(restore);
