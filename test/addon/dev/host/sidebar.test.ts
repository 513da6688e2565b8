// Sidebar pages and the values that google.script.run accepts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toScriptRunResult } from '../../../../addon/dev/host/realm/execution.ts';
import { copyArguments } from '../../../../addon/dev/host/script-run.ts';
import type { UiRequest } from '../../../../addon/dev/host/types.ts';
import { createHost, createNetwork, runAsMenu, VIEWER } from './host.ts';

const FILES = { files: { Sidebar: '<p>Hello</p>' } };

test('returns the raw content of a template, which the script can evaluate', async () => {
  const script = '"use strict";var own=(()=>({sum:(a,b)=>a+b,tag:"</script><?= 1 ?>"}))();own';
  const body = `const text = HtmlService.createTemplateFromFile("Script").getRawContent();
    const evaluate = globalThis.eval;
    const evaluated = evaluate(text);
    return [text, evaluated.sum(1, 2), evaluated.tag, typeof own, new Function("return typeof SpreadsheetApp")()]`;
  const options = { files: { Script: script } };
  expect(await runAsMenu(body, options)).toEqual([script, 3, '</script><?= 1 ?>', 'undefined', 'object']);
});

test.each([
  ['HtmlService.createHtmlOutputFromFile("None")', 'No HTML file named None was found.'],
  ['SpreadsheetApp.getUi().showSidebar("<p>")', "The parameters (String) don't match the method signature"],
  ['HtmlService.createTemplateFromFile("Sidebar").evaluate()', 'not emulated: HtmlService.HtmlTemplate'],
])('%s throws', async (call, message) => {
  await expect(runAsMenu(call, FILES)).rejects.toThrow(message);
});

const PAGE = (code: string) => `<a href="https://a.example">/* a */</a><script>${code}</script>`;
const PLAIN = 'const a = "https://b // c", d = /\\/*[/*]/, e = 6 / 2 / 3';

test.each([
  // The report: https://github.com/enuchi/React-Google-Apps-Script/issues/157
  ['write(`Google is /*`);\nwrite(`fun and never*/ broken`)', 'write(`Google is  broken`)'],
  ['go(`https://a.example`);\nnext()', 'go(`https:\nnext()'],
  [`${PLAIN}; // comment\nnext() /* another */`, `${PLAIN}; \nnext() `],
])('a page with the script %j is served with %j', async (code, served) => {
  for (const [stripsComments, expected] of [
    [true, PAGE(served)],
    [false, PAGE(code)],
  ] as const) {
    const shown: UiRequest[] = [];
    const options = {
      stripsComments,
      files: { Page: PAGE(code), Script: code },
      onUi: (request: UiRequest) => void shown.push(request),
    };
    const body = `const fromFile = HtmlService.createHtmlOutputFromFile("Page");
      SpreadsheetApp.getUi().showSidebar(fromFile);
      return HtmlService.createTemplateFromFile("Script").getRawContent()`;
    expect(await runAsMenu(body, options)).toBe(stripsComments ? served : code);
    expect(shown.map((request) => 'html' in request && request.html)).toEqual([expected]);
  }
});

test('runs a public function as the viewer with full permissions', async () => {
  const { fetch, requests } = createNetwork();
  const host = createHost(
    `function go(a, b) { UrlFetchApp.fetch('https://a.example/'); SpreadsheetApp.getActiveSheet().getRange('A9').setValue(a.list[1]);
     PropertiesService.getUserProperties().setProperty('k', 'v'); SpreadsheetApp.getUi().alert('Done');
     return { a, b, none: undefined, items: [undefined, null, NaN] } }`,
    { fetch },
  );
  const argument = { list: [1, 'two'], flag: true, none: undefined };
  expect(await host.call('go', [argument, null])).toEqual({
    a: { list: [1, 'two'], flag: true },
    b: null,
    items: [null, null, null],
  });
  expect(requests).toHaveLength(1);
  expect(host.properties.user).toEqual({ [VIEWER]: { k: 'v' } });
  expect(host.workbook.sheets[0]?.values[8]).toEqual(['two']);
});

test.each([
  ['a date', 'new Date(0)'],
  ['a date deep inside', '{ rows: [[1, new Date(0)]] }'],
  ['a function', '{ done: () => 1 }'],
  ['an object of a service', '[SpreadsheetApp.getActiveSheet()]'],
  ['an object of a class', 'new Map()'],
  ['a circle', '(() => { const a = {}; a.a = [a]; return a })()'],
])('returns null for a result with %s', async (_, value) => {
  expect(await createHost(`function go() { return ${value} }`).call('go')).toBeNull();
});

test('passes every JSON value unchanged in both directions', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 3 }), (values) => {
      const sent = JSON.parse(JSON.stringify(values));
      expect(copyArguments(values)).toEqual(sent);
      expect(toScriptRunResult(values)).toEqual(sent);
    }),
    { seed: 7, numRuns: 100 },
  );
});

test('passes an error to the failure handler with its name and message', async () => {
  const host = createHost(`function plain() { throw new Error('No credits left.') }
    function typed() { null.x } function text() { throw 'bare' }
    async function late() { await null; throw new RangeError('late') }
    function refused() { SpreadsheetApp.getActiveSheet().getRange('nonsense!') }`);
  const getError = (name: string): Promise<unknown> =>
    host.call(name).catch((error: unknown) => String(error));
  expect(await getError('plain')).toBe('ScriptError: Error: No credits left.');
  expect(await getError('typed')).toContain('ScriptError: TypeError: ');
  expect(await getError('text')).toBe('ScriptError: bare');
  expect(await getError('late')).toBe('ScriptError: RangeError: late');
  expect(await getError('refused')).toBe('ScriptError: Exception: Range not found');
});
