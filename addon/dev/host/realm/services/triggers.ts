// ScriptApp, the realm's side: installable triggers of the spreadsheet's opening and of the clock.
import { type Bridge, exception } from '../bridge.ts';
import { emulated, enumeration, memberName, method } from '../emulated.ts';
import { SPREADSHEET, spreadsheetId } from './spreadsheet.ts';

const TRIGGER = 'ScriptApp.Trigger';
const WEEK_DAY = 'ScriptApp.WeekDay';

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
const weekDays = enumeration(WEEK_DAY, [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
]);

const uids = new WeakMap<object, string>();

function trigger(told: unknown): object {
  const { uid, functionName, event, document }: Record<string, unknown> = Object(told);
  const clock = event === 'CLOCK';
  const self = emulated(TRIGGER, {
    getUniqueId: method(() => uid),
    getHandlerFunction: method(() => functionName),
    getEventType: method(() => events[String(event)]),
    getTriggerSource: method(() => (clock ? sources.CLOCK : sources.SPREADSHEETS)),
    // Reference "getTriggerSourceId": null for a time-driven trigger.
    getTriggerSourceId: method(() => (clock ? null : document)),
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

function clockBuilder(bridge: Bridge, functionName: unknown): object {
  let schedule: Record<string, unknown> = {};
  const set = (values: Record<string, unknown>): object => {
    schedule = { ...schedule, ...values };
    return self;
  };
  const every = (unit: string) => method((n) => set({ unit, every: n }), 'Integer');
  const self: object = emulated('ScriptApp.ClockTriggerBuilder', {
    everyMinutes: every('minutes'),
    everyHours: every('hours'),
    everyDays: every('days'),
    everyWeeks: every('weeks'),
    atHour: method((hour) => set({ hour }), 'Integer'),
    nearMinute: method((minute) => set({ minute }), 'Integer'),
    onWeekDay: method((day) => set({ unit: 'weeks', every: 1, weekDay: memberName(day) }), WEEK_DAY),
    inTimezone: method((timeZone) => set({ timeZone }), 'String'),
    create: method(() => create(bridge, { functionName, event: 'CLOCK', schedule })),
  });
  return self;
}

/** ScriptApp, and its authorisation modes, which events carry. */
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
      timeBased: method(() => clockBuilder(bridge, functionName)),
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
    { AuthMode: authModes, EventType: events, TriggerSource: sources, WeekDay: weekDays },
  );
  return { service, authModes };
}
