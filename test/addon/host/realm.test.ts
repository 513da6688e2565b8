// The realm of a script: fresh globals for each call, and only those that Apps Script has.
import { expect, test } from 'vitest';
import { LANGUAGE, MISSING, SERVICES } from '../../../addon/host/globals.ts';
import { CELL, Clock, cell, cells, click, hostOf } from './host.ts';

const NAMES = `const names = [];
  for (let at = globalThis; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(...Reflect.ownKeys(at).map(String));
  }
  return names;`;

test('a script finds the language, the services and its own functions, and nothing else', async () => {
  const names = (await cells(NAMES)).flat();
  expect(new Set(names)).toEqual(new Set([...LANGUAGE, ...SERVICES, ...MISSING, 'F']));
});

test.each([
  'fetch XMLHttpRequest setTimeout setInterval setImmediate queueMicrotask URL URLSearchParams TextEncoder TextDecoder',
  'crypto atob btoa structuredClone performance WebAssembly SharedArrayBuffer Atomics self window process require',
  'module exports postMessage importScripts navigator Buffer WeakRef AggregateError Iterator',
])('a script has no %s', async (names) => {
  const types = await cells(`return a.split(' ').map((name) => typeof globalThis[name])`, {}, [names]);
  expect(new Set(types.flat())).toEqual(new Set(['undefined']));
});

test('a script has no methods that came after ES2020', async () => {
  const body = `return [[].at, ''.replaceAll, Object.hasOwn, [].findLast, new Uint8Array(1).at, Promise.any]
    .map((found) => typeof found)`;
  expect((await cells(body)).flat()).toEqual(Array(6).fill('undefined'));
});

test('each call starts with fresh globals', async () => {
  const host =
    hostOf(`function F() { const found = [typeof [].mine, typeof globalThis.kept, typeof JSON.parse];
    Array.prototype.mine = 1; globalThis.kept = 1; JSON.parse = 1; return found.join() }`);
  expect(await host.run('F')).toBe('undefined,undefined,function');
  expect(await host.run('F')).toBe('undefined,undefined,function');
});

test('what services give and throw is made of the classes of the script', async () => {
  const body = `let thrown;
    try { Utilities.base64Decode('!') } catch (error) { thrown = error }
    const range = SpreadsheetApp.getActiveSheet().getRange('A1:B2');
    return [thrown instanceof Error, thrown.name, range.getValues() instanceof Array,
      PropertiesService.getScriptProperties().getProperties() instanceof Object].join()`;
  expect(await cell(body)).toBe('true,Exception,true,true');
});

test('nothing that a service gives leads out of the realm', async () => {
  const body = `const values = [UrlFetchApp, Utilities.base64Encode, CacheService.getScriptCache(), console.log, Date];
    return values.map((value) => value.constructor.constructor('return typeof process')())`;
  expect((await cells(body)).flat()).toEqual(Array(5).fill('undefined'));
});

test('top-level variables of the script are seen by its functions', async () => {
  const host = hostOf(
    'const RATE = 3; let other = 4; class Box { get size() { return RATE + other } } function F() { return new Box().size }',
  );
  expect(await host.evaluate('F', [], CELL)).toEqual({ values: [[7]] });
});

test('a script that does not parse fails every call with its SyntaxError', async () => {
  const result = await hostOf('function F() { return 1 }\nconst = 2').evaluate('F', [], CELL);
  expect(result).toMatchObject({ error: expect.stringContaining('Unexpected token') });
});

test('Date reads the injected clock', async () => {
  const clock = new Clock();
  const body = `const before = Date.now();
    Utilities.sleep(90000);
    return [before, Date.now() - before, new Date().toISOString(), new Date(0).getTime(), new Date() instanceof Date,
      typeof Date(), new Date(2020, 1).getFullYear(), Date.UTC(1970, 0)]`;
  const result = click(body, clock.options);
  await clock.waitedFor(90_000);
  clock.pass(90_000);
  expect(await result).toEqual([
    clock.time - 90_000,
    90_000,
    new Date(clock.time).toISOString(),
    0,
    true,
    'string',
    2020,
    0,
  ]);
});

test('promises of a script have their turn before the execution ends', async () => {
  const host = hostOf(`function go() { Promise.resolve().then(() => null)
    .then(() => PropertiesService.getScriptProperties().setProperty('done', 'yes')) }
    async function late() { await null; return 'value' }
    async function broken() { await null; throw new RangeError('late') }`);
  await host.run('go');
  expect(host.properties.script).toEqual({ done: 'yes' });
  expect(await host.run('late')).toBe('value');
  await expect(host.run('broken')).rejects.toMatchObject({ name: 'RangeError', message: 'late' });
});

test('methods and services of Apps Script that are not emulated say so', async () => {
  await expect(cell('return SpreadsheetApp.getActiveSheet().getRange("A1").mergeAcross()')).rejects.toThrow(
    'not emulated: SpreadsheetApp.Range.mergeAcross',
  );
  await expect(click('DriveApp.getFiles()')).rejects.toThrow('not emulated: DriveApp.getFiles');
});

test('console and Logger reach the log with level and function', async () => {
  const lines: unknown[] = [];
  const clock = new Clock();
  await click(
    `console.log('%s has %d', 'a', 2, { b: 1 }); console.warn('careful'); Logger.log('hi %s', 'there'); Logger.log(new Error('x').message)`,
    { ...clock.options, onLog: (line) => lines.push(line) },
  );
  const line = { functionName: 'go', at: clock.time };
  expect(lines).toEqual([
    { ...line, level: 'log', text: 'a has 2 {"b":1}' },
    { ...line, level: 'warn', text: 'careful' },
    { ...line, level: 'info', text: 'hi there' },
    { ...line, level: 'info', text: 'x' },
  ]);
});
