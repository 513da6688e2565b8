// The types between the emulated Apps Script host and those who use it: tests and the playground.

import type { CellValue, Journal, Workbook } from './sheets/workbook.ts';
import type { Execution } from './threads/protocol.ts';

export type * from './sheets/workbook.ts';

/** What a formula passes: a single value, a range (rows of cells), or nothing where an argument was left out. */
export type Argument = CellValue | null | undefined | readonly (readonly CellValue[])[];

/** appsscript.json, as far as the host enforces it. */
export interface Manifest {
  readonly timeZone?: string;
  readonly oauthScopes?: readonly string[];
  readonly urlFetchWhitelist?: readonly string[];
  readonly [other: string]: unknown;
}

/** A request on its way out of UrlFetchApp. Header names are as the script wrote them. */
export interface HostRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly followRedirects: boolean;
  readonly validateCertificates: boolean;
}

/** What came back; a header that was sent more than once is a list. Names of headers reach the script as spelt here. */
export interface HostResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

/** Who makes a request: a function, and the cell that it was called from where that is a formula. */
export interface Asker {
  readonly functionName: string;
  readonly cell: Cell | null;
}

/**
 * The network edge. A rejection means that no answer came: the script sees "Address unavailable", or what an Exception
 * says in Google's words.
 */
export type HostFetch = (request: HostRequest, asker: Asker) => Promise<HostResponse>;

/** An entry of a menu. */
export type MenuItem =
  | { readonly kind: 'item'; readonly caption: string; readonly functionName: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'menu'; readonly menu: Menu };

/** A menu that a script added with addToUi(); `addon` where it came from createAddonMenu(). */
export interface Menu {
  readonly caption: string;
  readonly addon: boolean;
  readonly items: readonly MenuItem[];
}

/** Something that a script shows to the person in front of the spreadsheet. */
export type UiRequest =
  | { readonly kind: 'menu'; readonly menu: Menu }
  | { readonly kind: 'alert'; readonly title: string; readonly prompt: string; readonly buttons: ButtonSet }
  | { readonly kind: 'prompt'; readonly title: string; readonly prompt: string; readonly buttons: ButtonSet }
  | { readonly kind: 'toast'; readonly title: string; readonly message: string; readonly seconds: number }
  | { readonly kind: 'sidebar'; readonly title: string; readonly html: string }
  | {
      readonly kind: 'dialog';
      readonly title: string;
      readonly html: string;
      /** In pixels; null where the script set none. */
      readonly width: number | null;
      readonly height: number | null;
      /** false: the spreadsheet stays usable beside it. */
      readonly modal: boolean;
    };

export type ButtonSet = 'OK' | 'OK_CANCEL' | 'YES_NO' | 'YES_NO_CANCEL';
export type Button = 'OK' | 'CANCEL' | 'YES' | 'NO' | 'CLOSE';

/** The person's answer to an alert or a prompt; nothing else needs one. */
export interface UiAnswer {
  readonly button: Button;
  readonly text?: string;
}

/** A line that a script wrote with console or Logger. */
export interface LogLine {
  readonly level: 'log' | 'info' | 'warn' | 'error';
  readonly text: string;
  readonly functionName: string;
  readonly at: number;
}

