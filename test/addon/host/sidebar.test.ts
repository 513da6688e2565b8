// Sidebar and dialogs: who may show them, and what google.script.run lets through.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Execution } from '../../../addon/host/protocol.ts';
import { passed } from '../../../addon/host/remote.ts';
import { carried } from '../../../addon/host/results.ts';
import type { UiRequest } from '../../../addon/host/types.ts';
import { Clock, cell, click, hostOf, network, OWNER, VIEWER } from './host.ts';

const PAGE = 'const page = HtmlService.createHtmlOutputFromFile("Sidebar").setTitle("CDAPI");';
const FILES = { files: { Sidebar: '<p>Hello</p>' } };
const CONTAINER_UI = 'https://www.googleapis.com/auth/script.container.ui';

test('a menu shows a sidebar made of a file, and a dialog made of text', async () => {
  const shown: UiRequest[] = [];
  await click(
    `${PAGE} const ui = SpreadsheetApp.getUi(); ui.showSidebar(page);
     ui.showModalDialog(HtmlService.createHtmlOutput('<b>1</b>').setWidth(400).setHeight(300), 'Pick');
     ui.showModelessDialog(HtmlService.createHtmlOutput().append('2'), 'Look');`,
    { ...FILES, onUi: (request) => void shown.push(request) },
  );
  expect(shown).toEqual([
    { kind: 'sidebar', title: 'CDAPI', html: '<p>Hello</p>' },
    { kind: 'dialog', title: 'Pick', html: '<b>1</b>', width: 400, height: 300, modal: true },
    { kind: 'dialog', title: 'Look', html: '2', width: null, height: null, modal: false },
  ]);
});

test('a page can be read and changed', async () => {
  const body = `${PAGE} const before = [page.getContent(), page.getTitle(), page.getWidth()];
    page.setContent('a').append('b').setSandboxMode(HtmlService.SandboxMode.IFRAME);
    return [...before, page.getContent(), page.clear().getContent()]`;
  expect(await click(body, FILES)).toEqual(['<p>Hello</p>', 'CDAPI', null, 'ab', '']);
});

test('a file’s raw content is the file as it is, and a script in it can be run (reference "HtmlTemplate", getRawContent)', async () => {
  const script = '"use strict";var own=(()=>({sum:(a,b)=>a+b,tag:"</script><?= 1 ?>"}))();own';
  const body = `const text = HtmlService.createTemplateFromFile("Script").getRawContent();
    const evaluate = globalThis.eval;
    const made = evaluate(text);
    return [text, made.sum(1, 2), made.tag, typeof own, new Function("return typeof SpreadsheetApp")()]`;
  const options = { files: { Script: script } };
  const told = [script, 3, '</script><?= 1 ?>', 'undefined', 'object'];
  expect(await click(body, options)).toEqual(told);
});

test.each([
  ['HtmlService.createHtmlOutputFromFile("None")', 'No HTML file named None was found.'],
  [
    'SpreadsheetApp.getUi().showSidebar("<p>")',
    "The parameters (String) don't match the method signature for Ui.showSidebar.",
  ],
  [
    'SpreadsheetApp.getUi().showModalDialog(HtmlService.createHtmlOutput("x"))',
    "The parameters (HtmlService.HtmlOutput) don't match the method signature for Ui.showModalDialog.",
  ],
  ['HtmlService.createTemplateFromFile("None")', 'No HTML file named None was found.'],
  [
    'HtmlService.createTemplateFromFile("Sidebar").evaluate()',
    'not emulated: HtmlService.HtmlTemplate.evaluate',
  ],
  [
    'HtmlService.createTemplateFromFile("Sidebar").getCode()',
    'not emulated: HtmlService.HtmlTemplate.getCode',
  ],
  ['HtmlService.createTemplate("<p>")', 'not emulated: HtmlService.createTemplate'],
])('%s throws', async (call, words) => {
  await expect(click(call, FILES)).rejects.toThrow(words);
});

