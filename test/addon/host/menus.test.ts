// Menus and the simple trigger: what they may do, and what a person is shown.
import { expect, test } from 'vitest';
import type { UiRequest } from '../../../addon/host/types.ts';
import { Clock, click, hostOf, network, VIEWER } from './host.ts';

const MENU = `function onOpen(e) {
  const ui = SpreadsheetApp.getUi();
  ui.createAddonMenu().addItem('Open', 'openSidebar').addSeparator()
    .addSubMenu(ui.createMenu('More').addItem('Help', 'help')).addToUi();
  return [e.authMode === ScriptApp.AuthMode.NONE, String(e.authMode), typeof e.source, e.user];
}`;

test('onOpen adds a menu, even before anyone has authorised the add-on', async () => {
  const shown: UiRequest[] = [];
  const host = hostOf(MENU, { onUi: (request) => void shown.push(request) });
  expect(await host.run('onOpen', [{ user: 'u' }], 'open', { authMode: 'NONE' })).toEqual([
    true,
    'NONE',
    'undefined',
    'u',
  ]);
  const menu = {
    caption: '',
    addon: true,
    items: [
      { kind: 'item', caption: 'Open', functionName: 'openSidebar' },
      { kind: 'separator' },
      {
        kind: 'menu',
        menu: {
          caption: 'More',
          addon: false,
          items: [{ kind: 'item', caption: 'Help', functionName: 'help' }],
        },
      },
    ],
  };
  expect(host.menus).toEqual([menu]);
  expect(shown).toEqual([{ kind: 'menu', menu }]);
  expect(await host.run('onOpen', [], 'open')).toEqual([false, 'LIMITED', 'object', undefined]);
  expect(host.menus).toEqual([menu]);
});

test.each([
  [
    'UrlFetchApp.fetch("https://a.example/")',
    'LIMITED',
    'You do not have permission to call UrlFetchApp.fetch. Required permissions: https://www.googleapis.com/auth/script.external_request',
  ],
  [
    'PropertiesService.getUserProperties().getProperty("a")',
    'NONE',
    'You do not have permission to call PropertiesService.Properties.getProperty',
  ],
  [
    'SpreadsheetApp.getActiveSpreadsheet()',
    'NONE',
    'You do not have permission to call SpreadsheetApp.getActiveSpreadsheet',
  ],
] as const)('a simple trigger may not call %s with AuthMode.%s', async (call, authMode, words) => {
  const { fetch, requests } = network();
  const host = hostOf(`function onOpen() { ${call} }`, { fetch });
  await expect(host.run('onOpen', [], 'open', { authMode })).rejects.toThrow(words);
  expect(requests).toEqual([]);
});

test('a simple trigger with AuthMode.LIMITED has properties and the document', async () => {
  const host = hostOf(
    `function onOpen(e) { PropertiesService.getUserProperties().setProperty('a', 'b'); return e.source.getName() }`,
  );
  expect(await host.run('onOpen', [{}], 'open')).toBe('Prospects');
});

test('onInstall has AuthMode.FULL and may do what a menu may', async () => {
  const { fetch, requests } = network();
  const host = hostOf(
    `function onInstall(e) { UrlFetchApp.fetch('https://a.example/'); SpreadsheetApp.getUi().showSidebar(HtmlService.createHtmlOutput('x')); return String(e.authMode) }`,
    { fetch },
  );
  expect(await host.run('onInstall', [], 'open', { authMode: 'FULL' })).toBe('FULL');
  expect(requests).toHaveLength(1);
});

test.each([
  ['open', 30_000],
  ['menu', 360_000],
] as const)('an execution of kind %s is ended after %i ms', async (kind, limit) => {
  const clock = new Clock();
  const host = hostOf('function go() { Utilities.sleep(29999); console.log("still there"); while (true); }', {
    ...clock.options,
    onLog: () => clock.pass(limit - 29_999),
  });
  const result = expect(host.run('go', [], kind)).rejects.toMatchObject({
    name: 'Exception',
    message: 'Exceeded maximum execution time',
  });
  await clock.waitedFor(29_999);
  clock.pass(29_999);
  await result;
});

test('alerts and prompts ask the person and give the answer', async () => {
  const asked: UiRequest[] = [];
  const body = `const ui = SpreadsheetApp.getUi();
    const sure = ui.alert('Spend?', '10 credits', ui.ButtonSet.YES_NO) === ui.Button.YES;
    const answer = ui.prompt('Name');
    return [sure, answer.getSelectedButton() === ui.Button.OK, answer.getResponseText()]`;
  const result = await click(body, {
    onUi: (request) => {
      asked.push(request);
      return request.kind === 'alert' ? { button: 'YES' } : { button: 'OK', text: 'Ada' };
    },
  });
  expect(result).toEqual([true, true, 'Ada']);
  expect(asked).toEqual([
    { kind: 'alert', title: 'Spend?', prompt: '10 credits', buttons: 'YES_NO' },
    { kind: 'prompt', title: '', prompt: 'Name', buttons: 'OK' },
  ]);
});

test('a dialog that nobody answers is closed', async () => {
  expect(await click(`const ui = SpreadsheetApp.getUi(); return String(ui.alert('Hello'))`)).toBe('CLOSE');
});

test('a toast is shown with title and seconds', async () => {
  const shown: UiRequest[] = [];
  await click(
    `SpreadsheetApp.getActive().toast('Done'); SpreadsheetApp.getActive().toast('Done', 'CDAPI', -1)`,
    {
      onUi: (request) => void shown.push(request),
    },
  );
  expect(shown).toEqual([
    { kind: 'toast', message: 'Done', title: '', seconds: 5 },
    { kind: 'toast', message: 'Done', title: 'CDAPI', seconds: -1 },
  ]);
});

test('the user’s address needs the scope userinfo.email', async () => {
  const body =
    'return [Session.getActiveUser().getEmail(), Session.getEffectiveUser().getEmail(), Session.getScriptTimeZone()]';
  const scope = 'https://www.googleapis.com/auth/userinfo.email';
  expect(await click(body, { manifest: { oauthScopes: [scope], timeZone: 'Europe/Paris' } })).toEqual([
    VIEWER,
    VIEWER,
    'Europe/Paris',
  ]);
  await expect(click(body, { manifest: { oauthScopes: [] } })).rejects.toThrow(
    `Required permissions: ${scope}`,
  );
  expect(
    await click('return Session.getTemporaryActiveUserKey().length > 0', { manifest: { oauthScopes: [] } }),
  ).toBe(true);
});

test('a private function can’t be run, and what a function throws keeps name and line', async () => {
  const host = hostOf('function hidden_() {}\nfunction go() {\n  null.x;\n}');
  await expect(host.run('hidden_')).rejects.toThrow('Script function not found: hidden_');
  await expect(host.run('go')).rejects.toMatchObject({ name: 'TypeError', line: 3 });
});

test('arguments and results keep their types, dates among them', async () => {
  const when = new Date('2026-05-05T05:05:05Z');
  const host = hostOf(
    'function go(a) { return { same: a, isDate: a.list[0] instanceof Date, none: undefined, $: 1 } }',
  );
  const given = { list: [when], n: null, $: 'x', nan: Number.NaN };
  expect(await host.run('go', [given])).toEqual({ same: given, isDate: true, none: undefined, $: 1 });
});