/** The three kinds of property store; `user` holds a store per e-mail address. */
export interface PropertyStores {
  readonly script?: Readonly<Record<string, string>>;
  /** null: there is no document, `getDocumentProperties()` answers null. */
  readonly document?: Readonly<Record<string, string>> | null;
  readonly user?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** E-mail addresses of the spreadsheet's owner and of who has it open. */
export interface People {
  readonly owner: string;
  readonly viewer: string;
}

/** What may change while a host lives. */
export interface Settings {
  readonly people: People;
  /** false: formulas get null from `getDocumentProperties()`, menus still get the store. */
  readonly documentInFormulas: boolean;
}

/** An installable trigger. */
export interface TriggerData {
  readonly uid: string;
  readonly functionName: string;
  /** Who made it, and as whom it runs. */
  readonly user: string;
  /** The spreadsheet in which it was made. */
  readonly document: string;
  readonly event: 'ON_OPEN';
}

/** What came of a trigger that fired; `error` is what its maker is told. */
export interface TriggerRun {
  readonly trigger: TriggerData;
  readonly error: string | null;
}

export interface HostOptions {
  /** The text of the built Code.js. */
  readonly code: string;
  readonly manifest: Manifest;
  /** The project's HTML files by name, without '.html'. */
  readonly files?: Readonly<Record<string, string>>;
  readonly fetch: HostFetch;
  /** Makes a realm in another thread: `startNodeExecution` or `() => startBrowserExecution(url)`. */
  readonly startExecution: () => Execution;
  readonly people: People;
  /**
   * Data: the host keeps a copy and applies writes to it. A function: asked anew by each execution that looks, and told
   * who looks, since everybody has an active range of their own; who passed it applies the writes that `onWrites` hands
   * over.
   */
  readonly workbook: Workbook | ((viewer: string) => Workbook | Promise<Workbook>);
  readonly properties?: PropertyStores;
  readonly documentInFormulas?: boolean;
  /** Triggers that were made before. */
  readonly triggers?: readonly TriggerData[];
  /** The clock, in ms; the machine's unless told. An injected clock is also what `Date` reads inside scripts. */
  readonly now?: () => number;
  /** Runs something later and gives back how to call it off; setTimeout unless told. */
  readonly after?: (ms: number, run: () => void) => () => void;
  /** Makes ids for Utilities.getUuid(); crypto.randomUUID unless told. */
  readonly uuid?: () => string;
  /** Called with each batch of writes; the script goes on when it resolves. */
  readonly onWrites?: (journal: Journal) => void | Promise<void>;
  /** Answers dialogs; without it every alert and prompt is closed unanswered. */
  readonly onUi?: (request: UiRequest) => UiAnswer | undefined | Promise<UiAnswer | undefined>;
  readonly onLog?: (line: LogLine) => void;
}

/** What a formula leaves in its cell and, where it is an array, in the cells beside and below it. */
export type FormulaResult =
  | { readonly values: readonly (readonly CellValue[])[] }
  /** `error` is the bare message; `tooltip` is what Sheets shows over `#ERROR!`. */
  | { readonly error: string; readonly tooltip: string };

/** How many times things happened since the host was made. */
export interface Usage {
  /** Requests through UrlFetchApp that the quota counted. */
  readonly urlFetch: number;
  /** Executions of any kind. */
  readonly executions: number;
  /** Executions of formulas: answers from the memo do not count. */
  readonly formulaRuns: number;
}

/** A parameter as its JSDoc tells it. */
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
  /** Has `@customfunction`: Sheets offers it while someone types a formula. */
  readonly custom: boolean;
}

/** Where a formula stands. */
export interface Cell {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

/** What the class `Host` offers. */
export interface HostApi {
  /** The public functions of Code.js, for autocomplete. */
  readonly functions: readonly PublicFunction[];
  readonly usage: Usage;
  /** The installable triggers as they are now, to keep and to pass in again. */
  readonly triggers: readonly TriggerData[];
  /** The menus that scripts added; one takes the place of another with its caption. */
  readonly menus: readonly Menu[];
  /** The property stores as they are now, to keep and to pass in again. */
  readonly properties: PropertyStores;
  /** The workbook, writes applied; throws where the option was a function. */
  readonly workbook: Workbook;
  /**
   * Evaluates a custom function as Sheets does, answered from the memo where name and arguments are the same;
   * a failure is not kept there.
   * What the script throws is a result; it rejects only where a thread breaks or the host is closed.
   */
  evaluate(name: string, args: readonly Argument[], at: Cell): Promise<FormulaResult>;
  /** Runs a function for a menu or a trigger; gives what it returned, or throws a HostError with what it threw. */
  run(
    name: string,
    args?: readonly unknown[],
    kind?: 'menu' | 'open',
    options?: RunOptions,
  ): Promise<unknown>;
  /**
   * Calls a function as google.script.run does in the sidebar or a dialog; gives what the success handler gets.
   * Rejects with a TypeError where the page itself would throw, and with a HostError "ScriptError" whose message is what
   * the failure handler gets.
   */
  call(name: string, args?: readonly unknown[]): Promise<unknown>;
  /**
   * Runs the installable triggers of the spreadsheet's opening one after the other, each as its maker.
   * What a trigger throws is a result.
   */
  runOpenTriggers(): Promise<readonly TriggerRun[]>;
  /** Forgets the memo of formulas: all of it, one function's, or what one function gave for these arguments. */
  forget(name?: string, args?: readonly Argument[]): void;
  /** Forgets what CacheService keeps, as Google may at any time. */
  forgetCaches(): void;
  /** Changes who looks and what formulas may see. */
  change(settings: Partial<Settings>): void;
  /** Ends all executions. */
  close(): void;
}

export interface RunOptions {
  /**
   * For kind `open`: NONE before anyone used the add-on in this document, LIMITED after (the default); FULL for onInstall.
   */
  readonly authMode?: 'NONE' | 'LIMITED' | 'FULL';
  /** Who runs it, where that is not who has the spreadsheet open. */
  readonly user?: string;
}
