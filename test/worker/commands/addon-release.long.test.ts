// npm run addon:push and addon:release with other builds: identity tokens, and one script without eval.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { setUpReleaseProject } from './release-project.ts';

const { locate, run } = setUpReleaseProject();

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
    'Sidebar.html',
    'SidebarTabs.html',
    'appsscript.json',
  ]);
  expect(await readFile(locate('dist/addon/Code.js'), 'utf8')).not.toMatch(/\beval\b/);
});
