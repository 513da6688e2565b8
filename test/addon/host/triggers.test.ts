// Installable triggers: who may make which, as whom they run, and what they may do.
import { expect, test } from 'vitest';
import type { HostOptions, UiRequest } from '../../../addon/host/types.ts';
import { Clock, cell, click, hostOf, network, OWNER, VIEWER } from './host.ts';

const SCOPE = 'https://www.googleapis.com/auth/script.scriptapp';
const ON_OPEN = `ScriptApp.newTrigger('opened').forSpreadsheet(SpreadsheetApp.getActive()).onOpen().create()`;
const HOURLY = `ScriptApp.newTrigger('ticked').timeBased().everyHours(1).create()`;

/** A host whose function `make` makes a trigger, with functions for it to run. */
function withTrigger(make: string, functions: string, options: Partial<HostOptions> = {}) {
  let made = 0;
  const uuid = () => `uid${++made}`;
  return hostOf(`function make() { ${make} } ${functions}`, { uuid, ...options });
}

test('a trigger tells what it is, is listed for its maker and can be deleted', async () => {
  const host = withTrigger(
    `const made = ${ON_OPEN}; ${HOURLY}; const book = SpreadsheetApp.getActive();
     return [made.getUniqueId(), made.getHandlerFunction(), made.getEventType() === ScriptApp.EventType.ON_OPEN,
       made.getTriggerSource() === ScriptApp.TriggerSource.SPREADSHEETS, made.getTriggerSourceId(),
       ScriptApp.getProjectTriggers().map((one) => one.getEventType()).join(), ScriptApp.getUserTriggers(book).length]`,
    `function other() { return ScriptApp.getProjectTriggers().length }
     function drop() { ScriptApp.getProjectTriggers().forEach((one) => ScriptApp.deleteTrigger(one)) }`,
  );
  expect(await host.run('make')).toEqual(['uid1', 'opened', true, true, 'book', 'ON_OPEN,CLOCK', 1]);
  const made = { user: VIEWER, document: 'book' };
  expect(host.triggers).toEqual([
    { ...made, uid: 'uid1', functionName: 'opened', event: 'ON_OPEN' },
    {
      ...made,
      uid: 'uid2',
      functionName: 'ticked',
      event: 'CLOCK',
      schedule: { unit: 'hours', every: 1, at: {} },
    },
  ]);
  host.change({ people: { owner: OWNER, viewer: OWNER } });
  expect(await host.run('other')).toBe(0);
  host.change({ people: { owner: OWNER, viewer: VIEWER } });
  await host.run('drop');
  expect(host.triggers).toEqual([]);
});

test.each([
  [
    `${ON_OPEN}; ${ON_OPEN}`,
    'This add-on has created too many open triggers in this document for this Google user account.',
  ],
  [
    `${HOURLY}; ${HOURLY}`,
    'This add-on has created too many time-based triggers in this document for this Google user account.',
  ],
  [
    `ScriptApp.newTrigger('f').timeBased().everyMinutes(30).create()`,
    'A time-driven trigger of an add-on runs at most once an hour.',
  ],
  [`ScriptApp.newTrigger('f').timeBased().everyHours(0).create()`, 'Invalid argument: recurrence'],
  [`ScriptApp.newTrigger('f').timeBased().create()`, 'Invalid argument: recurrence'],
  [`ScriptApp.newTrigger('f').forSpreadsheet('another').onOpen().create()`, 'Invalid argument: another'],
  [
    `ScriptApp.newTrigger('f').forSpreadsheet(SpreadsheetApp.getActive()).create()`,
    'Invalid argument: eventType',
  ],
  [
    `ScriptApp.newTrigger('f').forSpreadsheet(null)`,
    "don't match the method signature for ScriptApp.TriggerBuilder.forSpreadsheet.",
  ],
  [
    `ScriptApp.newTrigger('f').forSpreadsheet('book').onEdit()`,
    'not emulated: ScriptApp.SpreadsheetTriggerBuilder.onEdit',
  ],
  [`ScriptApp.newTrigger('f').timeBased().after(1000)`, 'not emulated: ScriptApp.ClockTriggerBuilder.after'],
  ['ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL)', 'not emulated: ScriptApp.getAuthorizationInfo'],
  [
    `const made = ${ON_OPEN}; ScriptApp.deleteTrigger(made); ScriptApp.deleteTrigger(made)`,
    'Trigger not found.',
  ],
])('an add-on is refused %s', async (body, words) => {
  await expect(click(body)).rejects.toThrow(words);
});

test('one trigger of each type is for each user: another may have their own', async () => {
  const host = withTrigger(ON_OPEN, '');
  await host.run('make');
  host.change({ people: { owner: OWNER, viewer: OWNER } });
  await host.run('make');
  expect(host.triggers.map(({ user }) => user)).toEqual([VIEWER, OWNER]);
});

