// Apps Script's rules for each kind of execution: services, scopes, run times and daily quotas.
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { type Context, Exception, type Handlers } from './calls.ts';
import type { ExecutionKind } from './threads/protocol.ts';
import type { HostOptions, Manifest } from './types.ts';

const SCOPE = 'https://www.googleapis.com/auth/';
const toScopes = (...names: string[]): readonly string[] => names.map((name) => `${SCOPE}${name}`);

/** Custom pages need consent in every kind of execution. */
const CONTAINER_UI = `${SCOPE}script.container.ui`;
const CURRENT_SPREADSHEET = `${SCOPE}spreadsheets.currentonly`;
const TRIGGERS = toScopes('script.scriptapp');
const EMAIL = `${SCOPE}userinfo.email`;
const SPREADSHEETS = toScopes('spreadsheets.currentonly', 'spreadsheets');

/** Scopes by service. Services that are missing here, such as Utilities, need none. */
const SERVICE_SCOPES: Readonly<Record<string, readonly string[]>> = {
  CalendarApp: toScopes('calendar'),
  DocumentApp: toScopes('documents.currentonly', 'documents'),
  DriveApp: toScopes('drive'),
  FormApp: toScopes('forms.currentonly', 'forms'),
  GmailApp: ['https://mail.google.com/'],
  GroupsApp: toScopes('groups'),
  Jdbc: toScopes('script.external_request'),
  MailApp: toScopes('script.send_mail'),
  SlidesApp: toScopes('presentations.currentonly', 'presentations'),
  SpreadsheetApp: SPREADSHEETS,
  UrlFetchApp: toScopes('script.external_request'),
};

/** Scopes of methods that differ from their service's. */
const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'Ui.showSidebar': [CONTAINER_UI],
  'ScriptApp.deleteTrigger': TRIGGERS,
  'ScriptApp.getUserTriggers': TRIGGERS,
  'ScriptApp.newTrigger': TRIGGERS,
  'ScriptApp.TriggerBuilder.create': TRIGGERS,
  'Session.getActiveUser': [EMAIL],
  'Session.getEffectiveUser': [EMAIL],
};

const OTHER_SPREADSHEETS = /^SpreadsheetApp\.(?:create|open\w*)$/;

/**
 * Returns the scopes of which a call needs one; undefined if it needs none.
 * @param opensOthers - see `opensOtherSpreadsheets` in settings.ts
 */
function getRequiredScopes(name: string, opensOthers: boolean): readonly string[] | undefined {
  const scopes = METHOD_SCOPES[name] ?? SERVICE_SCOPES[name.slice(0, name.indexOf('.'))];
  if (opensOthers || !OTHER_SPREADSHEETS.test(name)) return scopes;
  return scopes?.filter((scope) => scope !== CURRENT_SPREADSHEET);
}

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

/** Classes and services that need no consent. */
const UNRESTRICTED = ['Blob', 'Clock', 'Console', 'HtmlService', 'Utilities'];
const STORES = ['CacheService', 'LockService', 'PropertiesService'];

/**
 * Services by kind of execution; other kinds have all.
 * - Guide "Custom functions", services: these and no others, since a custom function can't ask for consent.
 * - Guides "Simple triggers" and "Authorization lifecycle of add-ons": AuthMode.LIMITED has no service that needs consent,
 *   AuthMode.NONE has neither the document nor its properties.
 */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  formula: [
    ...[...UNRESTRICTED, ...STORES, 'SpreadsheetApp', 'UrlFetchApp'],
    ...['Jdbc', 'LanguageApp', 'Maps', 'XmlService'],
  ],
  open: [...UNRESTRICTED, ...STORES, 'SpreadsheetApp', 'Session', 'Ui'],
  openNone: [...UNRESTRICTED, 'Session', 'Ui'],
};

/** Guide "Custom functions", services: the spreadsheet is read-only, and other spreadsheets can't be opened. */
const FORMULA_METHODS = /^SpreadsheetApp\.(?:.*\.)?(?:get|is|can)[A-Z]\w*$/;

/**
 * Throws Google's error if this kind of execution may not make the call:
 * "Cannot call SpreadsheetApp.getUi() from this context.", "You do not have permission to call …",
 * "Specified permissions are not sufficient to call …".
 */
