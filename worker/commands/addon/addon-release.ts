// npm run addon:release -- https://GATEWAY [--dry-run]: builds the add-on for one gateway, pushes it and creates a version;
// or only builds it, for a review.
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { buildAddon } from '../build/addon.ts';
import { publishBuild } from '../build/publish.ts';
import { root } from '../paths.ts';
import { runCommand } from '../user-error.ts';
import { makeVersion, openProject, pushAddon } from './clasp.ts';
import { parseReleaseOptions } from './options.ts';

/** The name that people see. Google forbids its product names in names of add-ons. */
export const ADDON_NAME = 'CDAPI';

/** Why the add-on needs each scope, in words for reviewers and admins. */
const JUSTIFICATIONS: Readonly<Record<string, string>> = {
  'https://www.googleapis.com/auth/spreadsheets.currentonly':
    'Reads the keys that the user selects and writes the records into the spreadsheet in which the add-on is used. It opens no other file.',
  'https://www.googleapis.com/auth/script.external_request':
    'Calls the gateway of the company, which is the only host of the manifest’s urlFetchWhitelist.',
  'https://www.googleapis.com/auth/script.container.ui': 'Shows the sidebar and the dialogs of the menu.',
  'https://www.googleapis.com/auth/script.scriptapp':
    'Creates the triggers of “Complete rows on opening”, only for users who switch it on.',
  openid: 'Confirms the user to the company’s gateway, which issues a personal token. Nothing is pasted.',
  'https://www.googleapis.com/auth/userinfo.email':
    'Lets the company’s admin recognise the people who are connected, and revoke them.',
};

export interface Release {
  gateway: string;
  /** Absent if nothing was pushed yet. */
  scriptId?: string;
  /** Absent if clasp did not print it, or nothing was pushed yet. */
  version?: number | undefined;
  scopes: readonly string[];
}

/** @throws Error if a scope has no justification */
function justify(scope: string): string {
  const justification = JUSTIFICATIONS[scope];
  if (justification === undefined) throw new Error(`The checklist has no justification of ${scope}.`);
  return justification;
}

/**
 * Fills the checklist's template, `docs/listing/checklist.md`: every field of Google's forms with the value to enter.
 * @throws Error if a scope has no justification
 */
export async function formatChecklist({ gateway, scriptId, version, scopes }: Release): Promise<string> {
  const template = await readFile(join(root, 'docs', 'listing', 'checklist.md'), 'utf8');
  const values: Readonly<Record<string, string>> = {
    gateway,
    script: scriptId ?? 'SCRIPT-ID',
    version: version === undefined ? 'the highest number of `npx clasp list-versions`' : `${version}`,
    scopes: scopes.map((scope) => `\`${scope}\``).join('<br>'),
    justifications: scopes.map((scope) => `| [ ] \`${scope}\` | ${justify(scope)} |`).join('\n'),
    connected: scopes.includes('openid')
      ? 'asks you to assign your domain, with the client ID of this release; after that (docs/admin.md) it connects you without a link'
      : 'says “You use your company’s connection”, with the name of your team',
  };
  return template.replaceAll(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);
}

/** Separate from the add-on of the playground, which works with any gateway. */
const releaseDist = join(root, 'dist', 'addon-release');

/** Outside the pushed folder, which mirrors the project at Google. */
const checklistFile = join('dist', 'release-checklist.md');

const manifestSchema = z.object({ oauthScopes: z.array(z.string()) });

async function readScopes(): Promise<string[]> {
  return manifestSchema.parse(JSON.parse(await readFile(join(releaseDist, 'appsscript.json'), 'utf8')))
    .oauthScopes;
}

async function main(): Promise<void> {
  const { gateway, singleScript, identity, dryRun } = parseReleaseOptions(process.argv.slice(2));
  const project = dryRun ? undefined : await openProject();
  await publishBuild(releaseDist, (outDir) => buildAddon({ outDir, gateway, singleScript, identity }));
  const scopes = await readScopes();
  const writeChecklist = async (release: Partial<Release>): Promise<void> =>
    writeFile(join(root, checklistFile), await formatChecklist({ gateway, scopes, ...release }));
  if (project === undefined) {
    await writeChecklist({});
    console.log(
      `Nothing was sent. ${relative(root, releaseDist)} has the manifest and the code, ${checklistFile} every field of Google’s forms. docs/install.md says what to review.`,
    );
    return;
  }
  await pushAddon(releaseDist, project);
  const version = makeVersion(releaseDist, `${ADDON_NAME} for ${gateway}`);
  await writeChecklist({ scriptId: project.scriptId, version });
  console.log(
    `Version ${version ?? '(number unknown)'} is created. ${checklistFile} lists what to enter in Google’s forms to publish it.`,
  );
}

if (import.meta.main) await runCommand(main);
