// What the check's custom function tries inside formulas.
import { getRefusal, tryOut } from './check.ts';
import { toSignal } from './formulas.ts';
import { describeStore } from './stores.ts';

/** The gateway's address; '' for none. Set by the build. */
declare const CHECK_GATEWAY: string;

/** Differs for each evaluation of the script. */
const loaded = { id: Utilities.getUuid(), at: Date.now() };

const MAX_HOLD_MS = 25_000;
const HOLD_STEP_MS = 500;

function describe(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (value === null) return 'null';
  if (value === '') return 'an empty text';
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return `rows [${value.map((row: unknown) => describe(row)).join(', ')}]`;
  return `${typeof value} ${String(value)}`;
}

/** Waits until the run lets it return. */
function hold(key: unknown): string[][] {
  const cache = CacheService.getScriptCache();
  const end = Date.now() + MAX_HOLD_MS;
  while (Date.now() < end && cache.get(toSignal(String(key))) === null) Utilities.sleep(HOLD_STEP_MS);
  return [
    ['1', '2'],
    ['3', '4'],
  ];
}

/** Lists the services that a formula of the add-on needs and can't use. */
function findMissingServices(): string {
  const services: Readonly<Record<string, () => unknown>> = {
    cache: () => CacheService.getScriptCache().get('none'),
    lock: () => LockService.getScriptLock().tryLock(1),
    'script properties': () => PropertiesService.getScriptProperties().getProperty('none'),
    'time zone': () => SpreadsheetApp.getActiveSpreadsheet().getSpreadsheetTimeZone(),
    id: () => SpreadsheetApp.getActiveSpreadsheet().getId(),
    Utilities: () => Utilities.formatDate(new Date(0), 'GMT', 'yyyy'),
    ...(CHECK_GATEWAY === ''
      ? {}
      : { fetch: () => UrlFetchApp.fetch(`${CHECK_GATEWAY}/health`, { muteHttpExceptions: true }) }),
  };
  const missing = Object.entries(services).filter(([, use]) => getRefusal(use) !== undefined);
  return missing.length === 0 ? 'all' : `not ${missing.map(([name]) => name).join(', ')}`;
}

/** Describes what a call returns. */
function describeResult<T>(call: () => T | null, describeValue: (value: T) => string, none = 'null'): string {
  try {
    const value = call();
    return value === null ? none : describeValue(value);
  } catch {
    return 'an error';
  }
}

const getOwner = (): GoogleAppsScript.Base.User | null => SpreadsheetApp.getActiveSpreadsheet().getOwner();

/** Describes whether a script sees the owner's address. It never returns the address. */
const describeAddress = (): string =>
  describeResult(getOwner, (owner) => (owner.getEmail() === '' ? 'hidden' : 'visible'), 'no owner');

/** Describes what a formula gets when it asks for the document's properties. */
const describeDocumentProperties = (): string =>
  describeResult(
    () => PropertiesService.getDocumentProperties(),
    () => 'a store',
  );

/** Describes what a formula sees of the owner. */
export const describeOwner = (): string => describeResult(getOwner, () => 'a person');

const probes: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  describe: (...args) => args.map(describe).join('; '),
  /** Differs for each execution. */
  random: () => Utilities.getUuid(),
  /** Differs for each evaluation of the script. */
  loaded: () => loaded.id,
  'loaded at': () => loaded.at,
  hold,
  fail: () => {
    throw new Error('on purpose');
  },
  text: (text) => text,
  list: () => ['1', null, '3'],
  rows: (count) => Array.from({ length: Number(count) }, (_, at) => [at + 1]),
  count: (cells) => (Array.isArray(cells) ? cells.flat().length : 1),
  'document properties': (nonce) => describeStore(PropertiesService.getDocumentProperties(), nonce),
  'script properties': (nonce) => describeStore(PropertiesService.getScriptProperties(), nonce),
  'user properties': (nonce) => describeStore(PropertiesService.getUserProperties(), nonce),
  owner: describeOwner,
  'owner address': describeAddress,
  'document properties kind': describeDocumentProperties,
  services: findMissingServices,
  cell: () => {
    const cell = SpreadsheetApp.getActiveRange();
    return `${cell.getA1Notation()} ${cell.getFormula().includes('"cell"') ? 'with' : 'without'} its formula`;
  },
  write: () => tryOut(() => SpreadsheetApp.getActiveSheet().getRange('A9').setValue('written')),
  ui: () => tryOut(() => SpreadsheetApp.getUi()),
};

/** The check's custom function. @returns what the probe of this name finds */
export function CDAPI_CHECK(name: unknown, ...args: unknown[]): unknown {
  const probe = probes[String(name)];
  if (probe === undefined) throw new Error(`no probe ${String(name)}`);
  return probe(...args);
}
