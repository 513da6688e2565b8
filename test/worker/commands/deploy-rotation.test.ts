// The admin token in the files of a deployment: replaced, continued after an interruption, and dropped after its time.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dropExpiredToken, replaceAdminToken } from '../../../worker/commands/deploy/admin-token.ts';
import { readRotateOptions } from '../../../worker/commands/deploy/options.ts';
import { DeploymentFiles, type DeploymentState, fingerprint } from '../../../worker/commands/deploy/state.ts';

const NOW = Date.UTC(2026, 10, 23);
const DAY_MS = 86_400_000;

let files: DeploymentFiles;
beforeEach(async () => {
  files = new DeploymentFiles(await mkdtemp(join(tmpdir(), 'cdapi-rotation-')), 'cdapi');
  await files.createSecrets();
});
afterEach(() => rm(join(files.folder, '..'), { recursive: true, force: true }));

/** State after an upload of the present admin token. */
async function upload(): Promise<DeploymentState> {
  const secrets = await files.readSecrets();
  const admin_token = fingerprint(secrets.ADMIN_TOKEN, secrets);
  return { account: '', provider_url: '', public_url: '', has_team: true, admin_token };
}

it('keeps the replaced token for a day, in a file of its owner, and then drops it', async () => {
  const before = await files.readSecrets();
  expect(await dropExpiredToken(files, NOW)).toEqual(before);
  expect(await replaceAdminToken(files, await upload(), false, NOW)).toBe(NOW + DAY_MS);
  const rotated = await files.readSecrets();
  expect(rotated).toMatchObject({
    ...before,
    ADMIN_TOKEN: expect.not.stringMatching(before.ADMIN_TOKEN),
    ADMIN_TOKEN_PREVIOUS: `2026-11-24T00:00:00.000Z ${before.ADMIN_TOKEN}`,
  });
  expect((await stat(files.secretsFile)).mode & 0o777).toBe(0o600);
  expect(await dropExpiredToken(files, NOW + DAY_MS - 1)).toEqual(rotated);
  const dropped = await dropExpiredToken(files, NOW + DAY_MS);
  expect(dropped).toEqual({ ...rotated, ADMIN_TOKEN_PREVIOUS: 'none' });
  expect(await files.readSecrets()).toEqual(dropped);
  expect(await replaceAdminToken(files, await upload(), false, NOW + DAY_MS)).toBe(NOW + 2 * DAY_MS);
});

it('refuses a second rotation within the day, unless the older tokens end at once', async () => {
  await replaceAdminToken(files, await upload(), false, NOW);
  const rotated = await files.readSecrets();
  const uploaded = await upload();
  await expect(replaceAdminToken(files, uploaded, false, NOW + DAY_MS - 1)).rejects.toThrow('--at-once');
  expect(await files.readSecrets()).toEqual(rotated);
  expect(await replaceAdminToken(files, uploaded, true, NOW + 1)).toBeUndefined();
  const ended = await files.readSecrets();
  expect(ended.ADMIN_TOKEN).not.toBe(rotated.ADMIN_TOKEN);
  expect(ended.ADMIN_TOKEN_PREVIOUS).toBe('none');
});

it('continues a rotation that was not uploaded with the same token', async () => {
  const earlier = await upload();
  const until = await replaceAdminToken(files, earlier, false, NOW);
  const rotated = await files.readSecrets();
  expect(await replaceAdminToken(files, earlier, false, NOW + 1)).toBe(until);
  expect(await files.readSecrets()).toEqual(rotated);
});

it.each([[], ['provider-key'], ['admin-token', 'more'], ['admin-token', '--force']])(
  'rejects the arguments %j',
  (...args) => {
    expect(() => readRotateOptions(args)).toThrow('Usage: npm run rotate -- admin-token');
  },
);
