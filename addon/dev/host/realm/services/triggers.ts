// ScriptApp in the realm: installable triggers that run when the spreadsheet opens.
import { type Bridge, exception } from '../bridge.ts';
import { emulated, enumeration, method } from '../emulated.ts';
import { SPREADSHEET, spreadsheetId } from './spreadsheet.ts';

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
const uids = new WeakMap<object, string>();

function trigger(told: unknown): object {
  const { uid, functionName, event, document }: Record<string, unknown> = Object(told);
  const self = emulated(TRIGGER, {
    getUniqueId: method(() => uid),
    getHandlerFunction: method(() => functionName),
    getEventType: method(() => events[String(event)]),
    getTriggerSource: method(() => sources.SPREADSHEETS),
    getTriggerSourceId: method(() => document),
  });
  uids.set(self, String(uid));
  return self;
}

function triggers(list: unknown): object[] {
  return Array.isArray(list) ? list.map(trigger) : [];
}

function create(bridge: Bridge, asked: Readonly<Record<string, unknown>>): object {
  return trigger(bridge.ask('ScriptApp.TriggerBuilder.create', asked));
}

function spreadsheetBuilder(bridge: Bridge, functionName: unknown, document: unknown): object {
  let event: string | null = null;
  const self: object = emulated('ScriptApp.SpreadsheetTriggerBuilder', {
    onOpen: method(() => {
      event = 'ON_OPEN';
      return self;
    }),
    create: method(() => create(bridge, { functionName, document, event })),
  });
  return self;
}

/** Creates ScriptApp and its authorisation modes, which events contain. */
export function scriptApp(bridge: Bridge): {
  readonly service: object;
  readonly authModes: Readonly<Record<string, object>>;
} {
  const authModes = enumeration('ScriptApp.AuthMode', ['NONE', 'CUSTOM_FUNCTION', 'LIMITED', 'FULL']);
  const newTrigger = (functionName: unknown): object => {
    bridge.ask('ScriptApp.newTrigger', functionName);
    const forSpreadsheet = (of: unknown): object =>
      spreadsheetBuilder(bridge, functionName, typeof of === 'string' ? of : spreadsheetId(of));
    return emulated('ScriptApp.TriggerBuilder', {
      forSpreadsheet: method(forSpreadsheet, SPREADSHEET, 'String'),
    });
  };
  const deleteTrigger = (of: unknown): void => {
    const uid = uids.get(Object(of));
    if (uid === undefined) throw exception('Invalid argument: trigger');
    bridge.ask('ScriptApp.deleteTrigger', uid);
  };
  const service = emulated(
    'ScriptApp',
    {
      newTrigger: method(newTrigger, 'String'),
      getProjectTriggers: method(() => triggers(bridge.ask('ScriptApp.getProjectTriggers'))),
      getUserTriggers: method(
        (of) => triggers(bridge.ask('ScriptApp.getUserTriggers', spreadsheetId(of))),
        SPREADSHEET,
      ),
      deleteTrigger: method(deleteTrigger, TRIGGER),
    },
    { AuthMode: authModes, EventType: events, TriggerSource: sources },
  );
  return { service, authModes };
}
