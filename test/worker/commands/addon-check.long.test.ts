// npm run addon:check: builds the live check and pushes it to a scratch project, never to the add-on's.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import { cloneProject, startCommand } from './command.ts';

let top: string;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'cdapi-check-')));
  await cloneProject(top, join(import.meta.dirname, 'stand-in-clasp.mjs'));
});
afterAll(() => rm(top, { recursive: true }));

async function run(...args: string[]): Promise<{ code: number | null; printed: string }> {
  const { exited, output } = startCommand(['worker/commands/addon/addon-check.ts', ...args], {
    top,
    env: { clasp_config_auth: join(top, 'login.json') },
  });
  return { code: await exited, printed: output().trim() };
}

it('says in one sentence what is missing, and pushes nothing', async () => {
  const loggedOut = await run();
  expect(loggedOut.printed).toContain('npx clasp login');
  await writeFile(join(top, 'login.json'), '{}');
  // The add-on's project is no scratch project.
  await writeFile(join(top, '.clasp.json'), '{"scriptId":"add-on"}');
  const withoutProject = await run();
  expect(withoutProject.printed).toMatch(
    /new, empty spreadsheet.*script ID.*\.clasp\.check\.json as \{"scriptId": "…"\}/,
  );
  await writeFile(join(top, '.clasp.check.json'), '{"scriptId":"add-on"}');
  const withAddonProject = await run();
  expect(withAddonProject.printed).toMatch(/names the add-on's own project/);
  const withWrongGateway = await run('http://gateway.example.com');
  expect(withWrongGateway.printed).toMatch(/not a gateway's address.*addon:check/);
  const withTwoGateways = await run('https://a.example.com', 'https://b.example.com');
  expect(withTwoGateways.printed).toMatch(/one gateway.*addon:check/);
  const runs = [loggedOut, withoutProject, withAddonProject, withWrongGateway, withTwoGateways];
  for (const { code, printed } of runs) {
    expect(code).toBe(1);
    expect(printed).not.toContain('\n');
  }
  expect(existsSync(join(top, 'dist'))).toBe(false);
});

it('pushes a script with the add-on’s scopes from its own folder, and says what is next', async () => {
  await writeFile(join(top, 'login.json'), '{}');
  await writeFile(join(top, '.clasp.json'), '{"scriptId":"add-on"}');
  await writeFile(join(top, '.clasp.check.json'), '{"scriptId":"scratch"}');
  const { code, printed } = await run('https://gateway.example.com/');
  expect(code).toBe(0);
  const [pushed = '', next = ''] = printed.split('\n');
  const folder = join(top, 'dist/addon-check');
  expect(JSON.parse(pushed)).toMatchObject({ folder, args: ['push', '--force'] });
  expect(JSON.parse(JSON.parse(pushed).project)).toEqual({ scriptId: 'scratch', rootDir: '.' });
  expect(next).toMatch(/reload it, then choose CDAPI check → Run/);
  const readScopes = async (path: string) => JSON.parse(await readFile(path, 'utf8')).oauthScopes;
  expect(await readScopes(join(folder, 'appsscript.json'))).toEqual(
    await readScopes(join(root, 'addon/appsscript.json')),
  );
  expect(await readFile(join(folder, 'Code.js'), 'utf8')).toContain('https://gateway.example.com');
  expect(existsSync(join(top, 'dist/addon'))).toBe(false);
  expect(await readFile(join(top, '.clasp.json'), 'utf8')).toBe('{"scriptId":"add-on"}');
});
