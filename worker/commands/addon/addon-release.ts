// npm run addon:release -- https://GATEWAY: builds the add-on for one gateway, pushes it and creates a version.
import { join } from 'node:path';
import { buildAddon } from '../build/addon.ts';
import { publishBuild } from '../build/publish.ts';
import { root } from '../paths.ts';
import { runCommand, UserError } from '../user-error.ts';
import { makeVersion, openProject, pushAddon } from './clasp.ts';

const USAGE = 'Usage: npm run addon:release -- https://gateway.example.com';

/** Separate from the add-on of the playground, which works with any gateway. */
const releaseDist = join(root, 'dist', 'addon-release');

/**
 * Parses the gateway's address. Google's `urlFetchWhitelist` accepts only https and complete hosts.
 * @throws UserError if it is not an https origin
 */
export function parseGateway(text: string | undefined): string {
  if (text === undefined) throw new UserError(USAGE);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url !== undefined &&
    url.protocol === 'https:' &&
    url.pathname === '/' &&
    !/[*@?#]/.test(text) &&
    url.hostname.includes('.');
  if (!isOrigin) {
    throw new UserError(
      `This is not a gateway's address: write https:// and its host only, as in its connection links. ${USAGE}`,
    );
  }
  return url.origin;
}

async function main(): Promise<void> {
  const gateway = parseGateway(process.argv[2]);
  const project = await openProject();
  await publishBuild(releaseDist, (outDir) => buildAddon({ outDir, gateway }));
  await pushAddon(releaseDist, project);
  makeVersion(releaseDist, `CDAPI for Sheets for ${gateway}`);
  console.log(
    'The version is created. To publish it, enter its number and the script ID in the Google Workspace Marketplace SDK, under App Configuration → Sheets add-on.',
  );
}

if (import.meta.main) await runCommand(main);
