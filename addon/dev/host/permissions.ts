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
export const MAX_EXECUTIONS = 30;

/** Apps Script quotas for a consumer account, per user and day, by the service name in the error. */
export const DAILY_QUOTAS = { urlfetch: 20_000, properties: 50_000 } as const;

/** Apps Script quotas for a consumer account: triggers total runtime, per user and day. */
const MAX_TRIGGER_MS = 90 * 60_000;

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

const UNRESTRICTED = ['Clock', 'Console', 'HtmlService', 'Utilities'];
const STORES = ['CacheService', 'LockService', 'PropertiesService'];
const WITH_CONSENT = [...UNRESTRICTED, ...STORES, 'ScriptApp', 'Session', 'SpreadsheetApp', 'UrlFetchApp'];

/**
 * Services by kind of execution. Guide "Custom functions": they can't ask for authorisation.
 * Guides "Simple triggers" and "Authorization lifecycle of add-ons": AuthMode.LIMITED has no service that needs consent,
 * AuthMode.NONE has neither the document nor its properties.
 */
const SERVICES: Readonly<Record<ExecutionKind | 'openNone', readonly string[]>> = {
  formula: [...UNRESTRICTED, ...STORES, 'SpreadsheetApp', 'UrlFetchApp'],
  menu: [...WITH_CONSENT, 'Ui'],
  sidebar: [...WITH_CONSENT, 'Ui'],
  trigger: [...WITH_CONSENT, 'Ui'],
  open: [...UNRESTRICTED, ...STORES, 'SpreadsheetApp', 'Session', 'Ui'],
  openNone: [...UNRESTRICTED, 'Session', 'Ui'],
};

/** Methods that change the spreadsheet. Guide "Custom functions": they are read-only. */
const WRITE_METHODS = /^SpreadsheetApp\..*\b(activate|append|clear|delete|flush|insert|set|toast)/;

/**
 * Throws Google's error if this kind of execution may not make the call:
 * "Cannot call SpreadsheetApp.getUi() from this context.", "You do not have permission to call …",
 * "Specified permissions are not sufficient to call …".
 */
export function checkPermission(context: Context, manifest: Manifest, name: string): void {
  const service = name.slice(0, name.indexOf('.'));
  const requiredScopes = SCOPES[name] ?? SCOPES[service];
  const scopeHint = requiredScopes
    ? ` Required permissions: ${requiredScopes.length > 1 ? `(${requiredScopes.join(' || ')})` : requiredScopes[0]}`
    : '';
  const services = SERVICES[getRole(context)];
  if (service === 'Ui' && !services.includes(service)) {
    throw new Exception('Cannot call SpreadsheetApp.getUi() from this context.');
  }
  // Guide "Simple triggers": menus, alerts and prompts need no consent; custom pages do.
  const needsConsent = getRole(context).startsWith('open') && requiredScopes?.includes(CONTAINER_UI) === true;
  if (needsConsent || !services.includes(service)) {
    throw new Exception(`You do not have permission to call ${name}.${scopeHint}`);
  }
  if (context.kind === 'formula' && WRITE_METHODS.test(name)) {
    throw new Exception(`You do not have permission to call ${name.slice(name.lastIndexOf('.') + 1)}`);
  }
  const granted = manifest.oauthScopes;
  if (requiredScopes && granted && !requiredScopes.some((scope) => granted.includes(scope))) {
    throw new Exception(`Specified permissions are not sufficient to call ${name}.${scopeHint}`);
  }
}

/**
 * Guide "Authorization lifecycle of add-ons": onInstall has AuthMode.FULL and may do what a menu may; before the first use
 * in a document, onOpen has AuthMode.NONE.
 */
function getRole({ kind, authMode }: Context): keyof typeof SERVICES {
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
  checkTriggerTime(user: string): string | null {
    const isExceeded = this.#getUsage(`triggers ${user}`).count >= MAX_TRIGGER_MS;
    return isExceeded ? 'Service using too much computer time for one day' : null;
  }

  addTriggerTime(user: string, ms: number): void {
    const key = `triggers ${user}`;
    const { since, count } = this.#getUsage(key);
    this.#spent.set(key, { since, count: count + ms });
  }

  /** Counts uses of a quota. Throws "Service invoked too many times for one day: …" and counts nothing above the limit. */
  spend(user: string, quota: keyof typeof DAILY_QUOTAS, count: number): void {
    const key = `${quota} ${user}`;
    const current = this.#getUsage(key);
    if (current.count + count > DAILY_QUOTAS[quota]) {
      throw new Exception(`Service invoked too many times for one day: ${quota}.`);
    }
    this.#spent.set(key, { since: current.since, count: current.count + count });
  }

  #getUsage(key: string): { readonly since: number; readonly count: number } {
    const now = this.#now();
    const day = this.#spent.get(key);
    return day && now - day.since < DAY_MS ? day : { since: now, count: 0 };
  }
}