export function checkPermission(context: Context, manifest: Manifest, name: string): void {
  const { deniedScopes, opensOtherSpreadsheets, severalAccounts } = context.settings;
  const service = name.slice(0, name.indexOf('.'));
  const requiredScopes = getRequiredScopes(name, opensOtherSpreadsheets);
  const scopeHint = requiredScopes
    ? ` Required permissions: ${requiredScopes.length > 1 ? `(${requiredScopes.join(' || ')})` : requiredScopes[0]}`
    : '';
  const role = getRole(context);
  const isMissing = SERVICES[role]?.includes(service) === false;
  if (service === 'Ui' && isMissing) {
    throw new Exception('Cannot call SpreadsheetApp.getUi() from this context.');
  }
  // Guide "Simple triggers": menus, alerts and prompts need no consent; custom pages do.
  const needsConsent = role.startsWith('open') && requiredScopes?.includes(CONTAINER_UI) === true;
  if (needsConsent || isMissing)
    throw new Exception(`You do not have permission to call ${name}.${scopeHint}`);
  if (context.kind === 'formula' && service === 'SpreadsheetApp' && !FORMULA_METHODS.test(name)) {
    throw new Exception(`You do not have permission to call ${name.slice(name.lastIndexOf('.') + 1)}`);
  }
  if (severalAccounts === 'fetch' && context.kind === 'sidebar' && service === 'UrlFetchApp') {
    throw new Exception(`You do not have permission to call ${name}.`);
  }
  const allowed = requiredScopes?.filter((scope) => !deniedScopes.includes(scope));
  if (allowed?.length === 0) {
    const refusal = new Exception(`You do not have permission to call ${name}.${scopeHint}`);
    // Guide "Triggers for Editor add-ons": a trigger stops when it reaches code that uses a service without authorization.
    throw context.kind === 'trigger' ? Object.assign(refusal, { name: CONSENT_REQUIRED }) : refusal;
  }
  const declared = manifest.oauthScopes;
  if (allowed && declared && !allowed.some((scope) => declared.includes(scope))) {
    throw new Exception(`Specified permissions are not sufficient to call ${name}.${scopeHint}`);
  }
}

/**
 * Guide "Authorization lifecycle of add-ons": onInstall has AuthMode.FULL and may do what a menu may; before the first use
 * in a document, onOpen has AuthMode.NONE.
 */
function getRole({ kind, authMode }: Context): string {
  if (kind !== 'open' || authMode === 'LIMITED') return kind;
  return authMode === 'FULL' ? 'menu' : 'openNone';
}

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

/** Name of the error that ends an execution: the script can't catch it. */
export const CONSENT_REQUIRED = 'ConsentRequired';

/**
 * Creates the handlers. Reference "ScriptApp.requireScopes": if the user has not granted the scopes, it ends the execution
 * and shows the consent screen. Scopes that the manifest does not declare are errors. The texts of both are unverified.
 */
export function authorizationHandlers({ manifest, onUi, identityToken }: HostOptions): Handlers {
  return {
    // Reference "ScriptApp.getIdentityToken": null unless the scope openid was granted; the e-mail address needs another.
    'ScriptApp.getIdentityToken': async ({ settings, viewer }) => {
      const isGranted = (scope: string): boolean =>
        manifest.oauthScopes?.includes(scope) === true && !settings.deniedScopes.includes(scope);
      if (!isGranted('openid')) return null;
      if (identityToken === undefined) throw new Exception('This host has no stand-in of Google’s accounts.');
      return identityToken(viewer, isGranted(EMAIL));
    },
    // Reference "AuthorizationInfo.getAuthorizationStatus": whether the user needs to grant scopes of the script.
    'ScriptApp.getAuthorizationInfo': ({ settings }) =>
      (manifest.oauthScopes ?? []).some((scope) => settings.deniedScopes.includes(scope)),
    'ScriptApp.requireScopes': async ({ settings }, args) => {
      const scopes = args.strings(0);
      const undeclared = scopes.find((scope) => manifest.oauthScopes?.includes(scope) === false);
      if (undeclared !== undefined) throw new Exception(`Invalid scope: ${undeclared}`);
      const missing = scopes.filter((scope) => settings.deniedScopes.includes(scope));
      if (missing.length === 0) return null;
      await onUi?.({ kind: 'consent', scopes: missing });
      const required = new Error('Authorization is required to perform that action.');
      throw Object.assign(required, { name: CONSENT_REQUIRED });
    },
  };
}
