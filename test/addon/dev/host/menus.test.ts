// Permissions and time limits of simple triggers and menus.
import { expect, test } from 'vitest';
import { Clock, createHost, createNetwork } from './host.ts';

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
] as const)('refuses %s in a simple trigger with AuthMode.%s', async (call, authMode, message) => {
  const { fetch, requests } = createNetwork();
  const host = createHost(`function onOpen() { ${call} }`, { fetch });
  await expect(host.run('onOpen', [], 'open', { authMode })).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

test.each([
  ['open', 30_000],
  ['menu', 360_000],
] as const)('terminates an execution of kind %s after %i ms', async (kind, limit) => {
  const clock = new Clock();
  const host = createHost(
    'function go() { Utilities.sleep(29999); console.log("still there"); while (true); }',
    {
      ...clock.options,
      onLog: () => clock.advance(limit - 29_999),
    },
  );
  const result = expect(host.run('go', [], kind)).rejects.toMatchObject({
    name: 'Exception',
    message: 'Exceeded maximum execution time',
  });
  await clock.waitForTimer(29_999);
  clock.advance(29_999);
  await result;
});
