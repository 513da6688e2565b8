// The built add-on: syntax, size, exports, help texts and manifest.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser } from 'acorn';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseFunctions } from '../../addon/dev/host/formulas/custom-functions.ts';
import { toExpression } from '../../addon/dev/host/node/second-script.ts';
import { stripComments } from '../../addon/dev/host/services/user-interface.ts';
import { formulas } from '../../shared/formulas.ts';
import { buildAddon } from '../../worker/commands/build/addon.ts';
import { bundle, HTML_SCRIPT } from '../../worker/commands/build/bundle.ts';
import {
  checkHtmlScript,
  checkScript,
  MAX_LAZY_SCRIPT_BYTES,
  MAX_SCRIPT_BYTES,
  UNSUPPORTED_GLOBALS,
} from '../../worker/commands/build/script.ts';
import { addonDist, root } from '../../worker/commands/paths.ts';
import { respondWithRecords } from './functions/sheets.ts';
import { openSpreadsheet, readBuiltAddon } from './spreadsheet.ts';

/** Handlers of menus, triggers and the sidebar. Besides formulas, nothing else is public. */
const HANDLERS = [
  'cdapiOnEdit',
  'cdapiOnOpen',
  'cdapiSidebar',
  'completeOnOpening',
  'connect',
  'disconnect',
  'freezeSelection',
  'freezeSheet',
  'help',
  'onInstall',
  'onOpen',
  'openSidebar',
  'refreshSelection',
  'useFormulas',
];

let code = '';
let later = '';
beforeAll(async () => {
  const { code: script, files } = await readBuiltAddon();
  code = script;
  later = files?.Later ?? '';
});

/** Formulas that load the second script. */
const lazyFormulas = [
  'CDAPI_COST',
  'CDAPI_FIELDS',
  'CDAPI_JOBS',
  'CDAPI_JOBS_COUNT',
  'CDAPI_MATCH',
  'CDAPI_PEOPLE',
  'CDAPI_PEOPLE_COUNT',
  'CDAPI_PREVIEW',
];

describe('the script', () => {
  it('exports only formulas and handlers', () => {
    const names = parseFunctions(code).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...formulas.map(({ name }) => name), ...HANDLERS].toSorted());
    // Other top-level names would be public, too.
    const { body } = Parser.parse(code, { ecmaVersion: 2020, sourceType: 'script' });
    const others = body.filter(({ type }) => type !== 'FunctionDeclaration');
    expect(others.map(({ start, end }) => code.slice(start, Math.min(end, start + 12)))).toEqual([
      '"use strict"',
      expect.stringMatching(/^var cdapi_=/),
    ]);
  });

  it.each(formulas.map((formula) => [formula.name, formula] as const))(
    'tells Sheets what %s takes and gives',
    (name, formula) => {
      const found = parseFunctions(code).find((each) => each.name === name);
      expect(found).toMatchObject({ custom: true, description: formula.help, returns: formula.returns.help });
      expect(code).toContain(`@return {${formula.returns.type}} `);
      expect(found?.params).toEqual(
        formula.parameters.map(({ type, optional, help, example, ...parameter }) => ({
          name: parameter.name,
          type,
          optional,
          description: parameter.isRarelyUsed ? help : `${help} Example: ${example}`,
        })),
      );
      for (const { type, description } of found?.params ?? []) expect([type, description]).not.toContain('');
      const declared = `function ${name}(${formula.parameters.map((parameter) => parameter.name).join(', ')}) {`;
      expect(code.split('\n')).toContain(declared);
    },
  );

  it('is ECMAScript 2020 without unsupported globals, and not too large', async () => {
    await checkScript('Code.js', code);
  });
});

describe('the second script', () => {
  it('is ECMAScript 2020 without unsupported globals, and not too large', async () => {
    await checkHtmlScript('Later.html', later);
  });

  it('is compiled once per thread of the emulated host: otherwise each execution takes twice as long', () => {
    expect(toExpression(later)).toBeDefined();
    expect(toExpression(stripComments(later))).toBeDefined();
    expect(toExpression('"use strict";var a=(()=>{})();b;')).toBeUndefined();
  });

  it('exports all other handlers and no globals', () => {
    const before = Object.keys(globalThis);
    // biome-ignore lint/security/noGlobalEval: the add-on loads this script by eval, too
    const evaluate = globalThis.eval;
    const exported: unknown = evaluate(later);
    const handlers = HANDLERS.filter((name) => !['onInstall', 'onOpen'].includes(name));
    expect(Object.keys(exported ?? {}).toSorted()).toEqual([...lazyFormulas, ...handlers]);
    expect(Object.keys(globalThis)).toEqual(before);
  });

  it('is loaded neither by the menu nor by formulas, except slow and rare ones', async () => {
    const { host, evaluate: formula } = await openSpreadsheet({
      files: {},
      fetch: respondWithRecords(() => ({ name: 'Acme' })),
    });
    try {
      for (const { name } of formulas) {
        // Errors of invalid arguments do not need the second script.
        const result = JSON.stringify(await formula(name, 'company_clean'));
        expect([name, /No HTML file/.test(result)]).toEqual([name, lazyFormulas.includes(name)]);
      }
      expect(await formula('CDAPI_ENRICH', 'a.example', 'name')).toEqual({ values: [['Acme']] });
      await host.run('onOpen', [{ authMode: 'NONE' }], 'open', { authMode: 'NONE' });
      expect(host.menus).toHaveLength(1);
      // Without the file, a handler names it in its error.
      for (const name of ['help', 'cdapiOnOpen', 'openSidebar']) {
        await expect(host.run(name)).rejects.toThrow('No HTML file named Later was found.');
      }
      await expect(host.call('cdapiSidebar', ['{}'])).rejects.toThrow('No HTML file named Later was found.');
    } finally {
      host.close();
    }
  });
});

