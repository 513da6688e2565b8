// Formulas: what arrives, what may be returned, what is refused and what is remembered.
import { expect, test } from 'vitest';
import { Memo } from '../../../addon/host/memo.ts';
import type { Execution } from '../../../addon/host/protocol.ts';
import type { Argument } from '../../../addon/host/types.ts';
import { CELL, Clock, cell, cells, hostOf, network, OWNER, VIEWER } from './host.ts';

test('a reference to one cell arrives as its value, a range as rows', async () => {
  const shape = 'return JSON.stringify([a, b, c])';
  expect(await cell(shape, {}, [[['one']], [['one', 2]], [['one'], ['']]])).toBe(
    '["one",[["one",2]],[["one"],[""]]]',
  );
});

test('numbers, texts, booleans, dates and blanks arrive as such, a left out argument as undefined', async () => {
  const body = 'return [typeof a, typeof b, typeof c, arguments.length]';
  expect((await cells(body, {}, [1.5, 'x', true])).flat()).toEqual(['number', 'string', 'boolean', 3]);
  expect((await cells(body, {}, ['', undefined, ''])).flat()).toEqual(['string', 'undefined', 'string', 3]);
  const when = new Date('2026-03-01T10:00:00Z');
  expect(await cell('return a instanceof Date && a.toISOString()', {}, [when])).toBe(when.toISOString());
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
  host.forget('F');
  await ask('F', 1);
  await ask('G', 1);
  expect(host.usage.formulaRuns).toBe(4);
  host.forget();
  await ask('G', 1);
  expect(host.usage.formulaRuns).toBe(5);
});

test('what one function gave for some arguments can be forgotten alone', async () => {
  const host = hostOf('function F(x) { return x }');
  const ask = (x: Argument) => host.evaluate('F', [x], CELL);
  await ask([['a'], ['b']]);
  await ask('c');
  await ask('d');
  host.forget('F', [[['a'], ['b']]]);
  host.forget('F', [[['c']]]);
  await ask('d');
  expect(host.usage.formulaRuns).toBe(3);
  await ask('c');
  await ask([['a'], ['b']]);
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

test('5,000 results are remembered, of more the oldest is not', () => {
  const memo = new Memo();
  for (let at = 0; at <= 5000; at += 1) memo.set('F', [at], { values: [[at]] });
  expect(memo.get('F', [0])).toBeUndefined();
  expect(memo.get('F', [1])).toEqual({ values: [[1]] });
  expect(memo.get('F', [5000])).toEqual({ values: [[5000]] });
});

test('a custom function is ended after 30 seconds, even in an endless loop', async () => {
  const clock = new Clock();
  const host = hostOf('function F() { console.log("running"); while (true); }', {
    ...clock.options,
    onLog: () => clock.pass(30_000),
  });
  expect(await host.evaluate('F', [], CELL)).toMatchObject({ error: 'Exceeded maximum execution time' });
});

test('a custom function that waits for the network is ended after 30 seconds', async () => {
  const clock = new Clock();
  const result = cell('UrlFetchApp.fetch("https://slow.example/"); return 1', {
    ...clock.options,
    fetch: () => {
      clock.pass(30_000);
      return new Promise(() => undefined);
    },
  });
  await expect(result).rejects.toThrow('Exceeded maximum execution time');
});

test('29.9 seconds are within the limit', async () => {
  const clock = new Clock();
  const result = cell('Utilities.sleep(29900); return "done"', clock.options);
  await clock.waitedFor(29_900);
  clock.pass(29_900);
  expect(await result).toBe('done');
});

test('of one user 30 executions run at a time, the 31st fails and is not remembered', async () => {
  const finish: (() => void)[] = [];
  const startExecution = (): Execution => ({
    run: () =>
      new Promise((resolve) => {
        finish.push(() => resolve({ done: true, value: '[[1]]' }));
      }),
    terminate: () => undefined,
  });
  const host = hostOf('function F() {}', { startExecution });
  const running = Array.from({ length: 30 }, (_, index) => host.evaluate('F', [index], CELL));
  const tooMany = {
    error: 'There are too many scripts running simultaneously for this Google user account.',
  };
  expect(await host.evaluate('F', [30], CELL)).toMatchObject(tooMany);
  await expect(host.run('F')).rejects.toThrow(tooMany.error);
  host.change({ people: { owner: OWNER, viewer: OWNER } });
  const others = host.evaluate('F', [31], CELL);
  for (const end of finish.splice(0)) end();
  expect(await others).toEqual({ values: [[1]] });
  await Promise.all(running);
  host.change({ people: { owner: OWNER, viewer: VIEWER } });
  const again = host.evaluate('F', [30], CELL);
  for (const end of finish.splice(0)) end();
  expect(await again).toEqual({ values: [[1]] });
});

test.each([
  ['setValue(1)', 'setValue'],
  ['setValues([[1]])', 'setValues'],
  ['setFormula("=A1")', 'setFormula'],
  ['clearContent()', 'clearContent'],
  ['setNumberFormat("@")', 'setNumberFormat'],
  ['setBackground("red")', 'setBackground'],
])('a custom function may not call %s', async (call, name) => {
  const result = cell(`SpreadsheetApp.getActiveSheet().getRange("A1").${call}`);
  await expect(result).rejects.toThrow(`You do not have permission to call ${name}`);
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

test('a custom function may use cache, lock, properties, the spreadsheet, the network and utilities', async () => {
  const body = `CacheService.getUserCache().put('a', '1');
    LockService.getScriptLock().waitLock(1);
    return [CacheService.getUserCache().get('a'), PropertiesService.getScriptProperties().getProperty('p'),
      SpreadsheetApp.getActiveSpreadsheet().getName(), UrlFetchApp.fetch('https://a.example/').getContentText(),
      Utilities.base64Encode('x')]`;
  const properties = { script: { p: '2' } };
  expect((await cells(body, { properties, fetch: network().fetch })).flat()).toEqual([
    '1',
    '2',
    'Prospects',
    'ok',
    'eA==',
  ]);
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
  host.change({ people: { owner: VIEWER, viewer: VIEWER } });
  host.forget();
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

test('the active range of a formula is its own cell', async () => {
  const body =
    'const range = SpreadsheetApp.getActiveRange(); return range.getSheet().getName() + "!" + range.getA1Notation()';
  expect(
    await cell(body, {
      workbook: () =>
        Promise.resolve({
          id: 'b',
          name: 'B',
          sheets: [
            { id: 1, name: 'Other', values: [] },
            { id: 2, name: 'Sheet1', values: [] },
          ],
        }),
    }),
  ).toBe('Sheet1!C2');
});

test('a closed host ends what runs and takes nothing new', async () => {
  const host = hostOf('function F() { console.log("running"); while (true); }', {
    onLog: () => host.close(),
  });
  await expect(host.evaluate('F', [], CELL)).rejects.toThrow('terminated');
  await expect(host.evaluate('F', [1], CELL)).rejects.toThrow('closed');
});

test('a script in strict mode has public functions too', async () => {
  const host = hostOf('"use strict";\nfunction ANSWER() { return 42; }');
  expect(await host.evaluate('ANSWER', [], CELL)).toEqual({ values: [[42]] });
});