test('a formula may make a page and not show it', async () => {
  const page = 'HtmlService.createHtmlOutput("x")';
  expect(await cell(`return ${page}.getContent()`)).toBe('x');
  await expect(cell(`SpreadsheetApp.getUi().showSidebar(${page})`)).rejects.toThrow(
    'Cannot call SpreadsheetApp.getUi() from this context.',
  );
});

test.each(['NONE', 'LIMITED'] as const)(
  'a simple trigger with AuthMode.%s may not show a page, since that needs consent',
  async (authMode) => {
    const host = hostOf(`function onOpen() { ${PAGE} SpreadsheetApp.getUi().showSidebar(page) }`, FILES);
    await expect(host.run('onOpen', [], 'open', { authMode })).rejects.toThrow(
      `You do not have permission to call Ui.showSidebar. Required permissions: ${CONTAINER_UI}`,
    );
  },
);

test('a page needs the scope script.container.ui, an alert does not', async () => {
  const manifest = { oauthScopes: ['https://www.googleapis.com/auth/spreadsheets.currentonly'] };
  await expect(
    click(`${PAGE} SpreadsheetApp.getUi().showSidebar(page)`, { ...FILES, manifest }),
  ).rejects.toThrow(
    `Specified permissions are not sufficient to call Ui.showSidebar. Required permissions: ${CONTAINER_UI}`,
  );
  expect(await click('return String(SpreadsheetApp.getUi().alert("Hi"))', { manifest })).toBe('CLOSE');
});

test('the sidebar calls a public function as its viewer, with all that was consented to', async () => {
  const { fetch, requests } = network();
  const host = hostOf(
    `function go(a, b) { UrlFetchApp.fetch('https://a.example/'); SpreadsheetApp.getActiveSheet().getRange('A9').setValue(a.list[1]);
     PropertiesService.getUserProperties().setProperty('k', 'v'); SpreadsheetApp.getUi().alert('Done');
     return { a, b, none: undefined, items: [undefined, null, NaN] } }`,
    { fetch },
  );
  const given = { list: [1, 'two'], flag: true, none: undefined };
  expect(await host.call('go', [given, null])).toEqual({
    a: { list: [1, 'two'], flag: true },
    b: null,
    items: [null, null, null],
  });
  expect(requests).toHaveLength(1);
  expect(host.properties.user).toEqual({ [VIEWER]: { k: 'v' } });
  expect(host.workbook.sheets[0]?.values[8]).toEqual(['two']);
});

test('a function that returns nothing gives null', async () => {
  expect(await hostOf('function go() {}').call('go')).toBeNull();
});

test.each([
  ['a date', 'new Date(0)'],
  ['a date deep inside', '{ rows: [[1, new Date(0)]] }'],
  ['a function', '{ done: () => 1 }'],
  ['an object of a service', '[SpreadsheetApp.getActiveSheet()]'],
  ['an object of a class', 'new Map()'],
  ['a circle', '(() => { const a = {}; a.a = [a]; return a })()'],
])('%s in an answer makes the whole answer null', async (_what, value) => {
  expect(await hostOf(`function go() { return ${value} }`).call('go')).toBeNull();
});

test('whatever JSON holds passes both ways as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 3 }), (values) => {
      const sent = JSON.parse(JSON.stringify(values));
      expect(passed(values)).toEqual(sent);
      expect(carried(values)).toEqual(sent);
    }),
    { seed: 7, numRuns: 100 },
  );
});

test('the same object twice is no circle', async () => {
  const host = hostOf('function go(a) { const b = [a]; return [b, b] }');
  expect(await host.call('go', [{ x: 1 }])).toEqual([[{ x: 1 }], [{ x: 1 }]]);
});

const circle: unknown[] = [];
circle.push({ circle });

