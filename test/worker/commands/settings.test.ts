// Settings and arguments of commands: they reach the Worker unchanged, or one sentence refuses them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unstable_getVarsForDev } from 'wrangler';
import { parsePushOptions, parseReleaseOptions } from '../../../worker/commands/addon/options.ts';
import { generateFiles, readOptions as readGenerateOptions } from '../../../worker/commands/generate.ts';
import { readOptions as readImportOptions } from '../../../worker/commands/import.ts';
import { readPort } from '../../../worker/commands/instance/instance.ts';
import {
  formatEnvFile,
  isWritable,
  readAssistantSettings,
  readProviderSettings,
} from '../../../worker/commands/instance/provider-settings.ts';
import { SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { readCompanyCount } from '../../../worker/commands/start.ts';
import { UserError } from '../../../worker/commands/user-error.ts';

const CDAPI_BASE_URL = 'https://api.example/cdapi';
const CDAPI_KEY = 'secret-key';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-settings-'));
  vi.stubEnv('INIT_CWD', dir);
  const files = { 'companies.csv': 'Nr\n1\n', 'list.json': '["id"]', 'wrong.json': '{"Nr": "idd"}' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
});
afterAll(() => rm(dir, { recursive: true }));

describe('settings', () => {
  it('are read by wrangler exactly as they were written', async () => {
    const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at));
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

  it.each(['a"b', "a'b", 'a`b', 'a\\b', 'a b', 'a\n', 'schlüssel'])(
    'refuse the key %j without printing it',
    (key) => {
      expect(() => readProviderSettings({ CDAPI_BASE_URL, CDAPI_KEY: key })).toThrow(
        /^CDAPI_KEY holds a space, a quote, a backslash or a character outside ASCII\.$/,
      );
    },
  );

  it('of a language model are optional, and refused without their values if they can’t be written', () => {
    expect(readAssistantSettings({ ASSISTANT_MODEL: 'm', ASSISTANT_URL: '' })).toEqual({
      ASSISTANT_MODEL: 'm',
    });
    expect(() => readAssistantSettings({ ASSISTANT_KEY: 'a b' })).toThrow(/^ASSISTANT_KEY holds a space/);
  });

  it('create no sample records for a real provider', () => {
    expect(readCompanyCount({ SEED: '20' })).toBe(20);
    expect(readCompanyCount({ SEED: '10000' })).toBe(10_000);
    expect(readCompanyCount({ SEED: '20', CDAPI_BASE_URL, CDAPI_KEY })).toBe(0);
  });
});

const start = (environment: Record<string, string>) => () => {
  readPort(environment.PORT);
  return readCompanyCount(environment);
};
const importing =
  (...args: string[]) =>
  () =>
    readImportOptions(args);
const generating =
  (...args: string[]) =>
  () =>
    readGenerateOptions(['--companies', '2', ...args]);
const release =
  (...args: string[]) =>
  () =>
    parseReleaseOptions(args);

const refusals: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['start: a key alone', start({ CDAPI_KEY }), /^CDAPI_KEY is set, but CDAPI_BASE_URL is not/],
  ['start: an address alone', start({ CDAPI_BASE_URL }), /^CDAPI_BASE_URL is set, but CDAPI_KEY is not/],
  ['start: http', start({ CDAPI_BASE_URL: 'http://api.example/cdapi', CDAPI_KEY }), /https/],
  ['start: a word as port', start({ PORT: 'eighty' }), /^PORT is a number/],
  ['start: a word as seed', start({ SEED: 'many' }), /^SEED is none, or a number/],
  [
    'start: more people than the sandbox is made for',
    start({ SEED: '10001' }),
    /from 1 to 10,000\. Each comes/,
  ],
  ['import: no file', importing(), /^Usage: npm run import/],
  ['import: two files', importing('companies.csv', 'companies.csv'), /^Usage: npm run import/],
  ['import: an unknown option', importing('--mapp', 'x', 'companies.csv'), /^Usage: npm run import/],
  ['import: an unknown family', importing('--family', 'company', 'companies.csv'), /^The families are /],
  ['import: a missing file', importing('nothing.csv'), /^There is no file/],
  ['import: a folder', importing('.'), /^There is no file/],
  ['import: a missing map', importing('--map', 'nothing.json', 'companies.csv'), /^There is no file/],
  [
    'import: a list as map',
    importing('--map', 'list.json', 'companies.csv'),
    /list\.json is not a heading map/,
  ],
  [
    'import: a map to an unknown heading',
    importing('--map', 'wrong.json', 'companies.csv'),
    /wrong\.json maps "Nr" to "idd", which is unknown\. The known headings are id, name,/,
  ],
  ['generate: no number', () => readGenerateOptions([]), /^Usage: npm run generate/],
  ['generate: no companies', generating('--companies', '0'), /^--companies is a whole number from 1 to/],
  ['generate: a word as number', generating('--companies', 'many'), /^--companies is a whole number/],
  ['generate: a fraction as seed', generating('--seed', '1.5'), /^--seed is a whole number/],
  ['generate: an unknown family', generating('--family', 'people'), /^The families are company_clean, /],
  ['generate: all families to stdout', generating('--out', '-'), /name it with --family/],
  ['generate: an unknown option', generating('--nonsense'), /^Usage: npm run generate/],
  [
    'generate: a file as folder',
    () => generateFiles({ seed: SAMPLE_SEED, companies: 1, dir: join(dir, 'list.json', 'x'), log: () => {} }),
    /not a writable folder/,
  ],
  ...[
    'gateway.example.com',
    'http://gateway.example.com',
    'https://gateway.example.com/sheets',
    'https://gateway.example.com?x=1',
    'https://*.example.com',
    'https://user@gateway.example.com',
    'https://localhost',
  ].map((gateway) => [`release: ${gateway}`, release(gateway), /^This is not a gateway's address/] as const),
  ['release: no gateway', release('--single-script'), /^The gateway's address is missing\. Usage: npm run/],
  ['release: two gateways', release('https://a.example', 'https://b.example'), /^A release works with one/],
  ['release: an unknown switch', release('--nonsense'), /^An argument is unknown\. Usage: npm run addon:rel/],
  [
    'push: an unknown switch',
    () => parsePushOptions(['--x']),
    /^An argument is unknown\. Usage: npm run add/,
  ],
  [
    'push: a gateway',
    () => parsePushOptions(['https://a.example']),
    /takes no address\. Use npm run addon:release/,
  ],
];

it.each(refusals)('refuses %s in one sentence', async (_, work, sentence) => {
  const error: unknown = await (async () => work())().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  const { message } = error as UserError;
  expect(message).toMatch(sentence);
  expect(message).not.toMatch(/\n|secret-key/);
});
