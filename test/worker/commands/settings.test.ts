// The settings of another provider reach the Worker as they were given, or are refused.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unstable_getVarsForDev } from 'wrangler';
import { formatEnvFile, isWritable } from '../../../worker/commands/instance/env-file.ts';
import { readProviderSettings } from '../../../worker/commands/instance/provider-settings.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-settings-'));
});
afterEach(() => rm(dir, { recursive: true }));

const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at));

it('every key that is not refused is read by the platform’s tool as it was given', async () => {
  const characters = printable.filter(isWritable).join('');
  expect(characters).toHaveLength(94 - 4);
  const settings = {
    ALL: characters,
    EXPANDED: `a$HOME$${'{HOME}'}$${'{HOME:-x}'}$$b$`,
    COMMENT: '#a=b#c',
    LAST: 'plain',
  };
  await writeFile(join(dir, 'vars'), formatEnvFile(settings));
  const read = unstable_getVarsForDev(join(dir, 'wrangler.toml'), [join(dir, 'vars')], {}, 'dev', true);
  const values = Object.fromEntries(Object.entries(read).map(([name, binding]) => [name, binding.value]));
  expect(values).toEqual(settings);
});

it.each([
  ['a quote', 'a"b'],
  ['an apostrophe', "a'b"],
  ['a backtick', 'a`b'],
  ['a backslash', 'a\\b'],
  ['a space', 'a b'],
  ['a line end', 'a\n'],
  ['a letter that is not ASCII', 'schlüssel'],
])('a key with %s is refused in one sentence that does not show it', (_, key) => {
  const settings = { CDAPI_BASE_URL: 'https://api.example/cdapi', CDAPI_KEY: key };
  expect(() => readProviderSettings(settings)).toThrow(
    /^CDAPI_KEY holds a space, a quote, a backslash or a character outside ASCII\.$/,
  );
});
