// npm run addon:release: an add-on for one gateway, pushed and made a version of.

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneProject, startCommand } from './command.ts';

let top: string;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'cdapi-release-')));
  await cloneProject(top, join(import.meta.dirname, 'stand-in-clasp.mjs'));
  await writeFile(join(top, 'login.json'), '{}');
  await writeFile(join(top, '.clasp.json'), '{"scriptId":"script-1"}');
});
afterAll(() => rm(top, { recursive: true }));

async function release(...args: string[]): Promise<{ code: number | null; printed: string }> {
  const { exited, output: printed } = startCommand(['worker/commands/addon/addon-release.ts', ...args], {
    top,
    env: { clasp_config_auth: join(top, 'login.json') },
  });
  return { code: await exited, printed: printed() };
}

it.each([
  [],
  ['gateway.example.com'],
  ['http://gateway.example.com'],
  ['https://gateway.example.com/sheets'],
  ['https://gateway.example.com?x=1'],
  ['https://*.example.com'],
  ['https://user@gateway.example.com'],
  ['https://localhost'],
])('an address like %j is refused in a sentence, and nothing is built', async (...args) => {
  const { code, printed } = await release(...args);
  expect(code).toBe(1);
  expect(printed.trim()).toMatch(/Usage: npm run addon:release -- https:\/\/gateway\.example\.com$/);
  expect(printed.trim()).not.toContain('\n');
  expect(existsSync(join(top, 'dist'))).toBe(false);
});

it('builds for the gateway in a folder of its own, pushes it, makes a version and says what is left to do', async () => {
  const { code, printed } = await release('https://Gateway.Example.com/');
  expect(code).toBe(0);
  const folder = join(top, 'dist/addon-release');
  const [pushed = '', versioned = '', rest = ''] = printed.trim().split('\n');
  expect(JSON.parse(pushed)).toMatchObject({ folder, args: ['push', '--force'] });
  expect(JSON.parse(JSON.parse(pushed).project)).toEqual({ scriptId: 'script-1', rootDir: '.' });
  expect(JSON.parse(versioned)).toMatchObject({
    folder,
    args: ['create-version', 'CDAPI for Sheets for https://gateway.example.com'],
  });
  expect(rest).toMatch(/Marketplace SDK/);
  const manifest = JSON.parse(await readFile(join(folder, 'appsscript.json'), 'utf8'));
  expect(manifest.urlFetchWhitelist).toEqual(['https://gateway.example.com/']);
  expect(existsSync(join(top, 'dist/addon'))).toBe(false);
});
