// The same smoke test for both builds: two scripts, of which the second is evaluated on demand, and one without eval.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseFunctions } from '../../addon/dev/host/formulas/custom-functions.ts';
import type { HostOptions } from '../../addon/dev/host/types.ts';
import { buildAddon } from '../../worker/commands/build/addon.ts';
import { checkScript, MAX_SINGLE_SCRIPT_BYTES } from '../../worker/commands/build/script.ts';
import { respondWithRecords } from './functions/sheets.ts';
import { callSidebar, openSpreadsheet, readBuiltAddon, type Spreadsheet } from './spreadsheet.ts';

type Build = Required<Pick<HostOptions, 'code' | 'files' | 'manifest'>>;

const session = inject('session');
const LINK = `${session.url}/connect#${session.team_token}`;
const ACCOUNT = {
  ...{ team: 'Sales', budget: { day: 500, month: null }, remaining: 420, spending: true, mode: 'live' },
  ...{ spent: { day: 0, month: 0 }, saved: { day: 0, month: 0 }, stamp: '1' },
  scopes: { families: null, operations: null },
};
const lookUp = respondWithRecords(() => ({ name: 'Acme' }));
const fetch: HostOptions['fetch'] = async (request) =>
  request.url.endsWith('/lookup')
    ? lookUp(request)
    : { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(ACCOUNT)) };

/** What Google would do if it refused code from texts. */
const withoutEval = (code: string): string =>
  `Reflect.deleteProperty(globalThis, 'eval'); Reflect.deleteProperty(globalThis, 'Function');\n${code}`;

let outDir: string;
let builds: Readonly<Record<string, Build>>;
beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'cdapi-single-'));
  await buildAddon({ outDir, singleScript: true });
  const [two, one] = await Promise.all([readBuiltAddon(), readBuiltAddon(outDir)]);
  const single = { ...one, files: one.files ?? {}, code: withoutEval(one.code) };
  builds = { 'two scripts': { ...two, files: two.files ?? {} }, 'one script, where eval is refused': single };
});
afterAll(() => rm(outDir, { recursive: true }));

const open = (name: string): Promise<Spreadsheet> =>
  openSpreadsheet({
    ...builds[name],
    fetch,
    properties: { document: {} },
    onUi: ({ kind }) => (kind === 'prompt' ? { button: 'OK', text: LINK } : { button: 'YES' }),
  });

describe.each(['two scripts', 'one script, where eval is refused'])('a build of %s', (name) => {
  it('adds its menu, whose items run', async () => {
    const { host } = await open(name);
    await host.run('onOpen', [{ authMode: 'NONE' }], 'open', { authMode: 'NONE' });
    expect(host.menus).toHaveLength(1);
    for (const item of ['help', 'openSidebar', 'refreshSelection', 'freezeSheet', 'connect', 'disconnect']) {
      await host.run(item);
    }
  });

  it('connects, evaluates formulas, and answers the sidebar', async () => {
    const sheet = await open(name);
    await sheet.host.run('connect');
    expect(await sheet.evaluate('CDAPI_ENRICH', 'a.example', 'name')).toEqual({ values: [['Acme']] });
    expect(await callSidebar(sheet, 'status')).toMatchObject({
      ok: true,
      value: { connection: { for: 'sheet', team: 'Sales' } },
    });
    for (const method of ['tables', 'columns', 'unfinished', 'pending'] as const) {
      expect(await callSidebar(sheet, method), method).toMatchObject({ ok: true });
    }
    expect(await callSidebar(sheet, 'disconnect', { for: 'sheet' })).toMatchObject({
      value: { connection: null },
    });
  });

  it('switches its open trigger on, which runs', async () => {
    const { host } = await open(name);
    await host.run('completeOnOpening');
    expect(await host.runOpenTriggers()).toMatchObject([{ error: null }]);
  });
});

describe('the single script', () => {
  const one = (): Build => builds['one script, where eval is refused'] ?? expect.fail('not built');

  it('has the same public functions, no second script and no eval', async () => {
    const listNames = (code: string): string[] => parseFunctions(code).map(({ name }) => name);
    expect(listNames(one().code)).toEqual(listNames(builds['two scripts']?.code ?? ''));
    expect(Object.keys(one().files)).not.toContain('Later');
    const code = one().code.slice(withoutEval('').length);
    expect(code).not.toMatch(/\beval\b|\bnew Function\b|'Later'|"Later"/);
    await checkScript('Code.js', code, MAX_SINGLE_SCRIPT_BYTES);
  });

  it('is needed where eval is refused: the two scripts fail there', async () => {
    const { code, files, manifest } = builds['two scripts'] ?? one();
    const { host } = await openSpreadsheet({ code: withoutEval(code), files, manifest, fetch });
    await expect(host.run('help')).rejects.toThrow(/evaluate is not a function|is not a function/);
  });
});
