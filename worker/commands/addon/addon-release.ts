// npm run addon:release -- https://GATEWAY [--dry-run]: builds the add-on for one gateway, pushes it and creates a version;
// or only builds it, for a review.
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { buildAddon } from '../build/addon.ts';
import { publishBuild } from '../build/publish.ts';
import { root } from '../paths.ts';
import { runCommand } from '../user-error.ts';
import { ADDON_NAME, formatChecklist } from './checklist.ts';
import { makeVersion, openProject, pushAddon } from './clasp.ts';
import { parseReleaseOptions } from './options.ts';

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
  if (project === undefined) {
    await writeFile(
      join(root, checklistFile),
      await formatChecklist({ gateway, scriptId: undefined, version: undefined, scopes }),
    );
    console.log(
      `Nothing was sent. ${relative(root, releaseDist)} has the manifest and the code, ${checklistFile} every field of Google’s forms. docs/install.md says what to review.`,
    );
    return;
  }
  await pushAddon(releaseDist, project);
  const version = makeVersion(releaseDist, `${ADDON_NAME} for ${gateway}`);
  const release = { gateway, scriptId: project.scriptId, version, scopes };
  await writeFile(join(root, checklistFile), await formatChecklist(release));
  console.log(
    `Version ${version ?? '(number unknown)'} is created. ${checklistFile} lists what to enter in Google’s forms to publish it.`,
  );
}

if (import.meta.main) await runCommand(main);
