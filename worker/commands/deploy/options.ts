// Reads the arguments of the commands of a deployment.

import { defined } from '../../../shared/lib/defined.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { findJurisdiction, findRegion, type Jurisdiction, type Region, regions } from '../../lib/objects.ts';
import { flag, readArguments, text } from '../arguments.ts';
import { UserError } from '../user-error.ts';

/** Name of a deployment unless `--name` chooses another. */
const DEFAULT_NAME = 'cdapi';

/** Names of queues and buckets have at most 63 characters. */
const NAME = /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

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

const jurisdictionRegions: Readonly<Record<Jurisdiction, readonly Region[]>> = { eu: ['weur', 'eeur'] };

function checkJurisdiction(name: string | undefined, region: Region | undefined): Jurisdiction | undefined {
  const jurisdiction = findJurisdiction(name);
  if (name !== undefined && jurisdiction === undefined)
    throw new UserError('--jurisdiction is eu, the European Union, or left out.');
  if (
    jurisdiction !== undefined &&
    region !== undefined &&
    !jurisdictionRegions[jurisdiction].includes(region)
  )
    throw new UserError(
      `--region ${region} is outside --jurisdiction ${jurisdiction}: choose ${jurisdictionRegions[jurisdiction].join(' or ')}, or leave it out.`,
    );
  return jurisdiction;
}

function checkDomain(host: string | undefined): string | undefined {
  const domain = host?.toLowerCase();
  if (domain !== undefined && (!HOST.test(domain) || domain.endsWith('.workers.dev')))
    throw new UserError(
      '--domain is a host of your own, without https:// and path: --domain data.example.com',
    );
  return domain;
}

function checkCanary(percent: string | undefined): number | undefined {
  if (percent === undefined) return undefined;
  // The larger share stays with the version before.
  if (/^(?:[1-9]|[1-4]\d)$/.test(percent)) return Number(percent);
  throw new UserError('--canary is a percentage of requests from 1 to 49: --canary 10');
}

const DEPLOY_USAGE =
  'Usage: npm run deploy [-- --dry-run] [--name NAME] [--region REGION] [--jurisdiction eu] [--domain HOST | --no-domain] [--close-old] [--[no-]free] [--[no-]metrics] [--[no-]workers-ai] [--canary PERCENT]';

/** Returns the choice of two opposite flags; undefined: neither is set. */
function choose(isOn: boolean, isOff: boolean): boolean | undefined {
  if (isOn && isOff) throw new UserError(DEPLOY_USAGE);
  return isOn || isOff ? isOn : undefined;
}

/** Reads the arguments of `npm run deploy`. @throws UserError if one is invalid */
export function readDeployOptions(args: readonly string[]) {
  const options = {
    ...{ name: text, region: text, jurisdiction: text, domain: text, canary: text },
    ...{ 'no-domain': flag, 'close-old': flag, 'dry-run': flag },
    ...{ free: flag, 'no-free': flag, metrics: flag, 'no-metrics': flag },
    ...{ 'workers-ai': flag, 'no-workers-ai': flag },
  };
  const { values } = readArguments(DEPLOY_USAGE, options, args);
  const region = checkRegion(values.region);
  const jurisdiction = checkJurisdiction(values.jurisdiction, region);
  const hasNoDomain = choose(values['no-domain'], values.domain !== undefined);
  return {
    name: checkName(values.name),
    /** The state of the deployment remembers them. Absent ones stay as in the last run. */
    choices: defined({
      region,
      jurisdiction,
      free: choose(values.free, values['no-free']),
      metrics: choose(values.metrics, values['no-metrics']),
      workers_ai: choose(values['workers-ai'], values['no-workers-ai']),
    }),
    /** Host of a custom domain; null: none any more; undefined: as in the last run. */
    domain: hasNoDomain === true ? null : checkDomain(values.domain),
    /** Addresses that were public before the present one are closed. */
    closesOldAddresses: values['close-old'],
    /** Percentage of requests that a new version answers first. */
    canary: checkCanary(values.canary),
    isDryRun: values['dry-run'],
  };
}
export type DeployOptions = ReturnType<typeof readDeployOptions>;

const VERSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads the arguments of `npm run deploy:rollback`. @throws UserError if one is invalid */
export function readRollbackOptions(args: readonly string[]) {
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
export type RollbackOptions = ReturnType<typeof readRollbackOptions>;

/** Reads the argument of `npm run destroy`. @throws UserError if it is invalid */
export const readName = (args: readonly string[]): string =>
  checkName(readArguments('Usage: npm run destroy [-- --name NAME]', { name: text }, args).values.name);

/** Reads the arguments of `npm run rotate`. @throws UserError if one is invalid */
export function readRotateOptions(args: readonly string[]) {
  const usage = 'Usage: npm run rotate -- admin-token [--at-once] [--name NAME]';
  const options = { name: text, 'at-once': flag };
  const { values, positionals } = readArguments(usage, options, args, 1);
  if (positionals[0] !== 'admin-token') throw new UserError(usage);
  return { name: checkName(values.name), isAtOnce: values['at-once'] };
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

/** Reads the arguments of `npm run restore`. @throws UserError if one is invalid */
export function readRestoreOptions(args: readonly string[], now: number) {
  const usage =
    'Usage: npm run restore -- --to TIME [--name NAME] [--dry-run]; --bookmark BOOKMARK instead of --to';
  const options = { to: text, bookmark: text, name: text, 'dry-run': flag };
  const { values } = readArguments(usage, options, args);
  const { to, bookmark } = values;
  if (to !== undefined && bookmark !== undefined) throw new UserError(usage);
  if (bookmark !== undefined && !/^[\da-f]+(?:-[\da-f]+)+$/.test(bookmark))
    throw new UserError(
      '--bookmark is a bookmark that an earlier command has printed, such as 00000085-0000024c-….',
    );
  return {
    name: checkName(values.name),
    to: to === undefined ? undefined : checkTime(to, now),
    bookmark,
    isDryRun: values['dry-run'],
  };
}
export type RestoreOptions = ReturnType<typeof readRestoreOptions>;
