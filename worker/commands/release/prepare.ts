// npm run release: closes the changelog's section for the version of package.json, keeps its build and writes the release notes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { runCommand, UserError } from '../user-error.ts';
import { readPackageVersion } from './builds.ts';
import { keepBuild } from './keep.ts';

const UNRELEASED = '## Unreleased\n';

/**
 * Closes the section of unreleased changes.
 * @returns the new changelog, and the notes of the release
 * @throws UserError if the version is released already, or there is nothing to release
 */
export function closeChangelog(changelog: string, version: string): { changelog: string; notes: string } {
  if (changelog.includes(`\n## ${version}\n`))
    throw new UserError(
      `${version} is released already. First run: npm version <new version> --no-git-tag-version`,
    );
  const [, rest = ''] = changelog.split(UNRELEASED);
  const [notes = ''] = rest.split(/^## /m);
  if (notes.trim() === '') throw new UserError('CHANGELOG.md has no changes below “## Unreleased”.');
  const closed = changelog.replace(UNRELEASED, () => `${UNRELEASED}\n## ${version}\n`);
  return { changelog: closed, notes: `${notes.trim()}\n` };
}

async function main(): Promise<void> {
  const version = await readPackageVersion();
  const file = join(root, 'CHANGELOG.md');
  const { changelog, notes } = closeChangelog(await readFile(file, 'utf8'), version);
  // A version that the changelog does not name is not released, so its kept build may change.
  await keepBuild({ force: true });
  await writeFile(file, changelog);
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(join(root, 'dist', 'release-notes.md'), notes);
  console.log(`${version} is ready. Run npm test, commit everything and tag the commit v${version}.`);
}

if (import.meta.main) await runCommand(main);
