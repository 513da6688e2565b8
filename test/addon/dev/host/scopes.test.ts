// The host refuses every call that the manifest's scopes or the kind of execution do not authorize.
import { expect, test } from 'vitest';
import { createHost, evaluateCell, runAsMenu } from './host.ts';

const SCOPE = 'https://www.googleapis.com/auth/';
const MANIFEST = {
  oauthScopes: ['spreadsheets.currentonly', 'script.external_request'].map((name) => SCOPE + name),
};

test.each([
  ['SpreadsheetApp.openById("other")', 'SpreadsheetApp.openById', `${SCOPE}spreadsheets`],
  ['SpreadsheetApp.openByUrl("https://a.example")', 'SpreadsheetApp.openByUrl', `${SCOPE}spreadsheets`],
  ['SpreadsheetApp.create("New")', 'SpreadsheetApp.create', `${SCOPE}spreadsheets`],
  ['DriveApp.getFiles()', 'DriveApp.getFiles', `${SCOPE}drive`],
  ['DocumentApp.create("New")', 'DocumentApp.create', `(${SCOPE}documents.currentonly || ${SCOPE}documents)`],
  ['MailApp.sendEmail("a@b.example", "Hi", "Hi")', 'MailApp.sendEmail', `${SCOPE}script.send_mail`],
  ['GmailApp.getInboxThreads()', 'GmailApp.getInboxThreads', 'https://mail.google.com/'],
  ['CalendarApp.getDefaultCalendar()', 'CalendarApp.getDefaultCalendar', `${SCOPE}calendar`],
  ['ScriptApp.newTrigger("a")', 'ScriptApp.newTrigger', `${SCOPE}script.scriptapp`],
  ['Session.getActiveUser()', 'Session.getActiveUser', `${SCOPE}userinfo.email`],
  [
    'SpreadsheetApp.getUi().showSidebar(HtmlService.createHtmlOutputFromFile("Page"))',
    'Ui.showSidebar',
    `${SCOPE}script.container.ui`,
  ],
])('without its scope, %s is refused', async (call, name, scopes) => {
  const files = { Page: '' };
  await expect(runAsMenu(call, { manifest: MANIFEST, files })).rejects.toThrow(
    `Specified permissions are not sufficient to call ${name}. Required permissions: ${scopes}`,
  );
});

test('a switch lets spreadsheets.currentonly open other spreadsheets, as the reference says', async () => {
  const options = { manifest: MANIFEST, opensOtherSpreadsheets: true };
  await expect(runAsMenu('SpreadsheetApp.openById("other")', options)).rejects.toThrow('not emulated');
  await expect(runAsMenu('DriveApp.getFiles()', options)).rejects.toThrow('not sufficient');
});

test.each([
  ['SpreadsheetApp.openById("other")', 'openById'],
  ['SpreadsheetApp.getActiveSpreadsheet().rename("x")', 'rename'],
  ['SpreadsheetApp.getActiveSpreadsheet().addEditor("a@b.example")', 'addEditor'],
  ['SpreadsheetApp.getActiveSheet().sort(1)', 'sort'],
  ['SpreadsheetApp.getActiveSheet().protect()', 'protect'],
  ['SpreadsheetApp.getActiveRange().merge()', 'merge'],
  ['SpreadsheetApp.getActiveRange().setValue(1)', 'setValue'],
  ['SpreadsheetApp.getActiveSpreadsheet().toast("x")', 'toast'],
  ['Session.getActiveUser()', 'Session.getActiveUser'],
  ['Session.getScriptTimeZone()', 'Session.getScriptTimeZone'],
  ['DriveApp.getFiles()', 'DriveApp.getFiles'],
  ['MailApp.getRemainingDailyQuota()', 'MailApp.getRemainingDailyQuota'],
  ['ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, [])', 'ScriptApp.requireScopes'],
  ['DocumentApp.getActiveDocument()', 'DocumentApp.getActiveDocument'],
])('a custom function may not call %s', async (call, name) => {
  await expect(evaluateCell(`return ${call}`)).rejects.toThrow(`You do not have permission to call ${name}`);
});

test.each(['LanguageApp.translate("a", "en", "de")', 'Maps.newGeocoder()', 'XmlService.parse("<a/>")'])(
  'a custom function may call %s, which is not emulated',
  async (call) => {
    await expect(evaluateCell(`return ${call}`)).rejects.toThrow('not emulated');
  },
);

test('a function that needs a denied scope asks for it and ends', async () => {
  const shown: unknown[] = [];
  const scope = `${SCOPE}script.external_request`;
  const host = createHost(
    `function go(scope) { try { ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, [scope]) } catch (error) { return error.message }
       return 'granted' }`,
    { manifest: MANIFEST, deniedScopes: [scope], onUi: (request) => void shown.push(request) },
  );
  await expect(host.run('go', [scope])).rejects.toThrow('Authorization is required to perform that action.');
  expect(shown).toEqual([{ kind: 'consent', scopes: [scope] }]);
  expect(await host.run('go', [`${SCOPE}drive`])).toBe(`Invalid scope: ${SCOPE}drive`);
  host.updateSettings({ deniedScopes: [] });
  expect(await host.run('go', [scope])).toBe('granted');
});

test('calls of services take time by the script’s clock, and end a custom function after 30 seconds', async () => {
  const code = `function F(count) { const from = Date.now();
    for (let at = 0; at < count; at++) Utilities.parseDate('2024', 'GMT', 'yyyy');
    return Date.now() - from }`;
  const host = createHost(code, { now: () => 0 });
  const evaluate = (count: number) => host.evaluate('F', [count], { sheet: 'Sheet1', row: 1, column: 1 });
  expect(await evaluate(600)).toEqual({ values: [[30_000]] });
  expect(await evaluate(601)).toMatchObject({ error: 'Exceeded maximum execution time' });
  expect(host.usage.serviceCalls).toBe(1201);
  host.updateSettings({ serviceLatencyMs: 0 });
  expect(await evaluate(601)).toEqual({ values: [[0]] });
});

test('the script’s clock never goes back', async () => {
  const host = createHost(
    'function go() { const from = Date.now(); CacheService.getScriptCache().get("a"); return [from, Date.now()] }',
    { now: () => 0 },
  );
  expect([await host.run('go'), await host.run('go')]).toEqual([
    [0, 50],
    [50, 100],
  ]);
});
