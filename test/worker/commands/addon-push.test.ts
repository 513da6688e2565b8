// npm run addon:push: says what is missing before it builds, and pushes what was built.
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneProject, startCommand } from './command.ts';

let top: string;
let login: string;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'cdapi-push-')));
  login = join(top, 'login.json');
  await cloneProject(top, join(import.meta.dirname, 'stand-in-clasp.mjs'));
});
afterAll(() => rm(top, { recursive: true }));

async function push(): Promise<{ code: number | null; printed: string }> {
  const { exited, output } = startCommand(['worker/commands/addon/addon-push.ts'], {
    top,
    env: { clasp_config_auth: login },
  });
  return { code: await exited, printed: output() };
}

it('without a login or a project says in a sentence what to do, and changes no file of the project', async () => {
  const stranger = await push();
  expect(stranger).toMatchObject({ code: 1, printed: expect.stringContaining('npx clasp login') });
  await writeFile(login, '{}');
  const nameless = await push();
  expect(nameless.code).toBe(1);
  // Making a project here would pull its files over those of this one.
  expect(nameless.printed).toMatch(/script ID.*\.clasp\.json as \{"scriptId": "…"\}/);
  expect(nameless.printed).not.toMatch(/clasp create/);
  await writeFile(join(top, '.clasp.json'), '{}');
  expect(await push()).toMatchObject({
    code: 1,
    printed: expect.stringContaining('names no Apps Script project'),
  });
  for (const { printed } of [stranger, nameless]) expect(printed.trim()).not.toContain('\n');
  expect(existsSync(join(top, 'dist'))).toBe(false);
});

it('pushes the built add-on from its own folder; what is built the same is not touched', async () => {
  await writeFile(login, '{}');
  await writeFile(join(top, '.clasp.json'), '{"scriptId":"script-1"}');
  const first = await push();
  expect(first.code).toBe(0);
  const told = JSON.parse(first.printed);
  expect(told).toMatchObject({ folder: join(top, 'dist/addon'), args: ['push', '--force'] });
  expect(JSON.parse(told.project)).toEqual({ scriptId: 'script-1', rootDir: '.' });
  const code = join(top, 'dist/addon/Code.js');
  const before = await stat(code);
  expect((await push()).code).toBe(0);
  const after = await stat(code);
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
});