test.each([
  ['a date', new Date(0), 'Failed due to illegal value in property: 0'],
  ['a date deep inside', { when: [new Date(0)] }, 'Failed due to illegal value in property: 0'],
  ['a function', { done: () => 1 }, 'Failed due to illegal value in property: done'],
  ['an object of a class', { of: new Map() }, 'Failed due to illegal value in property: of'],
  ['a circle', circle, 'Failed due to circular reference.'],
])('the page is refused %s as an argument, before anything runs', async (_what, value, words) => {
  const host = hostOf('function go() {}');
  await expect(host.call('go', [value])).rejects.toMatchObject({ name: 'TypeError', message: words });
  expect(host.usage.executions).toBe(0);
});

test.each(['hidden_', 'nothing', 'value'])('the page knows no function %s', async (name) => {
  const host = hostOf('function hidden_() {}\nvar value = () => 1;');
  await expect(host.call(name)).rejects.toMatchObject({
    name: 'TypeError',
    message: `google.script.run.${name} is not a function`,
  });
});

test('what a function throws reaches the failure handler with its name before its words', async () => {
  const host = hostOf(`function plain() { throw new Error('No credits left.') }
    function typed() { null.x } function text() { throw 'bare' }
    async function late() { await null; throw new RangeError('late') }
    function refused() { SpreadsheetApp.getActiveSheet().getRange('nonsense!') }`);
  const said = (name: string): Promise<unknown> => host.call(name).catch((error: unknown) => String(error));
  expect(await said('plain')).toBe('ScriptError: Error: No credits left.');
  expect(await said('typed')).toContain('ScriptError: TypeError: ');
  expect(await said('text')).toBe('ScriptError: bare');
  expect(await said('late')).toBe('ScriptError: RangeError: late');
  expect(await said('refused')).toBe('ScriptError: Exception: Range not found');
});

test('a call of the sidebar is ended after six minutes', async () => {
  const clock = new Clock();
  const host = hostOf('function go() { console.log("running"); while (true); }', {
    ...clock.options,
    onLog: () => clock.pass(360_000),
  });
  await expect(host.call('go')).rejects.toThrow('Exception: Exceeded maximum execution time');
});

test('calls overlap: a long one does not hold up another', async () => {
  const clock = new Clock();
  const host = hostOf(
    'function slow() { Utilities.sleep(5000); return "slow" } function quick() { return "quick" }',
    clock.options,
  );
  const slow = host.call('slow');
  await clock.waitedFor(5000);
  expect(await host.call('quick')).toBe('quick');
  clock.pass(5000);
  expect(await slow).toBe('slow');
});

/** Executions that a test ends itself, in the order in which they started. */
function held() {
  const ends: (() => void)[] = [];
  const startExecution = (): Execution => ({
    run: () =>
      new Promise((resolve) => {
        ends.push(() => resolve({ done: true, value: '1' }));
      }),
    terminate: () => undefined,
  });
  return { ends, startExecution };
}

test('10 calls of the page run at a time, the 11th waits for one to end', async () => {
  const { ends, startExecution } = held();
  const host = hostOf('function go() {}', { startExecution });
  const calls = Array.from({ length: 11 }, () => host.call('go'));
  await Promise.resolve();
  expect(host.usage.executions).toBe(10);
  ends[0]?.();
  await calls[0];
  await expect.poll(() => host.usage.executions).toBe(11);
  for (const end of ends) end();
  expect(await Promise.all(calls)).toEqual(Array(11).fill(1));
});

test('calls of the page count among the 30 executions of their viewer', async () => {
  const { ends, startExecution } = held();
  const host = hostOf('function go() {} function F() {}', { startExecution });
  const others = Array.from({ length: 30 }, () => host.run('go'));
  await expect(host.call('go')).rejects.toThrow(
    'Exception: There are too many scripts running simultaneously for this Google user account.',
  );
  host.change({ people: { owner: OWNER, viewer: OWNER } });
  const call = host.call('go');
  await expect.poll(() => ends.length).toBe(31);
  for (const end of ends) end();
  expect(await call).toBe(1);
  await Promise.all(others);
});