test.each(['ScriptApp.getProjectTriggers()', "ScriptApp.newTrigger('f')"])(
  '%s needs the scope script.scriptapp and consent',
  async (call) => {
    const method = call.replace(/\(.*/, '');
    const manifest = { oauthScopes: ['https://www.googleapis.com/auth/spreadsheets.currentonly'] };
    await expect(click(call, { manifest })).rejects.toThrow(
      `Specified permissions are not sufficient to call ${method}. Required permissions: ${SCOPE}`,
    );
    const refused = `You do not have permission to call ${method}. Required permissions: ${SCOPE}`;
    await expect(cell(call)).rejects.toThrow(refused);
    await expect(hostOf(`function onOpen() { ${call} }`).run('onOpen', [], 'open')).rejects.toThrow(refused);
  },
);

test('an open trigger runs as its maker, whoever opens, with all that the maker consented to', async () => {
  const { fetch, requests } = network();
  const shown: UiRequest[] = [];
  const host = withTrigger(
    ON_OPEN,
    `function opened(e) { UrlFetchApp.fetch('https://a.example/'); SpreadsheetApp.getUi().alert('Hi');
       PropertiesService.getUserProperties().setProperty('event', [e.triggerUid, e.authMode, e.source.getName(), e.user.getEmail(), Session.getEffectiveUser().getEmail()].join()) }`,
    { fetch, onUi: (request) => void shown.push(request) },
  );
  await host.run('make');
  host.change({ people: { owner: OWNER, viewer: OWNER } });
  expect(await host.fire('CLOCK')).toEqual([]);
  expect(await host.fire('ON_OPEN')).toEqual([{ trigger: host.triggers[0], error: null }]);
  expect(host.properties.user).toEqual({ [VIEWER]: { event: `uid1,FULL,Prospects,${OWNER},${VIEWER}` } });
  expect([requests.length, shown.length]).toEqual([1, 1]);
});

test('a clock trigger has the moment, no user interface and, with currentonly, no spreadsheet', async () => {
  const clock = new Clock();
  const functions = `function ticked(e) { const store = PropertiesService.getUserProperties();
    const asked = [SpreadsheetApp.getActiveSpreadsheet(), SpreadsheetApp.getActiveSheet(), SpreadsheetApp.getActiveRange(),
      PropertiesService.getDocumentProperties(), e.source].map((found) => found === null || found === undefined);
    try { SpreadsheetApp.getUi() } catch (error) { asked.push(error.message) }
    store.setProperty('asked', asked.join()); store.setProperty('event', JSON.stringify(e)) }`;
  const host = withTrigger(HOURLY, functions, clock.options);
  await host.run('make');
  expect(await host.fire('CLOCK')).toMatchObject([{ error: null }]);
  const kept = host.properties.user?.[VIEWER] ?? {};
  expect(kept.asked).toBe('true,true,true,true,true,Cannot call SpreadsheetApp.getUi() from this context.');
  expect(JSON.parse(kept.event ?? '')).toEqual({
    authMode: 'FULL',
    triggerUid: 'uid1',
    year: 2026,
    month: 1,
    'day-of-month': 15,
    'day-of-week': 4,
    'week-of-year': 3,
    hour: 12,
    minute: 0,
    second: 0,
    timezone: 'UTC',
  });
  host.change({ documentInClock: true });
  await host.fire('CLOCK');
  expect(host.properties.user?.[VIEWER]?.asked).toContain('false,false,false,false,true');
});

test('a schedule keeps what was asked of it', async () => {
  const host = withTrigger(
    `ScriptApp.newTrigger('ticked').timeBased().onWeekDay(ScriptApp.WeekDay.MONDAY).atHour(7).nearMinute(30).inTimezone('Europe/Berlin').create()`,
    '',
  );
  await host.run('make');
  const at = { weekDay: 'MONDAY', hour: 7, minute: 30, timeZone: 'Europe/Berlin' };
  expect(host.triggers[0]).toMatchObject({ schedule: { unit: 'weeks', every: 1, at } });
});

test('a trigger that fails says so to its maker and leaves the others alone', async () => {
  const trigger = { document: 'book', event: 'ON_OPEN' } as const;
  const host = hostOf(
    'function bad() { throw new Error("broken") } function good() { PropertiesService.getScriptProperties().setProperty("ran", "yes") }',
    {
      triggers: [
        { ...trigger, uid: '1', functionName: 'bad', user: OWNER },
        { ...trigger, uid: '2', functionName: 'gone', user: OWNER },
        { ...trigger, uid: '3', functionName: 'good', user: VIEWER },
      ],
    },
  );
  const errors = (await host.fire('ON_OPEN')).map(({ error }) => error);
  expect(errors).toEqual(['broken', 'Script function not found: gone', null]);
  expect(host.properties.script).toEqual({ ran: 'yes' });
});

test('triggers of one user run 90 minutes a day at most', async () => {
  const clock = new Clock();
  const host = withTrigger(HOURLY, 'function ticked() { console.log("working") }', {
    ...clock.options,
    onLog: () => {
      clock.time += 300_000;
    },
  });
  await host.run('make');
  for (let run = 0; run < 18; run++) expect(await host.fire('CLOCK')).toMatchObject([{ error: null }]);
  expect(await host.fire('CLOCK')).toMatchObject([
    { error: 'Service using too much computer time for one day' },
  ]);
  clock.time += 86_400_000;
  expect(await host.fire('CLOCK')).toMatchObject([{ error: null }]);
});

test('a trigger is ended after six minutes', async () => {
  const clock = new Clock();
  const host = withTrigger(ON_OPEN, 'function opened() { console.log("running"); while (true); }', {
    ...clock.options,
    onLog: () => clock.pass(360_000),
  });
  await host.run('make');
  expect(await host.fire('ON_OPEN')).toMatchObject([{ error: 'Exceeded maximum execution time' }]);
});
