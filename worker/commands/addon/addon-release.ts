// npm run addon:release -- https://GATEWAY: builds the add-on for one gateway, pushes it and makes a version of it.
import { join } from 'node:path';
import { buildAddon } from '../build/addon.ts';
import { publish } from '../build/publish.ts';
import { root } from '../paths.ts';
import { command, UserError } from '../user-error.ts';
import { makeVersion, openProject, push } from './clasp.ts';

const USAGE = 'Usage: npm run addon:release -- https://gateway.example.com';

/** Apart from the one that the playground runs, which works with any gateway. */
const releaseDist = join(root, 'dist', 'addon-release');

/** Google’s list of addresses takes https and whole hosts; what is shared with strangers is nobody’s gateway. */
function readGateway(text: string | undefined): string {
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
      `This is not the address of a gateway: give https:// and its host alone, as its connection links begin. ${USAGE}`,
    );
  }
  return url.origin;
}

async function release(): Promise<void> {
  const gateway = readGateway(process.argv[2]);
  const project = await openProject();
  await publish(releaseDist, (outDir) => buildAddon({ outDir, gateway }));
  await push(releaseDist, project);
  makeVersion(releaseDist, `CDAPI for Sheets for ${gateway}`);
  console.log(
    'The version is made. To publish it, enter its number and the script ID in the Google Workspace Marketplace SDK, under App Configuration → Sheets add-on.',
  );
}

if (import.meta.main) await command(release);
