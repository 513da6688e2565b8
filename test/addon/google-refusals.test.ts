// What Google refuses to some people and spreadsheets: each refusal has its own sentence with a cure.
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { HostOptions } from '../../addon/dev/host/types.ts';
import { callScript } from '../../addon/sidebar/script.ts';
import { connectionProperty } from '../../shared/connection.ts';
import { parseBody, respondWithRecords } from './functions/sheets.ts';
import { callSidebarOk, openSpreadsheet, readBuiltAddon, type Spreadsheet } from './spreadsheet.ts';

const { url, team_token: token } = inject('session');
const CONNECTION = JSON.stringify({ url, token });
const VIEWER = 'viewer@team.example';
const fetch = respondWithRecords(() => ({ name: 'Acme', day: '2024-02-29' }));

const open = (options: Partial<HostOptions> = {}) => openSpreadsheet({ fetch, ...options });
const enrich = (sheet: Spreadsheet, field = 'name') => sheet.evaluate('CDAPI_ENRICH', 'a.com', field);

/** Calls the script from the sidebar's page. */
async function callFromPage({ host }: { host: Pick<Spreadsheet['host'], 'call'> }) {
  const createRunner = (
    onSuccess: (answer: unknown) => void,
    onFailure: (error: unknown) => void,
  ): object => ({
    withSuccessHandler: (handler: typeof onSuccess) => createRunner(handler, onFailure),
    withFailureHandler: (handler: typeof onFailure) => createRunner(onSuccess, handler),
    cdapiSidebar: (call: string) => void host.call('cdapiSidebar', [call]).then(onSuccess, onFailure),
  });
  const ignore = (): void => undefined;
  vi.stubGlobal('window', { google: { script: { run: createRunner(ignore, ignore) } } });
  onTestFinished(() => void vi.unstubAllGlobals());
  return callScript('status', {});
}

describe('a spreadsheet in a shared drive, which has no owner,', () => {
  const people = { owner: null, viewer: VIEWER };

  it('works with its own connection', async () => {
    expect(await enrich(await open({ people }))).toEqual({ values: [['Acme']] });
  });

  it('says what to do if formulas have no document properties', async () => {
    const sheet = await open({ people, documentInFormulas: false });
    expect(await enrich(sheet)).toMatchObject({
      error:
        'Not connected: formulas can’t read the connection of this spreadsheet, which is in a shared drive and has no owner. Use Extensions → CDAPI → Open sidebar instead, or move the spreadsheet to My Drive.',
    });
    expect(sheet.requests).toEqual([]);
  });
});

it('an owner whom Google hides behind an error must connect', async () => {
  const sheet = await open({ ownerFails: true, documentInFormulas: false });
  expect(await enrich(sheet)).toMatchObject({
    error:
      'Not connected: formulas here need the owner of this spreadsheet to open Extensions → CDAPI → Connect.',
  });
});

it('a formula without document properties obeys the owner’s spending switch', async () => {
  const OWNER = 'owner@team.example';
  const sheet = await open({
    people: { owner: OWNER, viewer: OWNER },
    documentInFormulas: false,
    properties: {
      document: { [connectionProperty]: CONNECTION },
      user: { [OWNER]: { [`${connectionProperty}:workbook`]: CONNECTION } },
    },
  });
  const limits: unknown[] = [];
  for (const on of [false, true]) {
    await callSidebarOk(sheet, 'setSpending', { on });
    sheet.host.clearResults();
    sheet.host.clearCaches();
    await enrich(sheet);
    const lookup = sheet.requests.filter((request) => request.url.endsWith('/lookup')).at(-1);
    if (lookup !== undefined) limits.push(parseBody(lookup).max_credits);
  }
  expect(limits).toEqual([0, undefined]);
});

const LANGUAGES = ['en', 'es', 'ja'] as const;

describe.each(LANGUAGES)(
  'a denied permission is named where Google answers in the language %s',
  (language) => {
    const denied = (scope: string) => ({
      language,
      deniedScopes: [`https://www.googleapis.com/auth/${scope}`],
      properties: { document: { [connectionProperty]: CONNECTION } },
    });
    const lacks = (label: string) =>
      `CDAPI lacks the permission “${label}”. If this browser is signed in to several Google accounts, first open this spreadsheet in a private window with one account. Otherwise open myaccount.google.com/connections, remove CDAPI, reload this spreadsheet, choose Extensions → CDAPI → Open sidebar and tick every box.`;
    const SPREADSHEETS = lacks('View and manage spreadsheets that this application has been installed in');
    const EXTERNAL = lacks('Connect to an external service');
    const PAGES = lacks(
      'Display and run third-party web content in prompts and sidebars inside Google applications',
    );

    it('in a formula', async () => {
      expect(await enrich(await open(denied('script.external_request')))).toMatchObject({ error: EXTERNAL });
      expect(await enrich(await open(denied('spreadsheets.currentonly')), 'day')).toMatchObject({
        error: SPREADSHEETS,
      });
      for (const scope of ['spreadsheets.currentonly', 'script.container.ui', 'script.scriptapp']) {
        expect(await enrich(await open(denied(scope)))).toEqual({ values: [['Acme']] });
      }
    });

    it.each([
      ['refreshSelection', 'spreadsheets.currentonly', SPREADSHEETS],
      ['openSidebar', 'script.container.ui', PAGES],
    ])('by the menu item %s', async (item, scope, sentence) => {
      const sheet = await open(denied(scope));
      await sheet.host.run(item);
      expect(sheet.listMessages()).toEqual([sentence]);
    });

    it('in the sidebar', async () => {
      expect(await callFromPage(await open(denied('spreadsheets.currentonly')))).toMatchObject({
        ok: false,
        message: SPREADSHEETS,
      });
    });
  },
);