it('a bundle with the API schemas stops the build', async () => {
  const schemas = join(root, 'shared', 'api', 'lookup.ts');
  await expect(bundle(schemas, {})).rejects.toThrow(/only types from shared\/api; .+ node_modules\/zod\//);
});

describe('HtmlService takes texts in template literals for comments', () => {
  const LINK = 'https://a.example /* one */ // two';
  const LITERAL = '`https://$' + '{host} /* one */ // two`';

  it('so scripts that it serves have no template literals, and such a text survives', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'cdapi-build-'));
    try {
      const entry = join(dir, 'entry.ts');
      await writeFile(entry, `export const link = (host: string): string => ${LITERAL};`);
      const script = await bundle(entry, { ...HTML_SCRIPT, format: 'iife', globalName: 'cdapi_' });
      const served = stripComments(`${script}cdapi_;`);
      // biome-ignore lint/security/noGlobalEval: the add-on loads its second script by eval, too
      const evaluate = globalThis.eval;
      expect(evaluate(served).link('a.example')).toBe(LINK);
      await checkHtmlScript('Later.html', script);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('and one in a script that it serves stops the build', async () => {
    await expect(checkHtmlScript('Later.html', `var a = ${LITERAL};`)).rejects.toThrow(
      `Later.html holds the template literal ${LITERAL}, which HtmlService may damage.`,
    );
  });

  it('and the built files pass it unchanged', async () => {
    const { files = {} } = await readBuiltAddon();
    expect(Object.keys(files)).toEqual(['Later', 'Sidebar', 'SidebarTabs', 'German']);
    for (const text of Object.values(files)) expect(stripComments(text)).toBe(text);
  });
});

describe('unsupported syntax stops the build and names the position', () => {
  it.each([
    ['a ??= 1;', /ECMAScript 2020: .*\(1:4\), at "a \?\?= 1;"/],
    ['const a = 1;\nclass B { static { a(); } }', /\(2:17\)/],
    ['await go();', /\(1:6\)/],
    ['import a from "b";', /\(1:0\)/],
    ['/(?<=a)b/v;', /Invalid regular expression flag/],
  ])('%j', async (text, message) => {
    await expect(checkScript('Code.js', text)).rejects.toThrow(message);
  });

  it.each(UNSUPPORTED_GLOBALS)('a use of %s', async (name) => {
    await expect(checkScript('Code.js', `function f() { return ${name}; }`)).rejects.toThrow(`no ${name}`);
    await expect(checkScript('Code.js', `var x = globalThis.${name};`)).rejects.toThrow(`no ${name}`);
    await checkScript(
      'Code.js',
      `function f(${name}) { return ${name} + a.${name}; }\nvar a = {}, b = "${name}";`,
    );
  });

  it.each([
    'Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text)',
    'Utilities.computeDigest(Utilities.DigestAlgorithm.MD5, text, Utilities.Charset.US_ASCII)',
    'Utilities.computeHmacSha256Signature(text, key)',
  ])('a digest without Utilities.Charset.UTF_8: %s', async (call) => {
    await expect(checkScript('Code.js', `function f(text, key) { return [${call}]; }`)).rejects.toThrow(
      `Code.js computes ${call} without Utilities.Charset.UTF_8`,
    );
    const right = 'Utilities.computeHmacSha256Signature(text, key, Utilities.Charset.UTF_8)';
    await checkScript('Code.js', `function f(text, key) { return ${right}; }`);
  });

  it.each([
    ['Code.js', MAX_SCRIPT_BYTES, checkScript],
    ['Later.html', MAX_LAZY_SCRIPT_BYTES, checkHtmlScript],
  ] as const)('%s with more than %i bytes', async (name, max, check) => {
    const most = `"${'x'.repeat(max - 5)}é";`;
    await check(name, most);
    await expect(check(name, `${most} `)).rejects.toThrow(
      `${name} has ${max + 1} bytes, which is more than ${max}.`,
    );
  });
});

describe('the manifest', () => {
  const manifestAt = async (dir: string) => JSON.parse(await readFile(join(dir, 'appsscript.json'), 'utf8'));

  it('requests only the necessary scopes', async () => {
    const { oauthScopes, ...rest } = await manifestAt(addonDist);
    expect(oauthScopes.map((scope: string) => scope.split('/').at(-1))).toEqual([
      'spreadsheets.currentonly',
      'script.external_request',
      'script.container.ui',
      'script.scriptapp',
    ]);
    expect(rest).toEqual({ timeZone: 'Etc/UTC', runtimeVersion: 'V8', exceptionLogging: 'STACKDRIVER' });
  });

  it('of a release allows only its gateway', async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'cdapi-build-'));
    try {
      await buildAddon({ outDir, gateway: 'https://data.acme.example' });
      const { urlFetchWhitelist, ...rest } = await manifestAt(outDir);
      expect(urlFetchWhitelist).toEqual(['https://data.acme.example/']);
      expect(rest).toEqual(await manifestAt(addonDist));
      expect(await readFile(join(outDir, 'Later.html'), 'utf8')).toContain('"https://data.acme.example"');
      expect(code + later).not.toContain('data.acme.example');
      expect(await readFile(join(outDir, 'Sidebar.html'), 'utf8')).toMatch(/^<!doctype html>/);
    } finally {
      await rm(outDir, { recursive: true });
    }
  });
});
