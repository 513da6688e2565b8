// The realm of a script: fresh globals for each call, limited to those of Apps Script.
import { expect, test } from 'vitest';
import { LANGUAGE_GLOBALS, UNSUPPORTED_SERVICES } from '../../../../addon/dev/host/realm/globals.ts';
import { createHost, evaluateCells, runAsMenu } from './host.ts';

const EMULATED_SERVICES = [
  ...['CacheService', 'HtmlService', 'LockService', 'PropertiesService', 'ScriptApp', 'Session'],
  ...['SpreadsheetApp', 'UrlFetchApp', 'Utilities', 'console'],
];

const NAMES = `const names = [];
  for (let at = globalThis; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(...Reflect.ownKeys(at).map(String));
  }
  return names;`;

test('exposes the language, the services and the script, and no other globals', async () => {
  const names = (await evaluateCells(NAMES)).flat();
  expect(new Set(names)).toEqual(
    new Set([...LANGUAGE_GLOBALS, ...EMULATED_SERVICES, ...UNSUPPORTED_SERVICES, 'F']),
  );
});

test('removes methods newer than ES2020', async () => {
  const body = `return [[].at, ''.replaceAll, Object.hasOwn, [].findLast, new Uint8Array(1).at, Promise.any]
    .map((found) => typeof found)`;
  expect((await evaluateCells(body)).flat()).toEqual(Array(6).fill('undefined'));
});

test('starts each call with fresh globals', async () => {
  const host =
    createHost(`function F() { const found = [typeof [].mine, typeof globalThis.kept, typeof JSON.parse];
    Array.prototype.mine = 1; globalThis.kept = 1; JSON.parse = 1; return found.join() }`);
  expect(await host.run('F')).toBe('undefined,undefined,function');
  expect(await host.run('F')).toBe('undefined,undefined,function');
});

test('keeps the platform out of reach of service objects', async () => {
  const body = `const values = [UrlFetchApp, Utilities.getUuid, CacheService.getScriptCache(), console.log, Date];
    return values.map((value) => value.constructor.constructor('return typeof process')())`;
  expect((await evaluateCells(body)).flat()).toEqual(Array(5).fill('undefined'));
});

test('throws "not emulated" for unsupported methods and services', async () => {
  await expect(runAsMenu('SpreadsheetApp.getActiveSheet().getRange("A1").mergeAcross()')).rejects.toThrow(
    'not emulated: SpreadsheetApp.Range.mergeAcross',
  );
  await expect(runAsMenu('DriveApp.getFiles()')).rejects.toThrow('not emulated: DriveApp.getFiles');
});
