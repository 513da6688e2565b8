// Simple and installable triggers: permissions, time limits, creation and runs.
import { expect, test } from 'vitest';
import type { HostOptions, UiRequest } from '../../../../addon/dev/host/types.ts';
import { Clock, createHost, createNetwork, OWNER, runAsMenu, VIEWER } from './host.ts';

const ON_OPEN = `ScriptApp.newTrigger('opened').forSpreadsheet(SpreadsheetApp.getActiveSpreadsheet()).onOpen().create()`;

/** Creates a host whose function `make` runs the given code. */
function createTriggerHost(make: string, functions: string, options: Partial<HostOptions> = {}) {
  let count = 0;
  const uuid = () => `uid${++count}`;
  return createHost(`function make() { ${make} } ${functions}`, { uuid, ...options });
}

test('creates, lists and deletes a trigger for its creator only', async () => {
  const host = createTriggerHost(
    `const trigger = ${ON_OPEN}; const book = SpreadsheetApp.getActiveSpreadsheet();
     return [trigger.getHandlerFunction(), trigger.getEventType() === ScriptApp.EventType.ON_OPEN,
       trigger.getTriggerSource() === ScriptApp.TriggerSource.SPREADSHEETS,
       ScriptApp.getUserTriggers(book).map((item) => item.getEventType()).join()]`,
    `const list = () => ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet());
     function other() { return list().length }
     function drop() { list().forEach((item) => ScriptApp.deleteTrigger(item)) }`,
  );
  expect(await host.run('make')).toEqual(['opened', true, true, 'ON_OPEN']);
  const trigger = { user: VIEWER, document: 'book' };
  expect(host.triggers).toEqual([{ ...trigger, uid: 'uid1', functionName: 'opened', event: 'ON_OPEN' }]);
  host.updateSettings({ people: { owner: OWNER, viewer: OWNER } });
  expect(await host.run('other')).toBe(0);
  host.updateSettings({ people: { owner: OWNER, viewer: VIEWER } });
  await host.run('drop');
  expect(host.triggers).toEqual([]);
});

test.each([
  [`${ON_OPEN}; ${ON_OPEN}`, 'This add-on has created too many open triggers in this document'],
  [`ScriptApp.newTrigger('f').forSpreadsheet('another').onOpen().create()`, 'Invalid argument: another'],
  [
    `const trigger = ${ON_OPEN}; for (const _ of [1, 2]) ScriptApp.deleteTrigger(trigger)`,
    'Trigger not found.',
  ],
])('refuses %s', async (body, message) => {
  await expect(runAsMenu(body)).rejects.toThrow(message);
});

test('runs an open trigger as its creator with full permissions', async () => {
  const { fetch, requests } = createNetwork();
  const shown: UiRequest[] = [];
  const host = createTriggerHost(
    ON_OPEN,
    `function opened(e) { UrlFetchApp.fetch('https://a.example/'); SpreadsheetApp.getUi().alert('Hi');
       PropertiesService.getUserProperties().setProperty('event', [e.triggerUid, e.authMode, e.source.getName(), e.user.getEmail()].join()) }`,
    { fetch, onUi: (request) => void shown.push(request) },
  );
  await host.run('make');
  host.updateSettings({ people: { owner: OWNER, viewer: OWNER } });
  expect(await host.runOpenTriggers()).toEqual([{ trigger: host.triggers[0], error: null }]);
  expect(host.properties.user).toEqual({ [VIEWER]: { event: `uid1,FULL,Prospects,${OWNER}` } });
  expect([requests.length, shown.length]).toEqual([1, 1]);
});

test('runs an edit trigger with the edited range, and not for writes of a script', async () => {
  const host = createTriggerHost(
    "ScriptApp.newTrigger('edited').forSpreadsheet(SpreadsheetApp.getActiveSpreadsheet()).onEdit().create()",
    `function edited(e) { const properties = PropertiesService.getScriptProperties();
       properties.setProperty('edits', (properties.getProperty('edits') || '') + [e.range.getA1Notation(), e.range.getSheet().getName(), e.authMode, e.triggerUid]) }
     function write() { SpreadsheetApp.getActiveSpreadsheet().getSheets()[0].getRange('A1').setValue(1) }`,
  );
  await host.run('make');
  await expect(host.run('make')).rejects.toThrow('too many edit triggers');
  await host.run('write');
  expect(await host.runOpenTriggers()).toEqual([]);
  expect(host.properties.script).toEqual({});
  const range = { sheet: 11, row: 2, column: 1, rows: 2, columns: 1 };
  expect(await host.runEditTriggers(range)).toMatchObject([{ error: null }]);
  expect(host.properties.script).toEqual({ edits: expect.stringMatching(/^A2:A3,.+,FULL,uid1$/) });
});

test('runs a change trigger with the type of the change, also for edits, without a range', async () => {
  const host = createTriggerHost(
    "ScriptApp.newTrigger('changed').forSpreadsheet(SpreadsheetApp.getActiveSpreadsheet()).onChange().create()",
    `function changed(e) { const properties = PropertiesService.getScriptProperties();
       properties.setProperty('changes', [properties.getProperty('changes'), e.changeType, e.range, e.source.getName(), e.authMode, e.triggerUid].join()) }
     function write() { SpreadsheetApp.getActiveSpreadsheet().getSheets()[0].getRange('A1').setValue(1) }`,
  );
  await host.run('make');
  expect(host.triggers).toMatchObject([{ event: 'ON_CHANGE' }]);
  await expect(host.run('make')).rejects.toThrow('too many change triggers');
  await host.run('write');
  expect(host.properties.script).toEqual({});
  await host.runChangeTriggers('INSERT_ROW');
  await host.runEditTriggers({ sheet: 11, row: 2, column: 1, rows: 1, columns: 1 });
  const event = (type: string) => `${type},,Prospects,FULL,uid1`;
  expect(host.properties.script).toEqual({ changes: `,${event('INSERT_ROW')},${event('EDIT')}` });
});

test('reports the error of a trigger and runs the others', async () => {
  const trigger = { document: 'book', event: 'ON_OPEN' } as const;
  const host = createHost(
    'function bad() { throw new Error("broken") } function good() { PropertiesService.getScriptProperties().setProperty("ran", "yes") }',
    {
      triggers: [
        { ...trigger, uid: '1', functionName: 'bad', user: OWNER },
        { ...trigger, uid: '2', functionName: 'gone', user: OWNER },
        { ...trigger, uid: '3', functionName: 'good', user: VIEWER },
      ],
    },
  );
  const errors = (await host.runOpenTriggers()).map(({ error }) => error);
  expect(errors).toEqual(['broken', 'Script function not found: gone', null]);
  expect(host.properties.script).toEqual({ ran: 'yes' });
});

test.each([
  ['UrlFetchApp.fetch("https://a.example/")', 'LIMITED'],
  ['PropertiesService.getUserProperties().getProperty("a")', 'NONE'],
  ['SpreadsheetApp.getActiveSpreadsheet()', 'NONE'],
] as const)('refuses %s in a simple trigger with AuthMode.%s', async (call, authMode) => {
  const { fetch, requests } = createNetwork();
  const host = createHost(`function onOpen() { ${call} }`, { fetch });
  await expect(host.run('onOpen', [], 'open', { authMode })).rejects.toThrow(
    'You do not have permission to call',
  );
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
