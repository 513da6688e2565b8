// Reads the arguments of the commands of a deployment.

import { DAY_MS } from '../../../shared/lib/durations.ts';
import { findRegion, type Region, regions } from '../../lib/objects.ts';
import { flag, readArguments, text } from '../arguments.ts';
import { UserError } from '../user-error.ts';

/** Name of a deployment unless `--name` chooses another. */
const DEFAULT_NAME = 'cdapi';

/** Names of queues and buckets have at most 63 characters. */
const NAME = /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

/** Arguments of `npm run deploy`. */
export interface DeployOptions {
  name: string;
  region: Region | undefined;
  /** Host of a custom domain. */
  domain: string | undefined;
  /** The account has the free plan. */
  isFree: boolean;
  hasMetrics: boolean;
  /** The gateway may run a language model on Workers AI. Later runs keep it. */
  usesWorkersAi: boolean;
  isDryRun: boolean;
}

/** @throws UserError if it can't be the prefix of every resource's name */
function checkName(name = DEFAULT_NAME): string {
  if (NAME.test(name)) return name;
  throw new UserError(
    '--name is 1 to 40 lower-case letters, digits and hyphens, and begins with a letter: --name cdapi-staging',
  );
}

function checkRegion(name: string | undefined): Region | undefined {
  const region = findRegion(name);
  if (name !== undefined && region === undefined)
    throw new UserError(`--region is one of ${regions.join(', ')}. docs/deploy.md says where they are.`);
  return region;
}

function checkDomain(host: string | undefined): string | undefined {
  const domain = host?.toLowerCase();
  if (domain !== undefined && (!HOST.test(domain) || domain.endsWith('.workers.dev')))
    throw new UserError(
      '--domain is a host of your own, without https:// and path: --domain data.example.com',
    );
  return domain;
}

/** Reads the arguments of `npm run deploy`. @throws UserError if one is invalid */
export function readDeployOptions(args: readonly string[]): DeployOptions {
  const { values } = readArguments(
    'Usage: npm run deploy [-- --dry-run] [--name NAME] [--region REGION] [--domain HOST] [--free] [--no-metrics] [--workers-ai]',
    { name: text, region: text, domain: text, 'workers-ai': flag, 'dry-run': flag, ...again },
    args,
  );
  return {
    name: checkName(values.name),
    region: checkRegion(values.region),
    domain: checkDomain(values.domain),
    isFree: values.free,
    // A demo needs no further product of the account.
    hasMetrics: !values['no-metrics'] && !values.free,
    usesWorkersAi: values['workers-ai'],
    isDryRun: values['dry-run'],
  };
}

/** Arguments of `npm run deploy:rollback`. */
export interface RollbackOptions {
  name: string;
  /** Id of a version. */
  to: string | undefined;
  /** Although secrets differ. */
  isForced: boolean;
}

const VERSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads the arguments of `npm run deploy:rollback`. @throws UserError if one is invalid */
export function readRollbackOptions(args: readonly string[]): RollbackOptions {
  const { values } = readArguments(
    'Usage: npm run deploy:rollback [-- --to VERSION] [--force] [--name NAME]',
    { name: text, to: text, force: flag },
    args,
  );
  const { to } = values;
  if (to !== undefined && !VERSION_ID.test(to))
    throw new UserError(
      '--to is the id of a version, as npx wrangler versions list prints it: --to 9b3f2c1e-0d4a-4c55-8a52-5f7f0e2d6c11',
    );
  return { name: checkName(values.name), to, isForced: values.force };
}

/**
 * Reads the arguments of a command that only takes `--name`.
 * @param command - as it is typed
 * @throws UserError if one is invalid
 */
export function readName(args: readonly string[], command: string): string {
  const { values } = readArguments(`Usage: npm run ${command} [-- --name NAME]`, { name: text }, args);
  return checkName(values.name);
}

/** Arguments of `npm run rotate`. */
export interface RotateOptions {
  name: string;
  /** The old token is refused at once. */
  isAtOnce: boolean;
  deployArguments: string[];
}

/** Options that a command passes on to the deployment that follows. */
const again = { free: flag, 'no-metrics': flag };

/** Builds arguments of `npm run deploy` for a command that deploys again. */
const buildDeployArguments = (
  name: string,
  values: Readonly<Record<keyof typeof again, boolean>>,
): string[] => [
  ...['--name', name],
  ...(values.free ? ['--free'] : []),
  ...(values['no-metrics'] ? ['--no-metrics'] : []),
];

/** Reads the arguments of `npm run rotate`. @throws UserError if one is invalid */
export function readRotateOptions(args: readonly string[]): RotateOptions {
  const usage = 'Usage: npm run rotate -- admin-token [--at-once] [--name NAME] [--free] [--no-metrics]';
  const options = { name: text, 'at-once': flag, ...again };
  const { values, positionals } = readArguments(usage, options, args, 1);
  if (positionals[0] !== 'admin-token') throw new UserError(usage);
  const name = checkName(values.name);
  return {
    name,
    isAtOnce: values['at-once'],
    deployArguments: buildDeployArguments(name, values),
  };
}

/** Arguments of `npm run restore`. */
export interface RestoreOptions {
  name: string;
  /** ISO 8601, UTC. */
  to: string | undefined;
  bookmark: string | undefined;
  isDryRun: boolean;
  /** For the deployments of `npm run deploy`. */
  deployArguments: string[];
}

/** A date with hours, minutes and a time zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
/** https://developers.cloudflare.com/d1/reference/time-travel/ */
const RESTORABLE_DAYS = 30;

/** @returns ISO 8601, UTC. @throws UserError if the database can't be restored to it */
function checkTime(time: string, now: number): string {
  const at = TIME.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(at))
    throw new UserError(
      '--to is a time in ISO 8601 with its time zone: --to 2026-11-23T09:30:00Z or --to 2026-11-23T10:30+01:00',
    );
  if (at >= now) throw new UserError('--to is in the future: the database can only go back.');
  if (at < now - RESTORABLE_DAYS * DAY_MS)
    throw new UserError(
      `--to is more than ${RESTORABLE_DAYS} days ago, and Cloudflare keeps no older state.`,
    );
  return new Date(at).toISOString();
}

/**
 * Reads the arguments of `npm run restore`.
 * @throws UserError if one is invalid
 */
export function readRestoreOptions(args: readonly string[], now: number): RestoreOptions {
  const usage =
    'Usage: npm run restore -- --to TIME [--name NAME] [--dry-run] [--free] [--no-metrics]; --bookmark BOOKMARK instead of --to';
  const options = { to: text, bookmark: text, name: text, 'dry-run': flag, ...again };
  const { values } = readArguments(usage, options, args);
  const { to, bookmark } = values;
  if (to !== undefined && bookmark !== undefined) throw new UserError(usage);
  if (bookmark !== undefined && !/^[\da-f]+(?:-[\da-f]+)+$/.test(bookmark))
    throw new UserError(
      '--bookmark is a bookmark that an earlier command has printed, such as 00000085-0000024c-….',
    );
  const name = checkName(values.name);
  return {
    name,
    to: to === undefined ? undefined : checkTime(to, now),
    bookmark,
    isDryRun: values['dry-run'],
    deployArguments: buildDeployArguments(name, values),
  };
}
