// Deploys a new version for a share of the requests and returns to the version before if it fails.
import * as z from 'zod';
import { labelColumns, valueColumns } from '../../http/metrics.ts';
import { UserError } from '../user-error.ts';
import type { Account } from './account.ts';
import { CloudflareError } from './cloudflare.ts';
import type { Configurations, Deployment } from './configuration.ts';
import { DeployedGateway } from './gateway.ts';
import type { DeployPlatform } from './platform.ts';
import type { Secrets } from './state.ts';
import type { Versions } from './versions.ts';

/** Analytics Engine shows points after a minute or two. */
const WATCH_MS = 300_000;
const POLL_MS = 30_000;

/** Fewer failures may be those of single callers. */
const MIN_FAILURES = 3;
/** A failure rate above twice that of the version before, and a hundredth more, has risen. */
const TOLERATED = { factor: 2, extra: 0.01 };

const MESSAGE = 'npm run deploy -- --canary';

/** The part of a deployment's run that concerns its gateway. */
export interface GatewayRun {
  platform: DeployPlatform;
  account: Account;
  deployment: Deployment;
  configurations: Configurations;
  secrets: Secrets;
}

interface Canary {
  /** Ids of versions. */
  stable: string;
  id: string;
  tag: string;
  percentage: number;
}

const blob = (name: (typeof labelColumns)[number]['name']): string =>
  `blob${labelColumns.findIndex((column) => column.name === name) + 1}`;
const double = (name: (typeof valueColumns)[number]['name']): string =>
  `double${valueColumns.findIndex((column) => column.name === name) + 1}`;

const rowsSchema = z.array(
  z.object({ version: z.string(), requests: z.coerce.number(), failed: z.coerce.number() }),
);
type VersionRequests = z.output<typeof rowsSchema>[number];

/** Reads requests by version from the metrics of the last minutes. @returns undefined if the login may not read them */
async function readRequests({ account, configurations }: GatewayRun): Promise<VersionRequests[] | undefined> {
  const [dataset] = configurations.names.datasets;
  if (dataset === undefined) return undefined;
  const count = `_sample_interval * ${double('count')}`;
  const sql = `SELECT ${blob('version')} AS version, sum(${count}) AS requests, sum(if(${blob('outcome')} = 'failed', ${count}, 0)) AS failed FROM ${dataset} WHERE timestamp > NOW() - INTERVAL '10' MINUTE AND ${blob('event')} = 'request' GROUP BY version`;
  try {
    return await account.api.query(`/accounts/${account.id}/analytics_engine/sql`, sql, rowsSchema);
  } catch (error) {
    if (error instanceof CloudflareError) return undefined;
    throw error;
  }
}

/** Tells how many requests of a version fail, if these are more than of the others. */
export function describeFailures(rows: readonly VersionRequests[], tag: string): string | undefined {
  const sum = (isCanary: boolean) => {
    const chosen = rows.filter(({ version }) => (version === tag) === isCanary);
    const requests = chosen.reduce((total, row) => total + row.requests, 0);
    const failed = chosen.reduce((total, row) => total + row.failed, 0);
    return { requests, failed, rate: requests === 0 ? 0 : failed / requests };
  };
  const [canary, others] = [sum(true), sum(false)];
  const tolerated = others.rate * TOLERATED.factor + TOLERATED.extra;
  if (canary.failed < MIN_FAILURES || canary.rate <= tolerated) return undefined;
  return `${canary.failed} of ${canary.requests} requests failed, of the version before ${others.failed} of ${others.requests}`;
}

/** @throws UserError if the version does not work, or fails more often than the one before */
async function watch(run: GatewayRun, { id, tag }: Canary): Promise<void> {
  const { platform, deployment, configurations, secrets } = run;
  const version = { worker: configurations.names.worker, id };
  const gateway = new DeployedGateway(platform, deployment.publicUrl, secrets, version);
  let seesErrors = true;
  for (const end = platform.now() + WATCH_MS; platform.now() < end; ) {
    await gateway.waitUntilReady(id);
    await gateway.test(false);
    const rows = await readRequests(run);
    if (rows === undefined && seesErrors)
      platform.log(
        'Note: the error rate can’t be read (it needs metrics and the permission Account Analytics: Read), so only the health of the new version is watched.',
      );
    seesErrors = rows !== undefined;
    const failures = describeFailures(rows ?? [], tag);
    if (failures !== undefined) throw new UserError(failures);
    await platform.sleep(POLL_MS);
  }
}

/**
 * Lets a version answer a share of the requests for five minutes.
 * @throws UserError if it fails: then the version before answers all requests again
 */
export async function tryCanary(run: GatewayRun, versions: Versions, canary: Canary): Promise<void> {
  const { platform, deployment } = run;
  const { stable, id, tag, percentage } = canary;
  const shares = [
    { version_id: stable, percentage: 100 - percentage },
    { version_id: id, percentage },
  ];
  await versions.share(shares, MESSAGE);
  platform.log(
    `${tag} answers ${percentage} % of the requests. Watching it for ${WATCH_MS / 60_000} minutes. If you stop this, it keeps its share: npm run deploy:rollback -- --name ${deployment.name} ends that.`,
  );
  try {
    await watch(run, canary);
  } catch (error) {
    if (platform.signal.aborted || !(error instanceof UserError)) throw error;
    await versions.share([{ version_id: stable, percentage: 100 }], MESSAGE);
    throw new UserError(
      `The new version failed with ${percentage} % of the requests, and the version before answers all again. Reason: ${error.message}`,
    );
  }
  platform.log('The new version works. Deploying it for all requests …');
}
