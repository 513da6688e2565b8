// ScriptApp in the realm: consent, and installable triggers that run when the spreadsheet opens, is edited or changes.
import type { Bridge } from '../bridge.ts';
import { chained, createRegistry, emulateObject, enumeration, method } from '../emulated.ts';
import { SPREADSHEET, spreadsheetIds } from './spreadsheet.ts';

const TRIGGER = 'ScriptApp.Trigger';

const events = enumeration('ScriptApp.EventType', [
  'CLOCK',
  'ON_OPEN',
  'ON_EDIT',
  'ON_FORM_SUBMIT',
  'ON_CHANGE',
  'ON_EVENT_UPDATED',
]);
const sources = enumeration('ScriptApp.TriggerSource', [
  'SPREADSHEETS',
  'CLOCK',
  'FORMS',
  'DOCUMENTS',
  'CALENDAR',
]);
const statuses = enumeration('ScriptApp.AuthorizationStatus', ['REQUIRED', 'NOT_REQUIRED']);
const uids = createRegistry<string>('trigger');

function createTrigger(data: unknown): object {
  const { uid, functionName, event }: Record<string, unknown> = Object(data);
  const self = emulateObject(TRIGGER, {
    getHandlerFunction: method(() => functionName),
    getEventType: method(() => events[String(event)]),
    getTriggerSource: method(() => sources.SPREADSHEETS),
  });
  uids.set(self, String(uid));
  return self;
}

function createSpreadsheetBuilder(bridge: Bridge, functionName: unknown, document: unknown): object {
  let event: string | null = null;
  const on = (type: string) =>
    chained(() => {
      event = type;
    });
  return emulateObject('ScriptApp.SpreadsheetTriggerBuilder', {
    onOpen: on('ON_OPEN'),
    onEdit: on('ON_EDIT'),
    onChange: on('ON_CHANGE'),
    create: method(() =>
      createTrigger(bridge.call('ScriptApp.TriggerBuilder.create', { functionName, document, event })),
    ),
  });
}

/** Creates ScriptApp and its authorisation modes, which events contain. */
export function createScriptApp(bridge: Bridge): {
  readonly service: object;
  readonly authModes: Readonly<Record<string, object>>;
} {
  const authModes = enumeration('ScriptApp.AuthMode', ['NONE', 'CUSTOM_FUNCTION', 'LIMITED', 'FULL']);
  const newTrigger = (functionName: unknown): object => {
    bridge.call('ScriptApp.newTrigger', functionName);
    const forSpreadsheet = (spreadsheet: unknown): object =>
      createSpreadsheetBuilder(
        bridge,
        functionName,
        typeof spreadsheet === 'string' ? spreadsheet : spreadsheetIds.get(spreadsheet),
      );
    return emulateObject('ScriptApp.TriggerBuilder', {
      forSpreadsheet: method(forSpreadsheet, SPREADSHEET, 'String'),
    });
  };
  const service = emulateObject(
    'ScriptApp',
    {
      requireScopes: method(
        (_mode, scopes) => void bridge.call('ScriptApp.requireScopes', scopes),
        'ScriptApp.AuthMode, String[]',
      ),
      getIdentityToken: method(() => bridge.call('ScriptApp.getIdentityToken')),
      getAuthorizationInfo: method(() => {
        const isRequired = bridge.call('ScriptApp.getAuthorizationInfo') === true;
        return emulateObject('ScriptApp.AuthorizationInfo', {
          getAuthorizationStatus: method(() => statuses[isRequired ? 'REQUIRED' : 'NOT_REQUIRED']),
        });
      }, 'ScriptApp.AuthMode'),
      newTrigger: method(newTrigger, 'String'),
      getUserTriggers: method((of) => {
        const list = bridge.call('ScriptApp.getUserTriggers', spreadsheetIds.get(of));
        return Array.isArray(list) ? list.map(createTrigger) : [];
      }, SPREADSHEET),
      deleteTrigger: method(
        (trigger) => void bridge.call('ScriptApp.deleteTrigger', uids.get(trigger)),
        TRIGGER,
      ),
    },
    { AuthMode: authModes, AuthorizationStatus: statuses, EventType: events, TriggerSource: sources },
  );
  return { service, authModes };
}
