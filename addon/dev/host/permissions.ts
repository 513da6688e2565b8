// Apps Script's rules for each kind of execution: services, scopes, run times and daily quotas.

import { type Context, Exception } from './calls.ts';
import type { ExecutionKind } from './threads/protocol.ts';
import type { Manifest } from './types.ts';

/** Apps Script quotas: custom functions and simple triggers run up to 30 s, scripts up to 6 min. */
export const RUNTIME_MS: Readonly<Record<ExecutionKind, number>> = {
  formula: 30_000,
  open: 30_000,
  menu: 360_000,
  sidebar: 360_000,
  trigger: 360_000,
};

/** Apps Script quotas: simultaneous executions per user. */
export const SIMULTANEOUS = 30;

/** Apps Script quotas for a consumer account, per user and day, by the service name in the error. */
export const DAILY = { urlfetch: 20_000, properties: 50_000 } as const;

/** Apps Script quotas for a consumer account: triggers total runtime, per user and day. */
const TRIGGER_MS = 90 * 60_000;

const SCOPE = 'https://www.googleapis.com/auth/';
const CONTAINER_UI = `${SCOPE}script.container.ui`;

/** The manifest must have one of these scopes, by service or method. Reference of each method: "Authorization". */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  UrlFetchApp: [`${SCOPE}script.external_request`],
  SpreadsheetApp: [`${SCOPE}spreadsheets.currentonly`, `${SCOPE}spreadsheets`],
  'Ui.showSidebar': [CONTAINER_UI],
  'Ui.showModalDialog': [CONTAINER_UI],
  'Ui.showModelessDialog': [CONTAINER_UI],
  ScriptApp: [`${SCOPE}script.scriptapp`],
  'Session.getActiveUser': [`${SCOPE}userinfo.email`],
  'Session.getEffectiveUser': [`${SCOPE}userinfo.email`],
};

const ALWAYS = ['Clock', 'Console', 'HtmlService', 'Utilities'];
const STORES = ['CacheService', 'LockService', 'PropertiesService'];
const CONSENTED = [...ALWAYS, ...STORES, 'ScriptApp', 'Session', 'SpreadsheetApp', 'UrlFetchApp'];

/**
 * Services by kind of execution. Guide "Custom functions": they can't ask for authorisation.
 * Guides "Simple triggers" and "Authorization lifecycle of add-ons": AuthMode.LIMITED has no service that needs consent,
 * AuthMode.NONE has neither the document nor its properties.
 */
const SERVICES: Readonly<Record<ExecutionKind | 'openNone', readonly string[]>> = {
  formula: [...ALWAYS, ...STORES, 'SpreadsheetApp', 'UrlFetchApp'],
  menu: [...CONSENTED, 'Ui'],
  sidebar: [...CONSENTED, 'Ui'],
  trigger: [...CONSENTED, 'Ui'],
  open: [...ALWAYS, ...STORES, 'SpreadsheetApp', 'Session', 'Ui'],
  openNone: [...ALWAYS, 'Session', 'Ui'],
};

/** Methods that change the spreadsheet. Guide "Custom functions": they are read-only. */
const CHANGES = /^SpreadsheetApp\..*\b(activate|append|clear|delete|flush|insert|set|toast)/;

/**
 * Throws Google's error if this kind of execution may not make the call:
 * "Cannot call SpreadsheetApp.getUi() from this context.", "You do not have permission to call …",
 * "Specified permissions are not sufficient to call …".
 */
export function permit(context: Context, manifest: Manifest, name: string): void {
  const service = name.slice(0, name.indexOf('.'));
  const asked = SCOPES[name] ?? SCOPES[service];
  const needs = asked
    ? ` Required permissions: ${asked.length > 1 ? `(${asked.join(' || ')})` : asked[0]}`
    : '';
  const services = SERVICES[roleOf(context)];
  if (service === 'Ui' && !services.includes(service)) {
    throw new Exception('Cannot call SpreadsheetApp.getUi() from this context.');
  }
  // Guide "Simple triggers": menus, alerts and prompts need no consent; custom pages do.
  const consent = roleOf(context).startsWith('open') && asked?.includes(CONTAINER_UI) === true;
  if (consent || !services.includes(service)) {
    throw new Exception(`You do not have permission to call ${name}.${needs}`);
  }
  if (context.kind === 'formula' && CHANGES.test(name)) {
    throw new Exception(`You do not have permission to call ${name.slice(name.lastIndexOf('.') + 1)}`);
  }
  const granted = manifest.oauthScopes;
  if (asked && granted && !asked.some((scope) => granted.includes(scope))) {
    throw new Exception(`Specified permissions are not sufficient to call ${name}.${needs}`);
  }
}

/**
 * Guide "Authorization lifecycle of add-ons": onInstall has AuthMode.FULL and may do what a menu may; before the first use
 * in a document, onOpen has AuthMode.NONE.
 */
function roleOf({ kind, authMode }: Context): keyof typeof SERVICES {
  if (kind !== 'open' || authMode === 'LIMITED') return kind;
  return authMode === 'FULL' ? 'menu' : 'openNone';
}

const DAY_MS = 86_400_000;

/** Counts daily quotas per user. Apps Script quotas: they "reset 24 hours after the first request". */
export class Quotas {
  readonly #now: () => number;
  readonly #spent = new Map<string, { since: number; count: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns an error if the user's triggers have run for 90 minutes today. */
  triggerRefusal(user: string): string | null {
    const spent = this.#today(`triggers ${user}`).count >= TRIGGER_MS;
    return spent ? 'Service using too much computer time for one day' : null;
  }

  addTrigger(user: string, ms: number): void {
    const key = `triggers ${user}`;
    const { since, count } = this.#today(key);
    this.#spent.set(key, { since, count: count + ms });
  }

  /** Counts uses of a quota. Throws "Service invoked too many times for one day: …" and counts nothing above the limit. */
  spend(user: string, what: keyof typeof DAILY, count: number): void {
    const key = `${what} ${user}`;
    const current = this.#today(key);
    if (current.count + count > DAILY[what]) {
      throw new Exception(`Service invoked too many times for one day: ${what}.`);
    }
    this.#spent.set(key, { since: current.since, count: current.count + count });
  }

  #today(key: string): { readonly since: number; readonly count: number } {
    const now = this.#now();
    const day = this.#spent.get(key);
    return day && now - day.since < DAY_MS ? day : { since: now, count: 0 };
  }
}
