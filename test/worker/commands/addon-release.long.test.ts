// npm run addon:push and addon:release with complete builds: for one gateway, for any, with identity tokens, and as one script.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import { setUpReleaseProject } from './release-project.ts';

const { locate, run } = setUpReleaseProject();

it('builds for one gateway in a separate folder, pushes it, creates a version and says what is left to do', async () => {
  await writeFile(locate('login.json'), '{}');
  await writeFile(locate('.clasp.json'), '{"scriptId":"script-1"}');
  const { code, printed } = await run('addon-release', 'https://Gateway.Example.com/');
  expect(code).toBe(0);
  const folder = locate('dist/addon-release');
  const [pushed = '', versioned = '', advice = ''] = printed.trim().split('\n');
  expect(JSON.parse(pushed)).toMatchObject({ folder, args: ['push', '--force'] });
  expect(JSON.parse(JSON.parse(pushed).project)).toEqual({ scriptId: 'script-1', rootDir: '.' });
  expect(JSON.parse(versioned)).toMatchObject({
    folder,
    args: ['create-version', 'CDAPI for https://gateway.example.com', '--json'],
  });
  expect(advice).toMatch(/^Version 7 is created\. dist\/release-checklist\.md lists/);
  const manifest = JSON.parse(await readFile(join(folder, 'appsscript.json'), 'utf8'));
  expect(manifest.urlFetchWhitelist).toEqual(['https://gateway.example.com/']);
  expect(existsSync(locate('dist/addon'))).toBe(false);
  const checklist = await readFile(locate('dist/release-checklist.md'), 'utf8');
  for (const field of ['Sheets add-on project script ID | `script-1`', 'Sheets add-on script version | 7']) {
    expect(checklist).toContain(`| [ ] ${field} |`);
  }
  const pictures = checklist.match(/docs\/listing\/[\w.-]+/g) ?? [];
  expect(new Set(pictures).size).toBe(6);
  for (const picture of pictures) expect(existsSync(join(root, picture)), picture).toBe(true);
  for (const scope of manifest.oauthScopes)
    expect(checklist).toMatch(new RegExp(`\\[ \\] \`${scope}\` \\| \\w`));
});

it('adds the scopes of identity tokens with --identity, which only a release takes', async () => {
  await writeFile(locate('login.json'), '{}');
  await writeFile(locate('.clasp.json'), '{"scriptId":"script-1"}');
  expect(await run('addon-release', 'https://gateway.example.com', '--identity')).toMatchObject({ code: 0 });
  const manifest = JSON.parse(await readFile(locate('dist/addon-release/appsscript.json'), 'utf8'));
  const scopes = ['openid', 'https://www.googleapis.com/auth/userinfo.email'];
  expect(manifest.oauthScopes).toEqual(expect.arrayContaining(scopes));
  const checklist = await readFile(locate('dist/release-checklist.md'), 'utf8');
  for (const scope of scopes) expect(checklist).toMatch(new RegExp(`\\[ \\] \`${scope}\` \\| \\w`));
  expect(checklist).toContain('assign your domain');
  const pushed = await run('addon-push', '--identity');
  expect(pushed).toMatchObject({ code: 1, printed: expect.stringContaining('addon:release') });
});

it('builds one script without eval with --single-script', async () => {
  await writeFile(locate('login.json'), '{}');
  await writeFile(locate('.clasp.json'), '{"scriptId":"script-1"}');
  const { code } = await run('addon-push', '--single-script');
  expect(code).toBe(0);
  expect((await readdir(locate('dist/addon'))).toSorted()).toEqual([
    '.clasp.json',
    'Code.js',
    'German.html',
    'Sidebar.html',
    'SidebarTabs.html',
    'appsscript.json',
  ]);
  expect(await readFile(locate('dist/addon/Code.js'), 'utf8')).not.toMatch(/\beval\b/);
});

it('pushes the add-on for any gateway from its own folder', async () => {
  await writeFile(locate('login.json'), '{}');
  await writeFile(locate('.clasp.json'), '{"scriptId":"script-1"}');
  const { code, printed } = await run('addon-push');
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({ folder: locate('dist/addon'), args: ['push', '--force'] });
});
