// Formulas: what arrives, what may be returned, what is refused and what is remembered.
import { expect, test } from 'vitest';
import { CELL, Clock, cell, cells, hostOf, OWNER, VIEWER } from './host.ts';

test('a reference to one cell arrives as its value, a range as rows', async () => {
  const shape = 'return JSON.stringify([a, b, c])';
  expect(await cell(shape, {}, [[['one']], [['one', 2]], [['one'], ['']]])).toBe(
    '["one",[["one",2]],[["one"],[""]]]',
  );
});

test.each([
  ['a number', 'return 5', [[5]]],
  [
    'rows',
    'return [[1, "a"], [true, 2]]',
    [
      [1, 'a'],
      [true, 2],
    ],
  ],
  ['a list as one column', 'return [1, 2, 3]', [[1], [2], [3]]],
  [
    'short rows, filled up with blanks',
    'return [[1, 2], [3], 4]',
    [
      [1, 2],
      [3, ''],
      [4, ''],
    ],
  ],
  ['blanks for undefined and null', 'return [[undefined, null]]', [['', '']]],
  ['a blank for nothing', '', [['']]],
  ['a date', 'return new Date(86400000)', [[new Date(86_400_000)]]],
  ['#NUM! for what is no number', 'return [[NaN, 1 / 0, new Date(NaN)]]', [['#NUM!', '#NUM!', '#NUM!']]],
])('a custom function can return %s', async (_what, body, expected) => {
  expect(await cells(body)).toEqual(expected);
});

test.each([
  ['an object', 'return { a: 1 }', /not a number, text, boolean or date: object/],
  ['a function', 'return () => 1', /function/],
  ['a promise', 'return Promise.resolve(1)', /object/],
  ['an array three deep', 'return [[[1]]]', /an array inside a row/],
  ['an empty array', 'return []', /empty array/],
  ['more than 50,000 characters', 'return "x".repeat(50001)', /maximum of 50000 characters/],
])('a custom function that returns %s is an error', async (_what, body, words) => {
  await expect(cells(body)).rejects.toThrow(words);
});

test('a thrown error is the error of the cell, its line in the tooltip', async () => {
  const host = hostOf(
    'function F() {\n  throw new RangeError("too far");\n}\nfunction G() { throw "plain" }',
  );
  expect(await host.evaluate('F', [], CELL)).toEqual({
    error: 'too far',
    tooltip: 'RangeError: too far (line 2).',
  });
  expect(await host.evaluate('G', [], CELL)).toEqual({ error: 'plain', tooltip: 'plain' });
});

test('private functions and names that are no function are unknown to a formula', async () => {
  const host = hostOf(
    'function secret_() { return 1 }\nvar value = 5;\nconst arrow = () => 1;\nfunction outer() { function inner() {} }',
  );
  for (const name of ['secret_', 'value', 'arrow', 'inner', 'eval', 'nothing']) {
    expect(await host.evaluate(name, [], CELL)).toMatchObject({ error: `Unknown function: '${name}'.` });
  }
  expect(host.usage.executions).toBe(0);
});

test('a formula is remembered by name and arguments until it is forgotten', async () => {
  const host = hostOf('function F(x) { return x }\nfunction G(x) { return x }');
  const ask = (name: string, x: number | string) => host.evaluate(name, [x], CELL);
  await ask('F', 1);
  await host.evaluate('F', [1], { ...CELL, row: 9 });
  expect(host.usage.formulaRuns).toBe(1);
  await ask('F', '1');
  await ask('G', 1);
  expect(host.usage.formulaRuns).toBe(3);
  host.clearResults('F');
  await ask('F', 1);
  await ask('G', 1);
  expect(host.usage.formulaRuns).toBe(4);
  host.clearResults();
  await ask('G', 1);
  expect(host.usage.formulaRuns).toBe(5);
});

test('a formula that failed runs again, and is remembered once it gives a value', async () => {
  const host = hostOf(`function F() { const store = PropertiesService.getScriptProperties();
    if (store.getProperty('ready') === null) { throw new Error('not yet') } return 'value' }
    function ready() { PropertiesService.getScriptProperties().setProperty('ready', 'yes') }`);
  const ask = () => host.evaluate('F', [], CELL);
  expect(await ask()).toMatchObject({ error: 'not yet' });
  await host.run('ready');
  expect(await ask()).toEqual({ values: [['value']] });
  await ask();
  expect(host.usage.formulaRuns).toBe(2);
});

test('a custom function is ended after 30 seconds, even in an endless loop', async () => {
  const clock = new Clock();
  const host = hostOf('function F() { console.log("running"); while (true); }', {
    ...clock.options,
    onLog: () => clock.pass(30_000),
  });
  expect(await host.evaluate('F', [], CELL)).toMatchObject({ error: 'Exceeded maximum execution time' });
});

test.each([
  [
    'SpreadsheetApp.getActiveSpreadsheet().insertSheet("x")',
    'You do not have permission to call insertSheet',
  ],
  ['SpreadsheetApp.getActiveSpreadsheet().toast("x")', 'You do not have permission to call toast'],
  ['Session.getActiveUser()', 'You do not have permission to call Session.getActiveUser'],
  ['Session.getScriptTimeZone()', 'You do not have permission to call Session.getScriptTimeZone'],
  ['SpreadsheetApp.getUi()', 'Cannot call SpreadsheetApp.getUi() from this context.'],
])('a custom function is refused %s', async (call, words) => {
  await expect(cell(call)).rejects.toThrow(words);
});

test("inside a formula the user's properties are the owner's, in a menu the viewer's", async () => {
  const properties = { user: { [OWNER]: { token: 'of the owner' }, [VIEWER]: { token: 'of the viewer' } } };
  const host = hostOf('function F() { return PropertiesService.getUserProperties().getProperty("token") }', {
    properties,
  });
  expect(await host.evaluate('F', [], CELL)).toEqual({ values: [['of the owner']] });
  expect(await host.run('F')).toBe('of the viewer');
});

test("inside a formula an editor who is not the owner can't set user properties", async () => {
  const host = hostOf(
    'function F() { PropertiesService.getUserProperties().setProperty("a", "b"); return 1 }',
  );
  expect(await host.evaluate('F', [], CELL)).toMatchObject({
    error: expect.stringContaining('do not have permission'),
  });
  host.updateSettings({ people: { owner: VIEWER, viewer: VIEWER } });
  host.clearResults();
  expect(await host.evaluate('F', [], CELL)).toEqual({ values: [[1]] });
});

test('document properties can be missing in formulas and there in menus', async () => {
  const code = `function F() { return [PropertiesService.getDocumentProperties(), CacheService.getDocumentCache(),
    LockService.getDocumentLock()].map((found) => found === null).join() }`;
  const host = hostOf(code, { documentInFormulas: false });
  expect(await host.evaluate('F', [], CELL)).toEqual({ values: [['true,true,true']] });
  expect(await host.run('F')).toBe('false,false,false');
  const none = hostOf(code, { properties: { document: null } });
  expect(await none.run('F')).toBe('true,true,true');
});
