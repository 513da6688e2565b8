// Custom functions: arguments, return values, errors, result cache and permissions.
import { expect, test } from 'vitest';
import { CELL, Clock, createHost, evaluateCell, evaluateCells } from './host.ts';

test.each([
  ['5', '[[5]]'],
  ['[[1, "a"], [true, 2]]', '[[1,"a"],[true,2]]'],
  ['[1, 2, 3]', '[[1],[2],[3]]'],
  ['[[1, 2], [3], 4]', '[[1,2],[3,""],[4,""]]'],
  ['[[undefined, null]]', '[["",""]]'],
  ['', '[[""]]'],
  ['new Date(86400000)', '[["1970-01-02T00:00:00.000Z"]]'],
  ['[[NaN, 1 / 0, new Date(NaN)]]', '[["#NUM!","#NUM!","#NUM!"]]'],
])('converts the return value %s to cells', async (value, expected) => {
  expect(JSON.stringify(await evaluateCells(`return ${value}`))).toBe(expected);
});

test.each([
  ['{ a: 1 }', /not a number, text, boolean or date: object/],
  ['() => 1', /function/],
  ['Promise.resolve(1)', /object/],
  ['[[[1]]]', /an array inside a row/],
  ['[]', /empty array/],
  ['"x".repeat(50001)', /maximum of 50000 characters/],
])('rejects the return value %s', async (value, message) => {
  await expect(evaluateCells(`return ${value}`)).rejects.toThrow(message);
});

test('shows a thrown error in the cell, with its line in the tooltip', async () => {
  const host = createHost(
    'function F() {\n  throw new RangeError("too far");\n}\nfunction G() { throw "plain" }',
  );
  const tooltip = 'RangeError: too far (line 2).';
  expect(await host.evaluate('F', [], CELL)).toEqual({ error: 'too far', tooltip });
  expect(await host.evaluate('G', [], CELL)).toEqual({ error: 'plain', tooltip: 'plain' });
});

test('finds only public top-level functions', async () => {
  const host = createHost(`function secret_() { return 1 } var value = 5; const arrow = () => 1;
    function outer() { function inner() {} }`);
  for (const name of ['secret_', 'value', 'arrow', 'inner', 'eval', 'nothing']) {
    expect(await host.evaluate(name, [], CELL)).toMatchObject({ error: `Unknown function: '${name}'.` });
  }
  expect(host.usage.executions).toBe(0);
});

test('reuses a result by name and arguments until it is cleared, if told to', async () => {
  const code = 'function F(x) { return x }\nfunction G(x) { return x }';
  const host = createHost(code, { reusesResults: true });
  const evaluate = (name: string, x: number | string) => host.evaluate(name, [x], CELL);
  await evaluate('F', 1);
  await host.evaluate('F', [1], { ...CELL, row: 9 });
  expect(host.usage.formulaRuns).toBe(1);
  await evaluate('F', '1');
  await evaluate('G', 1);
  expect(host.usage.formulaRuns).toBe(3);
  host.clearResults();
  await evaluate('G', 1);
  expect(host.usage.formulaRuns).toBe(4);
});

test('does not reuse failures', async () => {
  const code = `function F() { const store = PropertiesService.getScriptProperties();
    if (store.getProperty('ready') === null) { throw new Error('not yet') } return 'value' }
    function ready() { PropertiesService.getScriptProperties().setProperty('ready', 'yes') }`;
  const host = createHost(code, { reusesResults: true });
  const evaluate = () => host.evaluate('F', [], CELL);
  expect(await evaluate()).toMatchObject({ error: 'not yet' });
  await host.run('ready');
  expect(await evaluate()).toEqual({ values: [['value']] });
  await evaluate();
  expect(host.usage.formulaRuns).toBe(2);
});

test('terminates a custom function after 30 seconds, even in an endless loop', async () => {
  const clock = new Clock();
  const host = createHost('function F() { console.log("running"); while (true); }', {
    ...clock.options,
    onLog: () => clock.advance(30_000),
  });
  expect(await host.evaluate('F', [], CELL)).toMatchObject({ error: 'Exceeded maximum execution time' });
});

test('opens no user interface', async () => {
  await expect(evaluateCell('SpreadsheetApp.getUi()')).rejects.toThrow(
    'Cannot call SpreadsheetApp.getUi() from this context.',
  );
});
