// npm run addon:push and addon:release: missing settings, and folders of builds. A long suite builds and pushes.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publishBuild, waitForParts } from '../../../worker/commands/build/publish.ts';
import { longIt } from '../../pick-cases.ts';
import { setUpReleaseProject } from './release-project.ts';

const { locate, run } = setUpReleaseProject();

it('says in one sentence what is missing, and creates no project or files', async () => {
  const loggedOut = await run('addon-push');
  expect(loggedOut).toMatchObject({ code: 1, printed: expect.stringContaining('npx clasp login') });
  await writeFile(locate('login.json'), '{}');
  const withoutProject = await run('addon-push');
  expect(withoutProject.code).toBe(1);
  // `clasp create` would overwrite files of this project with those of the new one.
  expect(withoutProject.printed).toMatch(/script ID.*\.clasp\.json as \{"scriptId": "…"\}/);
  expect(withoutProject.printed).not.toMatch(/clasp create/);
  await writeFile(locate('.clasp.json'), '{}');
  const withEmptyProject = await run('addon-push');
  expect(withEmptyProject).toMatchObject({
    code: 1,
    printed: expect.stringContaining('names no Apps Script project'),
  });
  for (const { printed } of [loggedOut, withoutProject, withEmptyProject])
    expect(printed.trim()).not.toContain('\n');
  expect(existsSync(locate('dist'))).toBe(false);
});

longIt('builds a release and the check without a login with --dry-run, and sends nothing', async () => {
  await rm(locate('login.json'), { force: true });
  await rm(locate('.clasp.json'), { force: true });
  const release = await run('addon-release', 'https://gateway.example.com', '--dry-run');
  expect(release).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^Nothing was sent\. dist\/addon-release has the manifest/),
  });
  expect((await readdir(locate('dist/addon-release'))).toSorted()).toEqual([
    'Code.js',
    'German.html',
    'Later.html',
    'Sidebar.html',
    'SidebarTabs.html',
    'appsscript.json',
  ]);
  const checklist = await readFile(locate('dist/release-checklist.md'), 'utf8');
  expect(checklist).toContain('| [ ] Sheets add-on project script ID | `SCRIPT-ID` |');
  const check = await run('addon-check', 'https://gateway.example.com', '--dry-run');
  expect(check).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^Nothing was sent\. dist\/addon-check/),
  });
  expect(existsSync(locate('dist/addon-check/.clasp.json'))).toBe(false);
  const pushed = await run('addon-push', '--dry-run');
  expect(pushed).toMatchObject({ code: 1, printed: expect.stringContaining('for releases and checks') });
});

it('replaces only built files that changed and deletes those that were not built', async () => {
  const outDir = locate('out');
  const build = (files: Record<string, string>) =>
    publishBuild(outDir, async (buildDir) => {
      for (const [name, text] of Object.entries(files)) await writeFile(join(buildDir, name), text);
    });
  const readIdentity = async () => {
    const { ino, mtimeMs } = await stat(join(outDir, 'same.js'));
    return [ino, mtimeMs];
  };
  await build({ 'same.js': '1', 'changed.js': '1', 'old.js': '1' });
  const before = await readIdentity();
  await build({ 'same.js': '1', 'changed.js': '2' });
  expect(await readIdentity()).toEqual(before);
  expect(await readFile(join(outDir, 'changed.js'), 'utf8')).toBe('2');
  expect(existsSync(join(outDir, 'old.js'))).toBe(false);
});

it('deletes the folder of a failed build after its last part has ended', async () => {
  const outDir = locate('failing');
  const ends = Promise.withResolvers<void>();
  const writeLate = async (buildDir: string): Promise<void> => {
    await ends.promise;
    await mkdir(buildDir, { recursive: true });
    await writeFile(join(buildDir, 'late.js'), '');
  };
  const published = publishBuild(outDir, (buildDir) =>
    waitForParts([Promise.reject(new Error('The compiler was stopped.')), writeLate(buildDir)]),
  );
  const refused = expect(published).rejects.toThrow('The compiler was stopped.');
  setImmediate(() => ends.resolve());
  await refused;
  expect((await readdir(locate())).filter((name) => name.startsWith('failing'))).toEqual([]);
});
