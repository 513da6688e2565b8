// The realm of a script: fresh globals for each call, and only those that Apps Script has.
import { expect, test } from 'vitest';
import {
  EMULATED_SERVICES,
  LANGUAGE_GLOBALS,
  UNSUPPORTED_SERVICES,
} from '../../../../addon/dev/host/realm/globals.ts';
import { cell, cells, click, hostOf } from './host.ts';

const NAMES = `const names = [];
  for (let at = globalThis; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(...Reflect.ownKeys(at).map(String));
  }
  return names;`;

test('a script finds the language, the services and its own functions, and nothing else', async () => {
  const names = (await cells(NAMES)).flat();
  expect(new Set(names)).toEqual(
    new Set([...LANGUAGE_GLOBALS, ...EMULATED_SERVICES, ...UNSUPPORTED_SERVICES, 'F']),
  );
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

test('nothing that a service gives leads out of the realm', async () => {
  const body = `const values = [UrlFetchApp, Utilities.base64Encode, CacheService.getScriptCache(), console.log, Date];
    return values.map((value) => value.constructor.constructor('return typeof process')())`;
  expect((await cells(body)).flat()).toEqual(Array(5).fill('undefined'));
});

test('methods and services of Apps Script that are not emulated say so', async () => {
  await expect(cell('return SpreadsheetApp.getActiveSheet().getRange("A1").mergeAcross()')).rejects.toThrow(
    'not emulated: SpreadsheetApp.Range.mergeAcross',
  );
  await expect(click('DriveApp.getFiles()')).rejects.toThrow('not emulated: DriveApp.getFiles');
});
