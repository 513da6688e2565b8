// Arguments of npm run addon:push, addon:release and addon:check.
import { flag, readArguments } from '../arguments.ts';
import { UserError } from '../user-error.ts';

const PUSH_USAGE = 'Usage: npm run addon:push -- [--single-script]';
const RELEASE_USAGE =
  'Usage: npm run addon:release -- https://gateway.example.com [--single-script] [--identity] [--dry-run]';
const CHECK_USAGE = 'Usage: npm run addon:check -- [https://gateway.example.com] [--dry-run]';

function parseOptions(args: readonly string[], usage: string) {
  const options = { 'single-script': flag, identity: flag, 'dry-run': flag };
  const { values, positionals } = readArguments(`An argument is unknown. ${usage}`, options, args, 99);
  const { 'single-script': singleScript, identity, 'dry-run': dryRun } = values;
  return { switches: { singleScript, identity, dryRun }, rest: positionals };
}

/** @throws UserError if an argument is unknown */
export function parsePushOptions(args: readonly string[]) {
  const { switches, rest } = parseOptions(args, PUSH_USAGE);
  const { identity, singleScript, dryRun } = switches;
  if (dryRun) throw new UserError(`--dry-run is for releases and checks. ${PUSH_USAGE}`);
  if (identity)
    throw new UserError(
      `--identity is for releases, which send the account to one gateway only: npm run addon:release. ${PUSH_USAGE}`,
    );
  if (rest.length === 0) return { singleScript };
  throw new UserError(
    `addon:push builds for every gateway and takes no address. Use npm run addon:release for one gateway. ${PUSH_USAGE}`,
  );
}

/**
 * Parses the gateway's address. Google's `urlFetchWhitelist` accepts only https and complete hosts:
 * https://developers.google.com/apps-script/manifest/allowlist-url.
 */
function parseGateway(text: string, usage: string): string {
  const url = URL.parse(text);
  const isOrigin = url?.protocol === 'https:' && url.pathname === '/' && !/[*@?#]/.test(text);
  if (isOrigin && url.hostname.includes('.')) return url.origin;
  throw new UserError(
    `This is not a gateway's address: write https:// and its host only, as in its connection links. ${usage}`,
  );
}

/** @throws UserError if an argument is unknown, or the gateway is missing or no https origin */
export function parseReleaseOptions(args: readonly string[]) {
  const { switches, rest } = parseOptions(args, RELEASE_USAGE);
  const [gateway, ...others] = rest;
  if (gateway === undefined) throw new UserError(`The gateway's address is missing. ${RELEASE_USAGE}`);
  if (others.length > 0) throw new UserError(`A release works with one gateway. ${RELEASE_USAGE}`);
  return { ...switches, gateway: parseGateway(gateway, RELEASE_USAGE) };
}

/**
 * Parses what the live check calls and whether it is pushed. Without a gateway, its origin is ''.
 * @throws UserError if it is no https origin, or there are other arguments
 */
export function parseCheckOptions(args: readonly string[]) {
  const { switches, rest } = parseOptions(args, CHECK_USAGE);
  const [gateway, ...others] = rest;
  const { dryRun, identity, singleScript } = switches;
  if (others.length > 0 || identity || singleScript)
    throw new UserError(`The check calls one gateway. ${CHECK_USAGE}`);
  return { gateway: gateway === undefined ? '' : parseGateway(gateway, CHECK_USAGE), dryRun };
}
