// Public types of the emulated Apps Script host, for tests and the playground.

import type { Settings } from './settings.ts';
import type { Cell, CellValue, Journal, Workbook } from './sheets/workbook.ts';
import type { AuthMode, Execution } from './threads/protocol.ts';

export type * from './settings.ts';
export type * from './sheets/workbook.ts';

/** An argument of a formula: a value, a range (rows of cells), or undefined if it is omitted. */
export type Argument = CellValue | null | undefined | readonly (readonly CellValue[])[];

/** The parts of appsscript.json that the host enforces. */
export interface Manifest {
  readonly timeZone?: string;
  readonly oauthScopes?: readonly string[];
  readonly urlFetchWhitelist?: readonly string[];
  readonly [field: string]: unknown;
}

/** A request sent by UrlFetchApp. Header names keep the script's spelling. */
export interface HostRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly followRedirects: boolean;
}

/** A response to UrlFetchApp. */
export interface HostResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The function that sends a request, and its cell if it is a formula. */
export interface RequestSource {
  readonly functionName: string;
  readonly cell: Cell | null;
}

/**
 * Sends a request. If it rejects, the script sees "Address unavailable", or the message of an Exception.
 */
export type HostFetch = (request: HostRequest, asker: RequestSource) => Promise<HostResponse>;

export type MenuItem =
  | { readonly kind: 'item'; readonly caption: string; readonly functionName: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'menu'; readonly menu: Menu };

/** A menu added with addToUi(). `addon` is true if the script used createAddonMenu(). */
export interface Menu {
  readonly caption: string;
  readonly addon: boolean;
  readonly items: readonly MenuItem[];
}

/** An element that a script shows to the user. */
export type UiRequest =
  | { readonly kind: 'menu'; readonly menu: Menu }
  | { readonly kind: 'alert'; readonly title: string; readonly prompt: string; readonly buttons: ButtonSet }
  | { readonly kind: 'prompt'; readonly title: string; readonly prompt: string; readonly buttons: ButtonSet }
  | { readonly kind: 'toast'; readonly title: string; readonly message: string; readonly seconds: number }
  /** Google's consent screen. The execution has ended. */
  | { readonly kind: 'consent'; readonly scopes: readonly string[] }
  | { readonly kind: 'sidebar'; readonly title: string; readonly html: string };

export type ButtonSet = 'OK' | 'OK_CANCEL' | 'YES_NO' | 'YES_NO_CANCEL';
export type Button = 'OK' | 'CANCEL' | 'YES' | 'NO' | 'CLOSE';

/** The user's answer to an alert or a prompt. Other requests need none. */
export interface UiAnswer {
  readonly button: Button;
  readonly text?: string;
}

/** A line written with console. */
export interface LogLine {
  readonly text: string;
}

/** An item of CacheService; it expires at a time in ms. */
export interface CacheItem {
  readonly value: string;
  readonly expiresAt: number;
}

/** Items of CacheService by cache, in the order of their writes. */
export type CacheStores = Readonly<Record<string, readonly (readonly [key: string, item: CacheItem])[]>>;

/** The three kinds of property store. `user` has one store per email address. */
export interface PropertyStores {
  readonly script?: Readonly<Record<string, string>>;
  /** null: there is no document and `getDocumentProperties()` returns null. */
  readonly document?: Readonly<Record<string, string>> | null;
  readonly user?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface TriggerData {
  readonly uid: string;
  readonly functionName: string;
  /** The creator. The trigger runs as this user. */
  readonly user: string;
  /** The id of the spreadsheet that the trigger belongs to. */
  readonly document: string;
  readonly event: 'ON_OPEN' | 'ON_EDIT' | 'ON_CHANGE';
}

/** Changes of a spreadsheet that are not edits. Guide "Event objects": Google Sheets events, change. */
export type ChangeType =
  | 'INSERT_ROW'
  | 'INSERT_COLUMN'
  | 'REMOVE_ROW'
  | 'REMOVE_COLUMN'
  | 'INSERT_GRID'
  | 'REMOVE_GRID'
  | 'FORMAT'
  | 'OTHER';

/** The result of a trigger run; `error` is the message for its creator. */
export interface TriggerRun {
  readonly trigger: TriggerData;
  readonly error: string | null;
}

export interface HostOptions extends Partial<Settings> {
  /** The source text of the built Code.js. */
  readonly code: string;
  readonly manifest: Manifest;
  /** HTML files of the project by name, without '.html'. */
  readonly files?: Readonly<Record<string, string>>;
  readonly fetch: HostFetch;
  /** Creates an execution thread: `startNodeExecution` or `() => startBrowserExecution(url)`. */
  readonly startExecution: () => Execution;
  readonly people: Settings['people'];
  /** Addresses of people with edit access to the Apps Script project. People who only use the add-on have none. */
  readonly scriptEditors?: readonly string[];
  /**
   * As data: the host copies it and applies writes to the copy. As a function: each execution calls it with its user when
   * it first reads the spreadsheet, and the caller applies the writes passed to `onWrites`.
   */
  readonly workbook: Workbook | ((viewer: string) => Workbook | Promise<Workbook>);
  readonly properties?: PropertyStores;
  readonly caches?: CacheStores;
  readonly triggers?: readonly TriggerData[];
  /** Clock in ms; defaults to the system clock. Scripts' `Date` uses an injected clock too. */
  readonly now?: () => number;
  /** Schedules a callback and returns its cancel function; defaults to setTimeout. */
  readonly setTimer?: (ms: number, run: () => void) => () => void;
  /** Creates ids for Utilities.getUuid(); defaults to crypto.randomUUID. */
  readonly uuid?: () => string;
  /**
   * Signs an identity token of a user, as Google does. Absent: asking for one fails.
   * @param withEmail - whether the user has granted the scope of the e-mail address
   */
  readonly identityToken?: (user: string, withEmail: boolean) => Promise<string>;
  /** Called with each batch of writes. The script continues when the promise resolves. */
  readonly onWrites?: (journal: Journal) => void | Promise<void>;
  /** Answers dialogs. By default every alert and prompt is closed unanswered. */
  readonly onUi?: (request: UiRequest) => UiAnswer | undefined | Promise<UiAnswer | undefined>;
  readonly onLog?: (line: LogLine) => void;
}

/** The result of a formula. An array fills the cells below and to the right. */
export type FormulaResult =
  | { readonly values: readonly (readonly CellValue[])[] }
  /** `error` is the plain message; `tooltip` is the text that Sheets shows over `#ERROR!`. */
  | { readonly error: string; readonly tooltip: string };

/** Counters since the host was created. */
export interface Usage {
  /** Requests through UrlFetchApp that counted against the quota. */
  readonly urlFetch: number;
  /** Executions of any kind. */
  readonly executions: number;
  /** Executions of formulas. Reused results do not count. */
  readonly formulaRuns: number;
  /** Calls of services, also refused ones. */
  readonly serviceCalls: number;
}

/** A parameter as documented in JSDoc. */
export interface FunctionParameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly optional: boolean;
}

/** A top-level function of Code.js. */
export interface PublicFunction {
  readonly name: string;
  readonly description: string;
  readonly params: readonly FunctionParameter[];
  readonly returns: string;
  /** Has `@customfunction`: Sheets suggests it in formulas. */
  readonly custom: boolean;
}

export interface RunOptions {
  /** For kind `open`: NONE before the first use in this document, LIMITED after (default), FULL for onInstall. */
  readonly authMode?: AuthMode;
  /** The user who runs it; defaults to the current viewer. */
  readonly user?: string;
}
