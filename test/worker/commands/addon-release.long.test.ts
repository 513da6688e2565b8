// npm run addon:push and addon:release with other builds: identity tokens, and one script without eval.
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneProject, startCommand } from './command.ts';

let top: string;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'cdapi-release-')));
  await cloneProject(top, join(import.meta.dirname, 'stand-in-clasp.mjs'));
});
afterAll(() => rm(top, { recursive: true }));

async function run(name: string, ...args: string[]): Promise<{ code: number | null; printed: string }> {
  const { exited, output } = startCommand([`worker/commands/addon/${name}.ts`, ...args], {
    top,
    env: { clasp_config_auth: join(top, 'login.json') },
  });
  return { code: await exited, printed: output() };
}

it('adds the scopes of identity tokens with --identity, which only a release takes', async () => {
  await writeFile(join(top, 'login.json'), '{}');
  await writeFile(join(top, '.clasp.json'), '{"scriptId":"script-1"}');
  expect(await run('addon-release', 'https://gateway.example.com', '--identity')).toMatchObject({ code: 0 });
  const manifest = JSON.parse(await readFile(join(top, 'dist/addon-release/appsscript.json'), 'utf8'));
  const scopes = ['openid', 'https://www.googleapis.com/auth/userinfo.email'];
  expect(manifest.oauthScopes).toEqual(expect.arrayContaining(scopes));
  const checklist = await readFile(join(top, 'dist/release-checklist.md'), 'utf8');
  for (const scope of scopes) expect(checklist).toMatch(new RegExp(`\\[ \\] \`${scope}\` \\| \\w`));
  expect(checklist).toContain('assign your domain');
  const pushed = await run('addon-push', '--identity');
  expect(pushed).toMatchObject({ code: 1, printed: expect.stringContaining('addon:release') });
});

it('builds one script without eval with --single-script', async () => {
  await writeFile(join(top, 'login.json'), '{}');
  await writeFile(join(top, '.clasp.json'), '{"scriptId":"script-1"}');
  const { code } = await run('addon-push', '--single-script');
  expect(code).toBe(0);
  expect((await readdir(join(top, 'dist/addon'))).toSorted()).toEqual([
    '.clasp.json',
    'Code.js',
    'Sidebar.html',
    'SidebarTabs.html',
    'appsscript.json',
  ]);
  expect(await readFile(join(top, 'dist/addon/Code.js'), 'utf8')).not.toMatch(/\beval\b/);
});