describe.each(LANGUAGES)('the permission for triggers, in the language %s,', (language) => {
  const SCOPE = 'https://www.googleapis.com/auth/script.scriptapp';

  it('is asked for when somebody switches the trigger on, and not before', async () => {
    const sheet = await openSpreadsheet({ fetch, language, deniedScopes: [SCOPE] }, 'YES');
    for (const item of ['openSidebar', 'refreshSelection', 'help']) await sheet.host.run(item);
    expect(await callFromPage(sheet)).toMatchObject({ ok: true });
    expect(sheet.shown.filter(({ kind }) => kind === 'consent')).toEqual([]);
    await expect(sheet.host.run('completeOnOpening')).rejects.toThrow(
      language === 'en' ? 'Authorization is required' : /^\S/,
    );
    expect(sheet.shown.slice(-2)).toEqual([
      expect.objectContaining({
        kind: 'alert',
        prompt: expect.stringMatching(
          /^When this spreadsheet opens.*\n\nGoogle asks for a permission next\. .*Complete rows on opening again\.$/,
        ),
      }),
      { kind: 'consent', scopes: [SCOPE] },
    ]);
    expect(sheet.host.triggers).toEqual([]);
    sheet.host.updateSettings({ deniedScopes: [] });
    await sheet.host.run('completeOnOpening');
    expect(sheet.host.triggers).toHaveLength(1);
  });

  it('is named if Google does not ask for it', async () => {
    const built = await readBuiltAddon();
    const { oauthScopes = [] } = built.manifest;
    const quiet = `${built.code}\nScriptApp = { ...ScriptApp, getUserTriggers: ScriptApp.getUserTriggers, requireScopes: () => undefined, newTrigger: ScriptApp.newTrigger };`;
    expect(oauthScopes).toContain(SCOPE);
    const sheet = await openSpreadsheet({ fetch, language, deniedScopes: [SCOPE], code: quiet }, 'YES');
    await sheet.host.run('completeOnOpening');
    expect(sheet.listMessages().at(-1)).toMatch(
      /^CDAPI lacks the permission “Allow this application to run when you are not present”/,
    );
  });
});

describe('the sidebar of a browser with several Google accounts', () => {
  const MIXED_UP =
    'Google mixed up your accounts: this browser is signed in to several. Open this spreadsheet in a private window, or a browser profile with one account.';
  const REFUSED =
    /^Google refused the call: “.+” If this browser is signed in to several Google accounts, open this spreadsheet in a private window/;
  const LACKS =
    /lacks the permission “Connect to an external service”\. If this browser is signed in to several Google accounts, first open this spreadsheet in a private window/;

  describe.each(LANGUAGES)('in the language %s', (language) => {
    it('says how to open the spreadsheet with one account', async () => {
      const sheet = await open({ severalAccounts: 'storage', language });
      expect(await callFromPage(sheet)).toEqual({ ok: false, message: MIXED_UP });
      sheet.host.updateSettings({ severalAccounts: 'authorization' });
      expect(await callFromPage(sheet)).toMatchObject({
        ok: false,
        message: expect.stringMatching(REFUSED),
      });
      sheet.host.updateSettings({ severalAccounts: 'fetch' });
      expect(await callFromPage(sheet)).toMatchObject({
        ok: true,
        value: { failure: { message: expect.stringMatching(LACKS) } },
      });
      sheet.host.updateSettings({ severalAccounts: 'none' });
      expect(await callFromPage(sheet)).toMatchObject({ ok: true });
    });
  });

  it.each<[string, unknown, RegExp | string]>([
    ['an error of another frame', new DOMException('Error code PERMISSION_DENIED.', 'ScriptError'), MIXED_UP],
    ['an object without a prototype', Object.assign(Object.create(null), { message: 'No tienes.' }), REFUSED],
    ['a text', 'Error code PERMISSION_DENIED.', MIXED_UP],
    ['a lost connection', { name: 'NetworkError', message: 'HTTP 0' }, /^Google didn’t answer/],
    ['nothing', undefined, /^Google didn’t answer/],
  ])('reads %s', async (_, error, sentence) => {
    const host = { call: () => Promise.reject(error) };
    expect(await callFromPage({ host })).toEqual({
      ok: false,
      message: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    });
  });
});
