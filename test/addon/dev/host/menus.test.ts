// Menus and the simple trigger: what they may do, and what a person is shown.
import { expect, test } from 'vitest';
import { Clock, hostOf, network } from './host.ts';

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
